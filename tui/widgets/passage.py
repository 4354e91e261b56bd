"""A text of any length in a place that may be low: where it does not fit, its last line says where the rest is."""

from __future__ import annotations

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from tui.look import Look


class Passage(Widget):
    """A text whose rest is told by the help of its screen.

    Args:
        look: how things look.
        name: by which it is found among others.
    """

    DEFAULT_CSS = "Passage { height: auto; }"

    def __init__(self, look: Look, name: str) -> None:
        super().__init__(id=name)
        self._look, self._text = look, ""

    def show(self, text: str) -> None:
        """Show a text, as much of it as there is room for."""
        if text != self._text:
            self._text = text
            self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of all of it."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The lines that fit."""
        width, room = self.content_size
        lines = self._lines(width)
        if len(lines) > room:
            lines[max(0, room - 1) :] = [Content(f"{self._look.mark('rest')} ? shows all of it")]
        return Content("\n").join(lines)

    def _lines(self, width: int) -> list[Content]:
        return Content(self._look.text(self._text)).wrap(max(1, width))
