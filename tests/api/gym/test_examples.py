"""The example of an agent from elsewhere, as far as it goes without sb3-contrib."""

from __future__ import annotations

import gymnasium

from tests.examples import example


def test_the_example_measures_a_player_of_legal_moves() -> None:
    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma="A -> B -> A")
    share, length = example("masked_ppo").share_of_proofs(
        environment, lambda _, mask: environment.action_space.sample(mask), 5
    )
    assert (share, length) == (1.0, 3.0)
