"""The teacher's door: the passphrase that opens the class. Who comes in here is no student, and stands in no list."""

from __future__ import annotations

from typing import Final

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from oasis.store import StoreError
from tactics.errors import InputError
from tui.screens.sign_in import Door
from tui.widgets.key_bar import KeyBar
from tui.widgets.line import Line, Secret

_ASK: Final = "Type the teacher's passphrase and Enter."
_NONE: Final = (
    "The teacher has no passphrase yet, so nobody comes in here. On the machine of the class, "
    "oasis classroom passphrase sets one."
)


class TeachersDoor(Door):
    """A line for the teacher's passphrase, and the way back for who is a student."""

    class Opened(Message):
        """The teacher has come in."""

    class IsStudent(Message):
        """Who stands here is a student."""

    ABOUT = (
        "The teacher's passphrase opens the class. It is set on the machine of the class, with oasis classroom "
        "passphrase. Who is a student comes in by the other door; the button leads there."
    )

    def compose(self) -> ComposeResult:
        """A sentence, the line, and two buttons."""
        with Vertical(id="sign-in"):
            yield Static("The class", id="welcome")
            yield Static(id="said", markup=False)
            yield Secret("The teacher's passphrase", "passphrase")
            with Horizontal(id="doors"):
                yield Button("Open the class", variant="primary", id="come-in")
                yield Button("I am a student", id="other-door")
        yield KeyBar()

    def on_mount(self) -> None:
        """Ask for the passphrase, or say how there comes to be one."""
        try:
            can_open = self.session.store.teacher() is not None
        except StoreError as error:
            self.say(str(error))
            return
        self.query_one("#passphrase").display = self.query_one("#come-in").display = can_open
        self.say(_ASK if can_open else _NONE)
        self.set_focus(self.query_one("#passphrase" if can_open else "#other-door"))

    @on(Button.Pressed, "#other-door")
    def _go_back(self) -> None:
        self.post_message(self.IsStudent())

    def go_on(self, _: Line) -> None:
        """Come in."""
        self._knock()

    @on(Button.Pressed, "#come-in")
    def _knock(self) -> None:
        line = self.query_one(Secret)
        passphrase, line.value = line.value, ""
        if passphrase:
            self.say("Let me see.")
            self._open(passphrase)

    @work(exclusive=True)
    async def _open(self, passphrase: str) -> None:
        patience = self.be_patient()
        try:
            await self.session.open_class(passphrase)
        except (InputError, StoreError) as error:
            self.say(str(error))
            self.query_one(Secret).focus()
        else:
            self.post_message(self.Opened())
        finally:
            patience.stop()
