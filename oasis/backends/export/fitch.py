"""Fitch derivations as text: numbered lines, a bar beside each box, and behind each line its rule and what it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, NamedTuple, Self

from rich.cells import cell_len

from oasis.backends.export.abbreviations import Abbreviations, Signs, Sugar
from oasis.backends.export.base import Export, Proof, Text, named, one_line
from oasis.backends.export.deduction import Box, Fact, Rule, deduction
from tactics.formula import Formula
from tactics.printer import COQ, UNICODE
from tactics.script import Script

LEGEND: Final = (
    "The lines beside a bar hold while its first line, above the stroke, is assumed. I introduces a connective and E",
    "eliminates it; →I 2–5 is by the box of the lines 2 to 5, R repeats. ¬A is A → ⊥, A ↔ B is (A → B) ∧ (B → A).",
)
_LONGEST_FORMULA: Final = 60
_FARTHEST_RULE: Final = 84
"""Widths in letters."""
UNICODE_SIGNS: Final = Signs("∧", "∨", "→", "⊥", UNICODE.atom, lambda number: f"φ{number}", Sugar("¬", "↔", "⊤"))
ASCII_SIGNS: Final = Signs(
    "/\\", "\\/", "->", "False", COQ.atom, lambda number: f"phi{number}", Sugar("~", "<->", "True")
)
_ASCII: Final = str.maketrans(
    {"∧": "/\\", "∨": "\\/", "→": "->", "↔": "<->"} | dict(zip("¬₁₂–│├─", "~12-||-", strict=True))
)


class Row(NamedTuple):
    """A line of a derivation.

    Attributes:
        number: from 1.
        depth: how many boxes it is in.
        formula: what it says.
        reason: its rule and the lines that the rule needs, as in `∨E 1, 2–3, 4–6`.
        opens: whether it is the assumption of a box.
        follows_box: whether a box has ended right before it that is beside the one it opens.
    """

    number: int
    depth: int
    formula: Formula
    reason: str
    opens: bool
    follows_box: bool


def rows(whole: Box) -> Iterator[Row]:
    """The lines of a deduction in their order."""
    places: dict[Fact | Box, str] = {}
    pending: list[tuple[Fact | Box, int]] = [(item, 0) for item in reversed(whole.items)]
    begun: list[tuple[Box, int]] = []
    number, last_depth = 0, 0
    while pending:
        item, depth = pending.pop()
        while len(begun) > depth:
            box, first = begun.pop()
            places[box] = f"{first}–{number}"
        number += 1
        if isinstance(item, Box):
            begun.append((item, number))
            pending += [(each, depth + 1) for each in reversed(item.items)]
            assert item.assumption is not None
            fact, depth = item.assumption, depth + 1
        else:
            fact = item
        places[fact] = str(number)
        needed = ", ".join(places[premise] for premise in fact.premises)
        opens = fact.rule is Rule.ASSUMPTION
        reason = f"{fact.rule.value} {needed}".rstrip()
        yield Row(number, depth, fact.formula, reason, opens, opens and last_depth >= depth)
        last_depth = depth


class Derivation(NamedTuple):
    """A derivation as a format shows it.

    Attributes:
        statement: the lemma.
        lines: the lines, each with what it says.
        definitions: names of long formulas and what they stand for.
    """

    statement: str
    lines: list[tuple[Row, str]]
    definitions: list[tuple[str, str]]

    @classmethod
    def of(cls, name: str, formula: Formula, script: Script, signs: Signs, longest: int) -> Self:
        """The derivation of a lemma that a script proves, in the signs of a format; longer formulas get names.

        Raises InputError that names the lemma if the script does not prove it.
        """
        with named(name):
            lines = list(rows(deduction(formula, script)))
        formulas = Abbreviations(signs, longest)
        statement = formulas[formula].text
        return cls(statement, [(row, formulas[row.formula].text) for row in lines], formulas.definitions)


def legend(*, ascii_only: bool = False) -> str:
    """How a derivation is to be read, in two sentences."""
    return _legend(" ".join(LEGEND), *_written(ascii_only))


def _legend(text: str, signs: Signs, spelled: dict[int, str]) -> str:
    return text.replace("⊥", signs.falsum).translate(spelled)


def _written(ascii_only: bool) -> tuple[Signs, dict[int, str]]:
    """The signs of a derivation, and how what is between them is spelled."""
    return (ASCII_SIGNS, _ASCII) if ascii_only else (UNICODE_SIGNS, {})


def boxed(proof: Proof, *, ascii_only: bool = False) -> str:
    """A derivation alone, for a screen: no legend and no statement. Raises InputError as exports do."""
    signs, spelled = _written(ascii_only)
    text = Text()
    text.subject = one_line(proof.name)
    _add(Derivation.of(proof.name, proof.formula, proof.script, signs, _LONGEST_FORMULA), text, signs, spelled)
    return str(text)


def _write(proofs: Sequence[Proof], signs: Signs, spelled: dict[int, str]) -> str:
    """A legend, then for each lemma its statement and its derivation."""
    text = Text()
    for line in LEGEND:
        text.line(_legend(line, signs, spelled))
    for proof in proofs:
        text.subject = one_line(proof.name)
        derivation = Derivation.of(proof.name, proof.formula, proof.script, signs, _LONGEST_FORMULA)
        text.line()
        text.line(f"{text.subject} : {derivation.statement}")
        _add(derivation, text, signs, spelled)
    return str(text)


def _add(derivation: Derivation, text: Text, signs: Signs, spelled: dict[int, str]) -> None:
    """Write the definitions and the lines of a derivation."""
    _, lines, definitions = derivation
    for name, said in definitions:
        text.line(f"where {name} = {said}")
    text.line()
    margin = len(str(len(lines)))
    width = max(2 * row.depth + cell_len(said) for row, said in lines)
    column = min(margin + width, _FARTHEST_RULE)
    for row, said in lines:
        bars = "│ ".translate(spelled) * row.depth
        if row.follows_box:
            text.line(f"{'':{margin}} {bars[:-2]}".rstrip())
        before = f"{row.number:>{margin}} {bars}{said}"
        reason = row.reason.replace("⊥", f"{signs.falsum} " if signs.falsum != "⊥" else "⊥").translate(spelled)
        text.line(f"{before}{' ' * max(3, column + 4 - cell_len(before))}{reason}")
        if row.opens:
            text.line(f"{'':{margin}} {bars[:-2]}{'├' + '─' * (cell_len(said) + 2)}".translate(spelled))


FITCH: Final = Export(".txt", partial(_write, signs=UNICODE_SIGNS, spelled={}))
FITCH_ASCII: Final = Export(".txt", partial(_write, signs=ASCII_SIGNS, spelled=_ASCII))
