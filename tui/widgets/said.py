"""What was said last: by the teacher, by a rule that did not apply, or by the class when a proof is done."""

from __future__ import annotations

from collections.abc import Iterable

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static


class Said(VerticalScroll):
    """A few sentences, and perhaps a drawing under them."""

    def __init__(self) -> None:
        super().__init__(Static(id="sentences", markup=False), Static(id="drawing", markup=False))
        self.border_title = "Teacher"

    def say(self, sentences: Iterable[str], drawing: str = "", style: str = "") -> None:
        """Say something instead of what was said before."""
        self.query_one("#sentences", Static).update(Content.styled("\n".join(sentences), style))
        self.query_one("#drawing", Static).update(drawing)
        self.scroll_home(animate=False)

    @property
    def text(self) -> str:
        """What is said now."""
        return str(self.query_one("#sentences", Static).content)
