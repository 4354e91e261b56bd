"""Marks: what students have made of problems, alone or each of a class, and from a mark the way to its attempts.

A problem is the same in whatever letters. Who may see whose marks is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from oasis.classroom.desk.record import formula_key, formula_text, kept_terms, result
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.names import name_key, proper_name
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.history import History
from oasis.store import KeptAttempt, Row, Store
from tactics.errors import InputError, did_you_mean

ON_TIME: Final = "on time"
LATE: Final = "late"


class Mark(NamedTuple):
    """What a student has made of a problem in all attempts together; also of one that a lesson asks for, if nothing.

    Attributes:
        student: by name.
        place: the lesson or world.
        lemma: by name.
        attempts: with at least one event.
        outcome: `proved`, `refuted`, or empty if it is not done.
        moves: of the shortest proof, None if there is none.
        points: of the best attempt.
        hints: how often one was asked for.
        wrong_claims: how often it was said that there is no proof although there is.
        refused: moves that did not apply.
        taken_over: how often moves of somebody else were taken over.
        seconds: of work.
        done: when it was done first, None if it is not.
        due: when it should be done, None if whenever.
        punctual: `on time`, `late`, or empty while there is time, or if there is no date.
        imported: how many of the attempts were done elsewhere, all or in part.
        asked: whether the lesson asks for it; without a lesson everything counts as asked for.
        key: of the problem.
    """

    student: str
    place: str
    lemma: str
    attempts: int
    outcome: str
    moves: int | None
    points: int
    hints: int
    wrong_claims: int
    refused: int
    taken_over: int
    seconds: int
    done: str | None
    due: str | None
    punctual: str
    imported: int
    asked: bool
    key: str


class Tried(NamedTuple):
    """A problem, when it is due, and the attempts at it in which something was done, oldest first.

    Each row also has the name of the `student` and, by kind, how many `happened`; claims are `right` or `wrong`.
    """

    place: str
    lemma: str
    formula: str
    key: str
    due: datetime | None
    asked_of: Sequence[str] | None
    rows: list[Row]

    @property
    def full_key(self) -> str:
        """Tells it from every other problem."""
        return f"{self.place}/{self.key}"


class Marks:
    """What has been made of each problem, read anew with every question. Like the store, it belongs to one thread.

    Args:
        store: of the class.
        lesson: what is asked of everybody, also of those who have not begun; it says when that is due. Who came
            straight in at their own account and has done nothing at all may be the teacher: nothing is asked of them.
        student: by number, the only one whose marks these are; None for everybody who has not left the class.
    """

    def __init__(self, store: Store, lesson: Lesson | None = None, student: int | None = None) -> None:
        self._store, self._student = store, student
        self._asked = [] if lesson is None else [_asked(exercise) for exercise, _ in lesson.exercises]

    def marks(self) -> list[Mark]:
        """A row for each student and each problem that they have begun or that is asked of them: by student.

        Problems of the lesson come in its order, others in that of beginning.
        """
        found = [mark for problem in self._by_problem() for mark in self._marks_at(problem)]
        return sorted(found, key=lambda mark: mark.student.casefold())

    def of(self, student: str) -> list[Mark]:
        """One student's marks at what they have begun. Raises InputError if nobody is called like this."""
        key = name_key(proper_name(student))
        names = {name_key(name): name for name in self._present().values()}
        if key not in names:
            advice = did_you_mean(key, names, "look for the name on the list.")
            raise InputError(f"There is no student {student} in this class; {advice}")
        return [mark for mark in self.marks() if mark.student == names[key] and mark.attempts]

    def at(self, student: str, lemma: str) -> list[Mark]:
        """One student's marks at a lemma, which is named with its curriculum or without. Raises InputError."""
        begun = self.of(student)
        found = [mark for mark in begun if lemma in _names(mark)]
        if not found:
            known = [name for mark in begun for name in _names(mark)]
            advice = did_you_mean(lemma, known, "leave it out to see what is.")
            raise InputError(f"{lemma} is not begun by {student}; {advice}")
        return found

    def attempts(self, mark: Mark) -> list[History]:
        """The attempts that a mark adds up, oldest first; none if the student is no longer in the class."""
        found = (problem for problem in self._by_problem() if problem.full_key == mark.key)
        rows = [row for problem in found for row in problem.rows if row["student"] == mark.student]
        return [History.of(KeptAttempt.of(row), self._store.events(row["uuid"])) for row in rows]

    def _present(self) -> dict[int, str]:
        """The names of those who are in the class, by name and with their numbers in the store."""
        return {row["id"]: row["name"] for row in self._students()}

    def _students(self) -> list[Row]:
        rows = (row for row in self._store.students() if row["left"] is None)
        return [row for row in rows if self._student in (None, row["id"])]

    def _by_problem(self) -> Iterable[Tried]:
        """The problems of the lesson, then all others that somebody has begun."""
        students = self._students()
        names = {row["id"]: row["name"] for row in students}
        happened: dict[int, Counter[str]] = {}
        for row in self._store.kinds_of_events():
            happened.setdefault(row["attempt"], Counter())[row["what"] or row["kind"]] += row["times"]
        begun = [row for row in self._store.attempts() if row["events"] and row["student"] in names]
        at_work = {row["student"] for row in begun}
        asked_of = [row["name"] for row in students if row["account"] is None or row["id"] in at_work]
        problems = {
            (problem.place, problem.key): problem._replace(asked_of=asked_of, rows=[]) for problem in self._asked
        }
        for row in begun:
            row |= {"student": names[row["student"]], "happened": happened[row["id"]]}
            place, key = row["place"], row["key"].hex()
            tried = Tried(place, row["name"], row["formula"], key, due=None, asked_of=None, rows=[])
            problems.setdefault((place, key), tried).rows.append(row)
        return problems.values()

    def _marks_at(self, problem: Tried) -> list[Mark]:
        """What each student has made of a problem."""
        by_student: dict[str, list[Row]] = {name: [] for name in problem.asked_of or ()}
        for row in problem.rows:
            by_student.setdefault(row["student"], []).append(row)
        asked = problem.asked_of is not None or not self._asked
        return [_mark(student, problem, theirs, asked=asked) for student, theirs in by_student.items()]


def _names(mark: Mark) -> tuple[str, str]:
    """What a lemma may be called: its name with its curriculum and without."""
    return mark.lemma, mark.lemma if " " in mark.lemma else mark.lemma.rpartition("/")[2]


def _asked(exercise: Exercise) -> Tried:
    """A problem of a lesson, as if nobody had begun it."""
    formula = exercise.formula
    key, due = formula_key(formula).hex(), exercise.terms.due
    return Tried(exercise.place, exercise.name, formula_text(formula), key, due, asked_of=(), rows=[])


def _mark(student: str, problem: Tried, rows: Sequence[Row], *, asked: bool) -> Mark:
    reached = result(rows)
    happened = sum((row["happened"] for row in rows), Counter[str]())
    done = min((row["done"] for row in rows if row["done"]), default=None)
    due = kept_terms(rows[-1]).due if problem.asked_of is None else problem.due
    return Mark(
        student=student,
        place=problem.place,
        lemma=problem.lemma,
        attempts=reached.attempts,
        outcome=reached.outcome,
        moves=reached.moves or None,
        points=reached.points,
        hints=happened["hint"],
        wrong_claims=happened["wrong"],
        refused=happened["refused"],
        taken_over=happened["given"],
        seconds=round(reached.seconds),
        done=done,
        due=None if due is None else due.isoformat(),
        punctual=_punctual(done, due),
        imported=sum(row["imported"] is not None for row in rows),
        asked=asked,
        key=problem.full_key,
    )


def _punctual(done: str | None, due: datetime | None) -> str:
    if due is None:
        return ""
    if done is None:
        return LATE if datetime.now(UTC) > due else ""
    return ON_TIME if datetime.fromisoformat(done) <= due else LATE
