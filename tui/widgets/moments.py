"""What happened in an attempt, a row for each moment, with breaks, and with marks where the proof was lost or found."""

from __future__ import annotations

from textwrap import wrap
from typing import Final

from textual.content import Content
from textual.events import Resize
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from oasis.classroom.proving.words import clock
from oasis.classroom.register.history import History, Moment, Verdict
from tui.look import Look

_INDENT: Final = 12
"""Characters before what is said: mark, number, and how long after the moment before."""


class Moments(OptionList):
    """A list of moments, through which the arrows lead."""

    def __init__(self, look: Look) -> None:
        super().__init__(markup=False)
        self._look = look
        self._history: History | None = None
        self._lost: set[int] = set()
        self.border_title = "What happened"

    def show(self, history: History) -> None:
        """Show the moments of an attempt, with the cursor on the first."""
        self._history, self._lost = history, set()
        self._draw()
        self.highlighted = 0 if self._moments else None

    def renew(self, history: History) -> None:
        """Show the same moments with other notes at them."""
        self._history = history
        self._draw_again()

    def judge(self, number: int, verdict: Verdict) -> None:
        """Mark a moment that has lost the proof."""
        if verdict.lost:
            self._lost.add(number)
            self.replace_option_prompt_at_index(number, self._row(self._moments[number]))

    @property
    def _moments(self) -> tuple[Moment, ...]:
        return () if self._history is None else self._history.moments

    @property
    def moment(self) -> Moment | None:
        """The one under the cursor."""
        return None if self.highlighted is None else self._moments[self.highlighted]

    def on_resize(self, event: Resize) -> None:
        """Break the lines where there is room for them now."""
        self._draw_again()

    def _draw_again(self) -> None:
        here = self.highlighted
        self._draw()
        self.highlighted = here

    def _draw(self) -> None:
        self.clear_options()
        self.add_options([Option(self._row(moment)) for moment in self._moments])

    def _row(self, moment: Moment) -> Content:
        is_lost = moment.number in self._lost
        name, style = ("lost", "bold $error") if is_lost else ("done", "bold $success")
        mark = self._look.mark(name) if is_lost or moment.is_end else " "
        later = clock(moment.seconds) if moment.number and not moment.is_after_break else ""
        width = max(12, self.scrollable_content_region.width - _INDENT)
        first, *rest = wrap(moment.sentence, width)
        said = "\n".join([first, *(" " * _INDENT + line for line in rest)])
        row = Content.assemble(
            (f"{mark} ", style), (f"{moment.number:>3} {later:>4}  ", "dim"), (said, "bold" if is_lost else "")
        )
        notes = [] if self._history is None else self._history.notes_at(moment.number)
        lines = (f"{'':{_INDENT}}{line}" for note in notes for line in wrap(f"Teacher: {self._look.text(note)}", width))
        row = Content("\n").join([row, *(Content.styled(line, "$text-accent") for line in lines)])
        if not moment.is_after_break:
            return row
        pause = Content.styled(f"{'':{_INDENT}}after a break of {clock(moment.seconds)}", "dim italic")
        return Content("\n").join([pause, row])
