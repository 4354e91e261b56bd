"""What all screens share, their help; and what all places do: the line at the top, the way to every other place."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer

from oasis.store import StoreError
from tactics.errors import InputError
from tui.commands import COMMANDS, PLACES, bindings
from tui.widgets.places import Places

if TYPE_CHECKING:
    from tui.app import Classroom

ANYWHERE = (*PLACES, "rules", "help", "leave")


class ClassroomScreen(Screen[None]):
    """A screen of this application.

    Attributes:
        ABOUT: what it is for, a few sentences for its help.
    """

    ABOUT: ClassVar[str]

    @property
    def classroom(self) -> Classroom:
        """The application."""
        return cast("Classroom", self.app)

    def about(self) -> str:
        """What its help begins with."""
        return self.ABOUT

    def commands(self) -> Iterator[tuple[str, str]]:
        """Name and action of everything that can be done here now, each once."""
        found = {
            active.binding.id: active.binding.action
            for active in self.active_bindings.values()
            if active.binding.id in COMMANDS and active.enabled
        }
        yield from found.items()

    async def action_help(self) -> None:
        """Explain this screen and its keys."""
        from tui.screens.dialogs import Help

        commands = [(self._keys_of(name), COMMANDS[name]) for name, _ in self.commands()]
        await self.app.push_screen(Help(self.about(), commands))

    def _keys_of(self, name: str) -> str:
        """All keys of a command, as they are called on a keyboard."""
        keys = self.classroom.setup.keys.get(name, COMMANDS[name].keys).split(",")
        called = {key: self.app.get_key_display(Binding(key, name)) for key in keys}
        ascii_only = self.classroom.look.ascii_only
        return ", ".join(key if ascii_only and not text.isascii() else text for key, text in called.items())


class Room(ClassroomScreen):
    """A place of the classroom.

    Attributes:
        PLACE: the command that leads here.
    """

    PLACE: ClassVar[str]
    BINDINGS: ClassVar[list[BindingType]] = bindings(*ANYWHERE)
    HORIZONTAL_BREAKPOINTS = ((0, "-narrow"), (100, "-wide"), (160, "-widest"))  # type: ignore[assignment]
    VERTICAL_BREAKPOINTS = ((0, "-low"), (34, "-high"))  # type: ignore[assignment]

    def compose(self) -> ComposeResult:
        """The place's own parts between the two lines."""
        yield Places(self.PLACE)
        yield from self.compose_place()
        yield Footer(show_command_palette=False)

    def compose_place(self) -> ComposeResult:
        """What is in this place."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Keep the widgets of this place out of every full search for cycles, for which keys would have to wait."""
        self.call_after_refresh(gc.freeze)

    def on_screen_resume(self) -> None:
        """Somebody comes here."""
        self.query_one(Places).sits_here(self.classroom.seat.desk.name)
        with self.told():
            self.arrive()

    def arrive(self) -> None:
        """Show how things stand now; called whenever somebody comes here."""

    @contextmanager
    def told(self) -> Iterator[None]:
        """What goes wrong inside is told in words, and not gone on with."""
        try:
            yield
        except (InputError, StoreError) as error:
            self.notify(str(error), severity="error", timeout=15)

    async def action_rules(self) -> None:
        """Read about the tactics."""
        from tui.screens.dialogs import Tactics

        await self.app.push_screen(Tactics(self.classroom.look))

    def action_leave(self) -> None:
        """Leave the classroom."""
        self.app.exit()

    async def action_go(self, place: str) -> None:
        """Go to a place."""
        await self.app.switch_mode(place)
