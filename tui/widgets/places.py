"""The line at the top: the places of the classroom, where one is, and who sits here."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from tui.commands import COMMANDS, PLACES


class Place(Static):
    """The name of a place; a click goes there."""

    def __init__(self, name: str, is_here: bool) -> None:
        command = COMMANDS[name]
        super().__init__(
            Content.assemble((command.keys, "bold"), f" {command.label}"), classes="-here" if is_here else ""
        )
        self._place = name

    async def on_click(self) -> None:
        """Go there."""
        await self.run_action(f"screen.go('{self._place}')")


class Places(Widget):
    """All places in a line."""

    def __init__(self, here: str) -> None:
        super().__init__()
        self._here = here
        self._who, self._is_unstored = "", False

    def compose(self) -> ComposeResult:
        """The places, and the student's name."""
        for name in PLACES:
            yield Place(name, name == self._here)
        yield Static(id="who", markup=False)

    def sits_here(self, name: str) -> None:
        """Say who sits here."""
        self._who = name
        self._show()

    def warn(self, is_unstored: bool) -> None:
        """Say whether something of what the student did is not stored yet."""
        self._is_unstored = is_unstored
        self._show()

    def _show(self) -> None:
        unstored = Content.styled("not stored yet  ", "bold $error") if self._is_unstored else Content("")
        self.query_one("#who", Static).update(unstored + Content(self._who))
