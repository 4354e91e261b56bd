"""The moves made so far; choosing one goes back, or forth again, to the state after it."""

from __future__ import annotations

from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from oasis.classroom.proving.attempt import Attempt
from tactics.rules import spoken
from tui.look import Look


class Steps(OptionList):
    """A list of moves; posts `Jumped`."""

    class Jumped(Message):
        """A step was chosen: the number of moves before the state to go to."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, look: Look) -> None:
        super().__init__(markup=False)
        self._look = look
        self.border_title = "Steps"

    def show(self, attempt: Attempt) -> None:
        """Show the moves of an attempt, those that were taken back in grey."""
        here, self._step = len(attempt.made), len(attempt.made)
        moves = ["start", *map(spoken, attempt.made), *map(spoken, reversed(attempt.undone))]
        self.clear_options()
        self.add_options([Option(self._row(step, move, here)) for step, move in enumerate(moves)])
        self.highlighted = here

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click or Enter."""
        event.stop()
        self.post_message(self.Jumped(event.option_index))

    def _row(self, step: int, move: str, here: int) -> Content:
        mark = self._look.mark("here") if step == here else " "
        style = "bold" if step == here else "dim" if step > here else ""
        return Content.assemble((f"{mark}{step:>3}  ", "$primary"), (move, style))
