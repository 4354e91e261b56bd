"""The policy of somebody who knows the truth: only moves that begin a shortest proof, each as likely as the others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from oasis.ground.limits import Limit, LimitReached
from oasis.play.policy import Floats, equal_shares
from oasis.teacher.deciding.decide import MEMORY, SECONDS, holds
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.exact.goal_graph import MAX_GOALS, GoalGraph
from oasis.teacher.exact.values import Lengths
from tactics.goal import Goal, Sequent, State, sequent
from tactics.rules import legal_moves


class Exact:
    """A policy that always plays a shortest proof where there is one, and values a goal by whether there is.

    What was found out about goals is kept until there are too many of them.

    Args:
        seconds: for what is not known yet about one goal.
        memory: bytes that the process may occupy meanwhile.
        max_goals: how many goals may be looked at for one goal's shortest proof, and about how many are kept.
    """

    def __init__(self, seconds: float = SECONDS, memory: int = MEMORY, max_goals: int = MAX_GOALS) -> None:
        self._seconds, self._memory, self._max_goals = seconds, memory, max_goals
        self._lengths: dict[Sequent, Lengths | None] = {}
        self._values: dict[Sequent, float] = {}

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """For each state the same probability for all moves that begin a shortest proof of its focused goal.

        All legal moves are equally likely where there is no proof, and where the limits keep from knowing.
        """
        return [self._shares(state[0]) if state else equal_shares(0) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats:
        """For each goal 1 if it is provable, 0 if it is not, and 0.5 where the limits keep from knowing."""
        return np.array([self._value(goal) for goal in goals], np.float64)

    def _shares(self, goal: Goal) -> Floats:
        lengths = self._lengths_of(goal)
        shortest = lengths and lengths.shortest_proof((goal,))
        if lengths is None or shortest is None:
            return equal_shares(len(legal_moves(goal)))
        begins_one = np.array([length == shortest for length in lengths.by_move(goal).values()])
        return np.where(begins_one, 1 / np.count_nonzero(begins_one), 0.0)

    def _lengths_of(self, goal: Goal) -> Lengths | None:
        """Lengths for a goal and all that it leads to; None where the limits keep from knowing them."""
        key = sequent(goal)
        if key not in self._lengths:
            if len(self._lengths) > self._max_goals:
                self._lengths.clear()
            self._lengths[key] = None
            with suppress(LimitReached):  # nothing better than chance is known then
                graph = GoalGraph((goal,), Limit(self._seconds, self._memory), self._max_goals)
                self._lengths |= dict.fromkeys(graph.number, Lengths(graph))
        return self._lengths[key]

    def _value(self, goal: Goal) -> float:
        key = sequent(goal)
        lengths = self._lengths.get(key)
        if lengths is not None:
            return float(lengths.shortest_proof((goal,)) is not None)
        if key not in self._values:
            if len(self._values) > self._max_goals:
                self._values.clear()
            self._values[key] = 0.5
            with suppress(LimitReached):
                self._values[key] = float(holds(goal, Intuit(Limit(self._seconds, self._memory))))
        return self._values[key]
