"""What the teacher sees of the class: a sheet for each section, one of which is open, and a line with a sentence.

What stands in the sheets, and where it comes from, is the business of the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import ContentSwitcher, Static

from oasis.classroom.lessons.checking import Checked
from oasis.classroom.register.failing import Failing
from oasis.classroom.register.overview import Overview
from tui.look import Look
from tui.widgets.class_sheets import Examined, PlaceTitle, failing_sheet, problem_sheet, student_sheet
from tui.widgets.lesson_sheet import LessonSheet
from tui.widgets.sections import Sections
from tui.widgets.sheet import Sheet
from tui.widgets.wrong_moves import WrongMoves

SECTIONS: Final = ("students", "problems", "mistakes", "exercises", "failing")


class Office(Vertical):
    """The sections of the class.

    Args:
        look: how things look.
        title: what a person calls a place.
    """

    def __init__(self, look: Look, title: PlaceTitle) -> None:
        super().__init__(id="class")
        self._look, self._title = look, title

    def compose(self) -> ComposeResult:
        """Their names, the one that is open, and a sentence."""
        look = self._look
        yield Sections(SECTIONS, look)
        with ContentSwitcher(initial="show-students", id="section"):
            with Vertical(id="show-students"):
                yield student_sheet(look, self._title)
            with Vertical(id="show-problems"):
                yield problem_sheet(look, self._title)
            with Vertical(id="show-mistakes"):
                yield WrongMoves(look)
            with Vertical(id="show-exercises"):
                yield LessonSheet(look, self._title)
            with Vertical(id="show-failing"):
                yield failing_sheet(look)
        yield Static(id="class-said", markup=False)

    @property
    def section(self) -> str:
        """The one that is open."""
        return (self.query_one("#section", ContentSwitcher).current or "").removeprefix("show-")

    @property
    def sheet(self) -> Sheet[Any]:
        """The one that is open."""
        return self.query_one(f"#{self.section}", Sheet)

    @property
    def student(self) -> Overview | None:
        """The one under the cursor."""
        row = self.query_one("#students", Sheet).row
        return row if isinstance(row, Overview) else None

    @property
    def problem(self) -> Examined | None:
        """The one under the cursor."""
        row = self.query_one("#problems", Sheet).row
        return row if isinstance(row, Examined) else None

    @property
    def has_chosen(self) -> bool:
        """Whether the cursor stands on another problem than the first."""
        return self.query_one("#problems", Sheet).cursor_row > 0

    @property
    def exercises(self) -> LessonSheet:
        """Those of the lesson."""
        return self.query_one(LessonSheet)

    def open(self, section: str) -> None:
        """Open a section."""
        self.query_one("#section", ContentSwitcher).current = f"show-{section}"
        self.screen.set_focus(self.sheet)
        self.query_one(Sections).show(section)
        self._say_order()

    def show_students(self, rows: Sequence[Overview]) -> None:
        """Show these students."""
        self.query_one("#students", Sheet).show(rows)

    def show_problems(self, rows: Sequence[Examined]) -> None:
        """Show these problems."""
        self.query_one("#problems", Sheet).show(rows)

    def show_mistakes(self, examined: Examined | None) -> None:
        """Show the wrong moves at a problem; None if there is none."""
        self.query_one(WrongMoves).show(examined)

    def show_exercises(self, rows: Sequence[Checked]) -> None:
        """Show these exercises."""
        self.exercises.show(rows)

    @property
    def failing(self) -> Failing | None:
        """The state under the cursor at which students are failing."""
        row = self.query_one("#failing", Sheet).row
        return row if isinstance(row, Failing) else None

    def show_failing(self, rows: Sequence[Failing]) -> None:
        """Show these states at which students are failing."""
        self.query_one("#failing", Sheet).show(rows)
        self.say(f"{self.sheet.order_in_words} Enter shows one." if rows else "Nobody is failing now.")

    def say(self, text: str) -> None:
        """Say a sentence."""
        self.query_one("#class-said", Static).update(text)

    @on(Sheet.Sorted)
    def _say_order(self) -> None:
        """Say how the open sheet is sorted."""
        self.say(self.sheet.order_in_words)
