"""Where an agent stands, and what it will do next."""

from __future__ import annotations

from math import inf

from oasis.classroom.agent.messages import Report
from oasis.classroom.proving.words import moves
from tui.look import Look
from tui.widgets.goals import Goals


class Standing(Goals):
    """The state of an agent."""

    def __init__(self, look: Look, title: str = "Where it stands") -> None:
        super().__init__(look)
        self.add_class("panel")
        self._title = title
        self.border_title = title

    def show_report(self, report: Report) -> None:
        """Show the state, how many moves lead there, and the next if it is chosen; nothing that nobody could read."""
        if report.playing and report.speed == inf:
            self.say("It is too fast to be seen; - slows it down.")
            self.border_title, self.border_subtitle = self._title, ""
            return
        self.show(report.state)
        self.border_title = f"{self._title}: {moves(len(report.script))}"
        self.border_subtitle = "" if report.intends is None else f"next {report.intends}"
