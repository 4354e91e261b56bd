"""M2: the share of proofs among the stored states that are most like a state.

States are compared as vectors: in the embedding of a graph network that was trained on plays (`oasis.neural.beliefs`),
or else by features made by hand. Each number is rounded to whole steps: coarse, so that many states become
one and few have to be stored. These are small integers, so
distances are exact, and FAISS, where it is installed, finds the same neighbours as numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.beliefs.features import NAMES, Floats, features
from oasis.dagger.kept import Kept
from tactics.goal import State

if TYPE_CHECKING:
    from oasis.dagger.episodes import Episode

NEIGHBOURS: Final = 100
LARGEST: Final = 2_000
"""Different vectors that are stored."""
_FARTHEST: Final = 255
"""The largest number of steps that is told from larger ones; squared distances then stay below 2^24."""

Embedding = Callable[[Sequence[State]], Floats]
"""Gives the vectors of states with goals; shape (states, numbers of a vector)."""


def by_hand(states: Sequence[State]) -> Floats:
    """The features of states; shape (states, len(NAMES))."""
    return np.array([features(state) for state in states]).reshape(len(states), len(NAMES))


class Knn(Kept):
    """p(QED | state) = (proved + s·p₀) / (seen + s), over the k stored states nearest to it, those of a tie included.

    A state counts as often as it was seen. p₀ is the share (proved + 1) / (seen + 2) of all that was stored; with the
    smoothing s above 0, no answer is 0 or 1.

    Args:
        units: for each number of a vector the step that it is measured in, above 0; shape (numbers,).
        vectors: what was stored, in steps; no two alike; shape (vectors, numbers).
        seen: how often each was; shape (vectors,).
        proved: how often its episode ended in a proof; shape (vectors,).
        k: the number of neighbours, at least 1.
        smoothing: s, at least 0.
        embedding: makes vectors of states.
        space: stands for the embedding: "features" or the version of a network.

    Attributes:
        version: stands for all of this.
    """

    called = "belief of neighbours"
    layout = 2
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
        embedding: Embedding = by_hand,
        space: str = "features",
    ) -> None:
        self._units, self._vectors, self._k, self._smoothing = units, vectors, k, smoothing
        self._seen, self._proved, self.embedding, self.space = seen, proved, embedding, space
        self._share = (int(proved.sum()) + 1) / (int(seen.sum()) + 2)

    @classmethod
    def of(
        cls,
        episodes: Iterable[Episode],
        k: int = NEIGHBOURS,
        largest: int = LARGEST,
        smoothing: float = 1.0,
        embedding: Embedding = by_hand,
        space: str = "features",
        steps: int = 1,
    ) -> Self:
        """The belief that episodes teach; of more than `largest` vectors those that were seen most often.

        A step is a standard deviation of a number of the vectors, or one of so many `steps` in it.
        """
        pairs = [(state, episode.proved) for episode in episodes for state in episode.states]
        table = embedding([state for state, _ in pairs])
        # Added up in order, and rounded: the same for any order of the episodes, and on any machine.
        deviation = np.sort(table, axis=0).std(axis=0) / steps if pairs else np.ones(table.shape[1])
        units = np.array([float(f"{each:.4g}") if each > 0 else 1.0 for each in deviation])
        vectors, of, seen = np.unique(_in_steps(table, units), axis=0, return_inverse=True, return_counts=True)
        proved = np.bincount(of.ravel(), [ended for _, ended in pairs], len(vectors)).astype(np.int64)
        chosen = np.sort(np.argsort(-seen, kind="stable")[:largest])
        return cls(units, vectors[chosen], seen[chosen], proved[chosen], k, smoothing, embedding, space)

    def within(self, embedding: Embedding) -> Self:
        """The same belief by an embedding, which is not in its JSON."""
        return type(self)(
            self._units, self._vectors, self._seen, self._proved, self._k, self._smoothing, embedding, self.space
        )

    def probabilities(self, states: Sequence[State]) -> Floats:
        """For each state in (0, 1)."""
        return self._shares(_in_steps(self.embedding(states), self._units)) if states else np.zeros(0)

    def looks_at(self, state: State) -> tuple[int, ...]:
        """The vector of a state in steps, which is all that is looked at."""
        steps: list[int] = _in_steps(self.embedding([state]), self._units)[0].tolist()
        return tuple(steps)

    def _shares(self, vectors: NDArray[np.int64]) -> Floats:
        """The probabilities of vectors in steps."""
        if not len(self._seen):
            return np.full(len(vectors), self._share)
        different, of = np.unique(vectors, axis=0, return_inverse=True)
        shares = np.empty(len(different))
        for place, near in enumerate(nearest(self._vectors, different, self._seen, self._k)):
            seen, proved = int(self._seen[near].sum()), int(self._proved[near].sum())
            shares[place] = (proved + self._smoothing * self._share) / (seen + self._smoothing)
        return np.asarray(shares[of.ravel()])

    @classmethod
    def _made(cls, fields: Any) -> Self:
        seen, proved = (np.array(fields[name], np.int64) for name in ("seen", "proved"))
        units = np.array(fields["units"], np.float64)
        vectors = np.array(fields["vectors"], np.int64).reshape(len(seen), len(units))
        return cls(units, vectors, seen, proved, fields["k"], fields["smoothing"], space=fields["space"])

    def _content(self) -> dict[str, Any]:
        return {
            "space": self.space,
            "k": self._k,
            "smoothing": self._smoothing,
            "units": self._units.tolist(),
            "vectors": self._vectors.ravel().tolist(),
            "seen": self._seen.tolist(),
            "proved": self._proved.tolist(),
        }


def nearest(
    points: NDArray[np.int64],
    asked: NDArray[np.int64],
    seen: NDArray[np.int64],
    k: int,
    *,
    by_faiss: bool = find_spec("faiss") is not None,
) -> Iterator[NDArray[np.int64]]:
    """For each vector the places of the points nearest to it, as many as were seen `k` times together.

    Args:
        points: small integers, at least one; shape (points, numbers).
        asked: likewise; shape (vectors, numbers).
        seen: how often each point was, at least once; shape (points,).
        k: at least 1. Points as far away as the last one count as well, and all points if they were seen less often.
        by_faiss: whether FAISS looks for them.
    """
    most = min(k, len(points))
    stored, vectors = (np.ascontiguousarray(each, np.float32) for each in (points, asked))
    squares = (stored**2).sum(axis=1)
    index = import_module("faiss").IndexFlatL2(stored.shape[1]) if by_faiss else None
    if index is not None:
        index.add(stored)
    for vector in vectors:
        if index is not None:
            (distances,), (order,) = index.search(vector[None], most)
        else:
            far = squares - stored @ (2 * vector) + vector @ vector
            near = np.argpartition(far, most - 1)[:most]
            order = near[np.argsort(far[near], kind="stable")]
            distances = far[order]
        last = min(int(np.searchsorted(np.cumsum(seen[order]), k)), most - 1)
        if index is None:
            yield np.flatnonzero(far <= distances[last])
        else:  # distances are whole numbers
            yield np.sort(index.range_search(vector[None], float(distances[last]) + 0.5)[2])


def _in_steps(vectors: Floats, units: Floats) -> NDArray[np.int64]:
    return np.asarray(np.clip(np.rint(vectors / units), -_FARTHEST, _FARTHEST), np.int64)
