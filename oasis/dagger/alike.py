"""States that are one and the same to R†: those that differ in the names and the order of hypotheses alone."""

from __future__ import annotations

from collections.abc import Hashable, Sized

from tactics.goal import Goal, State, sequent


class Alike(Sized):
    """Of goals that are alike one stands for all, so that what is worked out about it is worked out once.

    Args:
        by_name: whether only a goal that shows the same is alike, as it is where goals are read as text.
    """

    def __init__(self, by_name: bool = False) -> None:
        self._by_name = by_name
        self._first: dict[Hashable, Goal] = {}
        self._known: dict[Goal, Goal] = {}

    def __len__(self) -> int:
        """How many goals it has seen."""
        return len(self._known)

    def state(self, state: State) -> State:
        """The state of those goals that stand for the goals of a state."""
        known = self._known
        try:
            return tuple([known[goal] for goal in state])
        except KeyError:
            return tuple([self.goal(goal) for goal in state])

    def goal(self, goal: Goal) -> Goal:
        """The goal that stands for a goal: the first of its like that was seen."""
        found = self._known.get(goal)
        if found is None:
            found = self._known[goal] = self._first.setdefault(goal if self._by_name else sequent(goal), goal)
        return found

    def clear(self) -> None:
        """Begin anew."""
        self._first.clear()
        self._known.clear()
