"""What a student's attempts at an exercise come to: whether it is done, and how many points it is worth.

What was learned by help, or by trying, is known from then on, so it counts against whatever is done later: in the same
attempt, in another one, and in the course also if it was taken in a lesson. How an attempt is made is not known here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from oasis.classroom.desk.record import PROVED, REFUTED, ProblemKey, kept_terms
from oasis.classroom.proving.exercise import COURSE, Terms
from oasis.store import KeptAttempt, StoredAttempt

COURSE_TERMS: Final = Terms(light=False)
"""The terms of the course, by which everything counts in it; that some lemmas are lit changes no points."""


class Result(NamedTuple):
    """What a student has made of an exercise in all attempts together.

    Attributes:
        outcome: `proved`, `refuted` (rightly said to have no proof), or empty while it is not done.
        moves: of the shortest proof, 0 if there is none.
        helped: how much help was taken in all attempts; for the course also in other places.
        points: of the best end, less what help and slips cost in whatever was begun before it; 0 if none is done.
        attempts: how many have at least one event.
        seconds: how long it took, without breaks.
        slips: how many there were in all attempts; for the course also in other places.
        listed: whether the list of moves was to be seen for points in any; for the course also in other places.
        course_points: the points as the course counts them, wherever help was taken.
    """

    outcome: str
    moves: int
    helped: int
    points: int
    attempts: int
    seconds: float
    slips: int = 0
    listed: bool = False
    course_points: int = 0


def results(attempts: Iterable[StoredAttempt]) -> dict[ProblemKey, Result]:
    """What one student's attempts come to, by the `problem_key` of their exercises."""
    by_lemma: dict[tuple[str, bytes], list[StoredAttempt]] = {}
    for each in attempts:
        by_lemma.setdefault((each.kept.name, each.kept.key), []).append(each)
    return {
        (place, name, key): result(place, found)
        for (name, key), found in by_lemma.items()
        for place in dict.fromkeys(each.kept.place for each in found)
    }


def result(place: str, attempts: Sequence[StoredAttempt]) -> Result:
    """What one student's attempts at a lemma come to in one place.

    Args:
        place: which one.
        attempts: at the lemma, there and anywhere else, in any order.
    """
    here = [each for each in attempts if each.kept.place == place]
    own, in_course = _Bill(here), _Bill(attempts, in_course=True)
    bill = in_course if place.startswith(COURSE) else own
    outcomes = {each.kept.outcome for each in here}
    helped, slips, listed = bill.total
    return Result(
        outcome=next((outcome for outcome in (PROVED, REFUTED) if outcome in outcomes), ""),
        moves=min((each.kept.moves for each in here if each.kept.moves), default=0),
        helped=helped,
        points=bill.points(place),
        attempts=sum(each.events > 0 for each in here),
        seconds=sum(each.kept.seconds for each in here),
        slips=slips,
        listed=listed > 0,
        course_points=in_course.points(place),
    )


class _Costs(NamedTuple):
    """Help, slips, and how often the list was to be seen that costs points."""

    helped: int = 0
    slips: int = 0
    listed: int = 0

    def plus(self, other: _Costs) -> _Costs:
        """Both together."""
        return _Costs(*map(sum, zip(self, other, strict=True)))


class _Bill:
    """Attempts at a lemma by when they were begun, with what they cost all together up to each.

    Args:
        attempts: which.
        in_course: whether they count as in the course, whatever the terms of where they were made.
    """

    def __init__(self, attempts: Iterable[StoredAttempt], *, in_course: bool = False) -> None:
        self._in_course = in_course
        self._attempts = sorted(attempts, key=lambda each: each.kept.started)
        self._started = [each.kept.started for each in self._attempts]
        self._costs = list(accumulate(map(self._costs_of, self._attempts), _Costs.plus, initial=_Costs()))

    @property
    def total(self) -> _Costs:
        """What all of them cost."""
        return self._costs[-1]

    def points(self, place: str) -> int:
        """The points of the best end in a place; 0 if there is none."""
        ends = (self._points(number, each.kept) for number, each in enumerate(self._attempts) if each.kept.outcome)
        return max((points for points, where in ends if where == place), default=0)

    def _points(self, number: int, kept: KeptAttempt) -> tuple[int, str]:
        """What an end is worth, and where it is: it costs whatever was taken in all that was begun before it."""
        begun = max(number + 1, bisect_left(self._started, kept.done or kept.started))
        helped, slips, listed = self._costs[begun]
        return self._terms(kept).points(helped, slips, listed=listed > 0), kept.place

    def _terms(self, kept: KeptAttempt) -> Terms:
        """By which an end is counted: what was done in an older version is worth what it was."""
        terms = kept_terms(kept)
        is_own = not self._in_course or kept.place.startswith(COURSE) or not terms.free_where_forced
        return terms if is_own else COURSE_TERMS

    def _costs_of(self, attempt: StoredAttempt) -> _Costs:
        kept, terms = attempt.kept, kept_terms(attempt.kept)
        was_listed = self._in_course and terms.lists_moves and terms.free_where_forced and attempt.events > 0
        return _Costs(kept.helped, kept.slips, int(bool(kept.listed) or was_listed))
