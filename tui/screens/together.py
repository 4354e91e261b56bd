"""Together: a partner on the same lemma as the student, side by side, with what it says of the student's state."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content

from oasis.classroom.partner.messages import Follow, Report, StartFrom, Why
from oasis.classroom.partner.opinions import Reason
from oasis.classroom.partner.partners import PARTNERS
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.words import moves
from oasis.neural.reasons import drawn
from oasis.student.settings import Settings
from tactics.goal import State
from tui.commands import bindings
from tui.companion import Companion
from tui.phrases import clipped
from tui.screens.partners import PartnerRoom, is_blur
from tui.screens.proof import ProofRoom
from tui.session import Session
from tui.widgets.beliefs import BeliefTable
from tui.widgets.learning import Learning
from tui.widgets.partner_card import PartnerCard
from tui.widgets.said import Said
from tui.widgets.standing import Standing
from tui.widgets.words import Controls

BAR: Final = 8
"""Characters of the longest bar of what a partner looked at."""


class Together(PartnerRoom, ProofRoom):
    """The proof on the left; who the partner is, what it says, where it stands and how it learns on the right."""

    PLACE = "together"
    ABOUT = (
        "A partner works on the same lemma: at first a machine that tries moves at random and remembers what paid, and "
        "that learns from your proof, too. What it finds out costs as hints do until the lemma is done. Q is what it "
        "believes a move to be worth, tried how often it has learned about that move, and takes how likely it is to "
        "choose it; the best move stands first. Let it try, and switch how it learns, by a key or by a click on what "
        "its card says: all else follows."
    )
    SETTINGS = (Settings(),)
    PANELS = ("beliefs", "standing", "curve")
    BINDINGS: ClassVar[list[BindingType]] = bindings("take_over", "hand_over", "show_proof", "why_it")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._shown_to_partner: Attempt | None = None

    def compose_beside(self) -> ComposeResult:
        """The partner, its panels, what it can be told, and the teacher."""
        look = self.session.look
        yield PartnerCard(look)
        with Vertical(id="panels"):
            yield BeliefTable(look, "What it makes of your state")
            yield Standing(look)
            yield Learning(look)
        first = ("step", "episode", "hundred", "play", "beliefs", "slower", "faster", "why_it", "panel")
        yield Controls(look, self.applies, *first, "partner", "take_over", "hand_over", "show_proof")
        yield Said()

    # The student's side.

    def arrive(self) -> None:
        """The proof as it stands, and a partner for it."""
        super().arrive()
        self.query_one("#panels").display = bool(self.companions)
        self.show_all()

    def show_attempt(self) -> None:
        """The partner looks where the student stands, and learns from a proof that the student has found."""
        self.remove_class("-reason")
        super().show_attempt()
        self.note_asking()
        self.show_all()
        attempt = self.attempt
        if attempt.proved and not attempt.given and attempt is not self._shown_to_partner and self.companions:
            self._shown_to_partner = attempt
            self.switched.ask(Follow(attempt.script))
        self.compare()

    @property
    def _in_sight(self) -> State:
        """The state of which it is shown what the partner makes of it: of what is proved, the beginning."""
        return self.attempt.state or self.attempt.states[0]

    def look_there(self) -> None:
        """Have the partner tell what it makes of the student's state, if that is to be seen."""
        if not self.companions:
            return
        table, may_see = self.query_one(BeliefTable), self.may_see
        self.switched.look(self._in_sight if may_see else None)
        table.border_title = f"What it makes of {'your state' if self.attempt.state else 'the beginning'}"
        if not may_see:
            table.say(f"{self.key_of('beliefs')} asks what it makes of your state.")

    # The partner's side.

    @property
    def last_told(self) -> str:
        """What the teacher, who also speaks for the partner, said last."""
        return self.said.text

    def tell(self, sentence: str, style: str = "") -> None:
        """Have the teacher tell it."""
        self.remove_class("-reason")
        self.said.say([sentence] if sentence else [], style=style)

    def action_bring_to_front(self, panel: str) -> None:
        """Show one of the panels where there is not room for all, also where its reason stands."""
        self.remove_class("-reason")
        super().action_bring_to_front(panel)

    def action_panel(self) -> None:
        """The next panel to the front, or the one that a reason stands before."""
        if self.has_class("-reason"):
            self.action_bring_to_front(self._front)
        else:
            super().action_panel()

    def applies(self, command: str) -> bool:
        """A finished proof can be shown, and what is not finished can be handed to and fro."""
        attempt = self.attempt
        match command:
            case "show_proof":
                return attempt.proved
            case "take_over" | "hand_over" | "why_it":
                return not attempt.is_over
            case _:
                return super().applies(command)

    def show_report(self, companion: Companion, report: Report) -> None:
        """What it makes of the student's state, where it stands, and its curve."""
        if report.opinion is not None and report.looked_at == self._in_sight and self.may_see:
            self.query_one(BeliefTable).show(report.opinion)
        self.query_one(Standing).show_report(report)
        self.query_one(Learning).show(0, report.curve, is_blur=is_blur(report))

    def show_reason(self, reason: Reason) -> None:
        """Why it would do what it would do, what it looked at, the more the longer the bar, and what it claims.

        Where there is little room, it stands instead of the card and the panels until something else is done.
        """
        self.add_class("-reason")
        look = self.session.look
        kind = PARTNERS[self.switched.kind]
        voice = f", {reason.voice}" if kind.has_voices and reason.voice else ""
        said = [f"{kind.title}{voice}: {' '.join(reason.sentences)}"]
        most = max((share for _, share in reason.parts), default=1.0)
        room = self.said.content_size.width - self.said.styles.scrollbar_size_vertical - BAR - 6
        below: list[str | Content] = [
            f"{share:>4.0%} {look.mark('bar') * max(1, round(BAR * share / most)):<{BAR}} "
            + clipped(look.formula(formula), room, look.mark("rest"))
            for formula, share in reason.parts
        ]
        below += [
            Content.assemble(f"{mark} " if mark else "", (look.text(claim), style))
            for mark, claim, style in drawn(reason.claims, look.mark("done"), look.mark("lost"))
        ]
        self.said.say(map(look.text, said), Content("\n").join(below))

    # Between the two.

    def action_why_it(self) -> None:
        """Ask why the partner would make its move in this state."""
        state = self.attempt.state
        if state and self.may_ask("why_it"):
            if self.attempt.terms.agent == "asked":
                self.seat.desk.do(Attempt.ask_agent)
            self.switched.revive()
            self.switched.ask(Why(state, self.session.look.notation))

    def action_take_over(self) -> None:
        """Stand where the partner stands; what that costs is said first."""
        report, name = self.seen(self.switched), self.name_of(self.switched)
        if report is None or not report.script:
            self.tell(f"The {name} stands at the beginning; let it make a move first.")
        elif not self.attempt.is_over:
            given = self.attempt.copy()
            given.take_over(report.script)
            new = given.given - self.attempt.given
            question = (
                f"{self.key_of('take_over')} again takes over {moves(new)} of the {name}, each at the cost of a hint."
            )
            if not new or self.confirmed(question):
                self._do(lambda attempt: attempt.take_over(report.script), f"You stand where the {name} stood.")

    def action_hand_over(self) -> None:
        """Let the partner stand where the student stands."""
        self.switched.revive()
        self.switched.ask(StartFrom(self.attempt.script))
        self.action_bring_to_front("standing")

    def action_show_proof(self) -> None:
        """Let the partner learn from the student's proof once more."""
        if not self.attempt.proved:
            self.tell(f"The {self.name_of(self.switched)} can learn from your proof when it is finished.")
        else:
            self.switched.revive()
            self.switched.ask(Follow(self.attempt.script))
            self.action_bring_to_front("beliefs")  # the card says what came of it, and the panel shows that
