"""Where a partner stands, and what it will do next."""

from __future__ import annotations

from oasis.classroom.partner.messages import Report
from oasis.classroom.proving.words import moves
from tactics.goal import State
from tactics.rules import spoken
from tui.look import Look
from tui.phrases import clipped
from tui.widgets.goals import Goals


class Standing(Goals):
    """A state under a title.

    Args:
        look: how things look.
        title: of the state where a partner stands.
    """

    def __init__(self, look: Look, title: str = "Where it stands") -> None:
        super().__init__(look)
        self.add_class("panel")
        self._title = self._whole_title = self.border_title = title

    def show_report(self, report: Report) -> None:
        """Show where a partner stands, how many moves lead there, and the next if it is chosen."""
        if report.hides_where:
            self.show_state(report.state, f"{self._title}: not to be seen yet")
            return
        intends = "" if report.intends is None else f", next {spoken(report.intends)}"
        self.show_state(report.state, f"{self._title}: {moves(len(report.script))}{intends}")

    def show_state(self, state: State, title: str) -> None:
        """Show any state under any title."""
        self.show(state)
        self._whole_title = title
        self._fit_title()

    def on_resize(self) -> None:
        """There is other room for the title."""
        self._fit_title()

    def _fit_title(self) -> None:
        """Cut off the title in the signs of the look, which the frame would not do."""
        self.border_title = clipped(self._whole_title, max(0, self.outer_size.width - 2), self._look.mark("rest"))
