"""What is scrolled, and says in words if there is more of it: a scroll bar alone is not seen without colours."""

from __future__ import annotations

from textual.containers import ScrollableContainer
from textual.widget import Widget


class Scrolled(ScrollableContainer):
    """Something that may be longer or wider than the room there is.

    Args:
        children: what is in it.
        title: of it, to which is added how the rest is seen, if there is more.
    """

    _is_cut = False
    """Whether lines were cut off already, so that nothing shows a scroll bar."""

    def __init__(self, *children: Widget, title: str) -> None:
        super().__init__(*children)
        self.border_title = self._title = title

    def on_mount(self) -> None:
        """Say it again whenever that changes."""
        for bar in ("show_horizontal_scrollbar", "show_vertical_scrollbar", "has_focus"):
            self.watch(self, bar, self._say_if_more)

    def _say_if_more(self) -> None:
        is_more = self._is_cut or self.show_horizontal_scrollbar or self.show_vertical_scrollbar
        how = "arrows show more" if self.has_focus else "more: Tab, arrows"
        self.border_title = f"{self._title} ({how})" if is_more else self._title
