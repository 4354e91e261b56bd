"""The teacher's view of the class: its list, who is where, everybody's marks, and how each problem went.

Plain rows, for a screen or a spreadsheet. The passphrase that opens it is the business of admission, and what is wrong
with a move that of `oasis.classroom.register.mistakes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from oasis.classroom.desk.record import kept_terms
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.roll import Roll
from oasis.classroom.register.marks import LATE, Mark, Marks, Tried
from oasis.classroom.register.mistakes import Examiner, Mistakes, Work
from oasis.classroom.spreadsheet import csv_text
from oasis.store import Row, Store
from tactics.parser import parse

SECONDS: Final = 5.0
"""For the wrong moves at one problem."""
_LISTED: Final = 3


class Whereabouts(NamedTuple):
    """What a student last worked at, and when; empty if at nothing yet."""

    student: str
    place: str
    lemma: str
    when: str
    outcome: str


class Problem(NamedTuple):
    """How a problem went in the class; the same problem in other letters is this one, too.

    Attributes:
        place: the lesson or world.
        lemma: by name.
        formula: in the letters of the lesson, or of whoever began first.
        begun: by how many students.
        done: by how many.
        late: how many were late, or are.
        attempts: of all.
        fewest: moves of the shortest proof in the class, None if there is none.
        median_seconds: of work of those who have done it, None if nobody has.
        hints: how often one was asked for.
        wrong_claims: how often it was said that there is no proof although there is.
        refused: moves that did not apply.
        imported: how many of the attempts were done elsewhere, all or in part.
        key: tells it from every other problem.
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
    imported: int
    key: str
    uuids: tuple[str, ...]


class Register(Marks):
    """The class as its teacher sees it.

    Attributes:
        roll: the list of the class; who left it is not in what the register says.
    """

    def __init__(self, store: Store, lesson: Lesson | None = None) -> None:
        super().__init__(store, lesson)
        self.roll = Roll(store)
        self._examiner = Examiner()

    def whereabouts(self) -> list[Whereabouts]:
        """Where everybody is, by name."""
        last: dict[int, Row] = {}
        for row in self._store.attempts():
            if row["student"] not in last or row["changed"] >= last[row["student"]]["changed"]:
                last[row["student"]] = row
        nowhere = {"place": "", "name": "", "changed": "", "outcome": ""}
        found = []
        for student, name in self._present().items():
            row = last.get(student, nowhere)
            found.append(Whereabouts(name, row["place"], row["name"], row["changed"], row["outcome"]))
        return found

    def problems(self) -> list[Problem]:
        """A row for each problem that somebody has begun or that is asked of everybody: by place."""
        found = [_problem(problem, self._marks_at(problem)) for problem in self._by_problem()]
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
        return csv_text(Mark._fields[:-1], (mark._asdict() for mark in self.marks()))

    def problem_csv(self, find: Callable[[Problem], Mistakes]) -> str:
        """The problems as a spreadsheet, with the commonest of the wrong moves that are found at each."""
        fields = [*Problem._fields[:-2], "wrong_moves", "attempts_searched"]
        return csv_text(fields, (_described(problem, find(problem)) for problem in self.problems()))


def _described(problem: Problem, mistakes: Mistakes) -> dict[str, Any]:
    listed = [f"{mistake.sentence()} ({mistake.students} of {problem.begun})" for mistake in mistakes.moves]
    return {
        **problem._asdict(),
        "wrong_moves": "; ".join(listed[:_LISTED]),
        "attempts_searched": mistakes.seen,
    }


def _problem(problem: Tried, marks: Sequence[Mark]) -> Problem:
    times = [mark.seconds for mark in marks if mark.outcome]
    return Problem(
        place=problem.place,
        lemma=problem.lemma,
        formula=problem.formula,
        begun=sum(mark.attempts > 0 for mark in marks),
        done=len(times),
        late=sum(mark.punctual == LATE for mark in marks),
        attempts=len(problem.rows),
        fewest=min((mark.moves for mark in marks if mark.moves), default=None),
        median_seconds=round(median(times)) if times else None,
        hints=sum(mark.hints for mark in marks),
        wrong_claims=sum(mark.wrong_claims for mark in marks),
        refused=sum(mark.refused for mark in marks),
        imported=sum(mark.imported for mark in marks),
        key=problem.full_key,
        uuids=tuple(row["uuid"] for row in problem.rows),
    )
