"""A class at a glance, and what a student has done all in all: sums over the results of single exercises.

Where these come from is the business of the register and of the desk, and how they are shown that of the screens.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import PAUSE
from oasis.classroom.proving.exercise import POINTS
from oasis.classroom.register.marks import LATE, Mark
from oasis.classroom.register.register import Problem, Register, Whereabouts
from oasis.ground.plural import counted

WORKING: Final = "working"
STUCK: Final = "stuck"
IDLE: Final = "idle"

STUCK_AFTER: Final = 300
"""Seconds of work at one problem that is not done."""
IDLE_AFTER: Final = 300.0
"""Seconds without anything done; until then somebody may be thinking."""
FRUITLESS_AFTER: Final = 120.0
"""Seconds without getting further, for who meets dead ends and refusals; then help is welcome."""
GONE_AFTER: Final = 3600.0
"""Seconds after which nobody is expected to sit there any more."""
CLASS_COLUMNS: Final = (
    *("student", "identifier", "group", "standing", "place", "lemma", "seen", "asked", "done", "late", "points"),
    *("maximum", "percent", "attempts", "hints", "wrong_claims", "listed", "seconds", "imported"),
)


class Total(NamedTuple):
    """What several exercises come to for one student.

    Attributes:
        asked: how many there are: those begun, and those that a lesson asks for.
        done: how many were proved, or rightly said to have no proof.
        attempts: at all of them.
        points: of the best attempt at each.
        seconds: of work.
    """

    asked: int
    done: int
    attempts: int
    points: int
    seconds: int

    @property
    def maximum(self) -> int:
        """The points that there are for all of them."""
        return POINTS * self.asked


class Overview(NamedTuple):
    """One student at a glance.

    Attributes:
        where: they work at present.
        standing: `working`, `stuck` (at one problem for long), `idle` (nothing done for long), or empty for who is not
            here.
        total: of what the lesson asks for, or of all if there is no lesson, as is everything below.
        late: how many problems are, or were.
        hints: how often one was asked for that was help.
        wrong_claims: how often it was said that there is no proof although there is.
        listed: how often the list of moves was asked for.
        imported: how many of the attempts have come from a file, all or in part.
        marks: what this is the sum of.
    """

    where: Whereabouts
    standing: str
    total: Total
    late: int
    hints: int
    wrong_claims: int
    listed: int
    imported: int
    marks: tuple[Mark, ...]


class Altogether(NamedTuple):
    """The whole class at a glance.

    Attributes:
        students: how many there are.
        working: how many of them work at present.
        stuck: how many are stuck.
        idle: how many are idle.
        begun: how many have begun anything that is asked of them.
        away: how many have not, and are not here either.
        asked: problems of all students together.
        done: how many of these.
        late: how many of these are late.
    """

    students: int
    working: int
    stuck: int
    idle: int
    begun: int
    away: int
    asked: int
    done: int
    late: int

    def sentence(self) -> str:
        """The same in words."""
        if not self.students:
            return "Nobody is in the class yet."
        students = counted(self.students, "student")
        now = ", ".join(
            f"{number:,} {word}"
            for number, word in ((self.working, WORKING), (self.stuck, STUCK), (self.idle, IDLE))
            if number
        )
        said = [f"{students}: {now or 'nobody is here now'}"]
        if self.away:
            said.append(f"{self.away:,} began nothing")
        if self.asked:
            said.append(f"{self.done:,} of {self.asked:,} problems done ({self.done / self.asked:.0%})")
        if self.late:
            said.append(f"{self.late:,} late or overdue")
        return f"{'; '.join(said)}."


def standing(where: Whereabouts, now: datetime | None = None) -> str:
    """Whether a student works, is stuck or is idle, as far as what was stored tells it; empty for who is not here.

    Who has a tab open is stuck after dead ends, refusals, moves taken back or hints, and two minutes without getting
    further, whether anything is done or not; else idle without a key for long, and else at work, be it in thought. Who
    has none is idle, and after a while not here. Of whom no tab is known, the work at one problem tells.
    """
    now = now or datetime.now(UTC)
    last = max(where.when, where.key)
    if not last or (not where.tabs and _since(last, now) > GONE_AFTER):
        return ""
    if where.tabs is not None:
        if where.tabs and where.troubles and not where.outcome and _since(where.progress, now) >= FRUITLESS_AFTER:
            return STUCK
        return WORKING if where.tabs and _since(last, now) <= IDLE_AFTER else IDLE
    silent = _since(where.when, now)
    if silent > IDLE_AFTER:
        return IDLE
    thinking = min(silent, PAUSE)  # counts as work as soon as anything is done
    return STUCK if not where.outcome and where.seconds + thinking >= STUCK_AFTER else WORKING


def _since(when: str, now: datetime) -> float:
    """How many seconds ago a time was."""
    return (now - datetime.fromisoformat(when)).total_seconds()


def altogether(students: Sequence[Overview]) -> Altogether:
    """The sum of all students of a class."""
    standings = [each.standing for each in students]
    begun = [any(mark.attempts for mark in each.marks) for each in students]
    return Altogether(
        students=len(students),
        working=standings.count(WORKING),
        stuck=standings.count(STUCK),
        idle=standings.count(IDLE),
        begun=sum(begun),
        away=sum(not (standing or has_begun) for standing, has_begun in zip(standings, begun, strict=True)),
        asked=sum(each.total.asked for each in students),
        done=sum(each.total.done for each in students),
        late=sum(each.late for each in students),
    )


def class_rows(students: Iterable[Overview]) -> list[dict[str, Any]]:
    """A row for each student with the columns of `CLASS_COLUMNS`, times as ISO 8601 has them."""
    called = {"student": "name", "seen": "when"}
    rows = (
        each.where._asdict() | each._asdict() | each.total._asdict() | _share(each.total.points, each.total.maximum)
        for each in students
    )
    return [{column: row[called.get(column, column)] for column in CLASS_COLUMNS} for row in rows]


def _share(points: int, maximum: int) -> dict[str, float | None]:
    return {"maximum": maximum, "percent": round(100 * points / maximum, 1) if maximum else None}


def total(results: Iterable[Result | Mark], asked: int = 0) -> Total:
    """The sum of a student's results, each at another exercise, of which there are at least so many."""
    begun = [result for result in results if result.attempts]
    return Total(
        asked=max(asked, len(begun)),
        done=sum(bool(result.outcome) for result in begun),
        attempts=sum(result.attempts for result in begun),
        points=sum(result.points for result in begun),
        seconds=round(sum(result.seconds for result in begun)),
    )


def class_view(register: Register) -> tuple[list[Overview], list[Problem]]:
    """Every student of a class at a glance, by name, and its problems by place, as they were at one moment."""
    whereabouts, marks, problems = register.everything()
    return overview(whereabouts, marks), problems


def overview(whereabouts: Iterable[Whereabouts], marks: Iterable[Mark]) -> list[Overview]:
    """Every student of a class at a glance, in the order of `whereabouts`."""
    by_student: dict[str, list[Mark]] = {}
    for mark in marks:
        by_student.setdefault(mark.name, []).append(mark)
    found = []
    for where in whereabouts:
        theirs = by_student.get(where.name, [])
        asked = [mark for mark in theirs if mark.asked]
        found.append(
            Overview(
                where=where,
                standing=standing(where),
                total=total(asked, len(asked)),
                late=sum(mark.punctual == LATE for mark in asked),
                hints=sum(mark.hints for mark in asked),
                wrong_claims=sum(mark.wrong_claims for mark in asked),
                listed=sum(mark.listed for mark in asked),
                imported=sum(mark.imported for mark in asked),
                marks=tuple(asked),
            )
        )
    return found
