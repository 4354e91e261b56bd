"""What a belief is: whoever says how likely a state is to be proved, whatever is behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tactics.goal import State

Floats = NDArray[np.float64]


class Belief(Protocol):
    """How likely states are to be proved.

    It may have a method `looks_at`, which gives of a state something that can be hashed, the same for states of which
    the belief says the same; then it is asked once for all of those. And it may have a method `learn`, which gives of
    episodes the belief that it is after them, and changes nothing of the one that was asked.

    Attributes:
        leaks: whether it knows the truth or was trained on it, so that a reward with it gives the solution away.
    """

    leaks: bool

    @property
    def version(self) -> str:
        """What stands for all that its answers depend on; two with the same version answer the same."""
        ...

    def probabilities(self, states: Sequence[State]) -> Sequence[float] | Floats:
        """p(QED | state) in [0, 1] for each state, which has goals."""
        ...


class Even:
    """Who has seen nothing, and believes one half of everything."""

    version = "even"
    leaks = False

    def probabilities(self, states: Sequence[State]) -> Floats:
        """1/2 each."""
        return np.full(len(states), 0.5)
