"""A desk is one student's place in the class: what they do there is kept, in order and whatever goes wrong.

Nobody else's work can be reached from it. Who may sit down is decided by admission, and what is shown by the screens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from time import monotonic
from typing import Final

from oasis.classroom.clock import now
from oasis.classroom.desk.drawing import drawn
from oasis.classroom.desk.keeping import Keeper, Part, at_once, said_to_student
from oasis.classroom.desk.reckoning import Result, result, results
from oasis.classroom.desk.record import (
    ProblemKey,
    Record,
    formula_text,
    kept_terms,
    problem_key,
)
from oasis.classroom.lessons.exams import Exams, NotCounted, exams_in, too_often
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event, NotAllowed, Refused
from oasis.classroom.proving.exercise import Exercise
from oasis.store import KeptAttempt, KeptEvent, Store, StoredAttempt, StoreError, Student, StudentErased
from tactics.errors import InputError
from tactics.parser import parse

MOMENT: Final = 0.1
"""Seconds for which something that has just happened is waited for to be stored, so that it is before it is seen."""
AGAIN: Final = 3.0
"""Seconds after which what could not be stored is tried again."""
_NOT_YET: Final = "Not stored yet:"
_PARTED: Final = (
    "In another tab or terminal you have made other moves at this lemma. What you did here goes on as an attempt of "
    "its own beside that one; both are kept."
)


class Desk:
    """One student's place.

    If an event cannot be stored, or not at once, the work goes on: it is kept in memory and goes out in order, with the
    next event, with `tend` or with `save`. Like its store, a desk belongs to one thread.

    Attributes:
        store: where the work is kept.
        student: whose it is.
        keeper: has the work stored; at once unless it is told otherwise.
        lessons: tells which lessons were opened here.
        exams: those of the class and of these lessons, as they were when this was asked last.
        trouble: one sentence if something is not stored yet, or if an older attempt could not be gone on with.
        parted: what is to be said if the student made other moves elsewhere at the same time, or if what was done is
            not counted; else empty.
    """

    def __init__(self, store: Store, student: Student) -> None:
        self.store, self.student = store, student
        self.keeper: Keeper = at_once(store)
        self.lessons: Callable[[], Sequence[Lesson]] = tuple
        self.exams = Exams(student.name, {})
        self.trouble = self.parted = ""
        self._at_hand: Record | None = None
        self._others: list[StoredAttempt] = []
        self._waiting: list[Record] = []
        self._under_way: tuple[Part, Future[list[KeptEvent] | None]] | None = None
        self._tried = 0.0

    @property
    def name(self) -> str:
        """The student's."""
        return self.student.name

    def renew_exams(self) -> None:
        """Look which exams there are now, and how they are held. Raises StoreError."""
        self.exams = Exams(self.student.name, exams_in(self.store, [self.student.name]), self.lessons())

    def _is_exam(self, place: str) -> bool:
        return self.exams.exam(place) is not None

    # At work.

    @property
    def attempt(self) -> Attempt:
        """The attempt that was taken up last; one must have been."""
        return self._record.attempt

    @property
    def exercise(self) -> Exercise:
        """What it is at."""
        return self._record.exercise

    @property
    def uuid(self) -> str:
        """By what the file of the class knows it."""
        return self._record.uuid

    @property
    def _record(self) -> Record:
        assert self._at_hand is not None, "nothing is taken up yet"
        return self._at_hand

    def sit(self, exercise: Exercise) -> Attempt:
        """Take up the newest attempt at an exercise that is not over, as it was left, or else a new one.

        Raises StoreError if what is stored cannot be read.
        """
        record, trouble = self._unfinished(exercise)
        return self._take_up(record or Record(exercise, now()), trouble)

    def again(self, exercise: Exercise) -> Attempt:
        """Take up a new attempt. Raises StoreError if what is stored cannot be read.

        Who begins anew before the end goes back to the beginning, and what it costs to take moves back it costs here.
        Raises NotAllowed where an exam does not have it.
        """
        self.renew_exams()
        self._check_exam(exercise.place)
        self._check_number(exercise)
        if self._at_hand is not None and self.exercise == exercise and not self.attempt.is_over:
            self.do(lambda attempt: attempt.jump(0))
        newest, _ = self._unfinished(exercise)
        return self._take_up(newest if newest is not None and not newest.events else Record(exercise, now()))

    def begin(self) -> None:
        """Have the time of the attempt run from now on if it is looked at first and nothing has happened in it."""
        record = self._record
        if not record.events and not record.is_seen:
            record.is_seen, record.started = True, now()
            record.opened = record.started
            self._put(record)

    def append(self, event: Event) -> None:
        """Keep what has just happened in the attempt. Raises NotAllowed where an exam does not have it."""
        self._check_exam(self.exercise.place)
        self._record.note(KeptEvent(now(), event.kind, event.what))
        self._put(self._record)

    def do(self, deed: Callable[[Attempt], Event | None]) -> Event | None:
        """Do something in the attempt and keep it, also that a move was refused. Raises what the deed raises.

        Raises NotAllowed where an exam does not have it.
        """
        self._check_exam(self.exercise.place)
        if not self._record.events:
            self._check_number(self.exercise, but_for=self.uuid)
        try:
            event = deed(self.attempt)
        except Refused as refusal:
            self.append(refusal.event)
            raise
        if event is not None:
            self.append(event)
        return event

    def given(self, lesson: Lesson) -> tuple[Exercise, ...]:
        """The exercises of a lesson as this student has them. Raises StoreError."""
        return lesson.exercises_for(self.student.letters, drawn(self.store, lesson, self.student))

    def _check_exam(self, place: str) -> None:
        """Raises NotAllowed if nothing may be done in a place now."""
        if why := self.exams.why_not(place):
            raise NotAllowed(why)

    def _check_number(self, exercise: Exercise, but_for: str = "") -> None:
        """Raises NotAllowed if an exam does not have an exercise begun once more, one attempt not counted."""
        exam = self.exams.exam(exercise.place)
        if exam is None or exam.terms.attempts is None:
            return
        begun = (each.kept for each in self._attempts() if each.events and each.kept.uuid != but_for)
        if exam.is_used_up(begun, problem_key(exercise)[-1]):
            raise NotAllowed(too_often(exam))

    # What has come of it.

    @property
    def result(self) -> Result:
        """What has come of the exercise so far, in this attempt and in those before it."""
        place, attempts = self.exercise.place, [*self._others, self._as_stored(self._record)]
        return self._as_shown(place, result(place, attempts, self._events_of, is_exam=self._is_exam(place)))

    @property
    def worth(self) -> int:
        """The points that the exercise would have if it were done now; those that it has if that is more."""
        return self._worth()

    def cost(self, *, helped: int = 0, slips: int = 0, listed: bool = False) -> int:
        """The points that so much more help, so many more slips, and the list would cost now.

        None where none can be lost any more: the points of what is done stay, and the last one always does.
        """
        return self.worth - self._worth(helped, slips, listed=listed)

    def _worth(self, helped: int = 0, slips: int = 0, *, listed: bool = False) -> int:
        reached, terms = self.result, self.attempt.terms
        points = terms.points(reached.helped + helped, reached.slips + slips, listed=reached.listed or listed)
        return max(points, reached.points)

    def results(self) -> dict[ProblemKey, Result]:
        """What has come of each exercise so far, by its `problem_key`."""
        self.renew_exams()
        found = results(self._attempts(), self._events_of, self._is_exam)
        return {problem: self._as_shown(problem[0], each) for problem, each in found.items()}

    def _as_shown(self, place: str, found: Result) -> Result:
        """A result as the student may see it: without its points until the teacher shows them."""
        return found._replace(points=0, course_points=0, is_shown=False) if self.exams.hides_results(place) else found

    def present(self) -> ProblemKey | None:
        """The exercise last worked at, if it is not done; None if it is, or if there is none.

        Of several within a second it is the one that was begun last.
        """
        begun = [stored for stored in reversed(self._attempts()) if stored.events]
        last = max(begun, key=lambda stored: stored.kept.changed, default=None)
        return None if last is None or last.kept.outcome else _problem(last.kept)

    def last_done(self) -> Exercise | None:
        """The exercise that was done last; None if none is."""
        done = [stored.kept for stored in self._attempts() if stored.kept.done is not None]
        last = max(done, key=lambda kept: kept.done or "", default=None)
        return None if last is None else Exercise(last.name, parse(last.formula), last.place, kept_terms(last))

    def work(self) -> list[tuple[KeptAttempt, list[KeptEvent]]]:
        """Every attempt with all that happened in it, also what is not stored yet, in the order in which they began."""
        fitted = [record.fitted(self.store.events(record.uuid)) for record in self._waiting]
        unsaved = {record.uuid: (record.kept(), record.events) for record in fitted}
        uuids = {each.kept.uuid: each.kept for each in self.store.attempts(self.student.id)}
        stored = {uuid: (kept, self.store.events(uuid)) for uuid, kept in uuids.items()}
        return sorted((stored | unsaved).values(), key=lambda each: each[0].started)

    def _attempts(self) -> list[StoredAttempt]:
        """Every attempt, oldest first, as it is now, stored or not yet."""
        stored = {each.kept.uuid: each for each in self.store.attempts(self.student.id)}
        for record in self._waiting:
            here = stored.get(record.uuid)
            if here is None or here.events <= len(record.events):
                stored[record.uuid] = self._as_stored(record)
        return sorted(stored.values(), key=lambda each: each.kept.started)

    def _events_of(self, uuid: str) -> Sequence[KeptEvent]:
        """The events of an attempt, stored or not yet."""
        here = [*self._waiting, *([] if self._at_hand is None else [self._at_hand])]
        record = next((each for each in here if each.uuid == uuid), None)
        return self.store.events(uuid) if record is None else record.events

    def _as_stored(self, record: Record) -> StoredAttempt:
        """A record as it would be found if all of it were stored."""
        return StoredAttempt(0, self.student.id, len(record.events), record.kept())

    def _put_at_hand(self, record: Record) -> None:
        """Have a record be the attempt that is worked at. Raises StoreError."""
        _, *lemma = problem_key(record.exercise)
        others = (each for each in self._attempts() if each.kept.uuid != record.uuid)
        self._others = [each for each in others if [each.kept.name, each.kept.key] == lemma]
        self._at_hand = record

    # Storing.

    def save(self, seconds: float = MOMENT) -> bool:
        """Store what is not stored yet, for at most so long; whether nothing is left. If not, `trouble` says why."""
        while self._waiting:
            part, future = self._under_way = self._under_way or self._begin(self._waiting[0])
            wait([future], seconds)
            if not future.done():
                if not self.trouble.startswith(_NOT_YET):
                    self.trouble = f"{_NOT_YET} the file of the class is busy. Nothing is lost while this stays open."
                return False
            self._under_way = None
            try:
                self._settle(part, future.result())
            except StudentErased as error:
                self.trouble = str(error)
                return False
            except NotCounted as error:
                self._forget(self._waiting.pop(0))
                self.parted = str(error)
            except StoreError as error:
                self.trouble = f"{_NOT_YET} {said_to_student(error)}"
                return False
        self.trouble = ""
        return True

    def tend(self) -> bool:
        """See whether what is under way is stored by now, and now and then try again; whether `trouble` has changed."""
        before = self.trouble
        is_due = self._under_way is not None or monotonic() - self._tried > AGAIN
        if self._waiting and is_due:
            self.save(0.0)
        return self.trouble != before

    def _begin(self, record: Record) -> tuple[Part, Future[list[KeptEvent] | None]]:
        """Have what is new of a record stored."""
        self._tried = monotonic()
        part = Part(self.student.id, record.kept(), record.stored, tuple(record.events[record.stored :]))
        return part, self.keeper(part)

    def _settle(self, part: Part, stored: list[KeptEvent] | None) -> None:
        """Take note of what has come of a part of the first record that waits."""
        record = self._waiting[0]
        if stored is None:
            record.stored = part.stored + len(part.events)
        else:
            before, record = record, record.fitted(stored)
            if record is not before:
                self.parted = _PARTED
                if before is self._at_hand:
                    self._put_at_hand(record)
            self._waiting[0] = record
        if record.stored == len(record.events) and (stored is not None or record.kept() == part.attempt):
            self._waiting.pop(0)

    def _forget(self, record: Record) -> None:
        """Go back to what is stored of a record, as the rest does not count."""
        if record is not self._at_hand:
            return
        stored = self.store.attempt(record.uuid)
        at_hand = Record(record.exercise, now()) if stored is None else self._made_again(record.exercise, stored.kept)
        self._put_at_hand(at_hand)

    def _unfinished(self, exercise: Exercise) -> tuple[Record | None, str]:
        """The attempt to go on with, if any; or why the one that is stored cannot be."""
        for record in reversed(self._waiting):
            if record.exercise == exercise and not record.outcome:
                return record, ""
        text = formula_text(exercise.formula)
        stored = self.store.unfinished(self.student.id, exercise.place, exercise.name, text)
        if stored is None:
            return None, ""
        try:
            return self._made_again(exercise, stored.kept), ""
        except InputError as error:
            return None, f"An older attempt at {exercise.name} cannot be gone on with, though it is kept: {error}"

    def _made_again(self, exercise: Exercise, kept: KeptAttempt) -> Record:
        """A stored attempt at an exercise, to go on with. Raises InputError if it cannot be made again."""
        events = self.store.events(kept.uuid)
        return Record(
            exercise,
            kept.started,
            kept.uuid,
            events,
            len(events),
            imported=kept.imported,
            vouched=bool(kept.vouched),
            begun=kept_terms(kept) if events else None,
        )

    def catch_up(self) -> bool:
        """Go on where the attempt was gone on with elsewhere, if nothing new was done here; whether it was.

        Raises InputError and StoreError.
        """
        record = self._record
        stored = None if record in self._waiting else self.store.attempt(record.uuid)
        if stored is None or stored.events <= record.stored:
            return False
        self._put_at_hand(self._made_again(record.exercise, stored.kept))
        return True

    def _take_up(self, record: Record, trouble: str = "") -> Attempt:
        self.renew_exams()
        record.opened = now()
        self._put_at_hand(record)
        self._put(record)
        self.trouble = self.trouble or trouble
        return self.attempt

    def _put(self, record: Record) -> None:
        if record not in self._waiting:
            self._waiting.append(record)
        self.save(0.0 if self._under_way else MOMENT)


def _problem(kept: KeptAttempt) -> ProblemKey:
    return kept.place, kept.name, kept.key
