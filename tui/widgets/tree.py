"""The proof so far as a tree of goals, each with the move that was made on it."""

from __future__ import annotations

from textual.widgets import Static

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.tree import ProofTree
from tui.look import Look
from tui.phrases import clipped
from tui.widgets.more import Scrolled


class Tree(Scrolled):
    """An outline; what is open is marked.

    Where it is too wide, goals leave out what they share with those above. What is too long still is cut off, until
    the arrows are there to move it.
    """

    def __init__(self, look: Look) -> None:
        super().__init__(Static(id="outline", markup=False), title="Tree")
        self._look = look
        self._tree: ProofTree | None = None

    def on_mount(self) -> None:
        """Cut nothing off while it has the focus."""
        super().on_mount()
        self.watch(self, "has_focus", self._draw)

    def show(self, attempt: Attempt) -> None:
        """Show the tree of an attempt."""
        self._tree = ProofTree.of(attempt.formula, attempt.script)
        self._draw()

    def on_resize(self) -> None:
        """Leave out as much as there is no room for."""
        self._draw()

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        if self._tree is None or not width:
            return
        whole = self._tree.outline(self._look.notation, ascii_only=self._look.ascii_only, width=width).splitlines()
        rows = whole if self.has_focus else [clipped(row, width, self._look.mark("rest")) for row in whole]
        self._is_cut = rows != whole
        self.query_one(Static).update("\n".join(rows))
        self._say_if_more()
