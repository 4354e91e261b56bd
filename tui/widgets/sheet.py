"""A table of plain rows that is filled again and again: the cursor stays on its row, and only what changed is drawn.

Rows are sorted by any column. What is in a column is said by whoever makes the sheet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rich.text import Text
from textual import on
from textual.coordinate import Coordinate
from textual.events import Resize
from textual.widgets import DataTable

from tui.look import Look
from tui.phrases import clipped

Row = TypeVar("Row")


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

    def _sort(self, column: Column[Row]) -> None:
        self._is_reversed = self._by is column and not self._is_reversed
        self._by = column
        self._draw(anew=True)

    @on(DataTable.HeaderSelected)
    def _sort_by_clicked(self, event: DataTable.HeaderSelected) -> None:
        self._sort(self._shown[event.column_index][0])

    def on_resize(self, event: Resize) -> None:
        """Give the columns the room that there is."""
        self._draw(anew=True)

    def _draw(self, anew: bool = False) -> None:
        """Draw what has changed, or everything, with the cursor on the row where it was."""
        here = None if self.row is None else self._key(self.row)
        self._rows = self._sorted()
        if anew:
            self._set_columns()
        if not self._shown:
            return  # nobody has seen this sheet yet, so nothing is known of the room for it
        cells = [[self._cell(column.text(row), column, width) for column, width in self._shown] for row in self._rows]
        while self.row_count > len(cells):
            self.remove_row(self.coordinate_to_cell_key(Coordinate(self.row_count - 1, 0)).row_key)
        for y, texts in enumerate(cells):
            if y >= self.row_count:
                self.add_row(*texts)
                continue
            for x, text in enumerate(texts):
                if self.get_cell_at(Coordinate(y, x)) != text:
                    self.update_cell_at(Coordinate(y, x), text)
        keys = list(map(self._key, self._rows))
        if here in keys and keys.index(here) != self.cursor_row:
            self.move_cursor(row=keys.index(here))

    def _sorted(self) -> list[Row]:
        """The rows in the order in which they are shown."""
        if self._by is None:
            return self._given[::-1] if self._is_reversed else self._given
        # Numbers are read from the largest down, names from A to Z.
        return sorted(self._given, key=self._by.rank, reverse=self._is_reversed != self._by.is_number)

    def _set_columns(self) -> None:
        """Columns of the right width; the rows have to be drawn after it."""
        room = self.scrollable_content_region.width
        columns = [column for column in self._all if room >= column.needs]
        left = room - sum(column.width or 0 for column in columns)
        shares = sum(column.width is None for column in columns)
        self._shown = []
        for column in columns:
            width = column.width
            if width is None:
                width = max(8, left // shares)
                left, shares = left - width, shares - 1
            self._shown.append((column, width))
        self.clear(columns=True)
        for column, width in self._shown:
            mark = self._look.mark("here") if column is self._by else ""
            self.add_column(self._cell(mark + column.title, column, width), width=width)

    def _cell(self, text: str, column: Column[Row], width: int) -> Text:
        """A text in a column, with a space between it and the next."""
        said = Text(clipped(text, width - 1, self._look.mark("rest")), no_wrap=True, end="")
        if column.is_number:
            said.align("right", width - 1)
        return said
