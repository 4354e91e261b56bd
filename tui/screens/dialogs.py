"""What is asked or shown in front of a place: help, something to read, in what form a proof is saved, other colours."""

from __future__ import annotations

import textwrap
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from sys import maxsize
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, OptionList, Static
from textual.widgets.option_list import Option

from oasis.backends.export import EXPORTS, Proof
from oasis.classroom.proving.rules import page
from oasis.classroom.proving.signs import brackets, card
from tactics.errors import InputError
from tactics.rules import RULES, TACTICS
from tactics.script import show_script
from tui.colours import OFFERED
from tui.commands import COMMANDS, Command, bindings
from tui.failures import Enduring
from tui.look import Look

_SIGN, _EXAMPLE, _SAYS = 7, 12, 46
"""Columns of a sign, of its example and of what the card says of it, in the smallest dialog."""


class _Close(Button):
    """A button that Tab comes to after everything else, also what is still to be scrolled to."""

    @property
    def _focus_sort_key(self) -> tuple[int, int]:
        return maxsize, maxsize


class Box(VerticalScroll, can_focus=False):
    """What a dialog is in: a title, what is shown or asked, and under it a button that closes it.

    Attributes:
        ways: what leads on and out, in markup, for the line below all.
    """

    def __init__(self, title: str, *, classes: str = "", name: str | None = None) -> None:
        super().__init__(classes=f"dialog {classes}", id=name)
        self.border_title = Content(title).plain
        self.ways = ""

    def on_mount(self) -> None:
        """Say in words if there is more: a scroll bar alone is not seen without colours."""
        self.watch(self, "show_vertical_scrollbar", self._say_if_more)

    def _say_if_more(self) -> None:
        more = ["arrows show more"] if self.show_vertical_scrollbar and self.can_focus else []
        self.border_subtitle = "   ".join([*more, *filter(None, [self.ways])])

    def compose(self) -> ComposeResult:
        """The button, which stays in sight where there is more to be scrolled."""
        yield _Close("Close (Esc)", id="close")

    @on(Button.Pressed, "#close")
    async def _close(self, event: Button.Pressed) -> None:
        event.stop()
        await self.run_action("screen.close")


class Dialog(Enduring, ModalScreen[None]):
    """Something in front of a place; Escape takes it away, and so does its button or a click beside it.

    Attributes:
        CLOSES_BESIDE: whether a click beside it closes it, which would lose what is typed into a form.
    """

    CLOSES_BESIDE: ClassVar[bool] = True
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]  # noqa: RUF012 - as Screen declares it
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Close")]

    def action_close(self) -> None:
        """Take it away."""
        self.dismiss()

    async def action_leave(self) -> None:
        """Leave the classroom, where a dialog has that, too."""
        await self.app.run_action("quit")

    async def on_click(self, event: Click) -> None:
        """A click beside it."""
        if event.widget is self and self.CLOSES_BESIDE:
            await self.run_action("close")


class Reading(Dialog):
    """A text under a title.

    Args:
        title: of it.
        text: of any length.
        ways: what leads on and out, in markup.
    """

    def __init__(self, title: str, text: str | Content, ways: str = "") -> None:
        super().__init__()
        self._title, self._text, self._ways = title, text, ways

    def compose(self) -> ComposeResult:
        """A box with the text, which can be scrolled."""
        with Box(self._title) as box:
            box.can_focus = True
            box.ways = self._ways
            yield Static(self._text, markup=False)
            yield from self.compose_more()

    def compose_more(self) -> ComposeResult:
        """What stands under the text; nothing where the text is enough."""
        yield from ()


class Refutation(Reading):
    """Why something has no proof.

    Args:
        title: what has none.
        text: why.
        key: that goes on to the next lemma.
        then: does so; None where the lemma is not done by that.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("following")

    def __init__(self, title: str, text: str, key: str, then: Callable[[], Awaitable[object]] | None) -> None:
        super().__init__(title, text, f"[@click=screen.following]{key} next lemma[/]" if then else "")
        self._then = then

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Who is still at work on the lemma does not go on to another one from here."""
        return action != "following" or self._then is not None

    def action_following(self) -> None:
        """Go on to the next lemma."""
        if self._then is not None:
            self.dismiss()
            self.app.call_later(self._then)


class _Line(Widget):
    """A command in the help, its sentence indented as a whole; a click does it."""

    def __init__(self, head: Content, about: str, do: Callable[[], None]) -> None:
        super().__init__()
        self._head, self._about, self._do = head, about, do

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The lines of all of it."""
        return len(self._lines(width))

    def render(self) -> Content:
        """Keys and label, and the sentence beside them."""
        first, *rest = self._lines(self.content_size.width)
        indent = Content(" " * self._head.cell_length)
        return Content("\n").join([self._head + first, *(indent + line for line in rest)])

    def _lines(self, width: int) -> list[Content]:
        return Content(self._about).wrap(max(12, width - self._head.cell_length))

    def on_click(self, event: Click) -> None:
        """Do it."""
        event.stop()
        self._do()


class Help(Reading):
    """What a place is for, how to leave it, and its commands.

    Args:
        about: the place, and the way out.
        commands: for each its keys, what it is called, and the action that does it.
        run: runs an action, in the place.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("tour")

    def __init__(
        self,
        about: str,
        commands: Sequence[tuple[str, Command, str]],
        run: Callable[[str], Awaitable[object]],
    ) -> None:
        key = next((keys for keys, command, _ in commands if command is COMMANDS["tour"]), "")
        ways = f"[@click=screen.tour]{key} first look[/]" if key else ""
        super().__init__("Help", Content(f"{about}\nA click on a line below does what it says.\n"), ways)
        self._commands, self._run = commands, run

    def compose_more(self) -> ComposeResult:
        """A line for each command."""
        width = max([len(keys) for keys, _, _ in self._commands], default=0)
        for keys, command, action in self._commands:
            head = Content.styled(f"{keys:>{width}}  {command.label:<13}", "bold")
            yield _Line(head, command.about, partial(self._do, action))

    def _do(self, action: str) -> None:
        self.dismiss()
        self.app.call_later(self._run, action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Not everywhere is there something to look round for."""
        return action != "tour" or any(command is COMMANDS["tour"] for _, command, _ in self._commands)

    def action_tour(self) -> None:
        """Look round, and not read on here."""
        self._do("tour")


class Tactics(Reading):
    """What is on the card, the card of the signs, and the pages of all rules, one after the other."""

    def __init__(self, look: Look) -> None:
        first = f"First the signs, and below them the tactics: {', '.join(TACTICS)}. The arrows lead there."
        lines = [Content(first), Content(""), Content.styled("The signs", "bold $primary")]
        for sign, typed, example, says in card(look.notation):
            typed_so = [f"Type {typed}."] if typed != sign else []
            first, *others = textwrap.wrap(" ".join([says, *typed_so]), _SAYS)
            lines.append(Content.assemble((f"{sign:<{_SIGN}}{example:<{_EXAMPLE}}", "bold"), first))
            lines += [Content(f"{'':{_SIGN + _EXAMPLE}}{other}") for other in others]
        lines += [Content(brackets(look.notation)), Content("")]
        for rule in RULES:
            told = page(rule, look.notation)
            title = Content.assemble((told.name, "bold $primary"), (f"  {told.other}" if told.other else "", "dim"))
            lines += [title, *map(Content, told.lines), Content("")]
        super().__init__("The signs and the twelve tactics", Content("\n").join(lines))


class SaveProof(Dialog):
    """In which form a proof is to be saved.

    Args:
        proof: which.
        look: how things look.
        save: what is done with the text and the name of a file.
    """

    def __init__(self, proof: Proof, look: Look, save: Callable[[str, str], None]) -> None:
        super().__init__()
        self._proof, self._look, self._save = proof, look, save

    def compose(self) -> ComposeResult:
        """The kinds of files, each with a sentence."""
        with Box("Save the proof"):
            kinds = [(name, entry.about) for name, entry in EXPORTS.entries.items()]
            kinds.append(("script", "The moves, as oasis replay reads them."))
            yield OptionList(*[Option(f"{kind:<14} {self._look.text(about)}", kind) for kind, about in kinds])

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        kind = event.option_id or "script"
        try:
            text, suffix = self._written(kind)
        except InputError as error:
            self.notify(str(error), severity="error")
            return
        stem = "".join(letter if letter.isalnum() else "_" for letter in self._proof.name)[:60]
        self._save(text, f"{stem}-{kind}{suffix}")
        self.dismiss()

    def _written(self, kind: str) -> tuple[str, str]:
        if kind == "script":
            return show_script(self._proof.script) + "\n", ".txt"
        export = EXPORTS[kind]
        return export.write([self._proof]), export.suffix


class ChooseTheme(Dialog):
    """The themes, shown as the cursor comes to them; Enter takes one, Escape the one before.

    Args:
        keep: what is done with the name of the one that is taken.
    """

    def __init__(self, keep: Callable[[str], None]) -> None:
        super().__init__()
        self._keep = keep

    def compose(self) -> ComposeResult:
        """Their names."""
        with Box("Colours"):
            yield OptionList(*(Option(name, name) for name in OFFERED), id="themes")

    def on_mount(self) -> None:
        """Begin with the one that is worn."""
        self._before = self.app.theme
        themes = self.query_one(OptionList)
        themes.highlighted = themes.get_option_index(self._before)

    @on(OptionList.OptionHighlighted)
    def _try(self, event: OptionList.OptionHighlighted) -> None:
        self.app.theme = event.option_id or self._before

    @on(OptionList.OptionSelected)
    def _take(self, event: OptionList.OptionSelected) -> None:
        self.dismiss()
        self._keep(event.option_id or self._before)

    def action_close(self) -> None:
        """As it was before."""
        self.app.theme = self._before
        super().action_close()
