"""The line in which a tactic is typed, or in words what else is to be done; names are completed.

They are completed whether the tactic applies or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Final

from textual.binding import Binding, BindingType
from textual.events import Paste
from textual.suggester import Suggester
from textual.widgets import Input
from textual.widgets.input import Selection

from tactics.rules import SPEAKING

WORDS: Final = {"undo": "undo", "redo": "redo", "hint": "hint", "claim": "no proof", "why": "why"}
"""What may be typed instead of pressing the key of a command; `oasis play` understands them, and tells why unasked."""


def command_of(text: str) -> str | None:
    """The command that a text is the words of, None if it is not."""
    words = " ".join(text.rstrip(". ").split())
    return next((command for command, word in WORDS.items() if word == words), None)


class Completer(Suggester):
    """Completes the name of a tactic, and after it that of a hypothesis.

    Attributes:
        tactics: by the names that they are typed by, and the words for other commands.
        hypotheses: of the goal in focus, by name.
    """

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.tactics: Sequence[str] = ()
        self.hypotheses: Sequence[str] = ()

    async def get_suggestion(self, value: str) -> str | None:
        """The text with its last word completed, None where nothing fits or nothing of the word is there."""
        before, space, word = value.rpartition(" ")
        names = self.hypotheses if before.strip() else self.tactics
        found = next((name for name in names if word and name.startswith(word)), None)
        return None if found is None else f"{before}{space}{found}"


class TacticLine(Input):
    """A line for a tactic, put away until somebody wants to type.

    Args:
        do: does what stands in the line, after several lines were pasted into it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+a", "select_all", show=False),  # as in the lines of forms, and in those of a browser
    ]

    def __init__(self, do: Callable[[], None]) -> None:
        self._completer = Completer()
        self._do = do
        super().__init__(suggester=self._completer, select_on_focus=False)
        self.border_title = "Tactic"
        self.border_subtitle = "Enter makes it, Esc closes"
        self.display = False

    def open(self) -> None:
        """Let something be typed."""
        self.display = True
        self.screen.set_focus(self)
        self.focus()

    def know(self, tactics: Sequence[str], hypotheses: Sequence[str], *, hints: bool) -> None:
        """Complete these names from now on, and the words for other commands, hints among them where there are any."""
        words = [word for command, word in WORDS.items() if hints or command != "hint"]
        self.placeholder = f"a tactic, or {', '.join(words)}"
        self._completer.tactics = [*sorted(SPEAKING.get(name, name) for name in tactics), *words]
        self._completer.hypotheses = hypotheses

    def on_paste(self, event: Paste) -> None:
        """Take all of a text; other lines take its first line alone."""
        event.prevent_default()
        event.stop()
        self.take(event.text)

    def action_paste(self) -> None:
        """Take all of what was copied here."""
        self.take(self.app.clipboard)

    def take(self, text: str) -> None:
        """Take a text, and do what it says if it has several lines, for each ends as if by Enter."""
        lines = text.splitlines()
        self.replace("\n".join(lines), *self.selection)
        if len(lines) > 1:
            self._do()

    def return_to(self, text: str, wrong: int | None = None) -> None:
        """Let something stand in the line to be corrected; as much of it as is wrong, or all, is typed over."""
        self.value = text
        self.selection = Selection(0, len(text) if wrong is None else wrong)

    def close(self) -> None:
        """Put the line away, and what stands in it."""
        self.value = ""
        self.display = False
