"""A desk is one student's place in the class: what they do there is stored before they see it.

Nobody else's work can be reached from it. Who may sit down is decided by admission, and what is shown by the screens.
"""

from __future__ import annotations

from functools import partial

from oasis.classroom.clock import now
from oasis.classroom.desk.record import ProblemKey, Record, Result, formula_text, result
from oasis.classroom.proving.attempt import Attempt, Event
from oasis.classroom.proving.exercise import Exercise
from oasis.store import KeptAttempt, KeptEvent, Row, Store, StoreError
from tactics.errors import InputError


class Desk:
    """One student's place.

    If an event cannot be stored, the work goes on: it is kept in memory, in order, and goes out with the next event or
    `save`. Like its store, a desk belongs to one thread.

    Attributes:
        store: where the work is kept.
        student: the number of the student there.
        name: of the student.
        letters: the name by which letters of their own are drawn: the first that they had.
        trouble: one sentence if something is not stored yet, or if an older attempt could not be gone on with.
    """

    def __init__(self, store: Store, student: int, name: str, letters: str | None = None) -> None:
        self.store, self.student, self.name, self.letters = store, student, name, letters or name
        self.trouble = ""
        self._waiting: list[Record] = []

    def sit(self, exercise: Exercise) -> Attempt:
        """The newest attempt at an exercise that is not over, as it was left, or else a new one.

        Everything that happens in it is stored. Raises StoreError if what is stored cannot be read.
        """
        record, trouble = self._unfinished(exercise)
        return self._take_up(record or Record(exercise, now()), trouble)

    def again(self, exercise: Exercise) -> Attempt:
        """A new attempt, everything in which is stored. Raises StoreError if what is stored cannot be read."""
        newest, _ = self._unfinished(exercise)
        return self._take_up(newest if newest is not None and not newest.events else Record(exercise, now()))

    def results(self) -> dict[ProblemKey, Result]:
        """What has come of each exercise so far, by its `problem_key`."""
        found: dict[ProblemKey, list[Row]] = {}
        for row in self.store.attempts(self.student):
            found.setdefault((row["place"], row["name"], row["key"]), []).append(row)
        return {problem: result(rows) for problem, rows in found.items()}

    def present(self) -> ProblemKey | None:
        """The exercise last worked at, if it is not done; None if it is, or if there is none."""
        rows = [row for row in self.store.attempts(self.student) if row["events"]]
        last = max(rows, key=lambda row: (row["changed"], row["id"]), default=None)
        return None if last is None or last["outcome"] else (last["place"], last["name"], last["key"])

    def save(self) -> bool:
        """Store what could not be stored before; whether nothing is left to store. If not, `trouble` says why."""
        while self._waiting:
            try:
                self._store(self._waiting[0])
            except StoreError as error:
                self.trouble = f"Not stored yet: {error}"
                return False
            self._waiting.pop(0)
        self.trouble = ""
        return True

    def work(self) -> list[tuple[KeptAttempt, list[KeptEvent]]]:
        """Every attempt with all that happened in it, also what is not stored yet; oldest first, then by uuid."""
        for record in self._waiting:
            record.fit(self.store.events(record.uuid))
        unsaved = {record.uuid: (record.kept(), record.events) for record in self._waiting}
        stored = {
            row["uuid"]: (KeptAttempt.of(row), self.store.events(row["uuid"]))
            for row in self.store.attempts(self.student)
        }
        return sorted((stored | unsaved).values(), key=lambda each: (each[0].started, each[0].uuid))

    def _unfinished(self, exercise: Exercise) -> tuple[Record | None, str]:
        """The attempt to go on with, if any; or why the one that is stored cannot be."""
        for record in reversed(self._waiting):
            if record.exercise == exercise and not record.outcome:
                return record, ""
        text = formula_text(exercise.formula)
        row = self.store.unfinished(self.student, exercise.place, exercise.name, text)
        if row is None:
            return None, ""
        events = self.store.events(row["uuid"])
        # Asked for after the events, so that whatever was brought in while they were read is known to be marked.
        imported = (self.store.attempt(row["uuid"]) or row)["imported"]
        if imported and not events:
            return None, ""  # all that follows is done here
        try:
            return Record(exercise, row["started"], row["uuid"], events, len(events), imported=imported), ""
        except InputError as error:
            return None, f"An older attempt at {exercise.name} cannot be gone on with, though it is kept: {error}"

    def _take_up(self, record: Record, trouble: str = "") -> Attempt:
        record.opened = now()
        record.attempt.record = partial(self._note, record)
        self._put(record)
        self.trouble = self.trouble or trouble
        return record.attempt

    def _note(self, record: Record, event: Event) -> None:
        record.note(KeptEvent(now(), event.kind, event.what))
        self._put(record)

    def _put(self, record: Record) -> None:
        if record not in self._waiting:
            self._waiting.append(record)
        self.save()

    def _store(self, record: Record) -> None:
        """Store what is new of a record; it becomes an attempt of its own if it went on elsewhere in the meantime."""
        while not self.store.keep(self.student, record.kept(), record.stored, record.events[record.stored :]):
            if not record.fit(self.store.events(record.uuid)):
                return
        record.stored = len(record.events)
