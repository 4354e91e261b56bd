"""The quick look before a labelling: goals that are the same up to renaming never have different invariants."""

from __future__ import annotations

from random import Random

from hypothesis import given

from state_spaces.canonical import label
from state_spaces.invariant import Invariants
from tactics.goal import Goal, State, sequent
from tests.state_spaces.test_simple import TEXTBOOK, reachable
from tests.state_spaces.variants import disguised, randoms, states


def invariants_of(*goals: Goal) -> list[int]:
    """The invariants of some goals, worked out together."""
    formulas = [
        formula for each in goals for formula in (each.conclusion, *(formula for _, formula in each.hypotheses))
    ]
    invariant = Invariants({formula.id: formula for formula in formulas})
    return [invariant(sequent(each)) for each in goals]


@given(states(), randoms)
def test_renaming_atoms_or_shuffling_hypotheses_keeps_the_invariant(state: State, rng: Random) -> None:
    for one, other in zip(state, disguised(state, rng).state, strict=True):
        first, second = invariants_of(one, other)
        assert first == second


@given(states(), states())
def test_goals_with_different_invariants_have_different_keys(one: State, other: State) -> None:
    goals = [*one, *other]
    known: dict[bytes, int] = {}
    for each, invariant in zip(goals, invariants_of(*goals), strict=True):
        assert known.setdefault(label((each,)).key, invariant) == invariant


def test_it_tells_all_goals_of_the_textbook_apart_that_differ() -> None:
    goals = list({each for formula in TEXTBOOK for state in reachable(formula) for each in state})
    keys = {label((each,)).key for each in goals}
    assert len(set(invariants_of(*goals))) == len(keys) < len(goals)
