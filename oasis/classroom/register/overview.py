"""A class at a glance, and what a student has done all in all: sums over the results of single exercises.

Where these come from is the business of the register and of the desk, and how they are shown that of the screens.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from oasis.classroom.desk.record import Result
from oasis.classroom.register.marks import Mark
from oasis.classroom.register.register import Whereabouts


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


class Overview(NamedTuple):
    """One student at a glance.

    Attributes:
        where: they work at present.
        total: of attempts and seconds, all; of the rest, those that the lesson asks for, or all if there is no lesson.
        hints: how often one was asked for.
        wrong_claims: how often it was said that there is no proof although there is.
        imported: how many of the attempts were done elsewhere, all or in part.
        marks: what this is the sum of.
    """

    where: Whereabouts
    total: Total
    hints: int
    wrong_claims: int
    imported: int
    marks: tuple[Mark, ...]


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


def overview(whereabouts: Iterable[Whereabouts], marks: Iterable[Mark]) -> list[Overview]:
    """Every student of a class at a glance, in the order of `whereabouts`."""
    by_student: dict[str, list[Mark]] = {}
    for mark in marks:
        by_student.setdefault(mark.student, []).append(mark)
    found = []
    for where in whereabouts:
        theirs = by_student.get(where.student, [])
        asked, everything = [mark for mark in theirs if mark.asked], total(theirs)
        found.append(
            Overview(
                where=where,
                total=total(asked, len(asked))._replace(attempts=everything.attempts, seconds=everything.seconds),
                hints=sum(mark.hints for mark in theirs),
                wrong_claims=sum(mark.wrong_claims for mark in theirs),
                imported=sum(mark.imported for mark in theirs),
                marks=tuple(theirs),
            )
        )
    return found
