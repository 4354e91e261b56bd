"""The light: whether a move has lost the proof. It says so in words as well, for those without colours."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from oasis.teacher.hints import Hint
from tui.look import Look


class Light(Static):
    """Nothing lost, lost, thinking, unknown, done or off."""

    def __init__(self, look: Look) -> None:
        super().__init__(markup=False)
        self._look = look

    def shine(self, hint: Hint | None) -> None:
        """Show what the teacher's first hint says; None if there was none in time.

        Of a lemma that never had a proof nothing can be lost: that it has none is for the student to find out.
        """
        if hint is None:
            self._show("dark", "not known in time", "$warning")
        elif hint.step:
            self._show("lost", "no proof from here", "bold $error")
        else:
            self._show("light", "nothing lost so far", "bold $success")

    def think(self) -> None:
        """Show that the teacher is thinking."""
        self._show("dark", "thinking", "dim")

    def finish(self, text: str) -> None:
        """Show that the exercise is done."""
        self._show("done", text, "bold $success")

    def off(self) -> None:
        """Show nothing."""
        self.update("")

    def _show(self, mark: str, text: str, style: str) -> None:
        self.update(Content.styled(f"{self._look.mark(mark)} {text}", style))
