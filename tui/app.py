"""The application: its places, who sits in it, and what all of it looks like."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Final, cast

from platformdirs import user_downloads_path
from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.events import DeliveryComplete, DeliveryFailed
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarRender

from oasis.classroom.admission import admit, admit_listed, open_classroom, own_name
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.progress import course_exercises, present
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.proving.referees import verdicts
from oasis.store import StoreError
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.script import Script
from tui.commands import COMMANDS, PLACES
from tui.preferences import keep_theme
from tui.screens.room import ClassroomScreen
from tui.screens.sign_in import SignIn
from tui.seat import Seat
from tui.setup import Setup

_DOOR: Final = "door"
"""The mode in which somebody signs in."""

_ROOMS: Final = {
    "learn": "Learn",
    "prove": "Prove",
    "together": "Together",
    "watch": "Watch",
    "teach": "Teach",
    "data": "Data",
}
"""The class of each place, in the module of its name."""


def _room(place: str) -> Callable[[], Screen[Any]]:
    """Makes a place, whose module is imported when somebody goes there."""

    def make() -> Screen[Any]:
        screen: Screen[Any] = getattr(import_module(f"tui.screens.{place}"), _ROOMS[place])()
        return screen

    return make


class _PlainScrollBar(ScrollBarRender):
    """A scroll bar without block characters."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


class Classroom(App[None]):
    """The classroom of one person.

    Attributes:
        look: how things look.
        seat: where the person sits; not before they have signed in.
    """

    TITLE = "Oasis"
    CSS_PATH: ClassVar[list[str]] = ["classroom.tcss", "agents.tcss"]  # type: ignore[assignment]
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {place: _room(place) for place in PLACES}
    seat: Seat

    def __init__(self, setup: Setup) -> None:
        super().__init__()
        self.setup, self.look = setup, setup.look
        self.store = open_classroom(setup.database)
        self._referees = ThreadPoolExecutor(1, "referee")

    async def on_mount(self) -> None:
        """Dress as the person likes it, and let the user of this machine in, or ask who comes."""
        if self.setup.theme is not None:
            self.theme = self.setup.theme
        if self.look.ascii_only:
            self.add_class("-ascii")
        ScrollBar.renderer = _PlainScrollBar if self.look.ascii_only else ScrollBarRender
        self.set_keymap(dict(self.setup.keys))
        account = self.setup.account
        if account is None or self.setup.class_code is not None:
            await self.open_door(self.setup.student or "")
            return
        name = self.setup.student or account
        try:
            name = self.setup.student or own_name(self.store, account)
            desk = self.admit(name)
        except (InputError, StoreError) as error:
            await self.open_door(name, str(error))
        else:
            await self.sit(desk)

    def admit(self, name: str, passphrase: str | None = None) -> Desk:
        """The desk of whoever comes. Raises NotAdmitted, InputError for a name that is none, and StoreError."""
        door = admit_listed if self.setup.listed_only else admit
        return door(self.store, name, passphrase=passphrase, account=self.setup.account)

    async def open_door(self, name: str = "", said: str = "") -> None:
        """Ask who comes."""
        self.add_mode(_DOOR, lambda: SignIn(name, said))
        await self.switch_mode(_DOOR)

    async def sit(self, desk: Desk) -> None:
        """Let a student sit down, with what they are to begin with before them."""
        seat, lesson, lemma = Seat(desk, self.setup.seconds), self.setup.lesson, self.setup.lemma
        try:
            if lemma is not None:
                seat.take(Exercise.of(lemma))
            else:
                first = present(desk.results()) if lesson is None else lesson.exercises_for(desk.letters)
                seat.take_first(first, course_exercises())
        except StoreError as error:
            await self.open_door(desk.name, str(error))
            return
        self.seat = seat
        await self.switch_mode("learn" if lemma is None else "prove")
        if _DOOR in self._modes:
            await self.remove_mode(_DOOR)

    async def leave_seat(self) -> None:
        """Empty every place, and ask who comes next."""
        self.seat.close()
        await self.open_door()
        for place in PLACES:
            await self.remove_mode(place)
            self.add_mode(place, self.MODES[place])

    def on_unmount(self) -> None:
        """Leave nothing running."""
        if hasattr(self, "seat"):
            self.seat.close()
        self._referees.shutdown(wait=False, cancel_futures=True)
        self.store.close()

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """The palette: what can be done here, and other colours."""
        if isinstance(screen, ClassroomScreen):
            for name, action in screen.commands():
                command = COMMANDS[name]
                yield SystemCommand(command.label, command.about, _runs(screen, action))
        yield SystemCommand("Colours", COMMANDS["theme"].about, self.action_change_theme)

    def action_change_theme(self) -> None:
        """Choose other colours."""
        from tui.screens.dialogs import ChooseTheme

        self.push_screen(ChooseTheme(self._keep_theme))

    def _keep_theme(self, name: str) -> None:
        if self.setup.preferences is None:
            self.notify(f"{name}, until you leave.")
            return
        try:
            keep_theme(self.setup.preferences, name)
        except InputError as error:
            self.notify(str(error), severity="error")
        else:
            self.notify(f"{name}, and so it will be next time.")

    def save(self, text: str, name: str) -> None:
        """Hand out a file: to the browser, or into the downloads, or where there are none into the working folder.

        What is there already stays.
        """
        folder = None
        if self.setup.account is not None:
            downloads = user_downloads_path()
            folder = downloads if downloads.is_dir() else Path.cwd()
            stem, suffix = Path(name).stem, Path(name).suffix
            names = (f"{stem}-{number}{suffix}" for number in count(2))
            while (folder / name).exists():
                name = next(names)
        self.deliver_text(StringIO(text), save_directory=folder, save_filename=name)

    def action_command_palette(self) -> None:
        """Everything that can be done here, to be searched."""
        from tui.screens.palette import Palette

        if not CommandPalette.is_open(cast("App[object]", self)):
            self.push_screen(Palette(ascii_only=self.look.ascii_only))

    def on_delivery_complete(self, event: DeliveryComplete) -> None:
        """A file was saved."""
        if event.path is not None:
            self.notify(f"Saved as {event.path}.", timeout=10)

    def on_delivery_failed(self, event: DeliveryFailed) -> None:
        """A file could not be saved."""
        self.notify(f"It could not be saved: {event.exception}.", severity="error", timeout=15)

    async def certify(self, formula: Formula, script: Script) -> list[str]:
        """What the provers say of a proof, a sentence for each; none if there are no provers."""
        return await asyncio.get_running_loop().run_in_executor(
            self._referees, verdicts, formula, script, self.setup.provers
        )


def _runs(screen: ClassroomScreen, action: str) -> Callable[[], object]:
    async def run() -> None:
        await screen.run_action(action)

    return run
