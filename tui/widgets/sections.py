"""A line with the sections of a place, each with its key, and which of them is open."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.commands import COMMANDS
from tui.look import Look


class Section(Static):
    """The name of a section; a click opens it."""

    def __init__(self, name: str, look: Look) -> None:
        super().__init__(markup=False)
        self.section, self._look = name, look

    def show(self, key: str, is_open: bool) -> None:
        """Say by which key it opens, and whether it is open."""
        mark = self._look.mark("here") if is_open else " "
        label = COMMANDS[self.section].label
        self.update(Content.assemble(mark, (key, "bold"), (f" {label}", "bold" if is_open else "")))
        self.set_class(is_open, "-open")

    async def on_click(self) -> None:
        """Open it."""
        await self.run_action(f"screen.{self.section}")


class Sections(Widget):
    """All sections of a place in a line."""

    def __init__(self, names: Sequence[str], look: Look) -> None:
        super().__init__()
        self._names, self._look = names, look

    def compose(self) -> ComposeResult:
        """The sections."""
        for name in self._names:
            yield Section(name, self._look)

    def show(self, section: str) -> None:
        """Say which one is open."""
        active = self.screen.active_bindings.values()
        keys = {each.binding.id: self.app.get_key_display(each.binding) for each in active}
        for each in self.query(Section):
            each.show(keys.get(each.section, ""), each.section == section)
