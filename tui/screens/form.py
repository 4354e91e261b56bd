"""A form in front of a place: lines to fill in, a button, and what was wrong. What it asks for is not known here."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.widgets import Button, Static

from oasis.store import StoreError
from tactics.errors import InputError
from tui.screens.dialogs import Box, Dialog
from tui.widgets.line import Filled, Line, Secret


class Form(Dialog, Filled):
    """Something to fill in; what is wrong with it is said in it, and it closes when it is done.

    Args:
        title: above it.
        about: what is asked for.
        label: of the button that does it.
    """

    CLOSES_BESIDE = False

    def __init__(self, title: str, about: str, label: str) -> None:
        super().__init__()
        self._title, self._about, self._label = title, about, label
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """A sentence, the lines to fill in, and a button."""
        with Box(self._title, classes="form"):
            yield Static(self._about, id="form-said", markup=False)
            yield from self.compose_lines()
            yield Button(self._label, variant="primary")

    def compose_lines(self) -> ComposeResult:
        """What is to be filled in; nothing where a button is enough."""
        yield from ()

    async def fill_in(self) -> None:
        """Do what was asked for. Raises InputError or StoreError."""
        raise NotImplementedError

    def go_on(self, line: Line) -> None:
        """To the next empty line, or on with it."""
        empty = [each for each in self.query(Line) if not each.value]
        if line.value and empty:
            self.set_focus(empty[0])
        else:
            self._do()

    @on(Button.Pressed)
    def _press(self) -> None:
        self._do()

    def action_close(self) -> None:
        """Take it away, but not while it is at work: what comes of that is to be seen."""
        if not self._is_busy:
            super().action_close()

    @work
    async def _do(self) -> None:
        if self._is_busy:
            return
        self._is_busy, said = True, self.query_one("#form-said", Static)
        said.update("One moment.")
        try:
            await self.fill_in()
        except (InputError, StoreError) as error:
            said.update(str(error))
            for line in self.query(Secret):
                line.value = ""
            next(iter((*self.query("Input, TextArea"), *self.query("Button.-primary")))).focus()
        else:
            self.leave()
        finally:
            self._is_busy = False

    def leave(self) -> None:
        """Close it, for it is done."""
        self.dismiss()
