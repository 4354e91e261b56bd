"""Signing in: the code of the class where one is asked for, a name, and a passphrase where one is needed."""

from __future__ import annotations

import os
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Button, Footer, Input, Static

from oasis.classroom.admission import NotAdmitted, check_class_code, is_known
from oasis.store import StoreError
from tactics.errors import InputError
from tui.screens.room import ClassroomScreen
from tui.widgets.secret import Secret

_NAME: Final = "Type your name and Enter."
_CODE: Final = "Type the code of the class and Enter, then your name."


class _Lines(VerticalScroll, can_focus=False):
    """The lines of the form; where there is no room for all, the one that is typed in stays in sight."""

    def on_mount(self) -> None:
        """One line more makes what is to be scrolled longer, but not what is seen of it."""
        self.watch(self, "virtual_size", self._keep_in_sight)

    def on_resize(self) -> None:
        """A longer sentence above leaves less room."""
        self._keep_in_sight()

    def _keep_in_sight(self) -> None:
        if self.screen.focused is not None:
            self.screen.focused.scroll_visible(animate=False)


class SignIn(ClassroomScreen):
    """A form; Enter goes from line to line and comes in."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "app.quit", "Quit"), Binding("tab", "app.focus_next")]
    AUTO_FOCUS = ""  # the form says itself what comes first
    VERTICAL_BREAKPOINTS = [(0, "-lowest"), (24, "-low"), (30, "-high")]  # noqa: RUF012

    def __init__(self, name: str, said: str) -> None:
        super().__init__()
        self._name, self._said = name, said
        self._has_shown_code = False

    def compose(self) -> ComposeResult:
        """Code, name, passphrase, and the passphrase again for who is new."""
        first = _NAME if self.classroom.setup.class_code is None else _CODE
        with Vertical(id="sign-in"):
            yield Static("Welcome to the classroom", id="welcome")
            yield Static(self._said or first, id="said", markup=False)
            with _Lines(id="lines"):
                yield Input(placeholder="The code of the class, from your teacher", id="code")
                yield Input(self._name, placeholder="Your name", id="name", max_length=40)
                yield Secret("Your passphrase", "passphrase")
                yield Secret("The passphrase once more, for you are new", "again")
                yield Button("Come in", variant="primary", id="come-in")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the lines that are needed."""
        self.query_one("#code").display = self.classroom.setup.class_code is not None
        self.query_one("#again").display = False
        first = "#code" if self.classroom.setup.class_code is not None else "#passphrase" if self._said else "#name"
        self.query_one(first).focus()

    @on(Input.Submitted)
    async def _go_on(self, event: Input.Submitted) -> None:
        """To the next empty line, or in; at this machine a name may be enough."""
        empty = [line for line in self.query(Input) if line.display and not line.value]
        is_enough = event.input.id == "name" and self.classroom.setup.account is not None
        if empty and not is_enough:
            empty[0].focus()
        else:
            await self._come_in()

    @on(Button.Pressed)
    async def _press(self) -> None:
        await self._come_in()

    async def _come_in(self) -> None:
        setup = self.classroom.setup
        name, passphrase = self._line("name").value, self._line("passphrase").value
        try:
            if setup.class_code is not None and not self._knows_code(setup.class_code):
                return
            if passphrase and self._is_new(name) and not self._is_repeated(passphrase):
                return
            desk = self.classroom.admit(name, passphrase or None)
        except (InputError, StoreError) as error:
            self._say(str(error))
            self._ask_again()
            return
        self.app.call_later(self.classroom.sit, desk)

    def _knows_code(self, code: str) -> bool:
        """Whether the code of the class was typed, which is asked for again if not."""
        if self._has_shown_code:
            return True
        line = self._line("code")
        try:
            check_class_code(self.classroom.store, line.value, code, seat=str(os.getpid()))
        except NotAdmitted as error:
            self._say(str(error))
            line.value = ""
            line.focus()
            return False
        self._has_shown_code = True
        return True

    def _is_new(self, name: str) -> bool:
        """Whether this is somebody who may join; who asks that of a list may not even know whether a name is on it."""
        return not self.classroom.setup.listed_only and not is_known(self.classroom.store, name)

    def _is_repeated(self, passphrase: str) -> bool:
        """Whether somebody new has typed the passphrase twice, who is asked to if not."""
        again = self._line("again")
        if again.value == passphrase:
            return True
        self._say("The two differ; type it once more." if again.value else "You are new: type your passphrase again.")
        again.display, again.value = True, ""
        again.focus()
        return False

    def _ask_again(self) -> None:
        """What was wrong is typed anew."""
        for line in ("passphrase", "again"):
            self._line(line).value = ""
        self._line("passphrase" if self._line("name").value else "name").focus()

    def _line(self, line: str) -> Input:
        return self.query_one(f"#{line}", Input)

    def _say(self, text: str) -> None:
        self.query_one("#said", Static).update(text)
