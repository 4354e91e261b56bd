"""M2: the share of proofs among the stored states that are most like a state.

States are compared as vectors: in the embedding of a graph network that was trained on plays (`oasis.neural.beliefs`),
or else by features made by hand. Each number is rounded to whole steps: coarse, so that many states become
one and few have to be stored. These are small integers, so
distances are exact, and FAISS, where it is installed, finds the same neighbours as numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.beliefs.belief import Floats
from oasis.dagger.beliefs.features import NAMES, features
from oasis.dagger.episodes import Episode
from oasis.dagger.kept import Kept
from tactics.goal import State

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


@dataclass(frozen=True, eq=False)
class Knn(Kept):
    """p(QED | state) = (proved + s·p₀) / (seen + s), over the k stored states nearest to it, those of a tie included.

    A state counts as often as it was seen. p₀ is the share (proved + 1) / (seen + 2) of all that was stored; with the
    smoothing s above 0, no answer is 0 or 1.

    Attributes:
        units: for each number of a vector the step that it is measured in, above 0; shape (numbers,).
        vectors: what was stored, in steps; no two alike; shape (vectors, numbers).
        seen: how often each was; shape (vectors,).
        proved: how often its episode ended in a proof; shape (vectors,).
        k: the number of neighbours, at least 1.
        smoothing: s, at least 0.
        embedding: makes vectors of states; it is not in the JSON.
        space: stands for the embedding: "features" or the version of a network.
    """

    called = "belief of neighbours"
    layout = 2
    prefix = "knn-"
    leaks = False

    units: Floats
    vectors: NDArray[np.int64]
    seen: NDArray[np.int64]
    proved: NDArray[np.int64]
    k: int = NEIGHBOURS
    smoothing: float = 1.0
    embedding: Embedding = by_hand
    space: str = "features"

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

    def probabilities(self, states: Sequence[State]) -> Floats:
        """For each state in (0, 1)."""
        share = (int(self.proved.sum()) + 1) / (int(self.seen.sum()) + 2)
        if not states or not len(self.seen):
            return np.full(len(states), share)
        different, of = np.unique(_in_steps(self.embedding(states), self.units), axis=0, return_inverse=True)
        shares = np.empty(len(different))
        for place, near in enumerate(nearest(self.vectors, different, self.seen, self.k)):
            seen, proved = int(self.seen[near].sum()), int(self.proved[near].sum())
            shares[place] = (proved + self.smoothing * share) / (seen + self.smoothing)
        return np.asarray(shares[of.ravel()])

    def looks_at(self, states: Sequence[State]) -> list[tuple[int, ...]]:
        """Return the vector of each state in steps: all that the belief depends on."""
        return [tuple(steps) for steps in _in_steps(self.embedding(states), self.units).tolist()]

    @classmethod
    def _made(cls, fields: Any) -> Self:
        seen, proved = (np.array(fields[name], np.int64) for name in ("seen", "proved"))
        units = np.array(fields["units"], np.float64)
        vectors = np.array(fields["vectors"], np.int64).reshape(len(seen), len(units))
        return cls(units, vectors, seen, proved, fields["k"], fields["smoothing"], space=fields["space"])

    def _content(self) -> dict[str, Any]:
        arrays = {name: getattr(self, name).ravel().tolist() for name in ("units", "vectors", "seen", "proved")}
        return {"space": self.space, "k": self.k, "smoothing": self.smoothing, **arrays}


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
