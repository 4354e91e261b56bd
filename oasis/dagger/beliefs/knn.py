"""M2: the share of proofs among the stored states that are most like a state.

States are compared by their features, each rounded to whole standard deviations: coarse, so that many states become one
and few have to be stored; on random lemmas that were held out, finer steps did worse. These are small integers, so
distances are XX
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.beliefs.features import NAMES, Floats, features, numbers
from oasis.dagger.kept import Kept, count, counts
from tactics.goal import State

if TYPE_CHECKING:
    from oasis.dagger.episodes import Episode

NEIGHBOURS: Final = 100
LARGEST: Final = 2_000
"""Different vectors that are stored."""
REMEMBERED: Final = 20_000
"""Vectors in steps whose probability is kept."""
_FARTHEST: Final = 255
"""The largest number of steps that is told from larger ones; squared distances then stay below 2^24."""


class Knn(Kept):
    """p(QED | state) = (proved + s·p₀) / (seen + s), over the k stored states nearest to it, those of a tie included.

    A state counts as often as it was seen. p₀ is the share (proved + 1) / (seen + 2) of all that was stored; with the
    smoothing s above 0, no answer is 0 or 1.

    Args:
        units: for each feature the step that it is measured in, above 0; shape (features,).
        vectors: what was stored, in steps; no two alike; shape (vectors, features).
        seen: how often each was; shape (vectors,).
        proved: how often its episode ended in a proof; shape (vectors,).
        k: the number of neighbours, at least 1.
        smoothing: s, at least 0.

    Attributes:
        version: stands for all of this.
    """

    called = "belief of neighbours"
    prefix = "knn-"
    leaks = False

    def __init__(
        self,
        units: Floats,
        vectors: NDArray[np.int64],
        seen: NDArray[np.int64],
        proved: NDArray[np.int64],
        k: int = NEIGHBOURS,
        smoothing: float = 1.0,
    ) -> None:
        self._units, self._vectors, self._k, self._smoothing = units, vectors, k, smoothing
        self._seen, self._proved = seen, proved
        self._share = (int(proved.sum()) + 1) / (int(seen.sum()) + 2)
        self._each_unit = units.tolist()
        self._points = np.ascontiguousarray(vectors, dtype=np.float32)
        self._squares = (self._points**2).sum(axis=1)
        self._known = lru_cache(REMEMBERED)(self._worked_out)

    def __reduce__(self) -> tuple[object, ...]:
        return Knn, (self._units, self._vectors, self._seen, self._proved, self._k, self._smoothing)

    @classmethod
    def of(
        cls, episodes: Iterable[Episode], k: int = NEIGHBOURS, largest: int = LARGEST, smoothing: float = 1.0
    ) -> Self:
        """The belief that episodes teach; of more than `largest` vectors those that were seen most often."""
        pairs = [(features(state), episode.proved) for episode in episodes for state in episode.states]
        if not pairs:
            nothing = np.zeros(0, np.int64)
            return cls(np.ones(len(NAMES)), nothing.reshape(0, len(NAMES)), nothing, nothing, k, smoothing)
        table = np.array([vector for vector, _ in pairs])
        # Added up in order, and rounded: the same for any order of the episodes, and on any machine.
        deviation = np.sort(table, axis=0).std(axis=0)
        units = np.array([float(f"{each:.4g}") if each > 0 else 1.0 for each in deviation])
        vectors, of, seen = np.unique(_in_steps(table, units), axis=0, return_inverse=True, return_counts=True)
        proved = np.bincount(of.ravel(), [ended for _, ended in pairs], len(vectors)).astype(np.int64)
        chosen = np.sort(np.argsort(-seen, kind="stable")[:largest])
        return cls(units, vectors[chosen], seen[chosen], proved[chosen], k, smoothing)

    def probabilities(self, states: Sequence[State]) -> Floats:
        """For each state in (0, 1)."""
        return np.array([self._known(self.looks_at(state)) for state in states], dtype=np.float64)

    def looks_at(self, state: State) -> tuple[int, ...]:
        """The vector of a state in steps, which is all that is looked at."""
        return tuple(
            [min(round(number / unit), _FARTHEST) for number, unit in zip(numbers(state), self._each_unit, strict=True)]
        )

    def _worked_out(self, vector: tuple[int, ...]) -> float:
        if not len(self._points):
            return self._share
        distances = self._squares - self._points @ (2 * np.array(vector, np.float32))  # less the square of the vector
        near = np.argpartition(distances, self._k)[: self._k] if self._k < len(distances) else np.arange(len(distances))
        near = np.flatnonzero(distances <= _radius(distances[near], self._seen[near], self._k))
        seen, proved = int(self._seen[near].sum()), int(self._proved[near].sum())
        return (proved + self._smoothing * self._share) / (seen + self._smoothing)

    @classmethod
    def _made(cls, fields: Any) -> Self:
        seen = counts(fields["seen"], (len(fields["seen"]),))
        vectors = counts(fields["vectors"], (len(seen), len(NAMES)))
        proved = counts(fields["proved"], seen.shape)
        units = np.array([float(unit) for unit in fields["units"]])
        smoothing, k = float(fields["smoothing"]), count(fields["k"])
        is_sound = (
            tuple(fields["features"]) == NAMES == NAMES[: len(units)]
            and (np.isfinite(units) & (units > 0)).all()
            and (vectors <= _FARTHEST).all()
            and (seen > 0).all()
            and (proved <= seen).all()
            and int(seen.max(initial=0)) * (len(seen) + 1) < 2**62
            and k > 0
            and 0 <= smoothing < np.inf
        )
        if not is_sound:
            raise ValueError("these numbers belong to no states")
        return cls(units, vectors, seen, proved, k, smoothing)

    def _content(self) -> dict[str, Any]:
        return {
            "features": list(NAMES),
            "k": self._k,
            "smoothing": self._smoothing,
            "units": self._units.tolist(),
            "vectors": self._vectors.ravel().tolist(),
            "seen": self._seen.tolist(),
            "proved": self._proved.tolist(),
        }


def _in_steps(vector: Floats, units: Floats) -> NDArray[np.int64]:
    return np.minimum(np.rint(vector / units), _FARTHEST).astype(np.int64)


def _radius(distances: NDArray[np.float32], seen: NDArray[np.int64], k: int) -> float:
    """The distance at which vectors were seen `k` times together, or else all of them were."""
    order = np.argsort(distances, kind="stable")
    last = np.searchsorted(np.cumsum(seen[order]), k)
    return float(distances[order[min(int(last), len(order) - 1)]])
