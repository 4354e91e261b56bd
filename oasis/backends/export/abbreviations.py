"""Formulas of a proof as text of bounded width: a long subformula gets a name, and is defined where it is first met.

So even a formula that would be huge when written out takes no more room than its parts. What signs look like is up to
the format.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from rich.cells import cell_len

from tactics.formula import TRUTH, And, Atom, Binary, Falsum, Formula, Implies, Or
from tactics.printer import COQ


class Sugar(NamedTuple):
    """How a format writes what the parser takes apart: negation, in front of its formula, equivalence and truth."""

    negation: str
    equivalence: str
    truth: str


class Signs(NamedTuple):
    """How a format writes connectives, falsity, atoms by their names, and the names of long formulas by numbers.

    Without `sugar` formulas are shown as the calculus takes them: `A → ⊥`, not `¬A`.
    """

    conjunction: str
    disjunction: str
    implication: str
    falsum: str
    atom: Callable[[str], str]
    name: Callable[[int], str]
    sugar: Sugar | None = None


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
        pending = [whole]
        while pending:
            formula = pending[-1]
            missing = [side for side in self._sides(formula) if side not in self._shown]
            if missing and formula not in self._shown:
                pending += reversed(missing)
                continue
            pending.pop()
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

    def _sides(self, formula: Formula) -> tuple[Formula, ...]:
        """The parts that are written, from left to right."""
        if self._signs.sugar is not None:
            match formula:
                case Implies(Falsum(), Falsum()):
                    return ()
                case Implies(operand, Falsum()):
                    return (operand,)
                case And(Implies(left, right), Implies(same_right, same_left)) if left is same_left:
                    return (left, right) if right is same_right else (formula.left, formula.right)
        return (formula.left, formula.right) if isinstance(formula, Binary) else ()

    def _laid_out(self, formula: Formula) -> Shown:
        """A formula whose sides are known."""
        sugar, sides = self._signs.sugar, self._sides(formula)
        if sugar is not None and formula is TRUTH:
            return Shown(sugar.truth, 1, 0)
        match formula:
            case Atom(name):
                return Shown(self._signs.atom(name), cell_len(COQ.atom(name)), 0)
            case Implies() if len(sides) == 1 and sugar is not None:
                (operand,) = (self._side(side, 0) for side in sides)
                return Shown(f"{sugar.negation}{operand.text}", operand.width + 1, 0)
            case And(left, right) if sides != (left, right) and sugar is not None:
                before, after = (self._side(side, 2) for side in sides)
                return Shown(f"{before.text} {sugar.equivalence} {after.text}", before.width + after.width + 3, 4)
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
