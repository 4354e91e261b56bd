"""What is said of a move before it is made, and of one that does not apply."""

from __future__ import annotations

import pytest
from hypothesis import given

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.effects import reason, refusal, would_leave
from oasis.classroom.proving.events import Refused
from tactics.goal import Goal
from tactics.printer import UNICODE, brief
from tactics.rules import legal_moves, premises
from tactics.script import parse_script
from tactics.sequent import parse_state
from tests.strategies import goals

AIM = "Get it there first, or work elsewhere."
OTHER = "Choose another formula or tactic."


@pytest.mark.parametrize(
    ("sequent", "move", "told"),
    [
        ("|- p -> q", "intro", "intro leaves: ⊢ q with H : p."),
        ("p |- q /\\ r", "split", "split leaves: ⊢ q; then ⊢ r."),
        ("p \\/ q |- r", "destruct_or H", "destruct_or H leaves: ⊢ r with H : p; then ⊢ r with H : q."),
        ("p -> q |- r", "imply1 H", "apply H leaves if p is among the hypotheses: ⊢ r with H : q."),
        ("p |- q", "assumption", "assumption closes this goal if q is among the hypotheses."),
        ("p |- q", "split", "split: It fails if the conclusion is no conjunction."),
    ],
)
def test_what_a_move_would_leave_is_told_by_its_formula_alone(sequent: str, move: str, told: str) -> None:
    (goal,), (made,) = parse_state(sequent), parse_script(move)
    assert would_leave(goal, made, UNICODE) == told


def test_why_nested_makes_two_goals_is_said_of_its_formulas() -> None:
    (goal,) = parse_state("(p -> q) -> r, p \\/ q |- r")
    nested, cases = parse_script("imply4 H; destruct_or H0")
    assert reason(goal, nested, UNICODE) == "H gives r only once p → q is proved."
    assert reason(goal, cases, UNICODE) == ""


@given(goals())
def test_what_is_told_is_what_is_left(goal: Goal) -> None:
    for move in legal_moves(goal):
        told = would_leave(goal, move)
        assert all(f"|- {brief(after.conclusion)}" in told for after in premises(goal, move))


@pytest.mark.parametrize(
    ("sequent", "move", "told"),
    [
        (
            "p -> q |- r",
            "imply1 H",
            "apply H does not apply: H leads from p to q, and p is not there yet.",
        ),
        (
            "p |- q",
            "split",
            f"split does not apply: the conclusion is q, and not of the form A ∧ B. {OTHER}",
        ),
        (
            "p |- q",
            "imply4 H",
            f"nested H does not apply: H is p, and not of the form (C → D) → B. {OTHER}",
        ),
    ],
)
def test_why_a_move_does_not_apply_is_said_with_what_to_do(sequent: str, move: str, told: str) -> None:
    (goal,), (made,) = parse_state(sequent), parse_script(move)
    attempt = Attempt(goal.conclusion)
    attempt.states[-1] = (goal,)
    with pytest.raises(Refused) as refused:
        attempt.make(made)
    assert refusal(goal, refused.value, UNICODE) == told
