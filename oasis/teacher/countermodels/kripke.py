"""Finite Kripke models: worlds, what lies above what, and which atoms are true where.

The model is data. Which formulas it forces is `forcing`'s concern, how it looks is `drawing`'s.
"""

from __future__ import annotations

from dataclasses import dataclass

from tactics.formula import Atom


@dataclass(frozen=True)
class Kripke:
    """A model with its root first.

    Attributes:
        true: for each world the atoms that are true there.
        above: for each world a bit for each world that lies above it, itself among them: a partial order in which what
            is true stays true.
    """

    true: tuple[frozenset[Atom], ...]
    above: tuple[int, ...]
