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
_SIGN: Final = re.compile(r"(\(\*|\*\)|#|\n)")
"""What begins or ends a comment."""
_BULLETS: Final = "-+*·• \t"
_BEFORE_A_PROOF: Final = "d_start"
"""What an exported proof begins with; it makes no move."""
_ENDS: Final = frozenset({"Qed", "Defined", "Admitted", "Abort"})
"""What a proof in Coq ends with."""


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


def sentences(text: str) -> list[str]:
    """Divide a text into what should be one move each. Raises ScriptError for a comment without an end.

    Moves are separated by `;`, `.`, braces or line ends. Bullets and comments, `(* … *)` or from `#` to the end of the
    line, are passed over, and around a proof in Coq all but what stands between `Proof.` and `Qed.`.
    """
    divided = (part.strip().lstrip(_BULLETS) for part in re.split(r"[;.{}\n]", _without_comments(text)))
    found = [sentence for sentence in divided if sentence and sentence != _BEFORE_A_PROOF]
    words = [sentence.split(maxsplit=1)[0] for sentence in found]
    begin = words.index("Proof") + 1 if "Proof" in words else 0
    end = next((place for place in range(begin, len(words)) if words[place] in _ENDS), len(words))
    if "Proof" in words[begin:]:
        raise ScriptError("a second proof begins here; leave one of the two out.", end - begin + 1)
    return found[begin:end]


def _without_comments(text: str) -> str:
    """The text with each line end as one character, and without comments, which may hold others."""
    kept: list[str] = []
    depth, to_line_end, before = 0, False, 0
    for piece in _SIGN.split("\n".join(text.splitlines())):
        if to_line_end and piece != "\n":
            continue
        to_line_end = piece == "#" and not depth
        if piece == "(*":
            before = before if depth else len(kept)
            depth += 1
        elif piece == "*)" and depth:
            depth -= 1
            kept.append(" " if not depth else "")
        elif not depth and not to_line_end:
            kept.append(piece)
    if depth:
        step = len(sentences("".join(kept[:before]))) + 1
        raise ScriptError("a comment begins here with (* and does not end; write *) behind it.", step)
    return "".join(kept)


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
