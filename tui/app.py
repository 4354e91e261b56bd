"""The application: which of its places is shown, and what all of it looks like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from datetime import datetime
from functools import partial
from importlib import import_module
from io import StringIO
from os import environ
from pathlib import Path
from typing import Any, ClassVar, Final, cast

from textual import on
from textual.app import App, SystemCommand
from textual.command import CommandPalette
from textual.events import DeliveryComplete, DeliveryFailed, Event, Key, MouseDown, Paste
from textual.screen import Screen
from textual.scrollbar import ScrollBar, ScrollBarRender

from oasis.ground.plural import counted
from oasis.store import KeptNote, StoreError
from tactics.errors import InputError
from tui.colours import legible
from tui.commands import COMMANDS, PLACES
from tui.memory import forget
from tui.preferences import keep_theme
from tui.screens.door import TeachersDoor
from tui.screens.room import ClassroomScreen, Hall, Room, SignedOut
from tui.screens.sign_in import SignIn
from tui.served import tell_server
from tui.session import Session
from tui.setup import Setup

TENDED: Final = 0.25
"""Seconds between two looks at what is not stored yet."""

FOLLOWED: Final = 1.0
"""Seconds between two looks at the file of the lesson, and at whether an exam has opened or closed."""
_LEFT: Final = (10, 5, 1)
"""Minutes before an exam closes at which a student is told."""

TOLD: Final = 1.0
"""Seconds after which the class knows what is new about who is here."""
_CAUGHT_UP: Final = "You went on with this lemma in another tab or terminal; here it is as you left it there."
_ENDED: Final = "You were signed out, by your teacher or in another tab; your work is saved. Sign in to go on."

_DOORS: Final = ("door", "other door")
"""The modes in which somebody signs in: from either one may go to the other."""
_CLASS: Final = "teach"
"""The mode of the teacher, who has no other."""

_ROOMS: Final = {
    "learn": "Learn",
    "prove": "Prove",
    "together": "Together",
    "watch": "Watch",
    "data": "Data",
    "teach": "Teach",
}
"""The class of each place, in the module of its name."""


_FRAMES: Final = {"rule": "solid", "focused-rule": "heavy", "box": "round", "field": "tall"}
_PLAIN_FRAMES: Final = dict.fromkeys(_FRAMES, "ascii")
"""For style sheets: the line above a pane, without and with the focus, and the frames of dialogs and of fields."""


def _room(place: str, session: Session) -> Screen[None]:
    """A place, whose module is imported when somebody goes there."""
    screen: Screen[None] = getattr(import_module(f"tui.screens.{place}"), _ROOMS[place])(session)
    return screen


class _PlainScrollBar(ScrollBarRender):
    """A scroll bar without block characters."""

    VERTICAL_BARS: ClassVar[list[str]] = [" "] * 8
    HORIZONTAL_BARS: ClassVar[list[str]] = [" "] * 8


class Classroom(App[None]):
    """The classroom of one person: its places, and what all of it looks like.

    Attributes:
        session: what its screens work with.
    """

    TITLE = "Oasis"
    CSS_PATH: ClassVar[list[str]] = ["classroom.tcss", "partners.tcss"]  # type: ignore[assignment]

    def __init__(self, setup: Setup) -> None:
        self._frames = _PLAIN_FRAMES if setup.look.ascii_only else _FRAMES
        super().__init__()
        self.session = Session(setup, self._deliver)
        self._is_called_to_exam, self._kept_out = False, ""
        self._told_left: set[tuple[str, datetime, int]] = set()
        self._others = 0
        self._notes: tuple[KeptNote, ...] = ()

    async def on_mount(self) -> None:
        """Dress as the person likes it, and let the user of this machine in, or ask who comes."""
        setup, session = self.session.setup, self.session
        if setup.theme is not None:
            self.theme = setup.theme
        if setup.look.ascii_only:
            self.add_class("-ascii")
        if "NO_COLOR" in environ:
            self.add_class("-no-color")
        ScrollBar.renderer = _PlainScrollBar if setup.look.ascii_only else ScrollBarRender
        self.set_keymap(dict(setup.keys))
        self.set_interval(TENDED, self._tend)
        self.set_interval(FOLLOWED, self._follow)
        self.set_interval(TOLD, self._be_present)
        self._say_of_trouble()
        if not session.is_local and await self._come_back():
            return
        if setup.teacher:
            await self._open_door(TeachersDoor(session))
            return
        if not session.is_local:
            await self._open_door(SignIn(session, setup.student or "", ""))
            return
        name = setup.student or setup.account or ""
        try:
            name = session.own_name()
            session.sit(await session.admit(name))
        except (InputError, StoreError) as error:
            await self._open_door(SignIn(session, name, str(error)))
        else:
            await self._admit()

    async def _come_back(self) -> bool:
        """Let in whom nobody has to ask, into the room where they were; whether there is somebody."""
        try:
            room = await self.session.come_back()
        except (InputError, StoreError):
            return False  # whoever is asked for a passphrase reads what is wrong
        if room is None:
            return False
        if self.session.has_seat:
            await self._let_in(room)
        else:
            await self._open_class()
        return True

    async def on_event(self, event: Event) -> None:
        """Note that somebody is at the keys."""
        if isinstance(event, Key | MouseDown | Paste) and self.session.presence is not None:
            self.session.presence.type()
        await super().on_event(event)

    async def _be_present(self) -> None:
        """Have the class know who is here, and hear whether they are elsewhere, too, or no longer signed in."""
        presence = self.session.presence
        if presence is None or not self.is_running:
            return
        self.session.tell_presence()
        if presence.is_ended:
            await self._leave_seat(_ENDED)
            return
        if presence.others > self._others:
            tabs = presence.others + 1
            self.notify(
                f"You are signed in {tabs} times, in other tabs or at terminals.", severity="warning", timeout=15
            )
        self._others = presence.others
        self._tell_of_notes()
        try:
            has_gone_on = self.session.catch_up()
        except (InputError, StoreError):
            return  # what is done here then is told to part from that
        if has_gone_on:
            self.notify(_CAUGHT_UP, timeout=10)
            if isinstance(place := self.screen_stack[0], Room):
                place.follow_lessons()

    def _tell_of_notes(self) -> None:
        """Show what the teacher has written, also to who reads something in front of a place."""
        before, notes, place = self._notes, self.session.notes, self.screen_stack[0]
        if notes == before or not (isinstance(place, Room) and place.is_mounted):
            return
        self._notes = notes
        try:
            place.show_notes()
            fresh = [note for note in notes if note not in before]
            if any(note.lemma for note in fresh) and place.PLACE == "learn":
                place.follow_lessons()
            if place is not self.screen:
                for note in fresh:
                    self.notify(self.session.told_of(note), title="Your teacher", timeout=30, markup=False)
        except StoreError:
            self._notes = before  # it is shown as soon as the file of the class can be read

    @property
    def _place(self) -> ClassroomScreen | None:
        """The screen of the classroom that is on top, whatever lies in front of it."""
        return next((each for each in reversed(self.screen_stack) if isinstance(each, ClassroomScreen)), None)

    def action_help_quit(self) -> None:
        """Say how to leave to who presses Ctrl-C, in the words of the help."""
        if (place := self._place) is not None:
            self.notify(place.way_out(), timeout=10)

    async def action_quit(self) -> None:
        """Leave as a place is left, which warns of what is not stored."""
        if (place := self._place) is None:
            self.exit()
        else:
            place.action_leave()

    def get_css_variables(self) -> dict[str, str]:
        """The colours of the theme, as far as it takes other ones, so that every text can be read; and the frames."""
        self.theme_variables = {**legible(super().get_css_variables()), **self._frames}
        return self.theme_variables

    def _tend(self) -> None:
        """Have the screen say when the student's work is stored at last, or cannot be."""
        if not self.is_running:  # it is ending: a place that still lies there may have lost its parts
            return
        if self.session.tend() and isinstance(self.screen, Room) and self.screen.is_mounted:
            self.screen.show_trouble()  # a screen that is still to be mounted does so by itself
        if said := self.session.told_of_parting():
            self.notify(said, severity="warning", timeout=30)
            if isinstance(self.screen, Room) and self.screen.is_mounted:
                self.screen.follow_lessons()

    def _follow(self) -> None:
        """Read the lessons again whose files have changed, and have the screen show them."""
        before, place = self.session.lessons, next(iter(self.screen_stack), None)
        if not self.is_running or place is None or not place.is_mounted:
            return
        was_exam = self.session.had_exam
        if isinstance(place, Room):
            self._tell_when_time_is_up(place)
            self._tell_what_time_is_left()
        is_new = self.session.following.renew()
        try:
            has_turned = self.session.renew_exams()
        except StoreError:
            return  # until the file of the class can be read
        before_out, self._kept_out = self._kept_out, self.session.kept_out()
        if before_out and self._kept_out:  # twice, as lessons and exams reach a tab one after the other
            self.call_next(self._leave_seat, self._kept_out)
            return
        if is_new:
            self._say_of_trouble()
        if (is_new or has_turned) and isinstance(place, Hall):
            if self.session.lessons != before or has_turned:
                self.notify(self._what_has_changed(was_exam=was_exam), timeout=15)
            self._is_called_to_exam = isinstance(place, Room) and self.session.is_exam
            if not self._is_called_to_exam:
                place.follow_lessons()
        if self._is_called_to_exam and isinstance(place, Room):
            self._is_called_to_exam = False
            self.call_next(self._go_to_exam, place, is_new=not was_exam)

    def _what_has_changed(self, *, was_exam: bool) -> str:
        """What the lessons and exams have become for who sits here, who had an exam or not before."""
        if self.session.setup.teacher or was_exam == self.session.is_exam:
            return "The lessons have changed."
        if not was_exam:
            return "An exam begins: you have it alone."
        return "The exam is over: what you have done is handed in, and all else is there again."

    def _tell_what_time_is_left(self) -> None:
        """Say some minutes before that an exam closes, each time once."""
        left = self.session.minutes_left()
        if left is None:
            return
        title, closing, minutes = left
        reached = [each for each in _LEFT if minutes <= each]
        if reached and (title, closing, reached[-1]) not in self._told_left:
            self._told_left.update((title, closing, each) for each in reached)
            self.notify(
                f"{title} closes in {counted(minutes, 'minute')}; what is there then is handed in.",
                severity="warning",
                timeout=20,
            )

    async def _go_to_exam(self, place: Room, *, is_new: bool) -> None:
        """Show the exam; if something else stood before the student, nothing of that stays on top."""
        try:
            is_new = self.session.keep_to_exam() or is_new
        except StoreError as error:
            self.notify(str(error), severity="error", timeout=15, markup=False)
            self._is_called_to_exam = True  # until the file of the class can be read
            return
        if is_new:
            while len(self.screen_stack) > 1:
                await self.pop_screen()
            await self.switch_mode("learn")
        place.follow_lessons()

    def _tell_when_time_is_up(self, place: Room) -> None:
        """Say so when the lemma before the student becomes late, and what it is worth then."""
        if self.session.is_time_up():
            self.notify("Time is up: what is done from now on counts, and is late.", severity="warning", timeout=60)
            place.show_worth()

    def _say_of_trouble(self) -> None:
        """Tell whose files they are of a lesson that cannot be read; in a browser a line tells the teacher alone."""
        trouble = self.session.following.trouble
        if trouble and self.session.is_local:
            self.notify(trouble, severity="error", timeout=15, markup=False)

    async def _open_door(self, door: ClassroomScreen) -> None:
        """Ask who comes."""
        mode = _DOORS[self.current_mode == _DOORS[0]]
        self.add_mode(mode, lambda: door)
        await self._go(mode, {mode})

    @on(SignIn.IsTeacher)
    async def _show_teachers_door(self) -> None:
        await self._open_door(TeachersDoor(self.session))

    @on(TeachersDoor.IsStudent)
    async def _show_students_door(self) -> None:
        await self._open_door(SignIn(self.session, "", ""))

    @on(TeachersDoor.Opened)
    async def _open_class(self) -> None:
        """Open the class to its teacher."""
        await self._open_places((_CLASS,), _CLASS)

    @on(SignIn.Admitted)
    async def _admit(self) -> None:
        """Open every place to the student who has sat down."""
        setup = self.session.setup
        is_sent = setup.lemma is not None and not self.session.is_exam
        await self._let_in("prove" if is_sent else "learn")

    async def _let_in(self, place: str) -> None:
        """Open every place to a student, and this one at first."""
        setup = self.session.setup
        await self._open_places(PLACES, place if place in PLACES else "learn")
        if setup.tour and self.session.is_first_time and isinstance(self.screen, Room):
            await self.screen.action_tour()

    async def _open_places(self, places: Sequence[str], first: str) -> None:
        tell_server(self, "signed_in")
        for place in places:
            self.add_mode(place, partial(_room, place, self.session))
        await self._go(first, set(places))

    async def _go(self, mode: str, kept: Set[str]) -> None:
        """Go to a place or a door, and leave of all others but these nothing behind."""
        await self.switch_mode(mode)
        for each in [each for each in self._modes if each in (*_ROOMS, *_DOORS) and each not in kept]:
            await self.remove_mode(each)

    @on(SignedOut)
    async def _sign_out(self) -> None:
        """Let whoever signs out go."""
        await self._leave_seat("")

    async def _leave_seat(self, why: str) -> None:
        """Empty every place, and ask who comes next; say why, if it is not who was there that wants it."""
        tell_server(self, "signed_out")
        session = self.session
        is_teacher = session.setup.teacher
        await self._open_door(TeachersDoor(session) if is_teacher else SignIn(session, "", why))
        session.stand_up(signs_out=not why)
        self.call_after_refresh(forget)

    def on_unmount(self) -> None:
        """Leave nothing running."""
        self.session.close()

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
        if self.session.setup.preferences is None:
            self.notify(f"{name}, until you leave.")
            return
        try:
            keep_theme(self.session.setup.preferences, name)
        except InputError as error:
            self.notify(str(error), severity="error")
        else:
            self.notify(f"{name}, and so it will be next time.")

    def _deliver(self, text: str, folder: Path | None, name: str) -> None:
        self.deliver_text(StringIO(text), save_directory=folder, save_filename=name)

    def action_command_palette(self) -> None:
        """Everything that can be done here, to be searched."""
        from tui.screens.palette import Palette

        if not CommandPalette.is_open(cast("App[object]", self)):
            self.push_screen(Palette(ascii_only=self.session.look.ascii_only))

    def on_delivery_complete(self, event: DeliveryComplete) -> None:
        """A file was saved."""
        if event.path is not None:
            self.notify(f"Saved as {event.path}.", timeout=10)

    def on_delivery_failed(self, event: DeliveryFailed) -> None:
        """A file could not be saved."""
        self.notify(f"It could not be saved: {event.exception}.", severity="error", timeout=15)


def _runs(screen: ClassroomScreen, action: str) -> Callable[[], object]:
    async def run() -> None:
        await screen.run_action(action)

    return run
