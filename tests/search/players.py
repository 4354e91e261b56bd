"""Policies that tests of rollouts need."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from oasis.actions import LEGAL, ActionSpace
from oasis.policy import Floats, Uniform
from tactics.goal import Goal, State


class Asked:
    """The uniform policy, which writes down what it is asked at once."""

    def __init__(self, space: ActionSpace = LEGAL) -> None:
        self.batches: list[Sequence[State]] = []
        self._uniform = Uniform(space)

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        self.batches.append(states)
        return self._uniform.probabilities(states)

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return None


class Stubborn(Asked):
    """Gives everything to the action at one place, counted from the beginning or, if negative, from the end."""

    def __init__(self, place: int, space: ActionSpace = LEGAL) -> None:
        super().__init__(space)
        self._place = place

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        shares = [np.zeros(len(each)) for each in super().probabilities(states)]
        for each in shares:
            each[self._place] = 1.0
        return shares


class Resigned(Asked):
    """Has given up every action."""

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        return [0 * each for each in super().probabilities(states)]


class Failing(Asked):
    """Raises an error when it is asked for the n-th time."""

    def __init__(self, error: BaseException, time: int = 1) -> None:
        super().__init__()
        self._error, self._time = error, time

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        if len(self.batches) + 1 >= self._time:
            raise self._error
        return super().probabilities(states)
