"""A line to type in, of a form: Enter is answered before any later key, however fast somebody types."""

from __future__ import annotations

import asyncio
from typing import ClassVar, Protocol, cast

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.widgets import Input


class Filled(Protocol):
    """A screen with lines to fill in."""

    def go_on(self, line: Line) -> None:
        """Go on from a line at which Enter was pressed: move the focus, or do what the form is for."""


class Line(Input):
    """A line of a form, which tells its screen of Enter by a call.

    As a message it would come later than the next keys, which would still land in this line: a passphrase among them
    would stand here in plain sight.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "submit", "Go on", show=False, priority=True)]

    async def action_submit(self) -> None:
        """Take the keys before Enter, then go on; the application reads no further key meanwhile."""
        taken = asyncio.Event()
        if self.call_later(taken.set):
            await taken.wait()
        cast(Filled, self.screen).go_on(self)


class Secret(Line):
    """A line for a passphrase; shows an asterisk for each character, which every font has."""

    def __init__(self, placeholder: str, name: str) -> None:
        super().__init__(placeholder=placeholder, password=True, id=name)

    @property
    def _value(self) -> Text:
        return Text("*" * len(self.value), no_wrap=True, overflow="ignore", end="")
