"""Classical truth: which valuations of its atoms refute a state.

A truth table is an int with a bit for each valuation, so that a connective is one operation on all of them at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import shake_128
from typing import Final, NamedTuple

from oasis.dagger.anatomy import anatomy, assumed, kept_with_goal
from tactics.formula import And, Atom, Formula, Implies, Or, subformulas
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
    known = [_known(goal) for goal in state]
    atoms = _together(frozenset([each.atoms for each in known]))
    refuting = 0
    for goal, each in zip(state, known, strict=True):
        table = each.tables.get(atoms)
        if table is None:
            table = each.tables[atoms] = _refuting(goal, atoms)
        refuting |= table
    return refuting.bit_count() / (1 << min(len(atoms), EXACT))


class _Known(NamedTuple):
    """What is known of a goal: its atoms, and the valuations that refute it, of all atoms that were asked about."""

    atoms: frozenset[Atom]
    tables: dict[Atoms, int]


@kept_with_goal
def _known(goal: Goal) -> _Known:
    atoms = anatomy(goal.conclusion).atoms.union(*(anatomy(formula).atoms for formula in set(assumed(goal))))
    return _Known(atoms, {})


@lru_cache(maxsize=1024)
def _together(atoms: frozenset[frozenset[Atom]]) -> Atoms:
    """All atoms of some sets, by their names."""
    return tuple(sorted(frozenset[Atom]().union(*atoms), key=lambda atom: atom.name))


def _refuting(goal: Goal, atoms: Atoms) -> int:
    every, _ = _columns(atoms)
    refuting = every ^ truth_table(goal.conclusion, atoms)
    for formula in set(assumed(goal)):
        refuting &= truth_table(formula, atoms)
    return refuting


def truth_table(formula: Formula, atoms: Atoms) -> int:
    """The valuations of some atoms, its own among them, that make a formula true; 2^14 of them if they are many."""
    tables = _tables(atoms)
    known = tables.get(formula)
    if known is not None:
        return known
    if len(tables) > _REMEMBERED:
        tables.clear()
    every, columns = _columns(atoms)
    for node in subformulas(formula):
        if node in tables:
            continue
        if isinstance(node, And):
            tables[node] = tables[node.left] & tables[node.right]
        elif isinstance(node, Or):
            tables[node] = tables[node.left] | tables[node.right]
        elif isinstance(node, Implies):
            tables[node] = every ^ tables[node.left] | tables[node.right]
        else:
            tables[node] = columns[node] if isinstance(node, Atom) else 0
    return tables[formula]


@lru_cache(maxsize=16)
def _tables(atoms: Atoms) -> dict[Formula, int]:
    """The truth tables that are known; whoever needs one of a whole has those of all its parts."""
    return {}


@lru_cache(maxsize=64)
def _columns(atoms: Atoms) -> tuple[int, Mapping[Atom, int]]:
    """All valuations, and for each atom those that make it true."""
    if len(atoms) > EXACT:
        size = 1 << EXACT
        drawn = {atom: int.from_bytes(shake_128(atom.name.encode()).digest(size // 8)) for atom in atoms}
        return (1 << size) - 1, drawn
    every = (1 << (1 << len(atoms))) - 1
    # Divided by 10…01 with 2^place digits between, all ones leave blocks of 2^place ones and zeros in turn.
    return every, {atom: every // ((1 << (1 << place)) + 1) for place, atom in enumerate(atoms)}
