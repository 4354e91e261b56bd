"""The palette of commands, without a picture where only ASCII is drawn, and without a fall over an empty list."""

from __future__ import annotations

from textual.command import CommandList, CommandPalette, SearchIcon


class Palette(CommandPalette):
    """Textual's, of which two things are mended."""

    def __init__(self, *, ascii_only: bool) -> None:
        super().__init__(placeholder="Search for commands", id="--command-palette")
        self._ascii_only = ascii_only

    def on_mount(self) -> None:
        """Draw what can be drawn."""
        if self._ascii_only:
            self.query_one(SearchIcon).icon = ">"

    def _action_command_list(self, action: str) -> None:
        # A list that is still empty has no page to turn.
        if self.query_one(CommandList).option_count:
            super()._action_command_list(action)
