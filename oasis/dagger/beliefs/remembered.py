"""A belief whose answers are checked, and that is asked once about states in which it sees the same."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

from oasis.dagger.beliefs.belief import Belief
from oasis.dagger.beliefs.registry import believed
from tactics.goal import State


class Remembered:
    """What another belief says, checked and remembered.

    Args:
        belief: the other; what its `looks_at` gives of a state, if it has such a method, is all that it sees of it.

    Attributes:
        known: what it said, by what it looks at of the states that it was asked about.
    """

    def __init__(self, belief: Belief) -> None:
        self._belief = belief
        looks_at = getattr(belief, "looks_at", None)
        self._looks_at: Callable[[State], Hashable] = looks_at if callable(looks_at) else lambda state: state
        self.version, self.leaks = belief.version, belief.leaks
        self.known: dict[Hashable, float] = {}

    def probabilities(self, states: Sequence[State]) -> Sequence[float]:
        """As the other. Raises InputError as `believed` does."""
        return [self.probability(state) for state in states]

    def probability(self, state: State) -> float:
        """The same, of a single state."""
        seen = self._looks_at(state)
        known = self.known.get(seen)
        if known is None:
            (known,) = believed(self._belief, [state])
            self.known[seen] = known
        return known
