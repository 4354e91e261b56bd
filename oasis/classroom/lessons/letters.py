"""The same exercise in other letters for each student, so that a proof that was copied does not fit.

Which letters a student gets depends on nothing but names, so they stay the same for ever and on every machine. Two
students may get the same letters by chance; that their work is graded alike is the business of state spaces.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import count, islice
from typing import Final

from tactics.formula import Formula, atoms, renamed

_NICE: Final = "pqrstabcdegkmnuvwxyz"
"""Without f, which looks like falsity, h, which looks like a hypothesis, and what looks like a digit or a dot."""


def own_letters(formula: Formula, lesson: str, exercise: str, name: str) -> Formula:
    """The formula with other letters for its atoms, drawn by the names of lesson, exercise and student.

    Upper and lower case in the name of the student, and spaces around it, make no difference.
    """
    names = [atom.name for atom in atoms(formula)]
    seed = "\0".join([lesson, exercise, name.strip().casefold()])

    def lot(letter: str) -> bytes:
        return blake2b(f"{seed}\0{letter}".encode(), digest_size=16).digest()

    return renamed(formula, dict(zip(names, sorted(_pool(len(names)), key=lot), strict=False)))


def _pool(size: int) -> list[str]:
    """At least so many names: the nice letters, and more of them with numbers if that is not enough."""
    numbered = (f"{letter}{number}" for number in count(1) for letter in _NICE)
    return [*_NICE, *islice(numbered, max(0, size - len(_NICE)))]
