"""Proof-number search: right, not misled by goals that many ways lead to, and guided by the policy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.policy import Floats, Uniform
from oasis.search.best_first import BestFirst
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals
from oasis.search.graph import OPEN, PROVED
from oasis.search.proof_number import ProofNumber
from oasis.search.search import Budget, Search
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.script import replay
from tests.strategies import formulas
from tests.thorough import examples

EXAMPLES: Final = examples(200)
NAMES: Final = ("A", "B", "C", "D")


def expansions(search: Search) -> int:
    *_, event = search.run(Budget(expansions=20_000))
    assert event.status is not OPEN
    return event.expansions


def goal_of(name: str) -> Goal:
    return initial(resolve_lemma(name).formula)[0]


@settings(max_examples=EXAMPLES)
@given(formulas(NAMES, max_steps=6, max_size=20), st.integers(0, 2**32))
def test_an_exhausted_search_knows_the_truth(formula: Formula, seed: int) -> None:
    search = ProofNumber(initial(formula)[0], seed=seed)
    *_, event = search.run(Budget(expansions=5000))
    if event.status is not OPEN:
        assert (event.status is PROVED) == Sequents().decide((), formula)
    script = search.script()
    assert (script is not None) == (event.status is PROVED)
    if script is not None:
        assert not replay(formula, script)[-1]
        assert len(script) == event.length


@settings(max_examples=max(10, EXAMPLES // 10))
@given(formulas(NAMES, max_steps=6, max_size=20), st.integers(0, 2**32))
def test_statuses_fit_together_after_every_expansion(formula: Formula, seed: int) -> None:
    search = ProofNumber(initial(formula)[0], seed=seed)
    for _ in range(200):
        *_, event = search.run(Budget(expansions=1))
        search.graph.check_invariants()
        if event.status is not OPEN:
            break


@pytest.mark.parametrize("name", ["SYJ203.6", "SYJ205.4", "SYJ201.1"])
def test_goals_to_which_many_ways_lead_do_not_look_hopeless(name: str) -> None:
    """With sums over all ways it would not get beyond what best-first search needs."""
    goal, goals = goal_of(name), Goals()
    for seed in range(3):
        fewer = expansions(ProofNumber(goal, seed=seed, goals=goals))
        assert 2 * fewer < expansions(BestFirst(goal, seed=seed, goals=goals))


def test_a_policy_that_knows_the_way_expands_nothing_else() -> None:
    goal = goal_of("SYJ203.4")
    guided = ProofNumber(goal, Exact())
    assert expansions(guided) <= 30
    assert guided.length == 22
    assert expansions(guided) < min(expansions(ProofNumber(goal, Uniform(), seed=seed)) for seed in range(5))


class Contrary:
    """Gives the moves on which the exact policy puts something nothing at all, and all others the same."""

    def __init__(self) -> None:
        self._exact = Exact()

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        shares: list[Floats] = []
        for each in self._exact.probabilities(states):
            others = (each == 0).astype(np.float64)
            shares.append(others / others.sum() if others.any() else each)
        return shares

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return None


def test_a_policy_that_is_sure_and_wrong_only_costs_time() -> None:
    expansions(ProofNumber(goal_of("SYJ203.3"), Contrary()))


def test_what_the_cache_knows_is_not_searched_again() -> None:
    goal, cache = goal_of("SYJ203.5"), GoalCache()
    expansions(ProofNumber(goal, cache=cache))
    again = ProofNumber(goal, cache=cache, seed=1)
    assert expansions(again) == 0
    script = again.script()
    assert script is not None
    assert not replay(resolve_lemma("SYJ203.5").formula, script)[-1]
