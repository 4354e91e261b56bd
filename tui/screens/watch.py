"""Watch: two partners on the same lemma, live, and where they differ, so that one sees what a setting does."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from oasis.classroom.desk.sight import Sight
from oasis.classroom.partner.messages import Report
from oasis.classroom.partner.plan import Difference, difference
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.proving.words import moves
from oasis.student.settings import Settings
from tactics.goal import State
from tactics.parser import parse
from tactics.script import replay
from tui.commands import bindings
from tui.companion import Companion
from tui.screens.partners import PartnerRoom, is_blur
from tui.session import Session
from tui.widgets.beliefs import BeliefTable
from tui.widgets.learning import Learning
from tui.widgets.partner_card import PartnerCard
from tui.widgets.standing import Standing
from tui.widgets.words import Controls

LETTERS: Final = ("A", "B")
UNLEARNED: Final = Exercise(
    "Unlearning", parse(r"Z \/ (A -> B -> C -> D -> E -> F -> G -> H -> I -> J -> K -> L -> A)")
)
"""A lemma whose proof a partner learns and gives up that is paid by all terms of R†."""
UNLEARNING: Final = (Settings(learner="q-learning", reward="dagger:all"), Settings(learner="q-learning"))


class Watch(PartnerRoom):
    """Two partners side by side, the state where they differ, and both on one learning curve."""

    PLACE = "watch"
    ABOUT = (
        "Two partners work on the lemma before you: at first machines that try moves at random and remember what paid. "
        "What they find out costs as hints do until the lemma is done. All they do, they do at the same time; "
        "switching a setting changes the one whose card is marked, and Tab marks the other. While they rest or are too "
        "fast to be seen, the first state is shown where their best plays part. The curve shows how many moves their "
        "proofs have in their episodes, and how many when they do nothing at random (greedy)."
    )
    SETTINGS = (Settings(), Settings(learner="sarsa"))
    PANELS = ("standing", "cards")
    BINDINGS: ClassVar[list[BindingType]] = bindings("other_agent", "done_lemma", "unlearning")

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._came_for: Exercise | None = None
        self._last_done: Exercise | None = None
        self._instead: Exercise | None = None

    @property
    def exercise(self) -> Exercise:
        """The one before the student, or another one that is watched instead."""
        return self._instead or super().exercise

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Those with which two differ, or of whom one unlearns."""
        return UNLEARNING if self._instead is UNLEARNED else super().settings

    @property
    def is_done(self) -> bool:
        """Whether it was done before."""
        return self._instead is not None or super().is_done

    def applies(self, command: str) -> bool:
        """A done lemma is watched instead of one that is not, and the one that is unlearned except in an exam."""
        if command == "done_lemma":
            return self._instead not in (None, UNLEARNED) or (self._last_done is not None and not self.is_free)
        if command == "unlearning":
            return not self.session.is_exam
        return super().applies(command)

    def compose_place(self) -> ComposeResult:
        """The lemma, where the partners differ, their cards, and their curve."""
        look = self.session.look
        yield Static(id="lemma", markup=False)
        with Horizontal(id="states"):
            for letter in LETTERS:
                yield Standing(look, f"Where {letter} stands")
        with Horizontal(id="panels"):
            for place, letter in enumerate(LETTERS):
                with Vertical(classes="partner"):
                    yield PartnerCard(look, place, letter)
                    yield BeliefTable(look, f"What {letter} makes of it")
        yield Learning(look, LETTERS)
        first = ("step", "episode", "hundred", "play", "slower", "faster", "beliefs", "panel")
        yield Controls(look, self.applies, *first, "partner", "other_agent", "done_lemma", "unlearning")
        yield Static(id="partners-said", markup=False)

    def arrive(self) -> None:
        """The lemma that the student is at, and partners for it."""
        seat = self.session.seat
        if seat.exercise != self._came_for:
            self._came_for, self._instead = seat.exercise, None
        self._last_done = seat.desk.last_done()
        if self.session.is_exam:  # how a lemma of the course is proved may tell how one of the exam is
            self._instead = self._last_done = None
        super().arrive()
        self.query_one("#lemma", Static).update(self.session.look.formula(self.exercise.formula))
        self.tell(self._offered())
        if not self.companions:
            self.action_bring_to_front("cards")
        self.mark(self.marked)
        self.show_all()
        if self._instead is None:
            self.compare()

    def _offered(self) -> str:
        """What else there is to watch, and to try."""
        if self._instead is UNLEARNED:
            return (
                f"Let both try at full speed ({self.key_of('faster')}, {self.key_of('play')}): A learns the proof, and "
                "gives it up after a thousand episodes, when R_alpha of its reward counts how often a move was made; "
                f"B is paid for proofs alone. {self.key_of('unlearning')} watches the lemma before you again."
            )
        if not self.applies("done_lemma"):
            return ""
        other = "the lemma before you again" if self._instead else "the lemma that you did last, at no price"
        return f"{self.key_of('done_lemma')} watches {other}."

    @property
    def last_told(self) -> str:
        """What the line at the bottom says."""
        return str(self.query_one("#partners-said", Static).content)

    def tell(self, sentence: str, style: str = "") -> None:
        """Tell it in the line at the bottom."""
        self.query_one("#partners-said", Static).update(Content.styled(sentence, style))

    # What is to be seen.

    def _is_live(self) -> bool:
        """Whether one can see a partner make its moves."""
        reports = [
            report for report in map(self.seen, self.companions) if report is not None and not report.hides_where
        ]
        is_step = not self.is_free  # the one that was paid is to be seen, too
        return any(
            not is_blur(report) and (report.playing or report.intends is not None or (is_step and report.script != ()))
            for report in reports
        )

    @property
    def _has_price(self) -> bool:
        return any(self.sight(companion) is not Sight.ALL for companion in self.companions)

    def _where_they_differ(self) -> tuple[State, str]:
        """The state where their plans part, or the beginning where they agree to the end, and a title for it."""
        formula = self.exercise.formula
        plans = [() if each.report is None else each.report.plan for each in self.companions]
        found = difference(*plans)
        states = replay(formula, found.script)
        if not states[-1]:
            return states[0], f"A and B agree to the end, in {moves(len(found.script))}: here is the beginning"
        return states[-1], _in_words(found)

    def look_there(self) -> None:
        """Have both tell what they make of where they stand, or of where they differ."""
        if not self.companions:
            return
        states, is_live = list(self.query(Standing)), self._is_live()
        states[1].display = is_live
        if has_price := self._has_price:
            state, title = self.session.seat.attempt.state, "Where you stand"
        else:
            state, title = self._where_they_differ()
        if not is_live:
            states[0].show_state(state, title)
        for companion, table in zip(self.companions, self.query(BeliefTable), strict=True):
            stands = state if has_price or not is_live or companion.report is None else companion.report.state
            companion.look(stands if self.may_see else None, plan=not has_price)
            if not self.may_see:
                table.say(f"{self.key_of('beliefs')} asks what it makes of this state.")

    def show_report(self, companion: Companion, report: Report) -> None:
        """What it makes of the state that it was told to look at, where it stands if one can see that, its curve."""
        place = self.companions.index(companion)
        if report.opinion is not None and self.may_see:
            list(self.query(BeliefTable))[place].show(report.opinion)
        if self._is_live():
            list(self.query(Standing))[place].show_report(report)
        self.query_one(Learning).show(place, report.curve, is_blur=is_blur(report))

    def note_asking(self) -> None:
        """Keep that it was asked, if it was of the lemma before the student."""
        if self._instead is None:
            super().note_asking()

    def action_done_lemma(self) -> None:
        """Watch the lemma that was done last, or that before the student again."""
        if self.applies("done_lemma"):
            self._instead = None if self._instead else self._last_done
            self.arrive()

    def action_unlearning(self) -> None:
        """Watch a lemma that one of two partners learns and gives up, or that before the student again."""
        if self.applies("unlearning"):
            self._instead = None if self._instead is UNLEARNED else UNLEARNED
            self.arrive()

    def action_other_agent(self) -> None:
        """Mark the other card."""
        self.mark(1 - self.marked)


def _in_words(found: Difference) -> str:
    after = f"after {moves(len(found.script))}" if found.script else "at the beginning"
    if found.of_choice:
        return f"Where A and B part: {after}"
    return f"Where A and B {'value their move differently' if found.of_value else 'agree'}: {after}"
