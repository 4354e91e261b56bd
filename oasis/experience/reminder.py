"""Which maxims are worth telling somebody who is looking at a goal: those that are about it, in words."""

from __future__ import annotations

from collections.abc import Iterable

from oasis.experience.maxims import Maxim
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
        self._maxims = sorted((each for each in maxims if each.strength), key=lambda each: (-each.strength, each.id))
        self._most = most

    def __call__(self, goal: Goal) -> list[str]:
        """None where the goal leaves no choice."""
        moves = legal_moves(goal)
        here = {scope for move in moves for scope in scopes(goal, move)} if len(moves) > 1 else set()
        return [each.content for each in self._maxims if each.scope in here][: self._most]
