"""What is typed in, of a form: Enter and Tab are answered before any later key, however fast somebody types."""

from __future__ import annotations

import asyncio
from typing import ClassVar, cast

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.events import Paste
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input, TextArea


class Filled(Screen[None]):
    """A screen with lines to fill in."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "focus('next')", show=False, priority=True),
        Binding("shift+tab", "focus('previous')", show=False, priority=True),
    ]

    def go_on(self, line: Line) -> None:
        """Go on from a line at which Enter was pressed: move the focus, or do what the form is for."""
        raise NotImplementedError

    async def action_focus(self, which: str) -> None:
        """Go to the next or the previous line or button, when the one before has taken its keys."""
        if self.focused is not None:
            await _keys_taken(self.focused)
        (self.focus_next if which == "next" else self.focus_previous)()


class Line(Input):
    """A line of a form, which tells its screen of Enter by a call.

    As a message it would come later than the next keys, which would still land in this line: a passphrase among them
    would stand here in plain sight.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Go on", show=False, priority=True),
        Binding("ctrl+a", "select_all", show=False),  # as in the forms of a browser; Home goes to the beginning
    ]

    async def action_submit(self) -> None:
        """Take the keys before Enter, then go on; the application reads no further key meanwhile."""
        await _keys_taken(self)
        cast(Filled, self.screen).go_on(self)


class Secret(Line):
    """A line for a passphrase; shows an asterisk for each character, which every font has."""

    def __init__(self, placeholder: str, name: str) -> None:
        super().__init__(placeholder=placeholder, password=True, id=name)

    @property
    def _value(self) -> Text:
        return Text("*" * len(self.value), no_wrap=True, overflow="ignore", end="")


class Pad(TextArea):
    """Room for a text of several lines; it does not take the focus back some time after something was pasted."""

    def __init__(self, name: str) -> None:
        super().__init__(id=name, soft_wrap=False)

    def on_paste(self, event: Paste) -> None:
        """Take a text instead of what is selected."""
        event.prevent_default()
        pasted = self.replace(event.text, *self.selection, maintain_selection_offset=False)
        self.move_cursor(pasted.end_location)


async def _keys_taken(widget: Widget) -> None:
    """Wait until a widget has taken all keys until now; the application reads no further key meanwhile."""
    taken = asyncio.Event()
    if widget.call_later(taken.set):
        await taken.wait()
