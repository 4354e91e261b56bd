"""A page that is one sheet: it is read when it is seen, sorted and read again by keys, and says a sentence below."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, TypeVar

from textual import on
from textual.widgets import Static

from tui.screens.room import ClassroomScreen
from tui.widgets.sheet import Sheet

_Row = TypeVar("_Row")


class SheetPage(ClassroomScreen, Generic[_Row]):
    """A page with a `Sheet` of rows and the sentence `#page-said`, which its `compose` puts there.

    The keys of a page call `back`, `sort`, `turn_round` and `renew`, as its `BINDINGS` say.
    """

    @abstractmethod
    def read(self) -> object:
        """Read everything and show it."""

    @property
    def sheet(self) -> Sheet[_Row]:
        """The sheet of the page."""
        return self.query_one(Sheet)

    def say(self, text: str) -> None:
        """Put a sentence below the sheet, or take it away with an empty one."""
        self.query_one("#page-said", Static).update(text)

    def on_screen_resume(self) -> None:
        """Show how things stand now."""
        self.sheet.focus()
        self.read()

    @on(Sheet.Sorted)
    def _say_order(self) -> None:
        self.say(self.sheet.order_in_words)

    def action_back(self) -> None:
        """To where one came from."""
        self.dismiss()

    def action_sort(self) -> None:
        """By the next column."""
        self.sheet.sort_by_next()

    def action_turn_round(self) -> None:
        """The last row first."""
        self.sheet.turn_round()

    def action_renew(self) -> None:
        """Read everything again."""
        self.read()
