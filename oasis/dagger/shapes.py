"""Formulas without their names: shapes to a depth, principal formulas, and tactics in the sense of R†."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from tactics.formula import FALSE, And, Atom, Formula, Implies, Or
from tactics.goal import Goal, Move, principal
from tactics.rules import legal_moves

DEPTH = 2
"""To which shapes look."""
_SIGNS = {And: "∧", Or: "∨", Implies: "→"}


class Tactic(NamedTuple):
    """What R† takes to be one tactic, or one reused theorem: a rule, and the shape of its principal formula."""

    rule: str
    shape: str


@lru_cache(maxsize=4096)
def shape(formula: Formula, depth: int = DEPTH) -> str:
    r"""The connectives of a formula to a depth: an atom is `a`, falsum `⊥`, and what lies deeper `·`.

    Two connectives deep, `A /\ B -> C` is `(a∧a)→a`.
    """
    match formula:
        case Atom():
            return "a"
        case And() | Or() | Implies():
            if depth == 0:
                return "·"
            sides = (shape(side, depth - 1) for side in (formula.left, formula.right))
            return _SIGNS[type(formula)].join(f"({side})" if len(side) > 1 else side for side in sides)
        case _:
            return "⊥"


def worked_on(goal: Goal, move: Move) -> Formula:
    """The formula that a move works on: its principal one, and falsum for `contradiction`."""
    return FALSE if move.rule == "contradiction" else principal(goal, move)


def tactic(goal: Goal, move: Move) -> Tactic:
    """The tactic that a move of a goal is."""
    return Tactic(move.rule, shape(worked_on(goal, move)))


def tactics_on_offer(goal: Goal) -> list[Tactic]:
    """The distinct tactics among the moves that a goal allows."""
    return list(dict.fromkeys(tactic(goal, move) for move in legal_moves(goal)))
