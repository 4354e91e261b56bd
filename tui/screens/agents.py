"""What every place has where agents are at work: how they are told to play, and how their settings are switched."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar, Final

from textual import on, work
from textual.binding import BindingType

from oasis.classroom.agent.messages import Pause, Play, Report, Request, Speed, Step
from oasis.classroom.agent.switches import SPEEDS
from oasis.classroom.desk.record import problem_key
from oasis.classroom.proving.exercise import Exercise
from oasis.student.settings import Settings
from tui.commands import bindings
from tui.companion import Companion
from tui.screens.room import Room
from tui.widgets.agent_card import AgentCard
from tui.widgets.learning import Learning

BLUR: Final = 10.0
"""Steps a second: of more one cannot see each."""
BLUR_SECONDS: Final = 0.4
"""Between two looks at where an agent stands that moves faster."""
HIDDEN: Final = "In this exercise there is no agent: you are to find out by yourself."


class AgentRoom(Room):
    """A place with agents, who all play when they are told; one of them has its settings switched.

    Agents are there for one exercise, and rest while nobody looks.

    Attributes:
        SETTINGS: of each agent when it begins.
        companions: the agents; none if there are to be none in this exercise.
    """

    SETTINGS: ClassVar[tuple[Settings, ...]]
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "step",
        "episode",
        "hundred",
        "play",
        "faster",
        "slower",
        "learner",
        "exploration",
        "reward",
        "state_space",
        "actions",
        "beliefs",
        "panel",
    )
    PANELS: ClassVar[tuple[str, ...]]
    """What there may be no room for at once; the first is in front at first."""

    def __init__(self) -> None:
        super().__init__()
        self.companions: list[Companion] = []
        self._here_for: Exercise | None = None
        self._speed = SPEEDS.index(10.0)
        self._front = self.PANELS[0]
        self._shown_at = -BLUR_SECONDS

    @property
    def switched(self) -> Companion:
        """The agent whose settings are switched; there must be one."""
        return self.companions[0]

    def card(self, companion: Companion) -> AgentCard:
        """The card of an agent."""
        return list(self.query(AgentCard))[self.companions.index(companion)]

    def show_beliefs(self, companion: Companion, report: Report) -> None:
        """Show what it makes of a state that stays: with every report."""

    def show_progress(self, companion: Companion, report: Report) -> None:
        """Show where it stands and what has come of its episodes: less often while all of that is a blur."""
        raise NotImplementedError

    # Coming and going.

    def arrive(self) -> None:
        """Have agents for the exercise before the student, unless there are to be none."""
        exercise = self.classroom.seat.exercise
        assert exercise is not None
        if exercise != self._here_for:
            self._dismiss()
            self._here_for = exercise
            if exercise.terms.agent != "hidden":
                rules = exercise.terms.rules
                self.companions = [Companion(self, exercise.formula, given, rules) for given in self.SETTINGS]
                self._ask_all(Speed(SPEEDS[self._speed]))
            for card in self.query(AgentCard):
                card.show(None) if self.companions else card.say(HIDDEN)
        self.bring_to_front(self._front)
        super().arrive()

    def on_screen_suspend(self) -> None:
        """Nobody looks any more."""
        for companion in self.companions:
            companion.ask(Pause())

    def on_unmount(self) -> None:
        """The classroom is closed."""
        self._dismiss()

    def _dismiss(self) -> None:
        for companion in self.companions:
            companion.close()
        self.companions, self._shown_at = [], -BLUR_SECONDS

    # Reports.

    @on(Companion.Reported)
    def _hear(self, event: Companion.Reported) -> None:
        companion = event.companion
        if companion in self.companions and not companion.is_gone:
            report = companion.report = event.report
            self.card(companion).show(report)
            self.show_beliefs(companion, report)
            if not is_blur(report) or monotonic() - self._shown_at >= BLUR_SECONDS:
                self.show_all()

    def show_all(self) -> None:
        """Show the last report of every agent, all at once, because each time the whole screen is drawn."""
        self._shown_at = monotonic()
        for companion in self.companions:
            if companion.report is not None:
                self.card(companion).show(companion.report)
                self.show_beliefs(companion, companion.report)
                self.show_progress(companion, companion.report)

    @on(Companion.Gone)
    def _miss(self, event: Companion.Gone) -> None:
        if event.companion in self.companions:
            event.companion.is_gone = True
            self.card(event.companion).say(f"{event.why} Any of its keys starts it.", "$error")

    @work(exclusive=True, group="compare")
    async def compare(self) -> None:
        """Put the student's best proof on the curve, and beside it the shortest once the student has found one."""
        seat, learning = self.classroom.seat, self.query_one(Learning)
        attempt, exercise = seat.attempt, seat.exercise
        assert attempt is not None and exercise is not None
        result = seat.desk.results().get(problem_key(exercise))
        found = [len(attempt.made)] if attempt.proved else []
        if result is not None and result.moves:
            found.append(result.moves)
        learning.compare_with(min(found, default=0), 0)
        if found:
            shortest = await seat.ask(lambda adviser, copy: adviser.shortest(copy))
            if seat.attempt is attempt:
                learning.compare_with(min(found), shortest or 0)

    # Commands.

    def bring_to_front(self, panel: str) -> None:
        """Show one of the panels where there is not room for all."""
        self._front = panel
        for other in self.PANELS:
            self.query_one("#panels").set_class(other == panel, f"-front-{other}")

    def action_panel(self) -> None:
        """The next panel to the front."""
        self.bring_to_front(self.PANELS[(self.PANELS.index(self._front) + 1) % len(self.PANELS)])

    def action_step(self) -> None:
        """One move."""
        self._ask_all(Step())
        self.bring_to_front("standing")

    def action_episode(self) -> None:
        """One attempt at a proof."""
        self._ask_all(Play(1))
        self.bring_to_front("standing")

    def action_hundred(self) -> None:
        """A hundred attempts."""
        self._ask_all(Play(100))

    def action_play(self) -> None:
        """Go on until told to stop, or stop."""
        self._ask_all(Pause() if any(companion.is_playing for companion in self.companions) else Play())

    def action_faster(self) -> None:
        """The next speed."""
        self._set_speed(self._speed + 1)

    def action_slower(self) -> None:
        """The speed before."""
        self._set_speed(self._speed - 1)

    def action_learner(self) -> None:
        """Another learner."""
        self._switch("learner")

    def action_exploration(self) -> None:
        """Another share of random moves."""
        self._switch("epsilon")

    def action_reward(self) -> None:
        """Another reward."""
        self._switch("reward")

    def action_state_space(self) -> None:
        """Another notion of which states are the same."""
        self._switch("state_space")

    def action_actions(self) -> None:
        """Other moves on offer."""
        self._switch("actions")

    def _ask_all(self, request: Request) -> None:
        for companion in self.companions:
            companion.revive()
            companion.ask(request)

    def _set_speed(self, place: int) -> None:
        self._speed = min(max(place, 0), len(SPEEDS) - 1)
        self._ask_all(Speed(SPEEDS[self._speed]))

    def _switch(self, setting: str) -> None:
        if self.companions:
            self.switched.revive()
            self.switched.switch(setting)

    def key_of(self, command: str) -> str:
        """The key of a command, as it is written."""
        return next(
            self.app.get_key_display(active.binding)
            for active in self.active_bindings.values()
            if active.binding.id == command
        )


def is_blur(report: Report) -> bool:
    """Whether an agent moves faster than one can see."""
    return report.playing and report.speed > BLUR
