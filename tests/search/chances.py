"""What uniform play comes to, exactly."""

from __future__ import annotations

from math import prod

from tactics.goal import Goal
from tactics.rules import legal_moves, premises


def by_chance(goal: Goal) -> float:
    """The probability that uniform play proves a goal; what is proved of one premise has no part in the next."""
    moves = legal_moves(goal)
    return sum(prod(map(by_chance, premises(goal, move))) for move in moves) / max(len(moves), 1)
