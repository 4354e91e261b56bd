"""The shape of a formula: what is left of it when its atoms lose their names.

Two formulas have equal shapes exactly if renaming atoms one to one makes them equal. The digest depends on the
structure alone, so it is the same in every process; the shape of a goal is not this module's concern.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import pack
from typing import Final, NamedTuple

from tactics.formula import And, Atom, Binary, Falsum, Formula, Implies, Or, subformulas

_KIND: Final[dict[type[Formula], int]] = {Atom: 0, Falsum: 1, And: 2, Or: 3, Implies: 4}


class Shape(NamedTuple):
    """A formula taken apart: `digest`, 16 bytes, is its structure, `atoms` are its distinct atoms as they occur."""

    digest: bytes
    atoms: tuple[Atom, ...]


def shape(formula: Formula) -> Shape:
    """The shape of a formula; linear in the number of its distinct subformulas, and then kept with it."""
    known: Shape | None = formula.shape
    if known is None:
        known = formula.shape = _shape(formula)
    return known


def _shape(formula: Formula) -> Shape:
    number: dict[Formula, int] = {}
    atoms: list[Atom] = []
    code: list[int] = []
    for node in subformulas(formula):
        number[node] = len(number)
        if isinstance(node, Binary):
            code += _KIND[type(node)], number[node.left], number[node.right]
        elif isinstance(node, Atom):
            code += _KIND[Atom], len(atoms), 0
            atoms.append(node)
        else:
            code += _KIND[Falsum], 0, 0
    return Shape(blake2b(pack(f"<{len(code)}I", *code), digest_size=16).digest(), tuple(atoms))
