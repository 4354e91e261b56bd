"""A belief that is asked once about states that are one and the same to it, and whose answers are checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from oasis.dagger.beliefs.belief import Belief
from oasis.dagger.beliefs.registry import believed
from tactics.goal import State


class Remembered:
    """What another belief says, checked and remembered.

    Args:
        belief: the other.
        alike: gives one state for all those of which it says the same.

    Attributes:
        known: what it said, by the states that it was asked about.
    """

    def __init__(self, belief: Belief, alike: Callable[[State], State]) -> None:
        self._belief, self._alike = belief, alike
        self.version, self.leaks = belief.version, belief.leaks
        self.known: dict[State, float] = {}

    def probabilities(self, states: Sequence[State]) -> Sequence[float]:
        """As the other. Raises InputError as `believed` does."""
        return [self._probability(self._alike(state)) for state in states]

    def _probability(self, state: State) -> float:
        known = self.known.get(state)
        if known is None:
            (known,) = believed(self._belief, [state])
            self.known[state] = known
        return known
