"""Lemmas that look like another one: its formula with sides swapped, parts exchanged, or a part made anew by chance.

Every mutation keeps the number of connectives. How hard the outcome is, and whether it has a proof, is not known here.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final

from curricula.generator import random_formula
from tactics.formula import And, Binary, Formula, Implies, Or, atoms, subformulas

_CONNECTIVES: Final = (And, Or, Implies)
_MOST: Final = 3
"""Mutations of one formula at a time."""

_Path = tuple[bool, ...]
"""The way from a formula down to one of its parts: at each connective whether it is to the right."""
_Draw = Callable[[], float]


def mutants(formula: Formula, seed: int = 0) -> Iterator[Formula]:
    """Yield formulas with as many connectives and different atoms as this one, each a few mutations away, for ever.

    One may come more than once, and of a formula without connectives none comes. The same seed gives the same ones in
    every process.
    """
    draw = random.Random(seed).random
    number = len(atoms(formula))
    while isinstance(formula, Binary):
        mutant: Formula = formula
        for _ in range(1 + int(draw() * _MOST)):
            mutate = _MUTATIONS[int(draw() * len(_MUTATIONS))]
            mutant = mutate(draw, mutant)
        if mutant is not formula and len(atoms(mutant)) == number:
            yield mutant


def _swap(draw: _Draw, formula: Formula) -> Formula:
    """Swap the sides of a conjunction or disjunction; nothing, if the part that is drawn is neither."""
    path, part = _draw_part(draw, formula)
    return _with(formula, path, type(part)(part.right, part.left)) if isinstance(part, And | Or) else formula


def _exchange(draw: _Draw, formula: Formula) -> Formula:
    """Exchange two parts; nothing, if one of them is in the other."""
    (path, part), (other_path, other) = _draw_part(draw, formula), _draw_part(draw, formula)
    common = min(len(path), len(other_path))
    if path[:common] == other_path[:common]:
        return formula
    return _with(_with(formula, path, other), other_path, part)


def _connect(draw: _Draw, formula: Formula) -> Formula:
    """Put a connective in the place of one that is drawn; nothing, if a part without one is."""
    path, part = _draw_part(draw, formula)
    connective = _CONNECTIVES[int(draw() * len(_CONNECTIVES))]
    return _with(formula, path, connective(part.left, part.right)) if isinstance(part, Binary) else formula


def _renew(draw: _Draw, formula: Formula) -> Formula:
    """Make a part anew from what the formula is made of, with as many connectives."""
    path, part = _draw_part(draw, formula)
    leaves = [each for each in subformulas(formula) if not isinstance(each, Binary)]
    return _with(formula, path, random_formula(draw, part.size // 2, leaves, 0.0))


_MUTATIONS: Final = (_swap, _exchange, _connect, _renew)


def _draw_part(draw: _Draw, formula: Formula) -> tuple[_Path, Formula]:
    """A part that stands somewhere in a formula, each place with the same probability, and the way there."""
    path: list[bool] = []
    place = int(draw() * formula.size)
    while place and isinstance(formula, Binary):
        place -= 1
        goes_right = place >= formula.left.size
        if goes_right:
            place -= formula.left.size
        formula = formula.right if goes_right else formula.left
        path.append(goes_right)
    return tuple(path), formula


def _with(formula: Formula, path: _Path, part: Formula) -> Formula:
    """The formula with another part at the end of a way."""
    around: list[tuple[Binary, bool]] = []
    for goes_right in path:
        assert isinstance(formula, Binary), "a way leads through connectives"
        around.append((formula, goes_right))
        formula = formula.right if goes_right else formula.left
    for whole, goes_right in reversed(around):
        part = type(whole)(whole.left, part) if goes_right else type(whole)(part, whole.right)
    return part
