"""One student's page: what has come of each problem, and from there every attempt moment by moment.

The teacher sees it in front of the class, and a student sees their own. Where marks come from is not known here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import ClassVar, Protocol, TypeVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from oasis.classroom.proving.words import clock
from oasis.classroom.register.history import can_be_told
from oasis.classroom.register.marks import Mark, Marks
from oasis.classroom.register.overview import total
from tui.commands import bindings
from tui.screens.history import History
from tui.screens.sheet_page import SheetPage
from tui.session import Session
from tui.widgets.class_sheets import mark_sheet
from tui.widgets.key_bar import KeyBar
from tui.widgets.sheet import Sheet

_Answer = TypeVar("_Answer")


class Ask(Protocol):
    """Puts a question to the marks of a class or of one student, elsewhere; None if they could not be read."""

    def __call__(self, question: Callable[[Marks], _Answer], /) -> Awaitable[_Answer | None]:
        """The answer."""


class StudentPage(SheetPage[Mark]):
    """A sheet of a student's marks; Enter shows the attempts at one problem.

    Args:
        session: what it works with.
        whose: it is, by name.
        ask: where marks and attempts come from.
        is_own: whether it is the student who looks, and should not be told yet what would help.
    """

    ABOUT = (
        "A row for each problem: what has come of it, its moves, points and attempts, and how long it took. The arrows "
        "lead from row to row, Home and End to the first and the last. Enter shows the attempts at the problem under "
        "the cursor, moment by moment. An asterisk before attempts says that some have come from a file; due "
        "says by when it should be done, and then whether it was: on time, late, or overdue if it is not done yet."
    )
    CSS_PATH = "../history.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("back", "sort", "turn_round", "renew", "help")

    def __init__(self, session: Session, whose: str, ask: Ask, *, is_own: bool = False) -> None:
        super().__init__(session)
        self._whose, self._ask, self._is_own = whose, ask, is_own

    def compose(self) -> ComposeResult:
        """The name, the sheet, and a sentence."""
        yield Static(id="page-title", markup=False)
        yield mark_sheet(self.session.look, self.session.place_title, is_own=self._is_own)
        yield Static(id="page-said", markup=False)
        yield KeyBar()

    @work(exclusive=True, group="read")
    async def read(self) -> None:
        """Read everything and show it."""
        marks = await self._ask(lambda marks: [mark for mark in marks.marks() if mark.name == self._whose])
        if marks is None:
            self.say("This could not be read; g tries again.")
            return
        self.sheet.show(marks)
        sums = total(marks, len(marks))
        said = f"  {sums.done} of {sums.asked} done, {sums.points} points, {clock(sums.seconds)}"
        self.query_one("#page-title", Static).update(Content.assemble((self._whose, "bold"), said))
        self.say("Enter shows the attempts at a problem, moment by moment." if marks else "Nothing is begun yet.")

    @on(Sheet.RowSelected)
    def _choose(self) -> None:
        mark = self.sheet.row
        if mark is not None:
            self._open(mark)

    @work(exclusive=True, group="open")
    async def _open(self, mark: Mark) -> None:
        attempts = await self._ask(partial(Marks.attempts, mark=mark))
        if attempts is None:
            self.say("This could not be read; Enter tries again.")
        elif not attempts:
            self.say("This problem is not begun yet.")
        else:
            is_told = not self._is_own or can_be_told(attempts)
            page = History(self.session, self._whose, attempts, is_told=is_told, may_write=not self._is_own)
            await self.app.push_screen(page)
