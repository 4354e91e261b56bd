"""What can ever stand in a lemma's goals: held against what does, by walking through all of them."""

from __future__ import annotations

import pytest
from hypothesis import given

from curricula import resolve_lemma
from oasis.api.gym.reach import reach
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import apply, legal_moves, premises
from tests.strategies import Walk, walks


def all_goals(formula: Formula) -> set[Goal]:
    """Every goal that can come up."""
    pending = list(initial(formula))
    found = set(pending)
    while pending:
        goal = pending.pop()
        new = {premise for move in legal_moves(goal) for premise in premises(goal, move)} - found
        found |= new
        pending += new
    return found


def most_open(formula: Formula) -> int:
    """The most goals that are open in any state, found by a walk through all states."""
    pending = [initial(formula)]
    found: set[State] = set(pending)
    while pending:
        state = pending.pop()
        new = {apply(state, move) for move in (legal_moves(state[0]) if state else ())} - found
        found |= new
        pending += new
    return max(map(len, found))


@given(walks())
def test_no_walk_leads_beyond_the_reach_of_its_lemma(walk: Walk) -> None:
    formulas, hypotheses, goals = reach(walk.formula)
    for state in walk.states:
        assert len(state) <= goals
        for goal in state:
            assert len(goal.hypotheses) <= hypotheses
            assert {goal.conclusion, *(formula for _, formula in goal.hypotheses)} <= set(formulas)


@pytest.mark.parametrize("name", ["thesis/41", "thesis/42", "textbook/or_comm", "SYN041"])
def test_the_bounds_are_reached(name: str) -> None:
    formula = resolve_lemma(name).formula
    walked = all_goals(formula)
    formulas, hypotheses, goals = reach(formula)
    assert hypotheses == max(len(goal.hypotheses) for goal in walked)
    assert goals == most_open(formula)
    assert set(formulas) == {goal.conclusion for goal in walked} | {
        formula for goal in walked for _, formula in goal.hypotheses
    }


def test_the_lemma_comes_first_and_no_formula_twice() -> None:
    formulas = reach(parse("(A -> B) -> (A -> B)")).formulas
    assert [show(formula) for formula in formulas] == ["(A -> B) -> A -> B", "A -> B", "A", "B"]


def test_a_lemma_with_too_many_formulas_is_refused_in_a_sentence() -> None:
    with pytest.raises(InputError, match=r"More than 5,000 formulas .* choose a smaller lemma\."):
        reach(resolve_lemma("SYJ208.20").formula)
