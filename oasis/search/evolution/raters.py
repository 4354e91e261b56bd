"""Raters: who says which of a few drafts is more promising, judging by the goals that each leaves open.

They are entries of `oasis.ground.names.RATERS`, each made with the policy of the search, or with what its name says.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, Protocol

from oasis.ground.names import RATERS
from oasis.play.exam import has_values, valued
from oasis.play.policy import Policy
from tactics.goal import State, weight


class Rater(Protocol):
    """Puts drafts in an order, which may leave some of them together."""

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """For each draft, given by its open goals, a place from 0, the best; drafts with equal places are tied."""
        ...


def rater_named(name: str | None, policy: Policy) -> Rater:
    """Return the rater of a name; of none the policy's values, or the symbolic one for a policy without values.

    Raises InputError for a name that there is not.
    """
    name = name or ("values" if has_values(policy) else "symbolic")
    if RATERS.is_own(name):
        own: Rater = RATERS.make(name)
        return own
    found: Rater = RATERS.looked_up(name)(RATERS.split(name)[1] or policy)
    return found


class Symbolic:
    """Better is what has fewer open goals, and of as many lighter ones (Dyckhoff 1992, section 3).

    Args:
        _: the policy, which is not asked.
    """

    def __init__(self, _: Policy | None = None) -> None:
        pass

    def rank(self, drafts: Sequence[State]) -> list[int]:
        """Places by the number of goals, then by the multiset of their weights."""
        return places([(len(state), weight(state)) for state in drafts])


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
        return places([-prod(value[goal] for goal in state) for state in drafts])


def places(costs: Sequence[Any]) -> list[int]:
    """Return for each cost how many smaller ones there are."""
    place = {cost: place for place, cost in reversed([*enumerate(sorted(costs))])}
    return [place[cost] for cost in costs]
