"""What Oasis said last: a hint, why a tactic does not apply, what a partner told, or what a finished proof is worth.

It is not called the teacher: in a classroom that is a person, and exact play is a partner.
"""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content
from textual.widgets import Static

from tui.widgets.more import Scrolled
from tui.widgets.steady import Steady


class Said(Scrolled):
    """A few sentences, and perhaps a drawing under them."""

    def __init__(self) -> None:
        super().__init__(Steady(id="sentences", markup=False), Static(id="drawing", markup=False), title="Oasis says")

    def say(self, sentences: Iterable[str], drawing: str | Content = "", style: str = "") -> None:
        """Say something instead of what was said before."""
        self.query_one("#sentences", Steady).update(Content.styled("\n".join(sentences), style))
        below = self.query_one("#drawing", Static)
        below.display = bool(drawing)
        if drawing != below.content:
            below.update(drawing)
        self.scroll_home(animate=False)

    def add(self, sentence: str) -> None:
        """Say one thing more."""
        sentences = self.query_one("#sentences", Steady)
        said = sentences.content
        assert isinstance(said, Content)
        sentences.update(Content("\n").join([*filter(None, [said]), Content(sentence)]))

    @property
    def text(self) -> str:
        """What is said now."""
        return str(self.query_one("#sentences", Steady).content)
