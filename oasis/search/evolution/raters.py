"""Raters: who says which of a few drafts is more promising, judging by the goals that each leaves open."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Protocol

from oasis.play.exam import valued
from oasis.play.policy import Policy
from tactics.goal import Goal, State, weight


class Rater(Protocol):
    """Puts drafts in an order, which may leave some of them together."""

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """For each draft, given by its open goals, a place from 0, the best; drafts with equal places are tied."""
        ...


class Symbolic:
    """Better is what has fewer open goals, and of as many lighter ones (Dyckhoff 1992, section 3)."""

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """Places by the number of goals, then by the multiset of their weights."""
        return _places([(len(state), weight(state)) for state in drafts])


class Valued:
    """Better is what a policy takes to be likelier: the product of its values of the open goals.

    Args:
        policy: one that values goals.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """Places by the product of values. Raises InputError as `oasis.play.exam.valued` does."""
        goals = tuple(dict.fromkeys(goal for state in drafts for goal in state))
        value = dict(zip(goals, valued(self._policy, goals).tolist(), strict=True))
        return _places([-prod(value[goal] for goal in state) for state in drafts])


class Oracle:
    """Better is what truly needs fewer moves. It is no part of a search, but what the other raters are measured by.

    Args:
        moves_left: of the shortest proof of a goal, infinite if there is none, from somebody who knows.
    """

    def __init__(self, moves_left: Callable[[Goal], float]) -> None:
        self._moves_left = moves_left

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """Places by the sum of the moves that are left."""
        return _places([sum(map(self._moves_left, state)) for state in drafts])


def _places(costs: Sequence[Any]) -> list[int]:
    """For each cost how many smaller ones there are."""
    place = {cost: place for place, cost in reversed([*enumerate(sorted(costs))])}
    return [place[cost] for cost in costs]
