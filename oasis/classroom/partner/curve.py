"""A learning curve that never grows too long: the proofs of all episodes, summed up over equal stretches of them.

When there are too many stretches, neighbours are joined, so that numbers, means and minima stay exact however long
somebody practises. Nothing is drawn here.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.play.exam import Exam

MOST_STRETCHES: Final = 20_000
"""As many episodes are remembered one by one."""
EXAM_GROWTH: Final = 1.05
"""The greedy policy is examined when there are so many times more episodes than the last time."""

_NONE: Final = np.iinfo(np.int32).max
"""The length of the shortest of no proofs."""


class Points(NamedTuple):
    """A curve to be drawn; the arrays of stretches have one shape, those of exams and of proofs shown have theirs.

    Attributes:
        last: the number of the last episode of each stretch, from 1.
        proved: the share of its episodes that ended in a proof, in [0, 1].
        mean: moves in its proofs on average; nan if it has none.
        shortest: moves in the shortest of its proofs; 0 if it has none.
        exams: after which episodes the greedy policy was examined.
        greedy: moves in its median play then; 0 if that found no proof.
        shown: after how many episodes a proof of somebody else was learned from.
    """

    last: NDArray[np.int64]
    proved: NDArray[np.float64]
    mean: NDArray[np.float64]
    shortest: NDArray[np.int64]
    exams: NDArray[np.int64]
    greedy: NDArray[np.float64]
    shown: NDArray[np.int64]


class Curve:
    """What came of every episode so far.

    Attributes:
        episodes: how many there were.
        width: episodes in one stretch.
    """

    def __init__(self, most: int = MOST_STRETCHES) -> None:
        self.episodes, self.width = 0, 1
        self._most = most + most % 2  # neighbours are joined in pairs
        self._proofs, self._moves = np.zeros(self._most, np.int64), np.zeros(self._most, np.int64)
        self._shortest = np.full(self._most, _NONE, np.int64)
        self._exams: list[tuple[int, float]] = []
        self._shown: list[int] = []
        self._next_exam = 1

    def add(self, moves: int) -> None:
        """One more episode, and the moves in its proof; 0 if it has none."""
        if self.episodes == self.width * self._most:
            self._join_neighbours()
        place = self.episodes // self.width
        self.episodes += 1
        if moves:
            self._proofs[place] += 1
            self._moves[place] += moves
            self._shortest[place] = min(moves, self._shortest[place])

    @property
    def exam_is_due(self) -> bool:
        """Whether it is time to ask what the greedy policy would do."""
        return self.episodes >= self._next_exam

    def add_exam(self, exam: Exam) -> None:
        """An exam of the greedy policy after the episodes so far."""
        self._exams.append((self.episodes, exam.of_median_play or 0))
        self._next_exam = max(self.episodes + 1, int(self.episodes * EXAM_GROWTH))

    def add_shown(self) -> None:
        """A proof of somebody else was learned from; it is none of the episodes."""
        self._shown.append(self.episodes)

    def points(self, most: int = MOST_STRETCHES) -> Points:
        """The curve in at most so many stretches, all of one width but the last."""
        stretches = -(-self.episodes // self.width)
        joined = max(1, -(-stretches // most))
        starts = np.arange(0, stretches, joined)
        last = np.minimum((starts + joined) * self.width, self.episodes)
        proofs, moves = (_sums(array[:stretches], starts) for array in (self._proofs, self._moves))
        shortest = np.minimum.reduceat(self._shortest[:stretches], starts) if stretches else self._shortest[:0]
        mean = np.divide(moves, proofs, out=np.full(len(starts), np.nan), where=proofs > 0)
        return Points(
            last,
            proofs / np.diff(last, prepend=0),
            mean,
            np.where(shortest == _NONE, 0, shortest),
            np.array([episode for episode, _ in self._exams], np.int64),
            np.array([moves for _, moves in self._exams], np.float64),
            np.array(self._shown, np.int64),
        )

    def _join_neighbours(self) -> None:
        for array, join in [(self._proofs, np.add), (self._moves, np.add), (self._shortest, np.minimum)]:
            half = join(array[::2], array[1::2])
            array[: len(half)] = half
        self._proofs[self._most // 2 :] = self._moves[self._most // 2 :] = 0
        self._shortest[self._most // 2 :] = _NONE
        self.width *= 2


def _sums(array: NDArray[np.int64], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sums from each start to the next; `reduceat` cannot do with no starts."""
    return np.add.reduceat(array, starts) if len(starts) else array
