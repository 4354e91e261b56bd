"""Proof scripts: lists of moves as a person types them, and replayed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.rules import RULES, IllegalMove, apply

Script = tuple[Move, ...]

_COMMENT: Final = re.compile(r"\(\*.*?\*\)|#[^\n]*", re.DOTALL)


class ScriptError(InputError):
    """A script that cannot be read or replayed.

    Attributes:
        step: number of the move at fault, from 1.
        states: the states before that move, the initial one first; empty if the text itself is at fault.
    """

    def __init__(self, message: str, step: int, states: Sequence[State] = ()) -> None:
        super().__init__(f"Step {step}: {message}")
        self.step, self.states = step, tuple(states)


def parse_script(text: str) -> Script:
    """Moves separated by `;`, `.` or line ends, as in `intro; imply3 H; imply1 H0`. Raises ScriptError."""
    moves: list[Move] = []
    for part in re.split(r"[;.\n]", _COMMENT.sub(" ", text)):
        words = part.split()
        if not words:
            continue
        if words[0] not in RULES:
            raise ScriptError(f"{words[0]} is not a rule; the rules are {', '.join(RULES)}.", len(moves) + 1)
        if len(words) > 2:
            raise ScriptError(f"a move is a rule and at most one hypothesis, not {part.strip()!r}.", len(moves) + 1)
        moves.append(Move(*words))
    return tuple(moves)


def show_script(script: Iterable[Move]) -> str:
    """The text that `parse_script` reads."""
    return "; ".join(map(str, script))


def replay(formula: Formula, script: Iterable[Move]) -> list[State]:
    """Every state of a script from the initial one on. Raises ScriptError at the first move that does not apply."""
    states = [initial(formula)]
    for step, move in enumerate(script, 1):
        try:
            states.append(apply(states[-1], move))
        except IllegalMove as error:
            raise ScriptError(str(error), step, states) from None
    return states
