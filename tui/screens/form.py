"""A form in front of a place: lines to fill in, a button, and what was wrong. What it asks for is not known here."""

from __future__ import annotations

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Button, Input, Static

from oasis.store import StoreError
from tactics.errors import InputError
from tui.screens.dialogs import Dialog
from tui.widgets.secret import Secret


class Form(Dialog):
    """Something to fill in; what is wrong with it is said in it, and it closes when it is done.

    Args:
        title: above it.
        about: what is asked for.
        label: of the button that does it.
    """

    def __init__(self, title: str, about: str, label: str) -> None:
        super().__init__()
        self._title, self._about, self._label = title, about, label
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """A sentence, the lines to fill in, and a button."""
        with Vertical(classes="dialog form") as box:
            box.border_title = self._title
            box.border_subtitle = "Esc closes"
            yield Static(self._about, id="form-said", markup=False)
            yield from self.compose_lines()
            yield Button(self._label, variant="primary")

    def compose_lines(self) -> ComposeResult:
        """What is to be filled in; nothing where a button is enough."""
        yield from ()

    async def fill_in(self) -> None:
        """Do what was asked for. Raises InputError or StoreError."""
        raise NotImplementedError

    @on(Input.Submitted)
    def _go_on(self, event: Input.Submitted) -> None:
        """To the next empty line, or on with it."""
        empty = [line for line in self.query(Input) if not line.value]
        if event.value and empty:
            empty[0].focus()
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
            self.query("Input, TextArea, Button").first().focus()
        else:
            self.leave()
        finally:
            self._is_busy = False

    def leave(self) -> None:
        """Close it, for it is done."""
        self.dismiss()
