"""Copies of lemmas in other letters, one by one or several of them in one conjunction.

Lemmas come in as formulas. Letters are drawn, structure never changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count, islice
from random import Random
from string import ascii_uppercase

from curricula.families import conjunction
from tactics.errors import InputError
from tactics.formula import Formula, atoms, renamed


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


def relettered(formulas: Sequence[Formula], rng: Random) -> list[Formula]:
    """Draw other letters for every formula of a sequence, so that no two of them are alike.

    Raises InputError if one of them has no atoms.
    """
    drawn = {formula: iter(copies(formula, number, rng)) for formula, number in Counter(formulas).items()}
    return [next(drawn[formula]) for formula in formulas]


def at_once(formula: Formula, most: int) -> list[Formula]:
    """Return a formula alone, the conjunction of two copies of it, and so on; each copy has letters of its own."""
    return [
        conjunction(
            renamed(formula, {atom.name: f"{atom.name}_{part}" for atom in atoms(formula)}) for part in range(number)
        )
        for number in range(1, most + 1)
    ]


def _letters() -> Iterable[str]:
    """A to Z, then A1 to Z1, and so on."""
    yield from ascii_uppercase
    yield from (f"{letter}{number}" for number in count(1) for letter in ascii_uppercase)
