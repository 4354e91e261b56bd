"""The moves on offer: one key, one click, or the arrows and Enter for each, and what each would leave."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from oasis.classroom.proving.attempt import Offer, added
from tactics.goal import Goal, Move
from tui.look import Look


class Moves(OptionList):
    """A list of offers; posts `Chosen`."""

    class Chosen(Message):
        """A move was chosen."""

        def __init__(self, move: Move) -> None:
            super().__init__()
            self.move = move

    def __init__(self, look: Look) -> None:
        super().__init__(markup=False)
        self._look = look
        self._offers: Sequence[Offer] = ()
        self._keys = ""
        self.border_title = "Moves"

    def show(self, goal: Goal | None, offers: Sequence[Offer], keys: str) -> None:
        """Show what applies to a goal, each with its key."""
        self._offers, self._keys = offers, keys
        self.clear_options()
        if goal is not None:
            width = max([len(str(offer.move)) for offer in offers], default=0)
            self.add_options([Option(self._row(goal, *row, width)) for row in enumerate(offers)])
        if offers:
            self.highlighted = 0
        self.border_title = "Moves" if offers else "Done" if goal is None else "No move applies"

    @property
    def highlighted_move(self) -> Move | None:
        """The move under the cursor."""
        return None if self.highlighted is None else self._offers[self.highlighted].move

    def move_of(self, key: str) -> Move | None:
        """The move of a key, if there is one."""
        place = self._keys.find(key)
        return self._offers[place].move if 0 <= place < len(self._offers) else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click or Enter."""
        event.stop()
        self.post_message(self.Chosen(self._offers[event.option_index].move))

    def _row(self, goal: Goal, place: int, offer: Offer, width: int) -> Content:
        key = self._keys[place] if place < len(self._keys) else " "
        return Content.assemble(
            (f"{key} ", "bold $accent"),
            (f"{offer.move!s:<{width}}", "bold"),
            "  ",
            (self._leaves(goal, offer), "dim"),
        )

    def _leaves(self, goal: Goal, offer: Offer) -> str:
        """What a move would leave, as short as it can be said."""
        if not offer.leaves:
            return f"{self._look.mark('leaves')} done"
        return " and ".join(self._change(goal, after) for after in offer.leaves)

    def _change(self, before: Goal, after: Goal) -> str:
        new = [f"{name} : {self._look.formula(formula)}" for name, formula in added(before, after)]
        turned = [] if after.conclusion is before.conclusion else [f"prove {self._look.formula(after.conclusion)}"]
        return f"{self._look.mark('leaves')} {', '.join([*new, *turned])}"
