"""What is asked or shown in front of a place: help, something to read, in what form a proof is saved, other colours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from oasis.backends.export import EXPORTS, Proof
from oasis.classroom.proving.rules import page
from tactics.errors import InputError
from tactics.rules import RULES
from tactics.script import show_script
from tui.commands import Command
from tui.look import Look


class Dialog(ModalScreen[None]):
    """Something in front of a place; Escape takes it away."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Close")]

    def action_close(self) -> None:
        """Take it away."""
        self.dismiss()


class Reading(Dialog):
    """A text under a title."""

    def __init__(self, title: str, text: str | Content) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        """A box with the text, which can be scrolled."""
        with VerticalScroll(classes="dialog") as box:
            box.border_title = Content(self._title).plain
            box.border_subtitle = "Esc closes"
            yield Static(self._text, markup=False)


class Help(Reading):
    """What a place is for, and its keys, each with its command."""

    def __init__(self, about: str, commands: Sequence[tuple[str, Command]]) -> None:
        width = max(len(key) for key, _ in commands)
        lines = [
            Content.assemble((f"{key:>{width}}  ", "bold $primary"), (f"{command.label:<14}", "bold"), command.about)
            for key, command in commands
        ]
        super().__init__("Help", Content("\n").join([Content(about), Content(""), *lines]))


class Tactics(Reading):
    """The pages of all rules, one after the other."""

    def __init__(self, look: Look) -> None:
        lines = []
        for rule in RULES:
            about = map(Content, page(rule, look.notation).lines)
            lines += [Content.styled(rule, "bold $primary"), *about, Content("")]
        super().__init__("The twelve tactics", Content("\n").join(lines))


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
        with Vertical(classes="dialog") as box:
            box.border_title = "Save the proof"
            box.border_subtitle = "Enter saves, Esc closes"
            kinds = [(export.name, export.about) for export in EXPORTS.values()]
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
        with Vertical(classes="dialog") as box:
            box.border_title = "Colours"
            box.border_subtitle = "Enter takes them, Esc closes"
            yield OptionList(*(Option(name, name) for name in sorted(self.app.available_themes)), id="themes")

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
