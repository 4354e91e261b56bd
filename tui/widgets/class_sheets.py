"""The sheets of the class: which columns students, problems, wrong moves and the exercises of a lesson have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from oasis.classroom.desk.progress import called
from oasis.classroom.lessons.checking import Checked
from oasis.classroom.people.names import alphabetical
from oasis.classroom.proving.words import clock, day
from oasis.classroom.register.failing import Failing, Tried
from oasis.classroom.register.marks import Mark
from oasis.classroom.register.mistakes import Mistake, Mistakes
from oasis.classroom.register.overview import IDLE, STUCK, WORKING, Overview
from oasis.classroom.register.register import Problem
from tactics.rules import spoken
from tactics.sequent import show_goal
from tui.look import Look
from tui.phrases import ago, short
from tui.widgets.sheet import Column, Row, Sheet

PlaceTitle = Callable[[str], str]
"""What a person calls a place."""


class Examined(NamedTuple):
    """A problem, and the wrong moves at it; None until somebody has looked for them."""

    problem: Problem
    mistakes: Mistakes | None

    @property
    def key(self) -> str:
        """The problem's."""
        return self.problem.key

    @property
    def students_wrong(self) -> int:
        """How many students made each kind of wrong move, all kinds together; 0 as long as nobody has looked."""
        return 0 if self.mistakes is None else sum(each.students for each in self.mistakes.moves)


def student_sheet(look: Look, title: PlaceTitle) -> Sheet[Overview]:
    """Who is where, and what they have done; who is stuck stands first."""

    def lemma(row: Overview) -> str:
        tabs = f" ({row.where.tabs} tabs)" if (row.where.tabs or 0) > 1 else ""
        done = f"{look.mark('done')} " if row.where.outcome else ""
        return f"{done}{short(row.where.lemma)}{tabs}"

    columns: list[Column[Overview]] = [
        Column(title="name", text=lambda row: row.where.name, order=lambda row: alphabetical(row.where.name)),
        Column(title="now", text=lambda row: row.standing, order=_urgency, width=8),
        Column(title="at", text=lemma),
        Column(title="in", text=lambda row: title(row.where.place) if row.where.lemma else "", needs=100),
        _number("seen", 7, lambda row: row.where.when, lambda row: ago(row.where.when)),
        _number("done", 7, lambda row: row.total[1::-1], lambda row: f"{row.total.done}/{row.total.asked}"),
        _number("attempts", 9, lambda row: row.total.attempts, lambda row: _attempts(row.total.attempts, row.imported)),
        _number("hints", 6, lambda row: row.hints),
        _number("late", 6, lambda row: row.late, lambda row: str(row.late or ""), needs=100),
        _number("claims", 8, lambda row: row.wrong_claims, needs=100),
        _number("time", 8, lambda row: row.total.seconds, lambda row: clock(row.total.seconds)),
        _number("points", 7, lambda row: row.total.points),
    ]
    return Sheet(columns, lambda row: row.where.name, look, "students", by="now")


def mark_sheet(look: Look, title: PlaceTitle, *, is_own: bool = False) -> Sheet[Mark]:
    """What one student has made of each problem; students read the names of the course's lemmas when these are done."""

    def name(row: Mark) -> str:
        return short(called(row.place, row.lemma, is_done=bool(row.outcome) or not is_own))

    def problem(row: Mark) -> str:
        variant = "" if is_own or row.variant in ("", row.lemma) else f": {short(row.variant)}"
        return f"{look.mark('done' if row.outcome else 'todo')} {name(row)}{variant}"

    def moves(row: Mark) -> str:
        return str(row.moves or ("none" if row.outcome else ""))

    columns: list[Column[Mark]] = [
        Column(title="problem", text=problem, order=lambda row: name(row).casefold()),
        Column(title="in", text=lambda row: title(row.place)),
        _number("moves", 6, lambda row: row.moves or 0, moves),
        _number("points", 7, lambda row: row.points),
        _number("attempts", 9, lambda row: row.attempts, lambda row: _attempts(row.attempts, row.imported)),
        _number("from file", 10, lambda row: row.imported, lambda row: str(row.imported or ""), needs=100),
        _number("hints", 6, lambda row: row.hints),
        _number("claims", 7, lambda row: row.wrong_claims, needs=100),
        _number("refused", 8, lambda row: row.refused, needs=100),
        _number("taken over", 11, lambda row: row.taken_over, needs=120),
        _number("time", 8, lambda row: row.seconds, lambda row: clock(row.seconds)),
        Column(title=" due", text=lambda row: f" {row.punctual_in_words or day(row.due)}", width=12),
    ]
    return Sheet(columns, lambda row: row.key, look, "marks", order="As they were begun")


def problem_sheet(look: Look, title: PlaceTitle) -> Sheet[Examined]:
    """How each problem went."""

    def median(row: Examined) -> str:
        return "" if row.problem.median_seconds is None else clock(row.problem.median_seconds)

    def commonest(row: Examined) -> str:
        found = () if row.mistakes is None else row.mistakes.moves
        return next((f"{mistake.students} x {spoken(mistake.move)}" for mistake in found), "")

    columns: list[Column[Examined]] = [
        Column(title="problem", text=lambda row: short(row.problem.lemma)),
        Column(title="in", text=lambda row: title(row.problem.place)),
        _number("done", 7, lambda row: (row.problem.done, row.problem.begun), _done_of_all),
        _number("begun", 6, lambda row: row.problem.begun, needs=100),
        Column(title=" due", text=lambda row: f" {day(row.problem.due)}", width=12, needs=100),
        _number("late", 5, lambda row: row.problem.late, needs=100),
        _number(
            "attempts",
            9,
            lambda row: row.problem.attempts,
            lambda row: _attempts(row.problem.attempts, row.problem.imported),
        ),
        _number("median", 7, lambda row: row.problem.median_seconds or 0, median),
        _number("best", 5, lambda row: row.problem.fewest or 0, lambda row: str(row.problem.fewest or ""), needs=100),
        _number("hints", 6, lambda row: row.problem.hints),
        _number("claims", 7, lambda row: row.problem.wrong_claims, needs=100),
        Column(title=" often wrong", text=lambda row: f" {commonest(row)}", width=20),
    ]
    return Sheet(columns, lambda row: row.key, look, "problems", order="As they were begun")


def mistake_sheet(look: Look) -> Sheet[Mistake]:
    """The wrong moves at a problem, the commonest first."""
    columns: list[Column[Mistake]] = [
        _number("students", 9, lambda row: row.students),
        _number("times", 6, lambda row: row.times),
        Column(title=" move", text=lambda row: f" {spoken(row.move)}", width=20),
        Column(title="what is wrong", text=wrong, width=16),
        Column(title="where", text=lambda row: show_goal(row.goal, look.notation)),
    ]
    return Sheet(columns, Mistake.sentence, look, "mistakes", order="The commonest first")


def failing_sheet(look: Look) -> Sheet[Failing]:
    """The states at which students are failing now, those of most students first."""

    def most(row: Failing) -> str:
        return next((f" {each.students} x {spoken(each.move)} {each.came}" for each in row.tried), " nothing yet")

    columns: list[Column[Failing]] = [
        _number("students", 9, lambda row: len(row.students)),
        _number("tries", 6, lambda row: row.tries),
        Column(title=" most tried", text=most, width=34),
        Column(title="where", text=lambda row: show_goal(row.goal, look.notation)),
        Column(title="who", text=lambda row: ", ".join(row.names), width=30, needs=110),
    ]
    return Sheet(columns, lambda row: row.key, look, "failing", order="Where most students are failing first")


def tried_sheet(look: Look) -> Sheet[Tried]:
    """What students tried at one state, and what came of it."""
    columns: list[Column[Tried]] = [
        _number("students", 9, lambda row: row.students),
        _number("times", 6, lambda row: row.times),
        Column(title=" move", text=lambda row: f" {spoken(row.move)}", width=24),
        Column(title="what came of it", text=lambda row: row.came),
    ]
    return Sheet(columns, lambda row: f"{row.move} {row.came}", look, "tried", order="What most students tried first")


def exercise_sheet(look: Look, title: PlaceTitle) -> Sheet[Checked]:
    """The exercises of a lesson, and what is known of each."""
    columns: list[Column[Checked]] = [
        Column(title="exercise", text=lambda row: short(row.exercise.name)),
        Column(title="in", text=lambda row: title(row.exercise.place), width=16, needs=140),
        Column(title="lemma", text=lambda row: look.formula(row.exercise.formula), needs=100),
        Column(title="can be proved", text=lambda row: row.verdict, width=23),
        _number("moves", 12, lambda row: row.moves or 0, lambda row: row.optimum),
        Column(title=" remarks", text=lambda row: " " + " ".join(finding.text for finding in row.findings)),
    ]
    return Sheet(
        columns,
        lambda row: f"{row.exercise.place}/{row.exercise.name}",
        look,
        "exercises",
        order="As they are in the lesson",
    )


def wrong(mistake: Mistake) -> str:
    """What was wrong with a move."""
    return "loses the proof" if mistake.lost else "does not apply"


def _number(
    title: str, width: int, order: Callable[[Row], Any], text: Callable[[Row], str] | None = None, *, needs: int = 0
) -> Column[Row]:
    """A column of numbers, or of what is sorted as numbers are."""
    return Column(
        title=title, text=text or (lambda row: str(order(row))), order=order, width=width, is_number=True, needs=needs
    )


def _attempts(attempts: int, imported: int) -> str:
    """With an asterisk if some have come from a file."""
    return f"{'*' if imported else ''}{attempts}"


def _urgency(row: Overview) -> tuple[int, object]:
    """Who is stuck comes first, then who is idle."""
    order = (STUCK, IDLE, WORKING)
    place = order.index(row.standing) if row.standing in order else len(order)
    return place, alphabetical(row.where.name)


def _done_of_all(row: Examined) -> str:
    """Of the class where a lesson asks for it, else of those who began."""
    problem = row.problem
    return f"{problem.done}/{problem.begun if problem.asked is None else problem.asked}"
