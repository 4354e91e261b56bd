"""What a student's attempts at an exercise come to: whether it is done, and how many points it is worth.

What was learned by help, or by trying, is known from then on, so it counts against whatever is done later: in the same
attempt, in another one, and in the course also if it was taken in a lesson. How an attempt is made is not known here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import accumulate
from typing import Final, NamedTuple

from oasis.classroom.clock import now
from oasis.classroom.desk.record import PROVED, REFUTED, ProblemKey, done_at, is_unvouched, kept_terms, until
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event, NotAllowed
from oasis.classroom.proving.exercise import COURSE, Terms
from oasis.store import KeptAttempt, KeptEvent, StoredAttempt
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse

Events = Callable[[str], Sequence[KeptEvent]]
"""The events of an attempt by its uuid; asked for where an attempt went on after another one was over."""

COURSE_TERMS: Final = Terms(light=False)
"""The terms of the course, by which everything counts in it; that some lemmas are lit changes no points."""


class Result(NamedTuple):
    """What a student has made of an exercise in all attempts together.

    Attributes:
        outcome: `proved`, `refuted` (rightly said to have no proof), or empty while it is not done.
        moves: of the shortest proof, 0 if there is none.
        helped: how much help was taken in all attempts; for the course also in other places.
        points: of the best end, less what help and slips had cost until then, wherever they count; 0 if none is done.
        attempts: how many have at least one event.
        seconds: how long it took, without breaks.
        slips: how many there were in all attempts; for the course also in other places.
        listed: whether the list of moves was to be seen for points in any; for the course also in other places.
        course_points: the points as the course counts them, wherever help was taken.
        done: when it was done for the first time, None if it is not.
        is_shown: whether these are the points, and not none because the teacher shows them later.
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
    done: str | None = None
    is_shown: bool = True

    def is_late(self, due: datetime | None) -> bool:
        """Whether it was done after it was due, or is not done and that is past."""
        return due is not None and datetime.fromisoformat(self.done or now()) > due


def results(
    attempts: Iterable[StoredAttempt], events: Events, is_exam: Callable[[str], bool]
) -> dict[ProblemKey, Result]:
    """What one student's attempts come to, by the `problem_key` of their exercises; some places are exams."""
    by_lemma: dict[tuple[str, bytes], list[StoredAttempt]] = {}
    for each in attempts:
        by_lemma.setdefault((each.kept.name, each.kept.key), []).append(each)
    return {
        (place, name, key): result(place, found, events, is_exam=is_exam(place))
        for (name, key), found in by_lemma.items()
        for place in dict.fromkeys(each.kept.place for each in found)
    }


def result(place: str, attempts: Sequence[StoredAttempt], events: Events, *, is_exam: bool = False) -> Result:
    """What one student's attempts at a lemma come to in one place.

    Args:
        place: which one.
        attempts: at the lemma, there and anywhere else, in any order.
        events: of each of them.
        is_exam: whether what a file brought there is worth nothing, unless the teacher answers for it.
    """
    if is_exam:
        attempts = [_without_end(each) if is_unvouched(each.kept) else each for each in attempts]
    here = [each for each in attempts if each.kept.place == place]
    own, in_course = _Bill(here, events), _Bill(attempts, events, in_course=True)
    bill = in_course if place.startswith(COURSE) else own
    outcomes = {each.kept.outcome for each in here}
    helped, slips, listed = bill.total
    points = bill.points(place)
    return Result(
        outcome=next((outcome for outcome in (PROVED, REFUTED) if outcome in outcomes), ""),
        moves=min((each.kept.moves for each in here if each.kept.moves), default=0),
        helped=helped,
        points=points,
        attempts=sum(each.events > 0 for each in here),
        seconds=sum(each.kept.seconds for each in here),
        slips=slips,
        listed=listed > 0,
        course_points=points if bill is in_course else in_course.points(place),
        done=min(filter(None, (done_at(each.kept) for each in here)), default=None),
    )


def _without_end(attempt: StoredAttempt) -> StoredAttempt:
    """Return an attempt as if it had come to nothing; what it costs stays."""
    return attempt._replace(kept=attempt.kept._replace(outcome="", done=None, moves=0, points=0))


class _Costs(NamedTuple):
    """Help, slips, and how often the list was to be seen that costs points."""

    helped: int = 0
    slips: int = 0
    listed: int = 0

    def plus(self, other: _Costs) -> _Costs:
        """Both together."""
        return _Costs(*map(sum, zip(self, other, strict=True)))

    def minus(self, other: _Costs) -> _Costs:
        """What is left without the other, which is a part of it."""
        return _Costs(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


class _Bill:
    """Attempts at a lemma by when they were begun, and what they cost.

    Args:
        attempts: which.
        events: of each of them.
        in_course: whether they count as in the course, whatever the terms of where they were made.
    """

    def __init__(self, attempts: Iterable[StoredAttempt], events: Events, *, in_course: bool = False) -> None:
        self._events, self._in_course = events, in_course
        self._attempts = sorted(attempts, key=lambda each: each.kept.started)
        self._started = [each.kept.started for each in self._attempts]
        self._costs = list(accumulate(map(self._costs_of, self._attempts), _Costs.plus, initial=_Costs()))

    @property
    def total(self) -> _Costs:
        """What all of them cost."""
        return self._costs[-1]

    def points(self, place: str) -> int:
        """The points of the best end in a place; 0 if there is none."""
        ends = [number for number, each in enumerate(self._attempts) if each.kept.outcome and each.kept.place == place]
        return max(map(self._points, ends), default=0)

    def _points(self, number: int) -> int:
        """What an end is worth: it costs whatever was taken before it, and in its own attempt until the best end."""
        own = self._attempts[number]
        over = own.kept.done or own.kept.started
        begun = max(number + 1, bisect_left(self._started, over))
        costs = self._costs[begun]
        for each in self._attempts[:begun]:
            if each is not own and each.kept.changed > over and self._costs_of(each) != _Costs():
                by_then = until(each, self._events(each.kept.uuid), over)
                costs = costs.minus(self._costs_of(each)).plus(self._costs_of(by_then))
        helped, slips, listed = costs
        return self._terms(own.kept).points(helped, slips, listed=listed > 0)

    def _terms(self, kept: KeptAttempt) -> Terms:
        """By which an end is counted."""
        is_own = not self._in_course or kept.place.startswith(COURSE)
        return kept_terms(kept) if is_own else COURSE_TERMS

    def _costs_of(self, attempt: StoredAttempt) -> _Costs:
        """What an attempt costs; in the course also what its terms gave for nothing elsewhere.

        Under a light each slip is one hint there, as the light has said what a first hint says; and what an agent has
        shown of a state is all hints of it, as it is where the agent has to be asked.
        """
        kept, terms = attempt.kept, kept_terms(attempt.kept)
        given = self._in_course and not kept.place.startswith(COURSE)
        was_listed = given and terms.lists_moves and attempt.events > 0
        seen = kept.slips if given and terms.light else 0
        shown = 0
        if given and terms.agent == "shown":
            shown = _hints_shown(parse(kept.formula), self._events(kept.uuid)[: attempt.events])
        return _Costs(kept.helped + seen + shown, kept.slips - seen, int(bool(kept.listed) or was_listed))


def _hints_shown(formula: Formula, events: Sequence[KeptEvent]) -> int:
    """The hints that come to what an agent has shown: in each state that it was seen in all that were not taken."""
    if not any(event.kind == "asked" for event in events):
        return 0
    alone, told = Attempt(formula, terms=COURSE_TERMS), Attempt(formula, terms=COURSE_TERMS)
    with suppress(InputError):  # of a damaged attempt what came before
        for event in events:
            for attempt in (alone, told):
                attempt.happen([Event(event.kind, event.what)])
            if event.kind == "asked" and not told.is_over:
                with suppress(NotAllowed):  # only one move applies
                    told.be_told()
    return told.helped - alone.helped
