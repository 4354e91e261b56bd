"""A belief that is asked once about states that are one and the same to it, and whose answers are checked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np

from oasis.dagger.beliefs.belief import Belief, Floats
from oasis.dagger.beliefs.registry import believed
from tactics.goal import State


class Remembered:
    """What another belief says, checked and remembered.

    Args:
        belief: the other.
        key: gives the same for states of which it says the same.

    Attributes:
        known: what it said, by key; whoever changes the keys empties it.
    """

    def __init__(self, belief: Belief, key: Callable[[State], Hashable]) -> None:
        self._belief, self._key = belief, key
        self.version, self.leaks = belief.version, belief.leaks
        self.known: dict[Hashable, float] = {}

    def probabilities(self, states: Sequence[State]) -> Floats:
        """As the other. Raises InputError as `believed` does."""
        return np.array([self._probability(state) for state in states])

    def _probability(self, state: State) -> float:
        key = self._key(state)
        known = self.known.get(key)
        if known is None:
            known = self.known[key] = float(believed(self._belief, [state])[0])
        return known
