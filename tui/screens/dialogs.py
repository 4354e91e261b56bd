"""What is asked or shown in front of a place: help, something to read, where a proof is saved."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
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
from tactics.errors import InputError
from tactics.script import show_script
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
    """What a place is for, and its keys."""

    def __init__(self, about: str, commands: Sequence[tuple[str, str, str]]) -> None:
        width = max(len(keys) for _, keys, _ in commands)
        lines = [
            Content.assemble((f"{keys:>{width}}  ", "bold $primary"), (f"{label:<10}", "bold"), about)
            for label, keys, about in commands
        ]
        super().__init__("Help", Content("\n").join([Content(about), Content(""), *lines]))


class SaveProof(Dialog):
    """In which form a proof is to be saved."""

    def __init__(self, proof: Proof, look: Look) -> None:
        super().__init__()
        self._proof, self._look = proof, look

    def compose(self) -> ComposeResult:
        """The kinds of files, each with a sentence."""
        with Vertical(classes="dialog") as box:
            box.border_title = "Save the proof"
            box.border_subtitle = "Enter saves, Esc closes"
            kinds = [(export.name, export.about) for export in EXPORTS.values()]
            kinds.append(("script", "The moves, as oasis replay reads them."))
            yield OptionList(*[Option(f"{kind:<14} {self._look.text(about)}", kind) for kind, about in kinds])

    @on(OptionList.OptionSelected)
    def _save(self, event: OptionList.OptionSelected) -> None:
        kind = event.option_id or "script"
        try:
            text, suffix = self._written(kind)
        except InputError as error:
            self.notify(str(error), severity="error")
            return
        stem = "".join(letter if letter.isalnum() else "_" for letter in self._proof.name)[:60]
        self.app.deliver_text(StringIO(text), save_filename=f"{stem}{suffix}")
        self.dismiss()

    def _written(self, kind: str) -> tuple[str, str]:
        if kind == "script":
            return show_script(self._proof.script) + "\n", ".txt"
        export = EXPORTS[kind]
        return export.write([self._proof]), export.suffix
