"""Classical truth: which valuations of its atoms refute a state.

A truth table is an int with a bit for each valuation, so that a connective is one operation on all of them at once.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import shake_128
from typing import Final

from oasis.dagger.anatomy import assumed, atoms_of, kept_with_goal
from tactics.formula import FALSE, And, Atom, Binary, Formula, Or, subformulas
from tactics.goal import Goal, State

EXACT: Final = 14
"""Atoms up to which every valuation is looked at. Where there are more, 2^14 are drawn, always the same for an atom."""

_REMEMBERED: Final = 4096
"""Truth tables over the same atoms, after which they are worked out again."""

Atoms = tuple[Atom, ...]


def refuted(state: State) -> float:
    """The share of valuations, in [0, 1], that refute a goal: that make its hypotheses true and its conclusion false.

    Exact up to `EXACT` atoms; with more, its standard error is at most 1/256.
    """
    atoms = _sorted(frozenset([atoms_of(goal) for goal in state]))
    refuting = 0
    for goal in state:
        tables = _refuting(goal)
        if atoms not in tables:
            tables[atoms] = _refuting_of(goal, atoms)
        refuting |= tables[atoms]
    return refuting.bit_count() / (1 << min(len(atoms), EXACT))


def is_refuted(goal: Goal) -> bool:
    """Whether a valuation refutes a goal; False with more atoms than all of whose valuations are looked at."""
    return len(atoms_of(goal)) <= EXACT and refuted((goal,)) > 0


@lru_cache(maxsize=1024)
def _sorted(atoms: frozenset[frozenset[Atom]]) -> Atoms:
    """All atoms of some sets, by their names."""
    return tuple(sorted(frozenset[Atom]().union(*atoms), key=lambda atom: atom.name))


@kept_with_goal
def _refuting(goal: Goal) -> dict[Atoms, int]:
    """Return the valuations that refute a goal, of all atoms that were asked about."""
    return {}


def _refuting_of(goal: Goal, atoms: Atoms) -> int:
    refuting = ~truth_table(goal.conclusion, atoms)
    for formula in set(assumed(goal)):
        refuting &= truth_table(formula, atoms)
    return refuting & _tables(atoms)[0]


def truth_table(formula: Formula, atoms: Atoms) -> int:
    """The valuations of some atoms, its own among them, that make a formula true; 2^14 of them if they are many."""
    if len(_tables(atoms)[1]) > _REMEMBERED:
        _tables.cache_clear()
    every, tables = _tables(atoms)
    if formula not in tables:
        for node in subformulas(formula):
            if isinstance(node, Binary) and node not in tables:
                left, right = tables[node.left], tables[node.right]
                if isinstance(node, And):
                    tables[node] = left & right
                else:
                    tables[node] = left | right if isinstance(node, Or) else every ^ left | right
    return tables[formula]


@lru_cache(maxsize=16)
def _tables(atoms: Atoms) -> tuple[int, dict[Formula, int]]:
    """Return all valuations, and the truth tables that are known: at first those of the atoms and of falsum.

    The truth table of a formula is known only together with those of all its parts.
    """
    size = 1 << min(len(atoms), EXACT)
    every = (1 << size) - 1
    tables: dict[Formula, int] = {FALSE: 0}
    for place, atom in enumerate(atoms):
        if len(atoms) > EXACT:
            tables[atom] = int.from_bytes(shake_128(atom.name.encode()).digest(size // 8))
        else:  # divided by 10…01 with 2^place digits between, all ones leave blocks of 2^place ones and zeros in turn
            tables[atom] = every // ((1 << (1 << place)) + 1)
    return every, tables
