"""Which maxims are worth telling somebody who is looking at a goal: those that are about it, in words."""

from __future__ import annotations

from collections.abc import Iterable

from oasis.experience.maxims import Maxim
from oasis.experience.scope import applying
from tactics.goal import Goal
from tactics.rules import legal_moves


class Reminder:
    """Gives what the maxims say that apply to a goal, those that say most first.

    Args:
        maxims: to choose from.
        most: that are told of one goal.
        remarks: whether what their authors say beside them is told, too, which no move follows.
    """

    def __init__(self, maxims: Iterable[Maxim], most: int, *, remarks: bool = False) -> None:
        self._maxims = sorted((each for each in maxims if each.strength), key=lambda each: (-each.strength, each.id))
        self._most, self._remarks = most, remarks

    def __call__(self, goal: Goal) -> list[str]:
        """None where the goal leaves no choice."""
        moves = legal_moves(goal)
        scopes = {each.scope for each in self._maxims} if len(moves) > 1 else set()
        here = {scope for move in moves for scope in applying(goal, move, scopes)}
        told = [each for each in self._maxims if each.scope in here][: self._most]
        return [f"{each.content} {each.remark}".rstrip() if self._remarks else each.content for each in told]
