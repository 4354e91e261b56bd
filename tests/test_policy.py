"""The policies that know nothing of their own, and how one of their moves is drawn."""

from __future__ import annotations

from collections import Counter
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.actions import ACTION_SPACES
from oasis.policy import Uniform, draw, equal_shares
from oasis.splitmix import SplitMix64
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tests.student.pupils import lemmas

CHOICE = initial(parse("p \\/ q"))
STUCK = initial(parse("p"))


@pytest.mark.parametrize("space", ACTION_SPACES)
@given(lemma=lemmas())
def test_the_uniform_player_likes_all_actions_the_same(space: str, lemma: Formula) -> None:
    state, actions = initial(lemma), ACTION_SPACES[space].actions(initial(lemma))
    policy = Uniform(ACTION_SPACES[space])
    found, nothing = policy.probabilities([state, ()])
    assert found.tolist() == [1 / len(actions) for _ in actions]
    assert nothing.tolist() == []
    assert policy.values(state) is None


def test_no_state_has_no_probabilities() -> None:
    assert Uniform().probabilities([]) == []
    assert [shares.tolist() for shares in Uniform().probabilities([STUCK, CHOICE])] == [[], [0.5, 0.5]]
    assert [equal_shares(number).tolist() for number in (4, 0)] == [[0.25] * 4, []]


@pytest.mark.parametrize("shares", [[0.0, 0.5, 0.5], [0.1, 0.2, 0.7], [0.0, 0.25, 0.0, 0.75], [1e-3, 0.999]])
def test_each_is_drawn_as_often_as_is_likely(shares: list[float]) -> None:
    rng, number = SplitMix64.seeded(3), 10_000
    drawn = Counter(draw(np.array(shares), rng) for _ in range(number))
    for place, share in enumerate(shares):
        assert drawn[place] / number == pytest.approx(share, abs=5 * sqrt(share * (1 - share) / number) + 1e-12)


@given(st.lists(st.floats(0, 1), max_size=6), st.integers(0, 2**64 - 1))
def test_what_is_drawn_is_possible(shares: list[float], seed: int) -> None:
    place = draw(np.array(shares), SplitMix64(seed))
    assert (place is None) == (not any(shares))
    assert place is None or shares[place] > 0


def test_no_lot_is_drawn_where_one_thing_is_left() -> None:
    rng = SplitMix64.seeded(1)
    before = rng.state
    assert draw(np.array([0.0, 1.0]), rng) == 1
    assert draw(np.array([0.0, 0.0]), rng) is None
    assert draw(np.zeros(0), rng) is None
    assert rng.state == before
