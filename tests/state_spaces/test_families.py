"""Highly symmetric states get exact keys and orbits in any disguise, or are refused in any."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from random import Random
from unittest import mock

import pytest
from hypothesis import given

from state_spaces import Match, Name
from state_spaces.canonical import TooSymmetric, label
from state_spaces.search import canonical_order
from tactics.goal import State
from tests.state_spaces.examples import tried
from tests.state_spaces.families import DIFFERENT, FAMILIES, SAME
from tests.state_spaces.graphs import arrows, goal, random_regular, steiner
from tests.state_spaces.variants import disguised, randoms, renamed


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


@pytest.mark.parametrize("pair", SAME)
def test_two_ways_to_build_a_symmetric_state_give_one_key(pair: str) -> None:
    one, other = SAME[pair]()
    assert label(one).key == label(other).key
    assert label(one).orbits == label(other).orbits


@pytest.mark.parametrize("pair", DIFFERENT)
def test_symmetric_states_that_look_alike_have_different_keys(pair: str) -> None:
    one, other = DIFFERENT[pair]()
    assert label(one).key != label(other).key


# The budget


@contextmanager
def allowed(edges: int) -> Iterator[None]:
    """Let the search look at so many edges of each connected part."""
    with mock.patch("state_spaces.canonical.canonical_order", partial(canonical_order, budget=edges)):
        yield


def refused(state: State, budget: int) -> bool:
    with allowed(budget):
        try:
            label(state)
        except TooSymmetric:
            return True
        return False


def least_budget(state: State) -> int:
    """The least budget that suffices to label a state."""
    enough = 1
    while refused(state, enough):
        enough *= 2
    return bisect_left(range(enough), True, key=lambda budget: not refused(state, budget))


@pytest.mark.parametrize("family", FAMILIES)
def test_a_budget_suffices_for_all_disguises_of_a_state_or_for_none(family: str) -> None:
    state = FAMILIES[family]()
    least = least_budget(state)
    for seed in range(3):
        other = disguised(state, Random(seed)).state
        assert not refused(other, least)
        assert least == 0 or refused(other, least - 1)


@tried
@given(randoms)
def test_a_budget_suffices_for_all_letterings_of_a_regular_graph_or_for_none(rng: Random) -> None:
    state = goal(arrows(random_regular(rng.randint(3, 8), rng.randint(1, 2), rng)))
    budget = rng.randrange(1 << rng.randint(0, 12))
    assert refused(state, budget) == refused(disguised(state, rng).state, budget)


def test_beyond_the_budget_every_disguise_of_a_state_is_refused_in_a_sentence() -> None:
    state = goal(steiner(15, Random(0)))
    with allowed(20_000):
        for seed in range(4):
            for space in (Name(), Match()):
                with pytest.raises(TooSymmetric, match=r"^The 15 atoms of this state look too much alike .*\.$"):
                    space.view(disguised(state, Random(seed)).state)
