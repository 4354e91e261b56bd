"""Signing in: a name, and a passphrase where one is needed."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Button, Static

from oasis.classroom.admission import check_joining
from oasis.classroom.desk.keeping import said_to_student
from oasis.classroom.people.guessing import LONGEST_DELAY
from oasis.classroom.people.names import LONGEST_NAME
from oasis.store import StoreError
from tactics.errors import InputError
from tui.screens.room import ClassroomScreen
from tui.session import Session
from tui.widgets.key_bar import KeyBar
from tui.widgets.line import Filled, Line, Secret

_PATIENCE: Final = 3.0
"""Seconds for which a passphrase is waited for before it is said why it takes so long."""
_SLOWED: Final = f"Wrong passphrases were typed, perhaps by others, so this takes up to {LONGEST_DELAY:.0f} seconds."
_NAME: Final = "Type your name and Enter."
_LISTED_NAME: Final = "Type your name as it is on the list of the class, and Enter."


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


class Door(Filled, ClassroomScreen):
    """A form in a box, with a sentence above its lines; letters are typed into it, so its keys are others."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "Help"),
        Binding("ctrl+q", "leave", "Leave", priority=True),
    ]
    AUTO_FOCUS = ""  # the form says itself what comes first

    def say(self, text: str) -> None:
        """Say a sentence."""
        self.query_one("#said", Static).update(text)

    def be_patient(self) -> Timer:
        """Say why a passphrase is looked at later than at once, until what is given back is stopped."""
        return self.set_timer(_PATIENCE, lambda: self.say(_SLOWED))


class SignIn(Door):
    """A form; Enter goes from line to line and comes in."""

    class Admitted(Message):
        """Somebody has come in and sits."""

    class IsTeacher(Message):
        """Who stands here is the teacher."""

    ABOUT = (
        "Type your name and Enter, then your passphrase and Enter. Who is new here types the passphrase twice, and "
        "comes in with it from then on; nobody else can use the name. Your teacher replaces a passphrase that is "
        "forgotten. The teacher comes in by a door of their own; the button below leads there."
    )
    VERTICAL_BREAKPOINTS = [(0, "-lowest"), (24, "-low"), (30, "-high")]  # noqa: RUF012

    def __init__(self, session: Session, name: str, said: str) -> None:
        super().__init__(session)
        self._name, self._said = name, said
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """Name, passphrase, and the passphrase again for who is new."""
        is_listed = self.session.setup.listed_only
        with Vertical(id="sign-in"):
            yield Static("Welcome to the classroom", id="welcome")
            yield Static(self._said or (_LISTED_NAME if is_listed else _NAME), id="said", markup=False)
            with _Lines(id="lines"):
                placeholder = "Your name, as it is on the list" if is_listed else "Your name"
                yield Line(self._name, placeholder=placeholder, id="name", max_length=LONGEST_NAME)
                yield Secret("Your passphrase", "passphrase")
                yield Secret("The passphrase once more, for you are new", "again")
                with Horizontal(id="doors"):
                    yield Button("Come in", variant="primary", id="come-in")
                    yield Button("I am the teacher", id="other-door")
        yield KeyBar()

    def on_mount(self) -> None:
        """Show the lines that are needed."""
        self.query_one("#again").display = False
        self.set_focus(self.query_one("#passphrase" if self._said and self._name else "#name"))

    def go_on(self, line: Line) -> None:
        """To the next empty line, or in; at this machine a name may be enough."""
        empty = [each for each in self.query(Line) if each.display and not each.value]
        is_enough = line.id == "name" and self.session.is_local
        if empty and not is_enough:
            self.set_focus(empty[0])
        else:
            self._come_in()

    @on(Button.Pressed, "#other-door")
    def _go_to_the_other(self) -> None:
        self.post_message(self.IsTeacher())

    @on(Button.Pressed, "#come-in")
    def _come_in(self) -> None:
        """Ask who is new to repeat the passphrase, at once, so that this may be typed ahead; or let in."""
        if self._is_busy:
            return
        name, passphrase = self._line("name").value, self._line("passphrase").value
        try:
            if passphrase and self.session.may_join(name):
                check_joining(name, passphrase)
                if not self._is_repeated(passphrase):
                    return
        except (InputError, StoreError) as error:
            self._refuse(error)
            return
        self._is_busy = True
        self.say("One moment.")
        self._sit_down(name, passphrase)

    @work(group="door")
    async def _sit_down(self, name: str, passphrase: str) -> None:
        patience = self.be_patient()
        try:
            self.session.sit(await self.session.admit(name, passphrase or None))
        except (InputError, StoreError) as error:
            self._refuse(error)
        else:
            self.post_message(self.Admitted())
        finally:
            patience.stop()
            self._is_busy = False

    def _is_repeated(self, passphrase: str) -> bool:
        """Whether somebody new has typed the passphrase twice, who is asked to if not."""
        again = self._line("again")
        if again.value == passphrase:
            return True
        self.say("The two differ; type it once more." if again.value else "You are new: type your passphrase again.")
        again.display, again.value = True, ""
        self.set_focus(again)
        return False

    def _refuse(self, error: Exception) -> None:
        """Say what was wrong, which is typed anew."""
        said = said_to_student(error)
        self.say(said[:1].upper() + said[1:])
        for name in ("passphrase", "again"):
            self._line(name).value = ""
        self.set_focus(self._line("passphrase" if self._line("name").value else "name"))

    def _line(self, name: str) -> Line:
        return self.query_one(f"#{name}", Line)
