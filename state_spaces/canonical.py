"""Canonical labelling: what a proof state is when atoms and hypotheses lose their names and hypotheses their order.

A state is taken as a set of formulas, each with a colour: its shape and the parts it plays in the goals. Atoms get
labels 0, 1, … in an order that depends on nothing but colours and labels given before, so states that a bijection of
atoms makes equal get equal keys; and as the key is a digest of every colour and label, no other states do. Each stage
leaves to the next only what it cannot tell apart: most states need the first alone, which takes linear time; the last
is imported by the first state that needs it. An invariant is a quick look before: a number that does not change when
atoms are renamed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise
from struct import pack
from typing import Final, NamedTuple

from state_spaces.shape import shape
from tactics.errors import InputError
from tactics.formula import Atom, Formula
from tactics.goal import Goal, Sequent

_END: Final = b"\xff" * 4
"""Ends a list of parts; no state has so many goals that it could be one."""
_MARK: Final = (1 << 40) - 1
_CONCLUSION: Final = 1 << 4
"""How often a conclusion counts beside once as a hypothesis."""
_LANE: Final = 64
"""Bits in which the marks of an atom are added up: enough for a goal of a million hypotheses."""


class TooSymmetric(InputError):
    """A state whose symmetry takes more work to resolve than the budget allows; it gets no key."""


class Unnamed(NamedTuple):
    """What counts of a goal; the names and the order of the hypotheses do not."""

    hypotheses: Sequence[Formula]
    conclusion: Formula

    @classmethod
    def of(cls, goal: Goal) -> Unnamed:
        """Return a goal without the names of its hypotheses."""
        return cls([formula for _, formula in goal.hypotheses], goal.conclusion)


class Labelling(NamedTuple):
    """A state up to renaming.

    Attributes:
        key: 16 bytes, the same in every process, equal for two states exactly if one bijection of atoms makes their
            goals equal, whatever the hypotheses' names and order.
        atoms: the atoms by their labels; of two states with equal keys, atoms with equal labels correspond.
        formulas: the distinct formulas, in canonical order; of two states with equal keys they correspond one to one.
        orbits: for each of `formulas` the least place among those that automorphisms of the state exchange it with.
    """

    key: bytes
    atoms: tuple[Atom, ...]
    formulas: tuple[Formula, ...]
    orbits: tuple[int, ...]


_Labels = dict[Atom, int]
_Alike = list[Formula]
"""Formulas that cannot be told apart so far: of one colour, and with the same labels at the same places."""
_Swaps = list[Mapping[Formula, Formula]]
"""Automorphisms of the state, each as the formulas that it moves and where to."""


def label(goals: Iterable[Goal]) -> Labelling:
    """The canonical labelling of some goals in their order. Raises TooSymmetric beyond the budget."""
    return label_unnamed(map(Unnamed.of, goals))


def label_unnamed(goals: Iterable[Unnamed]) -> Labelling:
    """The labelling of goals whose hypotheses have no names; as `label`."""
    colours, formulas, labels, swaps = _ordered(*_coloured(goals))
    return Labelling(_key(colours, formulas, labels), tuple(labels), tuple(formulas), _orbits(formulas, swaps))


def places(goals: Iterable[Unnamed]) -> dict[Formula, int]:
    """The orbit of each formula in the labelling of some goals, sooner than with the key. Raises TooSymmetric."""
    first, alike = _coloured(goals)
    if not alike:
        return {first[colour]: place for place, colour in enumerate(sorted(first))}
    _, formulas, _, swaps = _ordered(first, alike)
    return dict(zip(formulas, _orbits(formulas, swaps), strict=True))


def _coloured(goals: Iterable[Unnamed]) -> tuple[dict[bytes, Formula], dict[bytes, _Alike]]:
    """A formula of each colour, and where several have one, all of them."""
    first: dict[bytes, Formula] = {}
    alike: dict[bytes, _Alike] = {}
    for formula, parts in _parts(goals).items():
        colour = (formula.shape or shape(formula)).digest + parts
        other = first.setdefault(colour, formula)
        if other is not formula:
            alike.setdefault(colour, [other]).append(formula)
    return first, alike


def _ordered(
    first: Mapping[bytes, Formula], alike: Mapping[bytes, _Alike]
) -> tuple[Collection[bytes], Sequence[Formula], _Labels, _Swaps]:
    """The colours and formulas in canonical order, the labels of the atoms, and automorphisms that generate all."""
    order = sorted(first)
    alone = [first[colour] for colour in order if colour not in alike]
    labels = {atom: place for place, atom in enumerate(dict.fromkeys(_atoms(alone)))}
    if not alike:
        return order, alone, labels, []
    groups = [alike[colour] for colour in order if colour in alike]
    # Where all atoms have labels, these tell the formulas apart.
    swaps = _settle([group for group in groups if not labels.keys() >= {*_atoms(group)}], labels)
    colours: list[bytes] = []
    formulas: list[Formula] = []
    label_of = labels.__getitem__
    for colour in order:
        group = alike.get(colour)
        if group is None:
            colours.append(colour)
            formulas.append(first[colour])
        else:
            colours += [colour] * len(group)
            formulas += sorted(group, key=lambda formula: [*map(label_of, formula.shape.atoms)])
    return colours, formulas, labels, swaps


def _settle(unsettled: list[_Alike], labels: _Labels) -> _Swaps:
    """Name the atoms of formulas that colours do not tell apart; gives automorphisms of the state."""
    swaps: _Swaps = []
    while unsettled and (unsettled := _propagate(unsettled, labels)):
        rest = _tie(unsettled, labels, swaps)
        if rest and rest == unsettled:
            _search(rest, labels, swaps)
            break
        unsettled = rest
    return swaps


def _parts(goals: Iterable[Unnamed]) -> dict[Formula, bytes]:
    """What each formula is in the state: four bytes for each time that it is a hypothesis or conclusion of a goal."""
    parts: dict[Formula, bytes] = {}
    for number, (hypotheses, conclusion) in enumerate(goals):
        as_hypothesis, as_conclusion = pack(">I", 2 * number), pack(">I", 2 * number + 1)
        for formula in hypotheses:
            parts[formula] = parts[formula] + as_hypothesis if formula in parts else as_hypothesis
        parts[conclusion] = parts.get(conclusion, b"") + as_conclusion
    return parts


def _atoms(formulas: Iterable[Formula]) -> list[Atom]:
    """The atoms of formulas whose shapes are known, as they occur."""
    return [atom for formula in formulas for atom in formula.shape.atoms]


def _name(formula: Formula, labels: _Labels) -> None:
    """Give the next labels to the atoms of a formula that have none, as they occur."""
    for atom in shape(formula).atoms:
        if atom not in labels:
            labels[atom] = len(labels)


def _propagate(unsettled: list[_Alike], labels: _Labels) -> list[_Alike]:
    """Tell formulas apart by the labels that their atoms have; who is alone then names the rest of its atoms."""
    named = True
    while named:
        named = False
        finer: list[_Alike] = []
        for alike in unsettled:
            patterns: dict[tuple[int, ...], _Alike] = {}
            for formula in alike:
                pattern = tuple([labels.get(atom, -1) for atom in shape(formula).atoms])
                patterns.setdefault(pattern, []).append(formula)
            for pattern in sorted(patterns):
                same = patterns[pattern]
                if len(same) > 1:
                    finer.append(same)
                elif -1 in pattern:
                    _name(same[0], labels)
                    named = True
        unsettled = finer
    return unsettled


def _tie(unsettled: list[_Alike], labels: _Labels, swaps: _Swaps) -> list[_Alike]:
    """Name the atoms of formulas that differ by nothing but atoms of their own, in any order; return the others."""
    uses = Counter(
        atom for alike in unsettled for formula in alike for atom in shape(formula).atoms if atom not in labels
    )
    rest: list[_Alike] = []
    for alike in unsettled:
        own = [
            formula for formula in alike if all(uses[atom] == 1 for atom in shape(formula).atoms if atom not in labels)
        ]
        for formula in own:
            _name(formula, labels)
        swaps += [{one: other} for one, other in pairwise(own)]
        if len(own) < len(alike):
            settled = set(own)
            rest.append([formula for formula in alike if formula not in settled])
    return rest


def _search(unsettled: list[_Alike], labels: _Labels, swaps: _Swaps) -> None:
    """Name all atoms that are left, by individualisation and refinement, and record the automorphisms."""
    from state_spaces.search import BudgetExceeded, Item, canonical_order

    atoms = list(
        dict.fromkeys(
            atom for alike in unsettled for formula in alike for atom in shape(formula).atoms if atom not in labels
        )
    )
    number = {atom: place for place, atom in enumerate(atoms)}
    items = {
        Item(place, tuple([number[atom] for atom in shape(formula).atoms if atom in number])): formula
        for place, alike in enumerate(unsettled)
        for formula in alike
    }
    try:
        order = canonical_order(list(items))
    except BudgetExceeded:
        raise TooSymmetric(
            f"The {len(atoms)} atoms of this state look too much alike for the spaces name and match: telling them "
            "apart would take too long; use --state-space simple."
        ) from None
    for place in order.atoms:
        labels[atoms[place]] = len(labels)
    having: dict[int, list[Item]] = {}
    for item in items:
        for atom in item.atoms:
            having.setdefault(atom, []).append(item)
    for automorphism in order.automorphisms:
        moved = {item: None for atom in automorphism for item in having[atom]}
        image = {item: tuple([automorphism.get(atom, atom) for atom in item.atoms]) for item in moved}
        swaps.append({items[item]: items[item._replace(atoms=atoms)] for item, atoms in image.items()})


def _key(colours: Collection[bytes], formulas: Iterable[Formula], labels: _Labels) -> bytes:
    """A digest of the state with labels for atoms."""
    written = [*map(labels.__getitem__, _atoms(formulas))]
    # It can be read back: the number of colours, their ends, and in each the shape, which tells the number of labels.
    text = pack(">I", len(colours)) + _END.join([*colours, pack(f">{len(written)}I", *written)])
    return blake2b(text, digest_size=16).digest()


def _orbits(formulas: Sequence[Formula], swaps: _Swaps) -> tuple[int, ...]:
    """For each formula the least place among those that automorphisms exchange it with."""
    if not swaps:
        return tuple(range(len(formulas)))
    from state_spaces.union_find import UnionFind

    place_of = {formula: place for place, formula in enumerate(formulas)}
    orbits = UnionFind(range(len(formulas)))
    for swap in swaps:
        for one, other in swap.items():
            orbits.unite(place_of[one], place_of[other])
    return tuple(map(orbits.find, range(len(formulas))))


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
