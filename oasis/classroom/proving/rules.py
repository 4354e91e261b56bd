"""What a student reads about each of the twelve rules: what it does, and when it fails.

The rule itself is data of `tactics.rules`, and what an example becomes is worked out by the calculus; here both are put
into words.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from tactics.printer import COQ, Notation, show
from tactics.rules import RULES, SPEAKING, Premise, Rule, apply, legal_moves, tactic_named
from tactics.sequent import parse_state, show_state

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
        "It fails if there is no False; A and ~A together are not False yet, but apply makes it of them.",
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
        "A hypothesis (C -> D) -> B gives B only to who has C -> D, so it makes two goals: prove C -> D, with D -> B "
        "in its place, as D alone gives C -> D; then go on with B in its place.",
        "It fails if the left side of the hypothesis is no implication; and it loses the proof if C -> D cannot be "
        "proved.",
    ),
}


_EXAMPLES: Final = {
    "intro": "|- p -> q",
    "assumption": "p, q |- q",
    "contradiction": "p, False |- q",
    "split": "p, q |- p /\\ q",
    "left": "p |- p \\/ q",
    "right": "q |- p \\/ q",
    "destruct_and": "p /\\ q |- p",
    "destruct_or": "p \\/ q |- q \\/ p",
    "imply1": "p -> q, p |- q",
    "imply2": "(p /\\ q) -> r, p, q |- r",
    "imply3": "(p \\/ q) -> r, p |- r",
    "imply4": "(p -> p) -> q |- q",
}


class Page(NamedTuple):
    """What there is to read about a rule.

    Attributes:
        name: of the rule, its speaking one if it has one.
        other: its name in the table, where that is not the same; otherwise empty.
        does: what it does, in words.
        fails: when it does not apply, and when it loses the proof.
        typed: how it is typed.
        before, after: the goal it applies to and what it leaves, in letters for any formula.
        example, leaves: the same for an example.
    """

    name: str
    other: str
    does: str
    fails: str
    typed: str
    before: str
    after: str
    example: str
    leaves: str

    @property
    def lines(self) -> list[str]:
        """All of it, a line for each thing."""
        return [
            self.does,
            self.fails,
            f"Rule: from {self.before} to {self.after}",
            f"Example: {self.example} becomes {self.leaves}",
            f"Type: {self.typed}" + (f"; saved proofs call it {self.other}" if self.other else ""),
        ]


def with_signs(words: str, notation: Notation) -> str:
    """A text that names connectives as they are typed, with the signs of a notation."""
    signs = {
        "<->": notation.equivalence,
        "->": notation.implication,
        "/\\": notation.conjunction,
        "\\/": notation.disjunction,
        "|-": notation.turnstile,
        "~": notation.negation.strip(),
        "False": notation.falsum,
    }
    return re.sub("|".join(map(re.escape, signs)), lambda match: signs[match[0]], words)


def page(name: str, notation: Notation = COQ) -> Page:
    """The page of a rule, by either of its names. Raises InputError for what is no rule."""
    name = tactic_named(name)
    rule, (does, fails) = RULES[name], _WORDS[name]
    called = SPEAKING.get(name, name)
    typed = f"{called} H, where H is the name of the hypothesis" if rule.takes_hypothesis else called
    example = parse_state(_EXAMPLES[name])
    move = next(move for move in legal_moves(example[0]) if move.rule == name)
    leaves = apply(example, move)
    return Page(
        called,
        name if called != name else "",
        with_signs(does, notation),
        with_signs(fails, notation),
        typed,
        _before(rule, notation),
        " and ".join(_after(rule, premise, notation) for premise in rule.premises) or "done",
        show_state(example, notation),
        show_state(leaves, notation).replace("; ", " and ") if leaves else "done",
    )


def _before(rule: Rule, notation: Notation) -> str:
    """The goal that a rule applies to; dots stand for the hypotheses that it does not ask for."""
    asked = [f"H : {show(rule.pattern, notation)}"] if rule.takes_hypothesis else []
    if rule.given is not None:
        asked.append(show(rule.given, notation))
    conclusion = "G" if rule.takes_hypothesis else show(rule.pattern, notation)
    return f"{', '.join(['..', *asked])} {notation.turnstile} {conclusion}"


def _after(rule: Rule, premise: Premise, notation: Notation) -> str:
    """A goal that it leaves."""
    kept = [] if rule.given is None else [show(rule.given, notation)]
    replaced = [] if premise.replacement is None else [f"H : {show(premise.replacement, notation)}"]
    added = [] if premise.addition is None else [show(premise.addition, notation)]
    conclusion = "G" if premise.conclusion is None else show(premise.conclusion, notation)
    return f"{', '.join(['..', *replaced, *kept, *added])} {notation.turnstile} {conclusion}"
