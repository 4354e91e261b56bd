"""What every place has where partners are at work: how they are told to play, asked, switched, and what they cost."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar, Final

from textual import on, work
from textual.binding import BindingType

from oasis.classroom.desk.sight import Sight, is_free, seen, sight, unpaid
from oasis.classroom.partner.messages import Pause, Play, Report, Request, Speed, StartFrom, Step
from oasis.classroom.partner.opinions import Reason
from oasis.classroom.partner.partners import AGENT, PARTNERS, Means
from oasis.classroom.partner.switches import KEPT_THROUGH, SPEEDS, called, switched
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import NotAllowed
from oasis.classroom.proving.exercise import Exercise
from oasis.ground.plural import counted
from oasis.student.settings import Settings
from tactics.goal import State
from tui.commands import SWITCHED, bindings
from tui.companion import Companion
from tui.screens.room import Room
from tui.session import Session
from tui.widgets.learning import Learning
from tui.widgets.partner_card import PartnerCard

BLUR: Final = 10.0
"""Steps a second: of more one cannot see each."""
BLUR_SECONDS: Final = 0.4
"""Between two drawings of partners that move faster."""
SIGHT_SECONDS: Final = 0.1
"""Between two drawings of all others: each takes some time, and reports of two partners may come in between."""
HIDDEN: Final = "In this exercise there is no partner: you are to find out by yourself."
_COMMANDS: Final = (
    *("step", "episode", "hundred", "play", "slower", "faster", "beliefs", "partner", "panel"),
    *SWITCHED,
)
_NEED_ONE: Final = {*_COMMANDS, "switch", "take_over", "hand_over", "show_proof", "why_it", "other_agent"}
"""Actions that need a partner."""


class PartnerRoom(Room):
    """A place with partners, who all play when they are told; one of them has its settings switched.

    Partners are there for one exercise, and rest while nobody looks.

    Attributes:
        SETTINGS: of each partner when it begins.
        PANELS: what there may be no room for at once; the first is in front at first.
        companions: the partners; none if there are to be none in this exercise.
        marked: the place of the one whose settings are switched.
        is_asked: whether it is to be shown what they make of each state.
        is_behind: whether something was reported that is not shown yet.
    """

    SETTINGS: ClassVar[tuple[Settings, ...]]
    PANELS: ClassVar[tuple[str, ...]]
    BINDINGS: ClassVar[list[BindingType]] = bindings(*_COMMANDS)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.companions: list[Companion] = []
        self.marked, self.is_asked, self.is_behind = 0, False, False
        self._resting: dict[tuple[int, str], Companion] = {}
        self._here_for: Exercise | None = None
        self._tried: set[Exercise] = set()  # a first try can be seen once
        self._noted: tuple[Attempt, State] | None = None
        self._speed = SPEEDS.index(10.0)
        self._front = self.PANELS[0]
        self._shown_at = -BLUR_SECONDS

    @property
    def switched(self) -> Companion:
        """The partner whose settings are switched; there must be one."""
        return self.companions[self.marked]

    def card(self, companion: Companion) -> PartnerCard:
        """The card of a partner."""
        return list(self.query(PartnerCard))[self.companions.index(companion)]

    def name_of(self, companion: Companion) -> str:
        """What a partner is called in the midst of a sentence."""
        return PARTNERS[companion.kind].title.lower()

    @property
    def exercise(self) -> Exercise:
        """What the partners are at."""
        return self.session.seat.exercise

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Those with which partners begin at it."""
        return self.SETTINGS

    # What the places themselves do.

    @property
    def last_told(self) -> str:
        """The sentence that was told last and still stands there."""
        raise NotImplementedError

    def tell(self, sentence: str, style: str = "") -> None:
        """Tell the person something in a sentence."""
        raise NotImplementedError

    def look_there(self) -> None:
        """Have the partners tell what they make of what is to be seen."""
        raise NotImplementedError

    def show_report(self, companion: Companion, report: Report) -> None:
        """Show what a partner says, where it stands, and what has come of its episodes."""
        raise NotImplementedError

    def applies(self, command: str) -> bool:
        """Whether there is something to turn to."""
        return super().applies(command) and (command != "panel" or self.has_class("-low"))

    def show_reason(self, reason: Reason) -> None:
        """Show why a partner would do what it would do, which it was asked."""

    # Coming and going.

    def arrive(self) -> None:
        """Have partners for the exercise before the student, unless there are to be none."""
        exercise = self.exercise
        if exercise != self._here_for:
            self._dismiss()
            self._here_for = exercise
            if exercise.terms.agent != "hidden":
                self.companions = [self._companion(given, AGENT) for given in self.settings]
                self._ask_all(Speed(SPEEDS[self._speed]))
            for place, card in enumerate(self.query(PartnerCard)):
                card.show(self.companions[place].kind, None) if self.companions else card.say(HIDDEN)
        self.action_bring_to_front(self._front)
        super().arrive()
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Where there is no partner, nothing can be done with one."""
        return super().check_action(action, parameters) if self.companions or action not in _NEED_ONE else False

    def _companion(self, settings: Settings, kind: str) -> Companion:
        """A partner for the exercise before the student."""
        exercise = self._here_for
        assert exercise is not None
        lessons = self.session.seat.lessons() if PARTNERS[kind].is_own else ()
        means = Means(self.session.setup.network, lessons)
        companion = Companion(self, exercise.formula, settings, exercise.terms.rules, kind, means)
        companion.has_tried = exercise in self._tried
        return companion

    def on_screen_suspend(self) -> None:
        """Let them rest while another place is open; what lies over this one for a while, as help does, leaves them."""
        if self.app.screen.is_modal:
            return
        for companion in self.companions:
            companion.ask(Pause())

    def on_unmount(self) -> None:
        """The classroom is closed."""
        self._dismiss()

    def _dismiss(self) -> None:
        for companion in (*self.companions, *self._resting.values()):
            if self._here_for is not None and companion.has_tried:
                self._tried.add(self._here_for)
            companion.close()
        self.companions, self._resting, self._shown_at = [], {}, -BLUR_SECONDS

    # Reports.

    @on(Companion.Reported)
    def _hear(self, event: Companion.Reported) -> None:
        companion = event.companion
        if companion in self.companions and not companion.is_gone:
            report = event.report
            companion.hear(report)
            if report.reason is not None:
                self.show_reason(report.reason)
            wait = self._shown_at + (BLUR_SECONDS if is_blur(report) else SIGHT_SECONDS) - monotonic()
            if wait <= 0:
                self.show_all()
            elif not self.is_behind:
                self.is_behind = True
                self.set_timer(wait, self.show_all)

    def show_all(self) -> None:
        """Show the last report of every partner, all at once, because each time the whole screen is drawn.

        What partners of the lemma before still report while another one is taken up is not shown.
        """
        self._shown_at, self.is_behind = monotonic(), False
        if self.exercise != self._here_for:
            return
        self.look_there()
        if any(each.report is not None for each in self.companions):
            self.note_asking()
        for companion in self.companions:
            if companion.is_gone:
                self._show_gone(companion)
                continue
            report = self.seen(companion)
            self.card(companion).show(companion.kind, report)
            if report is not None:
                self.show_report(companion, report)

    @on(Companion.Gone)
    def _miss(self, event: Companion.Gone) -> None:
        if event.companion in self.companions:
            event.companion.gone = event.why
            self._show_gone(event.companion)

    def _show_gone(self, companion: Companion) -> None:
        self.card(companion).say(f"{companion.gone} Any of its keys starts it.", "$error")

    @work(exclusive=True, group="compare")
    async def compare(self) -> None:
        """Put the student's best proof on the curve, and beside it the shortest once the student has found one."""
        seat, learning = self.session.seat, self.query_one(Learning)
        attempt = seat.attempt
        best = seat.desk.result.moves
        learning.compare_with(best, 0)
        if best:
            shortest = await seat.ask(lambda adviser, copy: adviser.shortest(copy))
            if seat.attempt is attempt:
                learning.compare_with(best, shortest or 0)

    # What is asked twice, and what it costs to be told.

    def confirmed(self, question: str) -> bool:
        """Whether this is meant: it is if the question stands there already, and else it is put."""
        question = self.session.look.text(question)
        is_meant = self.last_told == question
        self.tell("" if is_meant else question, "$warning")
        return is_meant

    def sight(self, companion: Companion) -> Sight:
        """How much may be seen of a partner now."""
        return sight(self.session.seat.attempt, is_done=self.is_done, is_new=companion.is_new)

    def seen(self, companion: Companion) -> Report | None:
        """What may be seen of its last report; None before the first."""
        report = companion.report
        return None if report is None else seen(report, self.sight(companion), self.session.seat.attempt)

    @property
    def is_done(self) -> bool:
        """Whether the exercise that the partners are at was done before."""
        return bool(self.session.seat.desk.result.outcome)

    @property
    def is_free(self) -> bool:
        """Whether everything may be seen of everybody."""
        return is_free(self.session.seat.attempt, is_done=self.is_done)

    @property
    def may_see(self) -> bool:
        """Whether it is to be shown what they make of a state: it is asked for, and paid where that costs."""
        is_asked = self.is_asked or self.exercise.terms.agent == "shown"
        return (
            bool(self.companions)
            and is_asked
            and not self._shut
            and not any(self.sight(each) is Sight.TRIES for each in self.companions)
        )

    @property
    def _shut(self) -> str:
        """Why nothing may be asked now because of an exam that has just opened; else empty."""
        return self.session.seat.desk.exams.why_not(self.exercise.place)

    def may_ask(self, command: str) -> bool:
        """Whether the partners may be asked or watched now; what that costs is said, and taken when asked again."""
        if self._shut:
            self.tell(self._shut, "$warning")
            return False
        who = next((each for each in self.companions if self.sight(each) is not Sight.ALL), None)
        if who is None:
            return True
        seat = self.session.seat
        try:
            cost = unpaid(seat.attempt) * seat.attempt.terms.hint_cost
            points = "one point" if cost == 1 else f"{cost} points"
            costs = f"The {self.name_of(who)} may know it all: {self.key_of(command)} again lets it, for {points}."
            if cost and not self.confirmed(costs):
                return False
            for event in seat.attempt.be_told():
                seat.desk.append(event)
        except NotAllowed as error:
            self.tell(str(error), "$warning")
            return False
        self.show_worth()
        return True

    def note_asking(self) -> None:
        """Keep that it is seen what they make of the student's state, where that is to be known.

        What a lesson shows for nothing has its price in the course, unless there was nothing to give away.
        """
        attempt = self.session.seat.attempt
        shows = attempt.terms.agent == "shown"
        if shows and (self.is_done or attempt.is_over or all(each.is_new for each in self.companions)):
            return
        if self.may_see and self._noted != (attempt, attempt.state):
            self._noted = attempt, attempt.state
            self.session.seat.desk.do(Attempt.ask_agent)

    # Commands.

    def action_bring_to_front(self, panel: str) -> None:
        """Show one of the panels where there is not room for all."""
        self._front = panel
        for other in self.PANELS:
            self.set_class(other == panel, f"-front-{other}")

    def action_panel(self) -> None:
        """The next panel to the front."""
        self.action_bring_to_front(self.PANELS[(self.PANELS.index(self._front) + 1) % len(self.PANELS)])

    def action_beliefs(self) -> None:
        """Ask what the partners make of each state from now on, or no longer."""
        if self.is_asked and self.may_see:
            self.is_asked = False
        elif self.may_ask("beliefs"):
            self.is_asked = True
            self.note_asking()
        self.action_bring_to_front(self.PANELS[0])
        self.show_all()

    def action_step(self) -> None:
        """One move."""
        self._tell_to("step", Step())

    def action_episode(self) -> None:
        """One attempt at a proof."""
        self._tell_to("episode", Play(1))

    def action_hundred(self) -> None:
        """A hundred attempts."""
        self._tell_to("hundred", Play(100))

    def action_play(self) -> None:
        """Go on until told to stop, or stop."""
        if any(companion.is_playing for companion in self.companions):
            self._ask_all(Pause())
        else:
            self._tell_to("play", Play())

    def action_faster(self) -> None:
        """The next speed."""
        self._set_speed(self._speed + 1)

    def action_slower(self) -> None:
        """The speed before."""
        self._set_speed(self._speed - 1)

    def action_switch(self, setting: str, place: int | None = None) -> None:
        """Another value of a setting, of the marked partner unless told which; what is lost by that is said first."""
        if place is not None:
            self.mark(place)
        companion = self.switched
        name = PARTNERS[companion.kind].title
        if setting not in PARTNERS[companion.kind].switches:
            self.tell(f"The {name.lower()} has no other {called(setting)[4:]} to switch to.", "$warning")
            return
        knows = None if companion.report is None else companion.report.knows
        if setting not in KEPT_THROUGH and knows is not None and knows.is_something:
            value = getattr(switched(companion.settings, setting), setting)
            command = next(command for command, each in SWITCHED.items() if each == setting)
            done = "" if companion.is_playing else f" in {counted(knows.episodes, 'episode')}"
            lost = f"{name}: {called(setting)} becomes {value}, and all that it learned{done} is lost."
            if not self.confirmed(f"{lost} {self.key_of(command)} again does it."):
                return
        companion.revive()
        companion.switch(setting)

    def action_partner(self) -> None:
        """Let the next kind of partner sit down; the one that was there rests, and keeps what it has learned."""
        before, kinds = self.switched, list(PARTNERS)
        kind = kinds[(kinds.index(before.kind) + 1) % len(kinds)]
        before.ask(Pause())
        self._resting[self.marked, before.kind] = before
        companion = self._resting.pop((self.marked, kind), None) or self._companion(self.settings[self.marked], kind)
        companion.revive()
        self.companions[self.marked] = companion
        companion.ask(Speed(SPEEDS[self._speed]))
        self.tell(f"{PARTNERS[kind].title}: {PARTNERS[kind].about}")
        self.show_all()

    def mark(self, place: int) -> None:
        """Have the settings of another partner switched from now on."""
        self.marked = place
        for other, card in enumerate(self.query(PartnerCard)):
            card.set_class(other == place and len(self.SETTINGS) > 1, "-switched")

    def _tell_to(self, command: str, request: Request) -> None:
        """Tell all of them to play; those who would be watched doing it make their next move where the student stands.

        What an agent tries is not to be seen as long as it has a price, so it may try as often as it is told.
        """
        watched = [
            each
            for each in self.companions
            if self.sight(each) is not Sight.ALL and (isinstance(request, Step) or PARTNERS[each.kind].reveals)
        ]
        if watched and not self.may_ask(command):
            return
        for companion in self.companions:
            companion.revive()
            if companion in watched:
                companion.ask(StartFrom(self.session.seat.attempt.script))
                companion.ask(Step())
            else:
                companion.ask(request)
        if watched or not isinstance(request, Play) or request.episodes == 1:
            self.action_bring_to_front("standing")

    def _ask_all(self, request: Request) -> None:
        for companion in self.companions:
            companion.revive()
            companion.ask(request)

    def _set_speed(self, place: int) -> None:
        self._speed = min(max(place, 0), len(SPEEDS) - 1)
        self._ask_all(Speed(SPEEDS[self._speed]))


def is_blur(report: Report) -> bool:
    """Whether a partner moves faster than one can see."""
    return report.playing and report.speed > BLUR
