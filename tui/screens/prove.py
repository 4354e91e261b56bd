"""Prove: a student alone with a lemma, and a teacher who can be asked."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from tui.commands import bindings
from tui.screens.proof import ProofRoom
from tui.widgets.said import Said
from tui.widgets.steps import Steps
from tui.widgets.tree import Tree


class Prove(ProofRoom):
    """The goals and moves on the left; the steps, or the proof as a tree, and the teacher's words on the right."""

    PLACE = "prove"
    ABOUT = (
        "Above the line are the hypotheses, what you may use; under it what is to be proved. Point at a formula, and "
        "the rule of its connective is used on it; where several would do you choose. A proof is done when no goal is "
        "left. A move that does not apply, and a way that you take back, is a slip: every second one costs a point.\n"
        "Where there is a light it says whether a move has lost the proof. Some lemmas have no proof at all: say so."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("tree")

    def compose_beside(self) -> ComposeResult:
        """Steps or tree, and the teacher."""
        yield Steps(self.session.look)
        yield Tree(self.session.look)
        yield Said()

    def show_attempt(self) -> None:
        """Steps and tree as well."""
        self.query_one(Steps).show(self.attempt)
        self.query_one(Tree).show(self.attempt)
        super().show_attempt()

    @on(Steps.Jumped)
    def _jump(self, event: Steps.Jumped) -> None:
        self.jump(event.step)

    def action_tree(self) -> None:
        """The tree instead of the steps, or the steps again; where there is room both are there."""
        self.toggle_class("-tree")
