"""The door of the class: a line for the teacher's passphrase, and what is said to who stands before it."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from tui.widgets.secret import Secret


class Door(Vertical):
    """A title, a sentence, and a line to type in."""

    class Knocked(Message):
        """A passphrase was typed."""

        def __init__(self, passphrase: str) -> None:
            super().__init__()
            self.passphrase = passphrase

    def __init__(self) -> None:
        super().__init__(id="door")

    def compose(self) -> ComposeResult:
        """One under the other."""
        yield Static("The class", id="door-title")
        yield Static(id="door-said", markup=False)
        yield Secret("The teacher's passphrase", "teacher-passphrase")

    def receive(self, *, can_open: bool) -> None:
        """Ask for the passphrase, or say how there comes to be one."""
        line = self.query_one(Secret)
        line.display = can_open
        if can_open:
            self.say("Only the teacher comes in. Type the passphrase and Enter; Esc leaves this line.")
            line.focus()
        else:
            self.screen.set_focus(None)
            self.say(
                "The teacher has no passphrase yet, so nobody comes in. On the machine of the class, "
                "oasis classroom passphrase sets one."
            )

    def say(self, text: str) -> None:
        """Say a sentence."""
        self.query_one("#door-said", Static).update(text)

    def close(self) -> None:
        """Leave nothing typed."""
        self.query_one(Secret).value = ""

    @on(Input.Submitted)
    def _knock(self, event: Input.Submitted) -> None:
        event.stop()
        passphrase = event.value
        self.close()
        self.say("Let me see.")
        self.post_message(self.Knocked(passphrase))
