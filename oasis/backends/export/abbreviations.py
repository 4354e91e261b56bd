"""Formulas of a proof as text of bounded width: a long subformula gets a name, and is defined where it is first met.

So even a formula that would be huge when written out takes no more room than its parts. What signs look like is up to
the format.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.cells import cell_len

from tactics.formula import And, Atom, Binary, Formula, Or, subformulas


class Signs(NamedTuple):
    """How a format writes connectives, falsity, atoms by their names, and the names of long formulas by numbers."""

    conjunction: str
    disjunction: str
    implication: str
    falsum: str
    atom: Callable[[str], str]
    name: Callable[[int], str]


class Shown(NamedTuple):
    """The text of a formula, about how many letters wide it is, and how loosely its connective binds."""

    text: str
    width: int
    level: int


class Abbreviations:
    """How the formulas of a proof are written; long ones by a name.

    Args:
        signs: of the format.
        longest: letters after which a formula gets a name.

    Attributes:
        definitions: names and what they stand for, none before those that it needs.
    """

    def __init__(self, signs: Signs, longest: int) -> None:
        self._signs, self._longest = signs, longest
        self._shown: dict[Formula, Shown] = {}
        self.definitions: list[tuple[str, str]] = []

    def __getitem__(self, whole: Formula) -> Shown:
        for formula in () if whole in self._shown else subformulas(whole):
            if formula in self._shown:
                continue
            shown = self._laid_out(formula)
            if shown.width > self._longest:
                number = len(self.definitions) + 1
                name = self._signs.name(number)
                self.definitions.append((name, shown.text))
                shown = Shown(name, 1 + len(str(number)), 0)
            self._shown[formula] = shown
        return self._shown[whole]

    def _laid_out(self, formula: Formula) -> Shown:
        match formula:
            case Atom(name):
                return Shown(self._signs.atom(name), cell_len(name), 0)
            case Binary(left, right):
                signs = {And: (1, self._signs.conjunction), Or: (2, self._signs.disjunction)}
                level, sign = signs.get(type(formula), (3, self._signs.implication))
                before, after = self._side(left, level - 1), self._side(right, level)
                return Shown(f"{before.text} {sign} {after.text}", before.width + after.width + 3, level)
            case _:
                return Shown(self._signs.falsum, 1, 0)

    def _side(self, formula: Formula, loosest: int) -> Shown:
        shown = self._shown[formula]
        return shown if shown.level <= loosest else Shown(f"({shown.text})", shown.width + 2, 0)
