"""Highly symmetric states get exact keys and orbits in any disguise, or are refused in any."""

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from unittest import mock

import pytest

from state_spaces import Match, Name
from state_spaces.canonical import TooSymmetric, label
from state_spaces.search import canonical_order
from tactics.goal import State
from tests.state_spaces.graphs import DIFFERENT, FAMILIES, SAME, Pair, goal, steiner
from tests.state_spaces.variants import disguised, renamed


@pytest.mark.parametrize("family", FAMILIES)
def test_a_symmetric_state_keeps_its_key_and_positions_in_any_disguise(family: str) -> None:
    state = FAMILIES[family]()
    one, view = label(state), Name().view(state)
    for seed in range(3):
        disguise = disguised(state, Random(seed))
        other = label(disguise.state)
        assert other.key == one.key
        bijection = dict(zip(one.atoms, other.atoms, strict=True))
        assert [renamed(formula, bijection) for formula in one.formulas] == list(other.formulas)
        assert one.orbits == other.orbits
        positions = Name().view(disguise.state).positions
        for hypothesis, now in disguise.hypotheses[0].items():
            assert positions[now] == view.positions[hypothesis]


@pytest.mark.parametrize(
    ("pair", "same"), [*((pair, True) for pair in SAME.values()), *((pair, False) for pair in DIFFERENT.values())]
)
def test_two_ways_to_build_a_symmetric_state_give_one_key_and_states_looking_alike_two(pair: Pair, same: bool) -> None:
    one, other = map(label, pair())
    assert (one.key == other.key) == same
    assert not same or one.orbits == other.orbits


# The budget


@contextmanager
def allowed(edges: int) -> Iterator[None]:
    """Let the search look at so many edges of each connected part."""
    with mock.patch("state_spaces.search.canonical_order", partial(canonical_order, budget=edges)):
        yield


def refused(state: State, budget: int) -> bool:
    with allowed(budget):
        try:
            label(state)
        except TooSymmetric:
            return True
        return False


def least_budget(state: State) -> int:
    """Return the least budget that suffices to label a state."""
    enough = 1
    while refused(state, enough):
        enough *= 2
    return bisect_left(range(enough), True, key=lambda budget: not refused(state, budget))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_a_budget_suffices_for_all_disguises_of_a_state_or_for_none(family: str) -> None:
    state = FAMILIES[family]()
    least = least_budget(state)
    for seed in range(3):
        other = disguised(state, Random(seed)).state
        assert not refused(other, least)
        assert least == 0 or refused(other, least - 1)


@pytest.mark.slow
def test_beyond_the_budget_every_disguise_of_a_state_is_refused_in_a_sentence() -> None:
    state = goal(steiner(15, Random(0)))
    with allowed(20_000):
        for seed in range(4):
            for space in (Name(), Match()):
                with pytest.raises(TooSymmetric, match=r"^The 15 atoms of this state look too much alike .*\.$"):
                    space.view(disguised(state, Random(seed)).state)
