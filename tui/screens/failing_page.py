"""A state at which students are failing now: its goal, who is there, and what they tried, for the teacher."""

from __future__ import annotations

from functools import partial
from typing import ClassVar, Final

from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Static

from oasis.classroom.desk.notes import written
from oasis.classroom.register.examining import ExaminerGone
from oasis.classroom.register.failing import Failing
from oasis.ground.plural import counted
from oasis.store import StoreError
from tactics.errors import InputError
from tui.commands import bindings
from tui.phrases import ago, short
from tui.screens.room import ClassroomScreen
from tui.session import Session
from tui.widgets.class_sheets import tried_sheet
from tui.widgets.goals import Goals
from tui.widgets.key_bar import KeyBar
from tui.widgets.sheet import Sheet

RENEWED: Final = 2.0
"""Seconds after which it is looked again who fails here."""


class FailingPage(ClassroomScreen):
    """The goal at which students are failing, and what they tried there, as it is now.

    Args:
        session: what it works with.
        failing: the state.
    """

    ABOUT = (
        "A state at which students are failing now, with the names and letters of the first of them: a move did not "
        "apply there, lost the proof or was taken back, or they have stood there for two minutes. Below the goal "
        "stands what they tried, and what came of it. What you send goes to those who are named, and to nobody else."
    )
    CSS_PATH = "../history.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("send_note", "back", "help")

    def __init__(self, session: Session, failing: Failing) -> None:
        super().__init__(session)
        self._failing, self._is_over = failing, False

    def compose(self) -> ComposeResult:
        """Who is there, the goal, and what was tried."""
        yield Static(id="page-title", markup=False)
        yield Goals(self.session.look)
        yield tried_sheet(self.session.look)
        yield Static(id="page-said", markup=False)
        yield KeyBar()

    def on_mount(self) -> None:
        """Show it, and look again every few seconds."""
        self.query_one(Goals).show((self._failing.goal,))
        self.query_one(Sheet).focus()
        self._show()
        self.set_interval(RENEWED, self.renew)

    @work(exclusive=True, group="read")
    async def renew(self) -> None:
        """Show who fails here now, and what they have tried by now."""
        try:
            found = await self.session.register.failing(RENEWED)
        except (StoreError, InputError, ExaminerGone) as error:
            self.query_one("#page-said", Static).update(str(error))
            return
        now = next((each for each in found if each.key == self._failing.key), None)
        self._is_over = now is None
        if now is not None and now.goal != self._failing.goal:  # another student is the first now
            self.query_one(Goals).show((now.goal,))
        self._failing = now or self._failing
        self._show()

    def _show(self) -> None:
        failing = self._failing
        verb = "fails" if len(failing.students) == 1 else "fail"
        said = f"{counted(len(failing.students), 'student')} {verb} at this state now"
        if self._is_over:
            said = "Nobody fails at this state any more; the last were these"
        who = ", ".join(f"{each.name} ({short(each.lemma)}, {ago(each.since)})" for each in failing.students)
        self.query_one("#page-title", Static).update(Content.assemble((f"{said}:", "bold"), f"\n{who}"))
        self.query_one(Sheet).show(failing.tried)
        nothing = "They have tried nothing here yet, and have stood here for two minutes."
        self.query_one("#page-said", Static).update("" if failing.tried else nothing)

    def action_send_note(self) -> None:
        """A sentence or a lemma to those who are named now."""
        from tui.screens.note_forms import SendNote

        names, session = self._failing.names, self.session

        async def send(text: str, lemma: str) -> None:
            note = await session.apart(partial(written, text, lemma, is_exam=session.gives_exam))
            await session.register.ask(lambda register: register.send(names, note))
            self.notify(f"Sent to {counted(len(names), 'student')}, and to nobody else.")

        self.app.push_screen(SendNote(names, send, is_exam=session.gives_exam))

    def action_back(self) -> None:
        """To the class."""
        self.dismiss()
