"""Theorems that nobody learns from, and how all others are split: by what they are up to renaming.

Reserved are those of the published test sets, and a hundred that trainings are watched by.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Final

from curricula import propl
from curricula.propl_lemmas import HARD, Entry, published
from state_spaces.canonical import label
from tactics.formula import Formula
from tactics.goal import initial

TRAINING_SET: Final = "propl-train"
"""The one published set that is not for tests."""
SPLITS: Final = ("train", "validation", "test")
_WATCHED: Final = 100
_TRAIN, _VALIDATION = 0.8, 0.1


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


def split_of(key: bytes) -> str:
    """The part of all theorems that one with a key is in: 80 % are to train on, 10 % each to validate and to test.

    What is reserved is in none but `test`.
    """
    share = int.from_bytes(blake2b(key, digest_size=8).digest()) / 2**64
    if key in reserved_keys() or share >= _TRAIN + _VALIDATION:
        return "test"
    return "train" if share < _TRAIN else "validation"
