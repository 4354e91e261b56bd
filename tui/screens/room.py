"""What all screens share, their help; and what all places do: the line at the top, the way to every other place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from oasis.store import StoreError
from tactics.errors import InputError
from tui.commands import COMMANDS, PLACES, bindings
from tui.failures import Enduring
from tui.memory import keep
from tui.session import Session
from tui.widgets.key_bar import HasKeys, Key, KeyBar
from tui.widgets.places import Places

SOON: Final = 0.5
"""Seconds for which who leaves waits for what is being stored before anything is said."""


class SignedOut(Message):
    """The student lets somebody else sit here, and everything of theirs is stored; or the teacher closes the class."""


class ClassroomScreen(Enduring, HasKeys):
    """A screen of this application.

    Attributes:
        ABOUT: what it is for, a few sentences for its help.
        AT_THE_TOP: commands that stand at the top already, so that the bar at the bottom has room for others.
        session: what it works with.
    """

    ABOUT: ClassVar[str]
    AT_THE_TOP: ClassVar[Sequence[str]] = PLACES

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def about(self) -> str:
        """What its help begins with."""
        return self.ABOUT

    def applies(self, command: str) -> bool:
        """Whether a command would do anything now; its key then says why not."""
        return True

    def commands(self) -> Iterator[tuple[str, str]]:
        """Name and action of everything that there is to be done here, each once."""
        found = {
            active.binding.id: active.binding.action
            for active in self.active_bindings.values()
            if active.binding.id in COMMANDS and active.enabled
        }
        yield from found.items()

    def keys_now(self) -> Iterator[Key]:
        """What can be done now, help first."""
        active = {each.binding.action: each.binding for each in reversed(self.active_bindings.values()) if each.enabled}
        found = [
            each
            for each in active.values()
            if (each.show or each.id in COMMANDS) and each.id not in self.AT_THE_TOP and self.applies(each.id or "")
        ]
        for each in sorted(found, key=lambda each: (each.id != "help", not each.show, _order(each.id))):
            about = COMMANDS[each.id].about if each.id in COMMANDS else each.description
            yield Key(each.key, self._key_called(each.key), each.description, about)

    async def action_help(self) -> None:
        """Explain this screen and its keys."""
        from tui.screens.dialogs import Help

        commands = [(self._keys_of(name), COMMANDS[name], action) for name, action in self.commands()]
        await self.app.push_screen(Help(f"{self.about()}\n{self.way_out()}", commands, self.run_action))

    def way_out(self) -> str:
        """How to leave the classroom, in a sentence."""
        has_key = any(name == "leave" for name, _ in self.commands())
        key = f"{self.key_of('leave')} (or Ctrl+Q)" if has_key else "Ctrl+Q"
        return f"{key} leaves the classroom; your work is saved."

    def action_leave(self) -> None:
        """Leave the classroom."""
        self.session.is_left = True
        self.app.exit()

    def key_of(self, name: str) -> str:
        """The key of a command, or the first of its keys, as it is called on a keyboard."""
        return self._keys_of(name).partition(", ")[0]

    def _keys_of(self, name: str) -> str:
        """All keys of a command, as they are called on a keyboard."""
        keys = self.session.setup.keys.get(name, COMMANDS[name].keys).split(",")
        return ", ".join(map(self._key_called, keys))

    def _key_called(self, key: str) -> str:
        """A key as it is called on a keyboard."""
        return self.session.look.key(key, self.app.get_key_display(Binding(key, "")))


def _order(command: str | None) -> int:
    """The place of a command in their table."""
    return list(COMMANDS).index(command) if command in COMMANDS else len(COMMANDS)


class Hall(ClassroomScreen):
    """A screen that fills the terminal, whoever is before it."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("rules", "help", "leave")
    HORIZONTAL_BREAKPOINTS = ((0, "-narrow"), (100, "-wide"), (160, "-widest"))  # type: ignore[assignment]
    VERTICAL_BREAKPOINTS = ((0, "-low"), (34, "-high"))  # type: ignore[assignment]

    def on_mount(self) -> None:
        """Have no key wait for a search through the widgets of this place."""
        self.call_after_refresh(keep)

    def on_resize(self) -> None:
        """Name the keys that there is use for in a window of this size."""
        self.call_after_refresh(self.refresh_bindings)

    def arrive(self) -> None:
        """Show how things stand now; called whenever somebody comes here."""

    def follow_lessons(self) -> None:
        """Show the lessons as they are now, which may have changed while another screen lies on top."""
        if self.is_current:
            self.arrive()

    async def action_rules(self) -> None:
        """Read about the tactics."""
        from tui.screens.dialogs import Tactics

        await self.app.push_screen(Tactics(self.session.look))


class Room(Hall):
    """A place of the classroom, for a student.

    Attributes:
        PLACE: the command that leads here.
    """

    PLACE: ClassVar[str]
    _has_been_warned = False
    BINDINGS: ClassVar[list[BindingType]] = bindings(*PLACES, "tour", "has_read")

    def compose(self) -> ComposeResult:
        """The place's own parts between the two lines."""
        yield Places(self.PLACE)
        yield Static(id="note", markup=False)
        yield from self.compose_place()
        yield KeyBar(lines=2)

    def compose_place(self) -> ComposeResult:
        """What is in this place."""
        raise NotImplementedError

    def on_screen_resume(self) -> None:
        """Somebody comes here."""
        self.session.room = self.PLACE
        self.query_one(Places).sits_here(self.session.seat.desk.name)
        self.show_trouble()
        with self.told():
            self.show_notes()
            self.session.keep_to_exam()
            self.arrive()

    def show_trouble(self) -> None:
        """Show at the top whether something is not stored yet."""
        self.query_one(Places).warn(bool(self.session.seat.desk.trouble))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is not always a note of the teacher."""
        return action != "has_read" or bool(self.session.notes)

    def show_notes(self) -> None:
        """Show at the top the first note of the teacher that is not read yet."""
        line, notes, key = self.query_one("#note", Static), self.session.notes, self.key_of("has_read")
        line.display = bool(notes)
        self.refresh_bindings()
        if notes:
            more = f"; {len(notes) - 1} more" if len(notes) > 1 else ""
            said = self.session.look.text(self.session.told_of(notes[0]))
            line.update(Content.assemble(("Your teacher: ", "bold"), f"{said}  ({key}: read{more})"))

    def action_has_read(self) -> None:
        """Put a note of the teacher away, and show the next one."""
        if notes := self.session.notes:
            self.session.has_read(notes[0])
            with self.told():
                self.show_notes()

    def show_worth(self) -> None:
        """Show what the exercise is worth now, where that is shown."""

    @contextmanager
    def told(self) -> Iterator[None]:
        """What goes wrong inside is told in words, and not gone on with."""
        try:
            yield
        except (InputError, StoreError) as error:
            self.notify(str(error), severity="error", timeout=15, markup=False)

    def action_leave(self) -> None:
        """Leave the classroom; with work that cannot be stored only if it is said twice."""
        desk = self.session.seat.desk
        if desk.save(SOON) or self._has_been_warned:
            super().action_leave()
            return
        self._has_been_warned = True
        self.notify(
            f"{desk.trouble} Leaving now loses it; {self.key_of('leave')} again leaves.",
            severity="error",
            timeout=15,
            markup=False,
        )

    async def action_tour(self) -> None:
        """Look round from the beginning."""
        from tui.screens.tour import Tour

        await self.app.push_screen(Tour(self.session))

    async def action_go(self, place: str) -> None:
        """Go to a place."""
        await self.app.switch_mode(place)
