"""The thesis's three rewards (section 5.2), which depend on the kind of a step alone."""

from __future__ import annotations

from oasis.rewards.seam import Dependence, Reward
from tactics.goal import Move, State


class Terminating(Reward):
    """+1 for the step that completes a proof, -1 for one after which no action is left, else 0."""

    dependence = Dependence.KIND

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """1, -1 or 0."""
        if not after:
            return 1.0
        return -1.0 if ended else 0.0


class Standard(Reward):
    """+1 for a step that changes the state, -1 for one that does not."""

    dependence = Dependence.KIND

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """1 or -1."""
        return 1.0 if after != before else -1.0


class StandardQed(Standard):
    """+100 for the step that completes a proof, else as `Standard`."""

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """100, 1 or -1."""
        return super().step(before, move, after, ended) if after else 100.0
