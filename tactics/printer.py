"""From formula to text in Coq's, TPTP's or Unicode notation, with brackets wherever conventions differ.

`parse(show(f))` is `f` in every notation, and Coq, Lean and textbooks read it so, too. With `sugar` the abbreviations
`~`, `<->` and `True` are put back; without, the text is what Coq shows after they are unfolded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from tactics.errors import InputError
from tactics.formula import TRUTH, And, Atom, Falsum, Formula, Implies, Or, atoms
from tactics.tokens import CONSTANTS

MAX_CHARACTERS: Final = 20_000_000
_READABLE: Final = 2_000
"""Characters of a formula up to which a person reads it as text; in a notebook a fourth of that as mathematics."""


def _atom(name: str) -> str:
    """Return a name, in quotes if people mean a constant by it."""
    return f"'{name}'" if name in CONSTANTS else name


@dataclass(frozen=True, eq=False)  # so that it is found in tables without its fields being looked at
class Notation:
    """How connectives look.

    With `brackets_all` every compound side of a binary connective stands in brackets.
    """

    name: str
    conjunction: str
    disjunction: str
    implication: str
    equivalence: str
    negation: str
    falsum: str
    truth: str
    quantifier: str
    brackets_all: bool = False
    atom: Callable[[str], str] = _atom
    turnstile: str = "|-"


def _tptp_atom(name: str) -> str:
    """TPTP's lower words stand for themselves, other names and those that people mean a constant by in quotes."""
    is_word = re.fullmatch(r"[a-z][A-Za-z0-9_]*", name) and name not in CONSTANTS
    return name if is_word else "'" + name.replace("'", "\\'") + "'"


def _latex_atom(name: str) -> str:
    """A name of several letters as one word, its underscores as they stand."""
    return name if len(name) == 1 else rf"\mathit{{{name}}}".replace("_", r"\_")


COQ: Final = Notation("coq", "/\\", "\\/", "->", "<->", "~ ", "False", "True", "forall {} : Prop, ")
TPTP: Final = Notation("tptp", "&", "|", "=>", "<=>", "~ ", "$false", "$true", "", True, _tptp_atom)
UNICODE: Final = Notation("unicode", "∧", "∨", "→", "↔", "¬", "⊥", "⊤", "∀ {} : Prop, ", turnstile="⊢")
LATEX: Final = Notation(
    "latex",
    r"\land",
    r"\lor",
    r"\to",
    r"\leftrightarrow",
    r"\lnot ",
    r"\bot",
    r"\top",
    "",
    atom=_latex_atom,
    turnstile=r"\vdash",
)
"""For mathematics in LaTeX, as notebooks show it."""
PROVERS: Final = replace(COQ, atom=str)
"""Coq's, with names as they stand: provers know no quotes, and take no name for a constant that they bind."""
NOTATIONS: Final = {notation.name: notation for notation in (COQ, TPTP, UNICODE)}

_ATOMIC, _NOT, _AND, _OR, _IFF, _IMPLIES, _ANY = 0, 75, 80, 85, 95, 99, 100


def show(
    formula: Formula,
    notation: Notation = COQ,
    *,
    sugar: bool = True,
    quantified: bool = False,
    limit: int | None = None,
) -> str:
    """The text of a formula; `quantified` puts its atoms in front, where the notation can.

    Raises InputError when the text would be longer than `limit` characters, `MAX_CHARACTERS` if None: without sugar a
    chain of equivalences doubles with every link.
    """
    limit = MAX_CHARACTERS if limit is None else limit
    pieces: list[str] = []
    length = 0
    names: list[str] = []
    if quantified and notation.quantifier:
        names = [atom.name for atom in atoms(formula)]
        notation = replace(notation, atom=str)
    # Each entry is text, or a formula with the loosest level that needs no brackets around it.
    pending: list[str | tuple[Formula, int]] = [(formula, _ANY)]
    if names:
        pending.append(notation.quantifier.format(" ".join(names)))
    while pending:
        entry = pending.pop()
        if isinstance(entry, str):
            pieces.append(entry)
            length += len(entry)
            if length > limit:
                raise InputError(
                    f"This formula has more than {limit:,} characters written out; show it with ~ and <->."
                )
            continue
        node, loosest = entry
        level, parts = _layout(node, notation, sugar)
        # An equivalence beside an implication is read in two ways.
        if loosest < _ANY and (level == _IFF or (notation.brackets_all and level > _NOT)):
            loosest = _ATOMIC
        pending += reversed(parts if level <= loosest else ["(", *parts, ")"])
    return "".join(pieces)


def readable(formula: Formula) -> str:
    """The text that `parse` reads back; of a formula too long to be read, how large it is."""
    try:
        return show(formula, limit=_READABLE)
    except InputError:
        return f"<a formula of {formula.size:,} symbols>"


def mathematics(formula: Formula) -> str | None:
    """The formula as LaTeX between dollars; None if it is too long to be read as that."""
    try:
        return f"${show(formula, LATEX, limit=_READABLE // 4)}$"
    except InputError:
        return None


def brief(formula: Formula, notation: Notation = COQ) -> str:
    """The text of a formula, its middle left out when it is long."""
    try:
        text = show(formula, notation, limit=100_000)
    except InputError:
        return "a formula too long to show"
    return text if len(text) <= 80 else f"{text[:50]} … {text[-20:]}"


def _layout(formula: Formula, notation: Notation, sugar: bool) -> tuple[int, list[str | tuple[Formula, int]]]:
    """The level of a formula's outermost connective, and its text with the sides still to be laid out."""
    if sugar:
        if formula is TRUTH:
            return _ATOMIC, [notation.truth]
        match formula:
            case Implies(operand, Falsum()):
                return _NOT, [notation.negation, (operand, _NOT)]
            case And(Implies(left, right), Implies(same_right, same_left)) if left is same_left and right is same_right:
                # Neither side may be an equivalence itself: it does not chain.
                return _IFF, [(left, _OR), f" {notation.equivalence} ", (right, _OR)]
    match formula:
        case Atom(name):
            return _ATOMIC, [notation.atom(name)]
        case And(left, right):
            return _AND, [(left, _NOT), f" {notation.conjunction} ", (right, _AND)]
        case Or(left, right):
            return _OR, [(left, _AND), f" {notation.disjunction} ", (right, _OR)]
        case Implies(left, right):
            return _IMPLIES, [(left, _IFF), f" {notation.implication} ", (right, _IMPLIES)]
        case _:
            return _ATOMIC, [notation.falsum]
