"""The lemmas of a chapter in columns that line up: mark, number, formula, what came of it, points, and name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.look import Look
from tui.phrases import clipped

_GAP: Final = 2
"""Columns between what stands side by side."""
_NAME: Final = 10
"""Columns without which a longer name is left out; a formula is more than its name."""


class Row(NamedTuple):
    """A lemma of a chapter.

    Attributes:
        formula: as it is shown.
        is_done: whether it is.
        result: what came of it, in two words; empty if nothing.
        points: what that is worth; empty if nothing.
        name: of the lemma; empty if it is called by its formula, or its name is not told yet.
    """

    formula: str
    is_done: bool
    result: str
    points: str
    name: str


def widths(rows: Sequence[Row], width: int) -> tuple[int, int, int, int]:
    """How wide formulas, results, points and names are in so many columns, the gaps before them included.

    What nobody has takes no room. If there is not enough of it names are cut off first, and left out where little
    would be seen of them, and then formulas are cut off.
    """
    formula = max((cell_len(row.formula) for row in rows), default=0)
    result, points, name = (
        max((cell_len(text) + _GAP if text else 0 for text in column), default=0)
        for column in zip(*((row.result, row.points, row.name) for row in rows), strict=True)
    )
    left = max(0, width - _before(rows) - result - points)
    if left - formula < min(name, _NAME):
        name = 0
    name = min(name, left - formula)
    return min(formula, left - max(0, name)), result, points, max(0, name)


def of_formula(row: Row, taken: tuple[int, int, int, int]) -> int:
    """How wide the formula of a row may be, whose columns take so much: what nothing stands in is room for it."""
    return taken[0] if row.result or row.points or row.name else sum(taken)


def _before(rows: Sequence[Row]) -> int:
    """The columns of mark and number."""
    return 2 + len(str(len(rows))) + 1


class Lemmas(OptionList):
    """A list that does not lose its cursor when a text below it takes more of the room.

    Args:
        look: how things look.
        name: by which it is found.
    """

    def __init__(self, look: Look, name: str) -> None:
        super().__init__(id=name, markup=False)
        self._look = look
        self._rows: Sequence[Row] = ()
        self._width = 0

    def show(self, rows: Sequence[Row], *, is_open: bool) -> None:
        """Show the lemmas of another chapter."""
        self._rows, self._width = rows, self._room()
        self.clear_options()
        self.add_options([Option(line, disabled=not is_open) for line in self._laid_out()])

    def is_cut_off(self, place: int) -> bool:
        """Whether there is no room for all of a formula."""
        row = self._rows[place]
        return cell_len(row.formula) > of_formula(row, widths(self._rows, self._width))

    def on_resize(self, _: events.Resize) -> None:
        """Lay the columns out again, and keep the cursor in sight."""
        if self._room() != self._width:
            self._width = self._room()
            for place, line in enumerate(self._laid_out()):
                self.replace_option_prompt_at_index(place, line)
        self.scroll_to_highlight()

    def _room(self) -> int:
        return max(0, self.scrollable_content_region.width)

    def _laid_out(self) -> list[Content]:
        if not self._rows:
            return []
        taken = widths(self._rows, self._width)
        _, result, points, name = taken
        before, rest = _before(self._rows), self._look.mark("rest")
        lines = []
        for number, row in enumerate(self._rows, 1):
            wide = of_formula(row, taken)
            beside = f"{row.result:>{result}}{row.points:>{points}}" if wide == taken[0] else ""
            called = " " * _GAP + clipped(row.name, name - _GAP, rest) if name else ""
            line = Content.assemble(
                (f"{self._look.mark('done' if row.is_done else 'todo')} ", "$success" if row.is_done else "dim"),
                (f"{number:>{before - 3}} ", "dim"),
                (set_cell_size(clipped(row.formula, wide, rest), wide), "bold"),
                (beside, "" if row.is_done else "dim"),
                (called if wide == taken[0] else "", "dim"),
            )
            lines.append(line)
        return lines
