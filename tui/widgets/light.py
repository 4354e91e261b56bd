"""The light: whether a move has lost the proof. It says so in words as well, for those without colours."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from oasis.classroom.proving import telling
from tui.look import Look


class Light(Static):
    """Nothing lost, lost, thinking, unknown, done or off."""

    def __init__(self, look: Look) -> None:
        super().__init__(markup=False)
        self._look = look

    def shine(self, answer: telling.Light | None) -> None:
        """Show what a student is told; None if that was not found out in time."""
        match answer:
            case None:
                self._show("dark", "not known in time", "$warning")
            case telling.Light.DARK:
                self._show("lost", "no proof from here", "bold $error")
            case telling.Light.ON:
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
