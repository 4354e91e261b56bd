"""Moves to choose from, in an order that says nothing: all that apply, or those that follow from one formula."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tactics.goal import Move
from tactics.rules import spoken


class Moves(OptionList):
    """A list of moves, none of them highlighted to begin with: one key, a click, or the arrows and Enter for each."""

    class Chosen(Message):
        """A move was chosen."""

        def __init__(self, move: Move) -> None:
            super().__init__()
            self.move = move

    def __init__(self) -> None:
        super().__init__(markup=False)
        self._moves: Sequence[Move] = ()
        self._keys = ""
        self.display = False

    def show(self, moves: Sequence[Move], keys: str, title: str, glosses: Sequence[str] = ()) -> None:
        """Show moves, each with its key, and with a few words where there are some."""
        self._moves, self._keys = moves, keys
        said = [f": {each}" if each else "" for each in glosses] or [""] * len(moves)
        self.border_title = title
        self.set_options([Option(self._row(row, move) + said[row]) for row, move in enumerate(moves)])
        self.highlighted = None
        self.display = True

    def put_away(self) -> None:
        """Offer nothing."""
        self._moves = ()
        self.display = False

    @property
    def highlighted_move(self) -> Move | None:
        """The move under the cursor."""
        return None if self.highlighted is None or not self.display else self._moves[self.highlighted]

    def move_of(self, key: str) -> Move | None:
        """The move of a key, if there is one."""
        row = self._keys.find(key)
        return self._moves[row] if 0 <= row < len(self._moves) else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click or Enter."""
        event.stop()
        self.post_message(self.Chosen(self._moves[event.option_index]))

    def _row(self, row: int, move: Move) -> Content:
        key = self._keys[row] if row < len(self._keys) else " "
        return Content.assemble((f"{key} ", "bold $accent"), spoken(move))
