"""The teacher's view of the class: who is where, what each student has done, and how each problem went.

Plain rows, for a screen or a spreadsheet. The passphrase that opens it is the business of admission, and what is wrong
with a move that of `oasis.classroom.mistakes`.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from statistics import median
from typing import Any, Final, NamedTuple

from oasis.classroom.mistakes import Examiner, Mistakes, Work
from oasis.classroom.record import kept_terms, result
from oasis.store import Row, Store
from tactics.parser import parse

SECONDS: Final = 5.0
"""For the wrong moves at one problem."""
ON_TIME: Final = "on time"
LATE: Final = "late"
_LISTED: Final = 3
_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")


class Whereabouts(NamedTuple):
    """What a student last worked at, and when; empty if at nothing yet."""

    student: str
    place: str
    lemma: str
    when: str
    outcome: str


class Mark(NamedTuple):
    """What a student has made of a problem in all attempts together.

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


class Problem(NamedTuple):
    """How a problem went in the class; the same problem in other letters is this one, too.

    Attributes:
        place: the lesson or world.
        lemma: by name.
        formula: in the letters of whoever began first.
        begun: by how many students.
        done: by how many.
        late: how many were late, or are.
        attempts: of all.
        fewest: moves of the shortest proof in the class, None if there is none.
        median_seconds: of work of those who have done it, None if nobody has.
        hints: how often one was asked for.
        wrong_claims: how often it was said that there is no proof although there is.
        refused: moves that did not apply.
        uuids: of the attempts.
    """

    place: str
    lemma: str
    formula: str
    begun: int
    done: int
    late: int
    attempts: int
    fewest: int | None
    median_seconds: int | None
    hints: int
    wrong_claims: int
    refused: int
    uuids: tuple[str, ...]


class Register:
    """The class in a store; it is read anew with every question. Like the store, it belongs to one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._examiner = Examiner()

    def whereabouts(self) -> list[Whereabouts]:
        """Where everybody is, by name."""
        last: dict[int, Row] = {}
        for row in self._store.attempts():
            if row["student"] not in last or row["changed"] >= last[row["student"]]["changed"]:
                last[row["student"]] = row
        nowhere = {"place": "", "name": "", "changed": "", "outcome": ""}
        found = []
        for student in self._store.students():
            row = last.get(student["id"], nowhere)
            found.append(Whereabouts(student["name"], row["place"], row["name"], row["changed"], row["outcome"]))
        return found

    def marks(self) -> list[Mark]:
        """A row for each student and each problem that they have begun: by student, in the order of beginning."""
        found = [mark for rows in self._by_problem() for mark in self._marks(rows)]
        return sorted(found, key=lambda mark: mark.student.casefold())

    def problems(self) -> list[Problem]:
        """A row for each problem that somebody has begun: by place, in the order of beginning."""
        found = [_problem(rows, self._marks(rows)) for rows in self._by_problem()]
        return sorted(found, key=lambda problem: problem.place)

    def works(self, problem: Problem) -> list[Work]:
        """The attempts at a problem, to look for wrong moves in, elsewhere if that must not keep anybody waiting."""
        rows = filter(None, map(self._store.attempt, problem.uuids))
        return [
            Work(row["student"], parse(row["formula"]), kept_terms(row).rules, self._store.events(row["uuid"]))
            for row in rows
        ]

    def mistakes(self, problem: Problem, seconds: float = SECONDS) -> Mistakes:
        """The wrong moves at a problem, as far as they can be found in so many seconds."""
        return self._examiner.mistakes(self.works(problem), seconds)

    def student_csv(self) -> str:
        """The marks as a spreadsheet."""
        return _csv(Mark._fields, (mark._asdict() for mark in self.marks()))

    def problem_csv(self, seconds: float = SECONDS) -> str:
        """The problems as a spreadsheet, with the commonest wrong moves, looked for so many seconds in each."""
        fields = [*Problem._fields[:-1], "wrong_moves", "attempts_searched"]
        return _csv(fields, (self._described(problem, seconds) for problem in self.problems()))

    def _described(self, problem: Problem, seconds: float) -> dict[str, Any]:
        mistakes = self.mistakes(problem, seconds)
        listed = [f"{mistake.sentence()} ({mistake.students} of {problem.begun})" for mistake in mistakes.moves]
        return {
            **problem._asdict(),
            "wrong_moves": "; ".join(listed[:_LISTED]),
            "attempts_searched": mistakes.seen,
        }

    def _by_problem(self) -> Iterable[list[Row]]:
        """The attempts in which something was done, oldest first, a list for each problem.

        Each row also has the name of the `student` and, by kind, how many `happened`; claims are `right` or `wrong`.
        """
        names = {student["id"]: student["name"] for student in self._store.students()}
        happened: dict[int, Counter[str]] = {}
        for row in self._store.kinds_of_events():
            happened.setdefault(row["attempt"], Counter())[row["what"] or row["kind"]] += row["times"]
        problems: dict[tuple[str, bytes], list[Row]] = {}
        for row in self._store.attempts():
            if row["events"]:
                row |= {"student": names[row["student"]], "happened": happened[row["id"]]}
                problems.setdefault((row["place"], row["key"]), []).append(row)
        return problems.values()

    def _marks(self, rows: Iterable[Row]) -> list[Mark]:
        """What each student has made of a problem."""
        by_student: dict[str, list[Row]] = {}
        for row in rows:
            by_student.setdefault(row["student"], []).append(row)
        return [_mark(student, theirs) for student, theirs in by_student.items()]


def _mark(student: str, rows: Sequence[Row]) -> Mark:
    reached = result(rows)
    happened = sum((row["happened"] for row in rows), Counter[str]())
    done = min((row["done"] for row in rows if row["done"]), default=None)
    due = kept_terms(rows[-1]).due
    return Mark(
        student=student,
        place=rows[0]["place"],
        lemma=rows[0]["name"],
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
    )


def _punctual(done: str | None, due: datetime | None) -> str:
    if due is None:
        return ""
    if done is None:
        return LATE if datetime.now(UTC) > due else ""
    return ON_TIME if datetime.fromisoformat(done) <= due else LATE


def _problem(rows: Sequence[Row], marks: Sequence[Mark]) -> Problem:
    times = [mark.seconds for mark in marks if mark.outcome]
    return Problem(
        place=rows[0]["place"],
        lemma=rows[0]["name"],
        formula=rows[0]["formula"],
        begun=len(marks),
        done=len(times),
        late=sum(mark.punctual == LATE for mark in marks),
        attempts=len(rows),
        fewest=min((mark.moves for mark in marks if mark.moves), default=None),
        median_seconds=round(median(times)) if times else None,
        hints=sum(mark.hints for mark in marks),
        wrong_claims=sum(mark.wrong_claims for mark in marks),
        refused=sum(mark.refused for mark in marks),
        uuids=tuple(row["uuid"] for row in rows),
    )


def _csv(header: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """A header and a line for each row, of the columns in the header."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, header, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(value) for name, value in row.items()})
    return stream.getvalue()


def _cell(value: object) -> object:
    """Text that a spreadsheet would take for a formula gets a quotation mark in front, so it stays text."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_SIGNS) else value
