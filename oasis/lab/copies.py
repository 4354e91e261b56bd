"""Copies of lemmas in other letters, one by one or several of them in one conjunction.

Lemmas come in as formulas; which ones exist is the business of `curricula`. Letters are drawn, structure never changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, islice
from random import Random
from string import ascii_uppercase
from typing import Final

from curricula.families import conjunction
from curricula.library import textbook_lemma
from tactics.errors import InputError
from tactics.formula import Formula, atoms, renamed

CHOICES: Final = (
    "or_intro",
    "or_comm",
    "triple_negation",
    "and_absorption",
    "or_assoc",
    "triple_negation_iff",
    "and_over_or",
    "or_over_and",
    "double_negation_and",
)
"""The textbook's theorems in which a move can lead to a dead end. In all its others every game ends in a proof."""


def choices() -> tuple[Formula, ...]:
    """The formulas of `CHOICES`."""
    return tuple(textbook_lemma(name).formula for name in CHOICES)


def copies(formula: Formula, number: int, rng: Random) -> list[Formula]:
    """Copies of a formula with other letters for its atoms, no two of them alike. Raises InputError without atoms."""
    names = [atom.name for atom in atoms(formula)]
    if not names:
        raise InputError("This lemma has no atoms, so no renamed copy of it exists; choose one with atoms.")
    # Other letters make another formula, so this leaves more than enough even where there is one atom.
    alphabet = list(islice(_letters(), max(len(ascii_uppercase), number + len(names))))
    found: dict[Formula, None] = {}
    while len(found) < number:
        found[renamed(formula, dict(zip(names, rng.sample(alphabet, len(names)), strict=True)))] = None
    return list(found)


def letterings(formulas: Iterable[Formula], number: int, rng: Random) -> list[Formula]:
    """All formulas in one lettering, then all in another, and so on."""
    return [
        copy for lettering in zip(*(copies(each, number, rng) for each in formulas), strict=True) for copy in lettering
    ]


def at_once(formula: Formula, most: int, rng: Random) -> list[Formula]:
    """A formula alone, then the conjunction of two copies of it, and so on; each copy has letters of its own."""
    return [_conjoined(formula, number, rng) for number in range(1, most + 1)]


def _conjoined(formula: Formula, number: int, rng: Random) -> Formula:
    apart = (renamed(formula, {atom.name: f"{atom.name}_{part}" for atom in atoms(formula)}) for part in range(number))
    (copy,) = copies(conjunction(apart), 1, rng)
    return copy


def _letters() -> Iterable[str]:
    """A to Z, then A1 to Z1, and so on."""
    yield from ascii_uppercase
    yield from (f"{letter}{number}" for number in count(1) for letter in ascii_uppercase)
