"""A number that does not change when a goal's atoms are renamed: a quick look before a labelling.

Goals whose numbers differ are different up to renaming. Those with equal ones need not be the same, so what counts in
the end is the key (`state_spaces.canonical`), which takes several times as long to work out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from state_spaces.shape import shape
from tactics.formula import Atom, Formula
from tactics.goal import Sequent

_MARK: Final = (1 << 40) - 1
_CONCLUSION: Final = 1 << 4
"""How often a conclusion counts beside once as a hypothesis."""
_LANE: Final = 64
"""Bits in which the marks of an atom are added up: enough for a goal of a million hypotheses."""


class Invariants:
    """The invariants of sequents.

    Each atom is known by a sum of marks, one for each formula in which it occurs, that stand for the formula's shape
    and the atom's place in it. All these sums are one long integer, so that they are formed together.

    Args:
        formulas: those of the sequents by their ids.
    """

    def __init__(self, formulas: Mapping[int, Formula]) -> None:
        self._marks = _Marks(formulas)

    def __call__(self, sequent: Sequent) -> int:
        """64 bits that depend on nothing but the sequent up to renaming, of this process."""
        marks = self._marks
        total = sum(map(marks.__getitem__, sequent)) + _CONCLUSION * marks[sequent[0]]
        sums = memoryview(total.to_bytes(marks.size, "little")).cast("Q")
        return hash(tuple(sorted(filter(None, sums))))


class _Marks(dict[int, int]):
    """The marks of a formula by its id: one in the lane of each of its atoms, and one for its shape in the first."""

    def __init__(self, formulas: Mapping[int, Formula]) -> None:
        super().__init__()
        self._formulas = formulas
        self._lanes: dict[Atom, int] = {}
        self.size = _LANE // 8

    def __missing__(self, number: int) -> int:
        digest, atoms = shape(self._formulas[number])
        marks = hash(digest) & _MARK
        for place, atom in enumerate(atoms):
            lane = self._lanes.setdefault(atom, len(self._lanes) + 1)
            marks |= (hash((digest, place)) & _MARK) << lane * _LANE
        self.size = (len(self._lanes) + 1) * _LANE // 8
        self[number] = marks
        return marks
