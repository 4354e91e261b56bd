"""A first look round of about a minute: where things are, how a goal is read, how one proves, what to do at a loss."""

from __future__ import annotations

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from oasis.classroom.proving.rules import with_signs
from tui.commands import COMMANDS, PLACES, bindings
from tui.look import Look
from tui.screens.dialogs import Box, Dialog
from tui.session import Session
from tui.widgets.words import clickable

_PAGES: Final = (
    (
        "Where things are",
        "When this is closed, worlds are on the left, with the lessons of your class if there are any, and on the "
        "right the lemmas of one. {learn} leads back there, {prove} to the proof you are working on. In {together} a "
        "partner, a program that learns, works on the lemma beside you if the lesson lets it, in {watch} two of them "
        "do, and {data} is where your work can be taken along.\n\n"
        "The line at the top can be clicked, too.",
    ),
    (
        "How a goal is read",
        "    H  : p -> q\n    H0 : p\n    ------------\n    q\n\nAbove the line stands what you may use, each with its "
        "name. Below it stands what is to be proved. A + marks what a move has changed. {rules} shows a card of "
        "all signs.",
    ),
    (
        "How one proves",
        "Point at a formula, by a click or with the arrows and Enter: what can be done with it follows from its sign. "
        "Or type a tactic, such as intro or apply H. Each move leaves simpler goals, and the lemma is proved when none "
        "is left.\n\nNothing says which formula is the right one. To find that out is what this is about.",
    ),
    (
        "When nothing goes on",
        "{undo} takes a move back. That is a slip, and so is a tactic that does not apply; every second slip costs a "
        "point. {hint} asks for a hint, where the lesson has any; what it costs is said first. And some lemmas have no "
        "proof: then {claim} says so, and that is worth as much as a proof.\n\n{help} explains every screen with its "
        "keys. {tour} shows this once more.",
    ),
)


class Tour(Dialog):
    """The pages of a first look round; Escape, its button, a click beside it, and going to any place leave it.

    Args:
        session: how things look, and which keys somebody has given to what.
    """

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,space,right", "further(1)", "Go on"),
        Binding("left", "further(-1)", "Back"),
        *bindings(*PLACES, "leave"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._look: Look = session.look
        self._keys = {**{name: command.keys for name, command in COMMANDS.items()}, **session.setup.keys}
        self._page = 0

    def compose(self) -> ComposeResult:
        """A page, what leads on, and the way out."""
        with Box("", name="tour"):
            yield Static(id="tour-page", markup=False)
            yield Static(id="tour-ways", markup=False)

    def on_mount(self) -> None:
        """Begin with the first page."""
        self._show()

    def _show(self) -> None:
        title, text = _PAGES[self._page]
        called = {name: self._called(name) for name in COMMANDS}
        text = with_signs(text.format_map(called), self._look.notation)
        self.query_one("#tour").border_title = f"{title} ({self._page + 1} of {len(_PAGES)})"
        self.query_one("#tour-page", Static).update(text.replace("-" * 12, self._look.mark("line") * 12))
        is_last = self._page + 1 == len(_PAGES)
        way = Content.assemble(("Enter", "bold $accent"), f" {'Begin' if is_last else 'Go on'}")
        self.query_one("#tour-ways", Static).update(clickable(way, "screen.further(1)"))

    def _called(self, name: str) -> str:
        """A command with the first of its keys, as it is called on a keyboard."""
        key = self._keys[name].split(",")[0]
        return f"{self._look.key(key, self.app.get_key_display(Binding(key, name)))} ({COMMANDS[name].label})"

    def action_go(self, place: str) -> None:
        """Go to a place; who does that knows the way."""
        self.dismiss()
        self.app.call_later(self.app.switch_mode, place)

    def action_further(self, pages: int) -> None:
        """Some pages further, or out behind the last."""
        self._page = max(0, self._page + pages)
        if self._page < len(_PAGES):
            self._show()
        else:
            self.dismiss()
