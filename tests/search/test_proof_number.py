"""Proof-number search: right, not misled by goals that many ways lead to, and guided by the policy."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.search.best_first import BestFirst
from oasis.search.goals import Goals
from oasis.search.graph import OPEN
from oasis.search.proof_number import ProofNumber
from oasis.search.search import Budget, Search
from tactics.formula import Formula
from tactics.goal import Goal, initial
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
