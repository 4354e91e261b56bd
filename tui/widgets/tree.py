"""The proof so far as a tree of goals, each with the move that was made on it."""

from __future__ import annotations

from textual.containers import ScrollableContainer
from textual.widgets import Static

from oasis.classroom.attempt import Attempt
from oasis.classroom.tree import ProofTree
from tui.look import Look


class Tree(ScrollableContainer):
    """An outline; what is open is marked."""

    def __init__(self, look: Look) -> None:
        super().__init__(Static(id="outline", markup=False))
        self._look = look
        self.border_title = "Tree"

    def show(self, attempt: Attempt) -> None:
        """Show the tree of an attempt."""
        tree = ProofTree.of(attempt.formula, attempt.script)
        self.query_one(Static).update(tree.outline(self._look.notation, ascii_only=self._look.ascii_only))
