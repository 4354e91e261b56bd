"""Proof scripts: lists of moves as a person types them, and replayed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from tactics.errors import InputError, printable
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.rules import IllegalMove, apply, rule_named

Script = tuple[Move, ...]

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_']{0,39}")
"""What a hypothesis may be called."""
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


def parse_script(text: str, named: Callable[[str], str] = rule_named) -> Script:
    """Moves separated by `;`, `.` or line ends, as in `intro; imply3 H; imply1 H0`. Raises ScriptError.

    The speaking names of rules are understood as well (`tactics.rules.SPEAKING`); a script has those of the table.

    Args:
        text: of the script.
        named: gives the rule's name in the table for a name as typed, or raises InputError in its own words.
    """
    moves: list[Move] = []
    for part in re.split(r"[;.\n]", _COMMENT.sub(" ", text)):
        words = part.split()
        if not words:
            continue
        try:
            rule = named(words[0])
        except InputError as error:
            raise ScriptError(str(error), len(moves) + 1) from None
        if len(words) > 2:
            raise ScriptError(f"a move is a rule and at most one hypothesis, not {part.strip()!r}.", len(moves) + 1)
        if not all(map(_NAME.fullmatch, words[1:])):
            wrong = printable(words[1])[:40]
            raise ScriptError(f"a hypothesis has a name such as H or H0, and not {wrong!r}.", len(moves) + 1)
        moves.append(Move(rule, *words[1:]))
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
