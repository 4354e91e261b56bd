"""A table of plain rows that is filled again and again: the cursor stays on its row, and only what changed is drawn.

Rows are sorted by any column. What is in a column is said by whoever makes the sheet. To the library below, a row is
one cell: drawing takes a tenth of the time that ten cells take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Generic, TypeVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.coordinate import Coordinate
from textual.events import Click, Resize
from textual.message import Message
from textual.widgets import DataTable

from tui.look import Look
from tui.phrases import clipped

Row = TypeVar("Row")
_LEAST = 8
"""Columns of characters that each column without a width of its own gets in any case."""


@dataclass(frozen=True, kw_only=True)
class Column(Generic[Row]):
    """A column of a sheet.

    Attributes:
        title: what stands above it, and what a person says it is sorted by.
        text: of a row.
        order: what its rows are sorted by; the text if left out.
        width: in characters; None for a share of what the others leave.
        is_number: whether it stands on the right.
        needs: how wide the sheet has to be for this column to be shown.
    """

    title: str
    text: Callable[[Row], str]
    order: Callable[[Row], Any] | None = None
    width: int | None = None
    is_number: bool = False
    needs: int = 0

    def rank(self, row: Row) -> Any:
        """What a row is sorted by."""
        return self.text(row).casefold() if self.order is None else self.order(row)


class Sheet(DataTable[Text], Generic[Row]):
    """A table whose rows are values.

    Args:
        columns: of the table.
        key: what tells one row from another.
        look: how things look.
        name: by which it is found among other sheets.
        order: in which rows are given, as a sentence.
        by: the title of the column that it is sorted by at first; None to keep that order.
    """

    class Sorted(Message):
        """The rows come in another order."""

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        key: Callable[[Row], str],
        look: Look,
        name: str,
        *,
        order: str = "",
        by: str | None = None,
    ) -> None:
        super().__init__(cursor_type="row", cell_padding=0, id=name)
        self._all, self._key, self._look, self._order = columns, key, look, order
        self._shown: list[tuple[Column[Row], int]] = []
        self._given: list[Row] = []
        self._rows: list[Row] = []
        self._by = next((column for column in columns if column.title == by), None)
        self._is_reversed = False

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows instead of those before."""
        self._given = list(rows)
        self._draw()

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self._rows[self.cursor_row] if self.cursor_row < len(self._rows) else None

    @property
    def order_in_words(self) -> str:
        """What the rows are sorted by."""
        if self._by is None:
            return f"{self._order}, from below." if self._is_reversed else f"{self._order}."
        return f"Sorted by {self._by.title}{', from below' if self._is_reversed else ''}."

    def sort_by_next(self) -> None:
        """Sort by the next column that is shown."""
        shown = [column for column, _ in self._shown]
        place = shown.index(self._by) if self._by in shown else -1
        self._sort(shown[(place + 1) % len(shown)])

    def turn_round(self) -> None:
        """The last row first."""
        self._is_reversed = not self._is_reversed
        self._draw(anew=True)
        self.post_message(self.Sorted())

    def _sort(self, column: Column[Row]) -> None:
        self._is_reversed = self._by is column and not self._is_reversed
        self._by = column
        self._draw(anew=True)
        self.post_message(self.Sorted())

    def action_scroll_home(self) -> None:
        """To the first row, for there is but one cell in it."""
        self.action_scroll_top()

    def action_scroll_end(self) -> None:
        """To the last row."""
        self.action_scroll_bottom()

    def on_click(self, event: Click) -> None:
        """Sort by the column whose title is clicked."""
        if event.y == 0 and event.style.meta.get("row") == -1:
            ends = accumulate(width for _, width in self._shown)
            clicked = (column for (column, _), end in zip(self._shown, ends, strict=True) if event.x < end)
            if (column := next(clicked, None)) is not None:
                self._sort(column)

    def on_resize(self, event: Resize) -> None:
        """Give the columns the room that there is."""
        self._draw(anew=True)

    def _draw(self, anew: bool = False) -> None:
        """Draw what has changed, or everything, with the cursor on the row where it was."""
        here = None if self.row is None else self._key(self.row)
        self._rows = self._sorted()
        if anew or (self._shown and self.scrollable_content_region.width):
            shown = self._laid_out()
            if anew or shown != self._shown:
                self._set_columns(shown)
        if not self._shown:
            return  # nobody has seen this sheet yet, so nothing is known of the room for it
        lines = [self._line([column.text(row) for column, _ in self._shown]) for row in self._rows]
        while self.row_count > len(lines):
            self.remove_row(self.coordinate_to_cell_key(Coordinate(self.row_count - 1, 0)).row_key)
        for y, line in enumerate(lines):
            if y >= self.row_count:
                self.add_row(line)
            elif self.get_cell_at(Coordinate(y, 0)) != line:
                self.update_cell_at(Coordinate(y, 0), line)
        keys = list(map(self._key, self._rows))
        if here in keys and keys.index(here) != self.cursor_row:
            self.move_cursor(row=keys.index(here))

    def _sorted(self) -> list[Row]:
        """The rows in the order in which they are shown."""
        if self._by is None:
            return self._given[::-1] if self._is_reversed else self._given
        # Numbers are read from the largest down, names from A to Z.
        return sorted(self._given, key=self._by.rank, reverse=self._is_reversed != self._by.is_number)

    def _laid_out(self) -> list[tuple[Column[Row], int]]:
        """The columns that there is room for, each with its width.

        Those without a width of their own share what is left equally, but for what one of them lacks and another has
        to spare.
        """
        room = self.scrollable_content_region.width
        columns = [column for column in self._all if room >= column.needs]
        left = room - sum(column.width or 0 for column in columns)
        sharing = [column for column in columns if column.width is None]
        widths = _shares([self._wanted(column) for column in sharing], left)
        return [(column, column.width or next(widths)) for column in columns]

    def _wanted(self, column: Column[Row]) -> int:
        """The width in which nothing of a column is cut off, the space behind it included."""
        return 1 + max(cell_len(text) for text in (f" {column.title}", *map(column.text, self._rows)))

    def _set_columns(self, shown: list[tuple[Column[Row], int]]) -> None:
        """Columns of these widths; the rows have to be drawn after it."""
        self._shown = shown
        self.clear(columns=True)
        titles = [(self._look.mark("here") if column is self._by else "") + column.title for column, _ in self._shown]
        self.add_column(self._line(titles), width=sum(width for _, width in self._shown))

    def _line(self, texts: Sequence[str]) -> Text:
        """Texts in their columns, with a space between each and the next."""
        rest = self._look.mark("rest")
        cells = (
            (_pushed_right if column.is_number else set_cell_size)(clipped(text, width - 1, rest), width - 1)
            for text, (column, width) in zip(texts, self._shown, strict=True)
        )
        return Text(" ".join(cells), no_wrap=True, end="")


def _shares(wanted: Sequence[int], room: int) -> Iterator[int]:
    """The room of each column: equal shares where that is enough for all, else no more than is wanted first.

    What nobody wants is shared equally.
    """
    given = [0] * len(wanted)
    if wanted and max(wanted) > room // len(wanted):
        for rank, place in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
            given[place] = min(wanted[place], max(0, room - sum(given)) // (len(wanted) - rank))
    left = room - sum(given)
    for place, width in enumerate(given):
        share = left // (len(wanted) - place)
        left -= share
        yield max(_LEAST, width + share)


def _pushed_right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text
