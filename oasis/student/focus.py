"""States seen through their focused goal alone, for learners whose values are those of goals."""

from __future__ import annotations

from state_spaces import Key, StateSpace
from state_spaces.base import View
from tactics.goal import State


class Focus(StateSpace):
    """Two states are the same if their focused goals are, in the space given; nothing of the other goals is seen.

    What a move does to the focused goal does not depend on the others, so for values of goals nothing is lost.
    """

    of_focus = True

    def __init__(self, space: StateSpace) -> None:
        self._space = space

    def view(self, state: State) -> View:
        """The focused goal as the space sees it."""
        return self._space.view(state[:1])

    def digest(self, key: Key) -> bytes:
        """As of a state with one goal."""
        return self._space.digest(key)
