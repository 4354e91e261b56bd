"""Together: the agent on the same lemma as the student, side by side, with what it makes of the student's state."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from oasis.classroom.agent.messages import Follow, Look, Report, StartFrom
from oasis.classroom.proving.attempt import Attempt
from oasis.student.settings import Settings
from tactics.goal import State
from tui.commands import bindings
from tui.companion import Companion
from tui.screens.agents import AgentRoom, is_blur
from tui.screens.proof import ProofRoom
from tui.widgets.agent_card import AgentCard
from tui.widgets.beliefs import BeliefTable
from tui.widgets.learning import Learning
from tui.widgets.said import Said
from tui.widgets.standing import Standing


class Together(AgentRoom, ProofRoom):
    """The proof on the left; who the agent is, what it believes, where it stands and how it learns on the right."""

    PLACE = "together"
    ABOUT = (
        "An artificial student works on the same lemma. It knows nothing at first, and learns from its own tries and "
        "from your proof. Q is what it believes a move to be worth, tried how often it has learned about that move, "
        "and takes how likely it is to choose it. Let it try, and switch how it learns: all else follows."
    )
    SETTINGS = (Settings(),)
    PANELS = ("beliefs", "standing", "curve")
    BINDINGS: ClassVar[list[BindingType]] = bindings("take_over", "hand_over", "show_proof")

    def __init__(self) -> None:
        super().__init__()
        self._asked_about: State | None = None
        self._shown_to_agent: Attempt | None = None

    def compose_beside(self) -> ComposeResult:
        """The agent, its panels, and the teacher."""
        look = self.classroom.look
        yield AgentCard(look)
        with Vertical(id="panels"):
            yield BeliefTable(look, "What it makes of your state")
            yield Standing(look)
            yield Learning(look)
        yield Said()

    # The student's side.

    def arrive(self) -> None:
        """The proof as it stands, and an agent for it."""
        super().arrive()
        self.query_one("#panels").display = bool(self.companions)
        self.show_all()

    def show_attempt(self) -> None:
        """The agent looks where the student stands, and learns from a proof that the student has found."""
        super().show_attempt()
        self._look_there()
        attempt = self.attempt
        if attempt.proved and not attempt.given and attempt is not self._shown_to_agent and self.companions:
            self._shown_to_agent = attempt
            self.switched.ask(Follow(attempt.script))
        self.compare()

    def _look_there(self) -> None:
        if not self.companions:
            return
        table, attempt = self.query_one(BeliefTable), self.attempt
        may_see = attempt.terms.agent == "shown" or self._asked_about == attempt.state
        self.switched.ask(Look(attempt.state if may_see and attempt.state else None))
        if not attempt.state:
            table.say("Nothing is left to choose.")
        elif not may_see:
            table.say(f"{self.key_of('beliefs')} asks what it makes of your state.")

    # The agent's side.

    def show_beliefs(self, companion: Companion, report: Report) -> None:
        """What it makes of the student's state."""
        if report.beliefs is not None and report.looked_at == self.attempt.state:
            self.query_one(BeliefTable).show(report.beliefs)

    def show_progress(self, companion: Companion, report: Report) -> None:
        """Where it stands, and its curve."""
        self.query_one(Standing).show_report(report)
        self.query_one(Learning).show(0, report.curve, is_blur=is_blur(report))

    # Between the two.

    def action_beliefs(self) -> None:
        """Ask what the agent makes of this state, or no longer."""
        state = self.attempt.state
        self._asked_about = None if self._asked_about == state else state
        if self._asked_about is not None and self.attempt.terms.agent == "asked":
            self.attempt.ask_agent()
        self.bring_to_front("beliefs")
        self._look_there()

    def action_take_over(self) -> None:
        """Stand where the agent stands."""
        report = self.switched.report if self.companions else None
        if report is None or not report.script:
            self.said.say(["The agent stands at the beginning; let it make a move first."])
        elif not self.attempt.is_over:
            self._do(lambda: self.attempt.take_over(report.script), "You stand where the agent stood.")

    def action_hand_over(self) -> None:
        """Let the agent stand where the student stands."""
        if self.companions:
            self.switched.revive()
            self.switched.ask(StartFrom(self.attempt.script))
            self.bring_to_front("standing")

    def action_show_proof(self) -> None:
        """Let the agent learn from the student's proof once more."""
        if not self.attempt.proved:
            self.said.say(["The agent can learn from your proof when it is finished."])
        elif self.companions:
            self.switched.revive()
            self.switched.ask(Follow(self.attempt.script))
