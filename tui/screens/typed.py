"""Where tactics are typed: their line, and in it the words for what else is to be done while it takes every key."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType
from textual.events import Paste

from oasis.classroom.proving.words import stopped
from tactics.errors import InputError
from tactics.goal import Move
from tactics.rules import tactic_named
from tactics.script import parse_move, sentences
from tui.commands import bindings
from tui.screens.finishing import Finishing
from tui.widgets.tactic_line import WORDS, TacticLine, command_of


class Typed(Finishing):
    """A place with a line for tactics."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("type")

    @property
    def line(self) -> TacticLine:
        """The line, which may be put away."""
        return self.query_one(TacticLine)

    def arrive(self) -> None:
        """Show the attempt as it stands."""
        raise NotImplementedError

    def make(self, move: Move) -> bool:
        """Make a move; whether it was made."""
        raise NotImplementedError

    def key_of(self, name: str) -> str:
        """The key of a command, or the words for it where every key goes into the line."""
        typed = WORDS.get(name) if any(line.display for line in self.query(TacticLine)) else None
        return typed or super().key_of(name)

    def action_type(self) -> None:
        """Open the line for a tactic."""
        if not self.attempt.is_over:
            self.know_words()
            self.line.open()

    def on_paste(self, event: Paste) -> None:
        """Take into the line what was pasted elsewhere in this place, or faster than the line opened."""
        event.stop()
        self.action_type()
        if self.line.display:
            self.line.take(event.text)

    def know_words(self) -> None:
        """Have the line complete what may be typed where the attempt stands."""
        terms = self.attempt.terms
        self.line.know(terms.rules, [name for name, _ in self.attempt.state[0].hypotheses], hints=terms.has_hints)

    def do_typed(self) -> None:
        """Do what the line says, or make its moves up to a wrong one; from there on they stay to be corrected."""
        text = self.line.value.lstrip("/: ")  # its key does no harm in it
        command = command_of(text)
        self.line.value = ""
        if command is not None:
            self._deeds[command]()
            return
        try:
            typed = sentences(text)
        except InputError as error:
            self.said.say([str(error)], style="$warning")
            self.line.return_to(" ".join(text.split()))
            return
        if not typed:
            self.said.say(["Type a tactic, and then Enter; Escape closes the line."])
        for number, sentence in enumerate(typed, 1):
            if not (self.attempt.is_over or self._make_typed(sentence)):
                if where := stopped(number, len(typed)):
                    self.said.add(where)
                self._reported = self.said.text
                self.line.return_to("; ".join(typed[number - 1 :]), len(sentence))
                return

    def _make_typed(self, sentence: str) -> bool:
        """Make the move that a sentence says; whether it was made."""
        try:
            move = parse_move(sentence, tactic_named)
        except InputError as error:
            self.said.say([str(error)], style="$warning")
            return False
        return self.make(move)

    @property
    def _deeds(self) -> dict[str, Callable[[], object]]:
        return {
            "undo": self.action_undo,
            "redo": self.action_redo,
            "hint": self.action_hint,
            "claim": self.action_claim,
            "why": self.action_why,
        }
