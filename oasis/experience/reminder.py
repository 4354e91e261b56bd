"""Which maxims are worth telling somebody who is looking at a goal: those that are about it, in words."""

from __future__ import annotations

from collections.abc import Iterable
from math import log

from oasis.experience.maxims import PREFER, Maxim
from oasis.experience.scope import scopes
from tactics.goal import Goal
from tactics.rules import legal_moves


class Reminder:
    """Gives the contents of the maxims that apply to a goal, those that say most first.

    What its own evidence speaks against is not told, as no maxim acts against its words.

    Args:
        maxims: to choose from.
        most: that are told of one goal.
    """

    def __init__(self, maxims: Iterable[Maxim], most: int) -> None:
        self._maxims = sorted(filter(_strength, maxims), key=lambda each: (-_strength(each), each.id))
        self._most = most

    def __call__(self, goal: Goal) -> list[str]:
        """None where the goal leaves no choice."""
        moves = legal_moves(goal)
        here = {scope for move in moves for scope in scopes(goal, move)} if len(moves) > 1 else set()
        return [each.content for each in self._maxims if each.scope in here][: self._most]


def _strength(maxim: Maxim) -> float:
    """How much its evidence speaks for what it says: the logarithm of the odds; 0 if it speaks against it."""
    found = log(maxim.evidence.odds)
    return max(0.0, found if maxim.category == PREFER else -found)
