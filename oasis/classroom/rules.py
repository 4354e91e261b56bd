"""What a student reads about each of the twelve rules: what it does, and when it fails.

The rule itself is data of `tactics.rules`; here it is put into words.
"""

from __future__ import annotations

from typing import Final

from tactics.errors import InputError
from tactics.rules import RULES

_WORDS: Final = {
    "intro": (
        "To prove A -> B, assume A and prove B. ~A is A -> False, so it works there, too.",
        "It fails if the conclusion is no implication.",
    ),
    "assumption": (
        "The goal is done if a hypothesis says just what is to be proved.",
        "It fails if none does, to the letter.",
    ),
    "contradiction": (
        "The goal is done if False is among the hypotheses: from it everything follows.",
        "It fails if there is no False; A and ~A together are not False yet, but imply1 makes it of them.",
    ),
    "split": (
        "To prove A /\\ B, prove A, and then B: two goals.",
        "It fails if the conclusion is no conjunction.",
    ),
    "left": (
        "To prove A \\/ B, it is enough to prove A.",
        "It fails if the conclusion is no disjunction; and it loses the proof if only B can be proved.",
    ),
    "right": (
        "To prove A \\/ B, it is enough to prove B.",
        "It fails if the conclusion is no disjunction; and it loses the proof if only A can be proved.",
    ),
    "destruct_and": (
        "A hypothesis A /\\ B gives two: A, and B.",
        "It fails if the hypothesis is no conjunction.",
    ),
    "destruct_or": (
        "A hypothesis A \\/ B makes two cases: the conclusion is to be proved from A, and again from B.",
        "It fails if the hypothesis is no disjunction.",
    ),
    "imply1": (
        "With A -> B and A among the hypotheses, A -> B becomes B.",
        "It fails if the hypothesis is no implication, or its left side is not there, to the letter.",
    ),
    "imply2": (
        "A hypothesis (C /\\ D) -> B becomes C -> (D -> B), which says the same.",
        "It fails if the left side of the hypothesis is no conjunction.",
    ),
    "imply3": (
        "A hypothesis (C \\/ D) -> B becomes two: C -> B, and D -> B.",
        "It fails if the left side of the hypothesis is no disjunction.",
    ),
    "imply4": (
        "A hypothesis (C -> D) -> B makes two goals: prove C -> D, with D -> B in its place; then go on with B in its "
        "place.",
        "It fails if the left side of the hypothesis is no implication; and it loses the proof if C -> D cannot be "
        "proved.",
    ),
}


def page(name: str) -> list[str]:
    """What there is to read about a rule, a line for each thing. Raises InputError for what is no rule."""
    if name not in _WORDS:
        raise InputError(f"{name} is not a rule; the rules are {', '.join(_WORDS)}.")
    does, fails = _WORDS[name]
    use = f"{name} H, where H is the name of the hypothesis" if RULES[name].takes_hypothesis else name
    return [does, fails, f"Type: {use}"]
