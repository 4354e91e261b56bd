"""Who the agent is and what it has come to: its settings, its episodes, its proofs, and what it said last."""

from __future__ import annotations

from math import inf

from textual.content import Content

from oasis.classroom.agent.messages import Report
from tui.look import Look
from tui.widgets.steady import Steady


class AgentCard(Steady):
    """A card with the agent's name on it."""

    def __init__(self, look: Look, name: str = "Agent") -> None:
        super().__init__(markup=False)
        self._look, self._agent = look, name
        self.border_title = name

    def say(self, sentence: str, style: str = "dim") -> None:
        """Show a sentence and nothing else."""
        self.border_title, self.border_subtitle = self._agent, ""
        self.update(Content.styled(sentence, style))

    def show(self, report: Report | None) -> None:
        """Show what the agent reports; None while it is starting."""
        if report is None:
            self.say("It is coming.")
            return
        self.border_title = f"{self._agent}: {report.settings.learner}"
        self.border_subtitle = pace_in_words(report)
        self.update(Content("\n").join(self._lines(report)))

    def _lines(self, report: Report) -> list[Content]:
        settings, knows, between = report.settings, report.knows, f" {self._look.mark('between')} "
        share = f"{knows.proved / knows.episodes:.0%} proved" if knows.episodes else "none proved"
        best = "no proof yet" if knows.best is None else f"best {len(knows.best)}"
        exam = f"exam {knows.exam.share:.0%}"
        if knows.exam.best is not None:
            exam += f" best {knows.exam.best}"
        lines = [
            self._settings(epsilon=str(settings.epsilon), reward=settings.reward),
            self._settings(states=settings.state_space, moves=settings.actions),
            Content(f"{counted(knows.episodes, 'episode')}, {share}"),
            Content(between.join([best, exam, counted(knows.states, "state")])),
        ]
        return [*lines, Content.styled(report.said, "$text-accent")] if report.said else lines

    def _settings(self, **values: str) -> Content:
        parts: list[str | tuple[str, str]] = []
        for name, value in values.items():
            label = self._look.mark(name) if name == "epsilon" else name
            parts += [(f"{label} ", "dim"), (f"{value}  ", "bold")]
        return Content.assemble(*parts)


def pace_in_words(report: Report) -> str:
    """Whether it plays, and how fast it does or would."""
    speed = "full speed" if report.speed == inf else f"{report.speed:g} a second"
    return f"playing, {speed}" if report.playing else f"resting, {speed}"


def counted(number: int, what: str) -> str:
    """A number of things."""
    return f"1 {what}" if number == 1 else f"{number:,} {what}s"
