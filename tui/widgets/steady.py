"""A text that may change many times a second: the screen is laid out anew only when its height changes."""

from __future__ import annotations

from textual.visual import VisualType
from textual.widgets import Static


class Steady(Static):
    """A text as wide as its place."""

    DEFAULT_CSS = "Steady { width: 1fr; height: auto; }"

    def update(self, content: VisualType = "", *, layout: bool = True) -> None:
        """Show something else."""
        if content == self.content:
            return
        width, height = self.content_size
        super().update(content, layout=False)
        if layout and (not width or self.visual.get_height(self.styles.get_rules(), width) != height):
            self.refresh(layout=True)
