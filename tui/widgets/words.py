"""Words that stand in as many lines as there is room for, and that can be clicked: each does what a key does."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from textual.binding import Binding
from textual.content import Content
from textual.style import Style
from textual.widgets import Static

from tui.commands import COMMANDS
from tui.look import Look


def clickable(word: Content, action: str) -> Content:
    """A word on which a click does something."""
    return word.stylize(Style.from_meta({"@click": action}))


class Paragraph(NamedTuple):
    """Words, and how many spaces stand between two of them."""

    words: tuple[Content, ...]
    gap: int = 2


def paragraph(text: str, style: str = "") -> Paragraph:
    """The words of a sentence."""
    return Paragraph(tuple(Content.styled(word, style) for word in text.split()), 1)


class Words(Static):
    """Paragraphs of words, none of which is broken; the screen is laid out anew only when their height changes."""

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._paragraphs: tuple[Paragraph, ...] = ()

    def show_words(self, *paragraphs: Paragraph) -> None:
        """Show other paragraphs."""
        if paragraphs != self._paragraphs:
            self._paragraphs = paragraphs
            self._fit()
            self.refresh()

    def on_resize(self) -> None:
        """Take as many lines as are needed now."""
        self._fit()

    def _fit(self) -> None:
        width = self.content_size.width
        if width:
            self.styles.height = len(self.lines(width)) + self.gutter.height

    def lines(self, width: int) -> list[Content]:
        """The lines in so many columns."""
        lines: list[Content] = []
        for words, gap in self._paragraphs:
            line = Content("")
            for word in words:
                if line and line.cell_length + gap + word.cell_length > width:
                    lines.append(line)
                    line = word
                else:
                    line = Content.assemble(line, " " * gap, word) if line else word
            lines.append(line)
        return lines

    def render(self) -> Content:
        """What there is to see in the room there is."""
        return Content("\n").join(self.lines(self.content_size.width))


class Controls(Words):
    """A word for each of some commands, with its key, as far as there is use for it now.

    Args:
        look: how things look.
        applies: whether there is use for a command now.
        names: of the commands.
    """

    def __init__(self, look: Look, applies: Callable[[str], bool], *names: str) -> None:
        super().__init__()
        self._look, self._applies, self._names = look, applies, names

    def on_mount(self) -> None:
        """Show other words when other keys apply."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.call_after_refresh(self._show))

    def _show(self) -> None:
        active: dict[str | None, Binding] = {}
        for each in self.screen.active_bindings.values():
            if each.enabled:
                active.setdefault(each.binding.id, each.binding)  # the first of its keys
        words = []
        for name in self._names:
            if name in active and self._applies(name):
                key = self._look.key(active[name].key, self.app.get_key_display(active[name]))
                word = Content.assemble((key, "bold $accent"), f" {COMMANDS[name].label}")
                words.append(clickable(word, f"screen.{active[name].action}"))
        self.show_words(Paragraph(tuple(words)))
