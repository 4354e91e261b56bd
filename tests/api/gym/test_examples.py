"""The example of an agent from elsewhere: the whole of it only where sb3-contrib is installed."""

from __future__ import annotations

from types import ModuleType

import gymnasium
import pytest

from tests.examples import example


@pytest.fixture(scope="module", name="example")
def masked_ppo() -> ModuleType:
    return example("masked_ppo")


def test_the_example_measures_a_player_of_legal_moves(example: ModuleType) -> None:
    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma="A -> B -> A")
    share, length = example.share_of_proofs(environment, lambda _, mask: environment.action_space.sample(mask), 5)
    assert (share, length) == (1.0, 3.0)


def test_an_agent_from_elsewhere_learns_the_shortest_proof(
    example: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sb3_contrib", reason="sb3-contrib, which needs torch, is not installed")
    example.main(["SYJ203.1", "--steps", "2048", "--episodes", "100"])
    assert "exam: 100.0% proved" in capsys.readouterr().out
