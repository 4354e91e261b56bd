"""What a teacher writes to students: a sentence or a lemma for some, or a word at an attempt.

How it is stored is handed in; what that raises as InputError or StoreError is said in the form.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from textual.app import ComposeResult

from oasis.classroom.desk.notes import LONGEST
from oasis.ground.plural import conjunction
from tui.screens.form import Form
from tui.widgets.line import Line


class SendNote(Form):
    """A sentence and a lemma, one of which may be empty, for some students.

    Args:
        names: of the students.
        send: sends both to them.
        is_exam: whether an exam is given.
    """

    def __init__(
        self, names: Sequence[str], send: Callable[[str, str], Awaitable[None]], *, is_exam: bool = False
    ) -> None:
        about = (
            f"This goes to {conjunction(names)}, and stands before them until they have read it. A lemma, by name or "
            "as text, becomes an exercise of theirs; leave one of the two lines empty if you like."
        )
        exam = " An exam is given: the results say that you wrote this in it." if is_exam else ""
        super().__init__("Send", about + exam, "Send it")
        self._send = send

    def compose_lines(self) -> ComposeResult:
        """A line for each."""
        yield Line(placeholder="A sentence", id="note-text", max_length=LONGEST)
        yield Line(placeholder="A lemma, as in A /\\ B -> B, or none", id="note-lemma")

    def go_on(self, line: Line) -> None:
        """From the sentence to the lemma, and on with it."""
        lemma = self.query_one("#note-lemma", Line)
        if line is lemma:
            self._do()
        else:
            self.set_focus(lemma)

    async def fill_in(self) -> None:
        """Send it."""
        await self._send(*(self.query_one(name, Line).value for name in ("#note-text", "#note-lemma")))


class LeaveNote(Form):
    """A word at a moment of an attempt.

    Args:
        whose: the attempt is, by name.
        where: the moment, in words.
        leave: leaves the word there.
    """

    def __init__(self, whose: str, where: str, leave: Callable[[str], Awaitable[None]]) -> None:
        super().__init__("A word at this moment", f"{whose} is told of it, and sees it at {where}.", "Leave it")
        self._leave = leave

    def compose_lines(self) -> ComposeResult:
        """A line for it."""
        yield Line(placeholder="A sentence", id="note-text", max_length=LONGEST)

    async def fill_in(self) -> None:
        """Leave it."""
        await self._leave(self.query_one(Line).value)
