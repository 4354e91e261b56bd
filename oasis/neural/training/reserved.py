"""Theorems that nobody learns from: those of the published test sets, and a hundred that trainings are watched by."""

from __future__ import annotations

from functools import cache
from typing import Final

from curricula import propl
from curricula.propl_lemmas import HARD, Entry, published
from state_spaces.canonical import label
from tactics.formula import Formula
from tactics.goal import initial

TRAINING_SET: Final = "propl-train"
"""The one published set that is not for tests."""
_WATCHED: Final = 100


def key(theorem: Formula) -> bytes:
    """What a theorem is up to renaming: equal exactly for those that a bijection of atoms makes equal."""
    return label(initial(theorem)).key


@cache
def hundred() -> tuple[Formula, ...]:
    """The first hundred hard theorems of the published training set; nobody is trained or tested on them."""
    return tuple(propl.formula(entry.number, entry.n) for entry in _entries_of_hundred())


@cache
def reserved_keys() -> frozenset[bytes]:
    """The keys of the theorems in the fixed test sets and of the fixed hundred."""
    entries = [entry for name, entries in published().items() if name != TRAINING_SET for entry in entries]
    return frozenset(key(propl.formula(entry.number, entry.n)) for entry in [*entries, *_entries_of_hundred()])


def _entries_of_hundred() -> list[Entry]:
    return [entry for entry in published()[TRAINING_SET] if entry.length >= HARD][:_WATCHED]
