"""The line in which a tactic is typed; names are completed, whether the tactic applies or not."""

from __future__ import annotations

from collections.abc import Sequence

from textual.suggester import Suggester
from textual.widgets import Input

from tactics.rules import SPEAKING


class Completer(Suggester):
    """Completes the name of a tactic, and after it that of a hypothesis.

    Attributes:
        tactics: by the names that they are typed by.
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
    """A line for a tactic, put away until somebody wants to type."""

    def __init__(self) -> None:
        self._completer = Completer()
        super().__init__(placeholder="a tactic, such as intro or split", suggester=self._completer)
        self.border_title = "Tactic"
        self.border_subtitle = "Enter makes it, Esc closes"
        self.display = False

    def open(self, tactics: Sequence[str], hypotheses: Sequence[str]) -> None:
        """Let something be typed, of which these are the words."""
        self.know(tactics, hypotheses)
        self.display = True
        self.screen.set_focus(self)
        self.focus()

    def know(self, tactics: Sequence[str], hypotheses: Sequence[str]) -> None:
        """Complete these names from now on."""
        self._completer.tactics = sorted(SPEAKING.get(name, name) for name in tactics)
        self._completer.hypotheses = hypotheses

    def close(self) -> None:
        """Put the line away, and what stands in it."""
        self.value = ""
        self.display = False
