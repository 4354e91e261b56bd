"""Kripke models drawn at random, to see at a glance that most goals without a proof have none.

A world that has all hypotheses of a goal and lacks its conclusion refutes it, in every model (Kripke 1965): what is
said here is certain, and only what is missed is left to chance. All models have three worlds, one below two others, of
which each is a model of classical logic; and all of them are looked at at once, each as a bit of an integer.
"""

from __future__ import annotations

from typing import Final

from oasis.ground.splitmix import SplitMix64
from tactics.formula import And, Atom, Binary, Formula, Implies, subformulas

MODELS: Final = 1024
"""How many there are."""
ALL_MODELS: Final = (1 << MODELS) - 1
"""All of them, as bits."""
_Worlds = tuple[int, int, int]
"""For the lower world and the two above it, which models have a formula there, as bits."""


class Countermodels:
    """Random models over all atoms that come up; the same ones for every search."""

    def __init__(self) -> None:
        self._rng = SplitMix64.seeded(0)
        self._having: dict[Formula, _Worlds] = {}

    def having(self, formula: Formula) -> _Worlds:
        """In which models the worlds have a formula."""
        known = self._having.get(formula)
        if known is None:
            for part in subformulas(formula):  # sides first, so that nothing recurses
                if part not in self._having:
                    self._having[part] = self._worked_out(part)
            known = self._having[formula]
        return known

    def _worked_out(self, formula: Formula) -> _Worlds:
        if isinstance(formula, Atom):
            one, other = self._drawn(), self._drawn()
            return one & other & self._drawn(), one, other
        if not isinstance(formula, Binary):
            return 0, 0, 0
        left, right = self._having[formula.left], self._having[formula.right]
        if isinstance(formula, And):
            return left[0] & right[0], left[1] & right[1], left[2] & right[2]
        if isinstance(formula, Implies):
            one, other = ALL_MODELS & ~left[1] | right[1], ALL_MODELS & ~left[2] | right[2]
            return (ALL_MODELS & ~left[0] | right[0]) & one & other, one, other
        return left[0] | right[0], left[1] | right[1], left[2] | right[2]

    def _drawn(self) -> int:
        bits = 0
        for _ in range(MODELS // 64):
            bits = bits << 64 | self._rng.next()
        return bits
