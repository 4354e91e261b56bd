"""The proof so far as a tree of goals, each with the move that was made on it."""

from __future__ import annotations

from textual.containers import ScrollableContainer
from textual.widgets import Static

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.tree import ProofTree
from tui.look import Look


class Tree(ScrollableContainer):
    """An outline; what is open is marked. Its title says if there is more of it, and how to see that."""

    def __init__(self, look: Look) -> None:
        super().__init__(Static(id="outline", markup=False))
        self._look = look
        self.border_title = "Tree"

    def on_mount(self) -> None:
        """A scroll bar alone is not seen where there are no colours."""
        for bar in ("show_horizontal_scrollbar", "show_vertical_scrollbar", "has_focus"):
            self.watch(self, bar, self._say_if_more)

    def _say_if_more(self) -> None:
        is_more = self.show_horizontal_scrollbar or self.show_vertical_scrollbar
        how = "arrows show more" if self.has_focus else "more: Tab, arrows"
        self.border_title = f"Tree ({how})" if is_more else "Tree"

    def show(self, attempt: Attempt) -> None:
        """Show the tree of an attempt."""
        tree = ProofTree.of(attempt.formula, attempt.script)
        self.query_one(Static).update(tree.outline(self._look.notation, ascii_only=self._look.ascii_only))
