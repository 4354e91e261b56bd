"""Proof scripts: lists of moves as a person types them, and replayed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, NamedTuple

from tactics.errors import InputError, printable
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.rules import IllegalMove, apply, rule_named

Script = tuple[Move, ...]

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_']{0,39}")
"""What a hypothesis may be called."""
_SIGN: Final = re.compile(r"(\(\*|\*\)|/-|-/|--(?!/)|#|\n)")
"""What begins or ends a comment."""
_CLOSED_BY: Final = {"(*": "*)", "/-": "-/"}
_LINE_ENDS: Final = dict.fromkeys(map(ord, "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"), "\n")
_BULLETS: Final = "-+*·• \t"
_BEFORE_A_PROOF: Final = "d_start"
"""What an exported proof begins with; it makes no move."""
_PART: Final = re.compile(r"[^;.{}\n]+[;.{}]?")
_BEGINS: Final = "Proof"
_ENDS: Final = frozenset({"Qed", "Defined", "Admitted", "Abort"})
"""What a proof in Coq begins and ends with."""


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
    """The moves of a text, as in `intro; imply3 H; imply1 H0`, which `sentences` divides. Raises ScriptError.

    The speaking names of rules are understood as well (`tactics.rules.SPEAKING`); a script has those of the table.

    Args:
        text: of the script.
        named: gives the rule's name in the table for a name as typed, or raises InputError in its own words.
    """
    moves: list[Move] = []
    for sentence in sentences(text):
        try:
            moves.append(parse_move(sentence, named))
        except InputError as error:
            raise ScriptError(str(error), len(moves) + 1) from None
    return tuple(moves)


class Sentence(NamedTuple):
    """What should be one move.

    Attributes:
        text: without what surrounds it.
        end: its place in the whole text, behind the sign that ends it.
    """

    text: str
    end: int


def sentences(text: str) -> list[str]:
    """Divide a text into what should be one move each. Raises ScriptError for a comment without an end.

    Moves are separated by `;`, `.`, braces or line ends. Bullets and comments, `(* … *)`, `/- … -/`, or from `#` to the
    end of the line, are passed over, and around a proof in Coq all but what stands between `Proof.` and `Qed.`.
    """
    found, fault = divided(text)
    if fault:
        raise ScriptError(fault, len(found) + 1)
    return [sentence.text for sentence in found]


def divided(text: str, to_line_end: Collection[str] = ("#",)) -> tuple[list[Sentence], str]:
    """Return the sentences of a text up to its first fault, and what that is: nothing if there is none.

    Args:
        text: as for `sentences`.
        to_line_end: what begins a comment that ends with its line: `#`, and in Lean `--`, which in Coq is a bullet.
    """
    blanked, opened = _without_comments(text, to_line_end)
    parts = ((part[0].rstrip(";.{}").strip().lstrip(_BULLETS), part.end()) for part in _PART.finditer(blanked))
    found = [Sentence(*part) for part in parts if part[0] and part[0] != _BEFORE_A_PROOF]
    words = [sentence.text.split(maxsplit=1)[0] for sentence in found]
    begin = words.index(_BEGINS) + 1 if _BEGINS in words else 0
    end = next((place for place in range(begin, len(words)) if words[place] in _ENDS), len(words))
    fault = "a second proof begins here; leave one of the two out." if _BEGINS in words[begin:] else ""
    if opened:
        fault = f"a comment begins here with {opened} and does not end; write {_CLOSED_BY[opened]} behind it."
    return found[begin:end], fault


def _without_comments(text: str, to_line_end: Collection[str]) -> tuple[str, str]:
    """The text with blanks for its comments, which may hold others of their kind, and what begins one without an end.

    Each line end is one character.
    """
    kept: list[str] = []
    opened: list[str] = []
    is_to_line_end = False
    for piece in _SIGN.split(text.translate(_LINE_ENDS)):
        was_open = bool(opened)
        if is_to_line_end:
            is_to_line_end = piece != "\n"
        elif opened and piece == _CLOSED_BY[opened[-1]]:
            opened.pop()
        elif piece in _CLOSED_BY and (not opened or piece == opened[-1]):
            opened.append(piece)
        elif piece in to_line_end and not opened:
            is_to_line_end = True
        is_hidden = was_open or opened or is_to_line_end
        kept.append(" " * len(piece) if is_hidden else piece)
    return "".join(kept), opened[0] if opened else ""


def parse_move(sentence: str, named: Callable[[str], str] = rule_named) -> Move:
    """The move that a sentence such as `imply1 H` stands for, or as exported for Coq `d_imply1 H`. Raises InputError.

    Args:
        sentence: one of those that `sentences` gives.
        named: as for `parse_script`.
    """
    rule, *hypotheses = sentence.split()
    rule = named(rule.removeprefix("d_"))
    if len(hypotheses) > 1:
        raise InputError(f"a move is a rule and at most one hypothesis, not {sentence!r}.")
    if not all(map(_NAME.fullmatch, hypotheses)):
        wrong = printable(hypotheses[0])[:40]
        raise InputError(f"a hypothesis has a name such as H or H0, and not {wrong!r}.")
    return Move(rule, *hypotheses)


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
