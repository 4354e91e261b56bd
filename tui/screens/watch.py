"""Watch: two agents on the same lemma, live, so that one sees what a setting does."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from oasis.classroom.agent.messages import Report
from oasis.student.settings import Settings
from tui.commands import bindings
from tui.companion import Companion
from tui.screens.agents import AgentRoom, is_blur
from tui.widgets.agent_card import AgentCard
from tui.widgets.beliefs import BeliefTable
from tui.widgets.learning import Learning
from tui.widgets.standing import Standing

NAMES: Final = ("A", "B")


class Watch(AgentRoom):
    """Two agents side by side, and both on one learning curve."""

    PLACE = "watch"
    ABOUT = (
        "Two artificial students work on the lemma before you. All they do, they do at the same time; switching a "
        "setting changes the one whose card is marked, and Tab marks the other. The curve below shows how many moves "
        "their proofs have, and how many when they do nothing at random (greedy)."
    )
    SETTINGS = (Settings(), Settings(learner="sarsa"))
    PANELS = ("standing", "beliefs")
    BINDINGS: ClassVar[list[BindingType]] = bindings("other_agent")

    def __init__(self) -> None:
        super().__init__()
        self._switched = 0
        self._asked = False

    def compose_place(self) -> ComposeResult:
        """The lemma, the agents, and their curve."""
        look = self.classroom.look
        yield Static(id="lemma", markup=False)
        with Horizontal(id="panels"):
            for name in NAMES:
                with Vertical(classes="agent"):
                    yield AgentCard(look, name)
                    yield Standing(look)
                    yield BeliefTable(look, "What it makes of it")
        yield Learning(look, [f" {name}" for name in NAMES])

    @property
    def switched(self) -> Companion:
        """The agent whose card is marked."""
        return self.companions[self._switched]

    def arrive(self) -> None:
        """The lemma that the student is at, and agents for it."""
        super().arrive()
        exercise = self.classroom.seat.exercise
        assert exercise is not None
        self.query_one("#lemma", Static).update(self.classroom.look.formula(exercise.formula))
        self._mark()
        self.show_all()
        self.compare()

    def show_progress(self, companion: Companion, report: Report) -> None:
        """Where it stands, what it makes of that, and its curve."""
        place = self.companions.index(companion)
        list(self.query(Standing))[place].show_report(report)
        table = list(self.query(BeliefTable))[place]
        exercise = self.classroom.seat.exercise
        assert exercise is not None
        if self._asked or exercise.terms.agent == "shown":
            table.show(report.own)
        else:
            table.say(f"{self.key_of('beliefs')} asks what it makes of that.")
        self.query_one(Learning).show(place, report.curve, is_blur=is_blur(report))

    def action_beliefs(self) -> None:
        """Ask what the agents make of where they stand, or no longer."""
        self._asked = not self._asked
        self.bring_to_front("beliefs")
        self.show_all()

    def action_other_agent(self) -> None:
        """Mark the other card."""
        self._switched = 1 - self._switched
        self._mark()

    def _mark(self) -> None:
        for place, card in enumerate(self.query(AgentCard)):
            card.set_class(place == self._switched, "-switched")
