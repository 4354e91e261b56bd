"""Canonical labelling: what a proof state is when atoms and hypotheses lose their names and hypotheses their order.

A state is taken as a set of formulas, each with a colour: its shape and the parts it plays in the goals. Atoms get
labels 0, 1, … in an order that depends on nothing but colours and labels given before, so states that a bijection of
atoms makes equal get equal keys; and as the key is a digest of every colour and label, no other states do. Each stage
leaves to the next only what it cannot tell apart: most states need the first alone, which takes linear time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from itertools import pairwise
from operator import itemgetter
from struct import pack
from typing import Final, NamedTuple

from state_spaces.search import Automorphism, BudgetExceeded, Item, canonical_order
from state_spaces.shape import shape
from state_spaces.union_find import UnionFind
from tactics.errors import InputError
from tactics.formula import Atom, Formula
from tactics.goal import Goal

_END: Final = b"\xff" * 4
"""Ends a list of parts; no state has so many goals that it could be one."""


class TooSymmetric(InputError):
    """A state whose symmetry takes more work to resolve than the budget allows; it gets no key."""


class Unnamed(NamedTuple):
    """What `label` looks at of a goal; the names of the hypotheses do not matter."""

    hypotheses: tuple[tuple[str, Formula], ...]
    conclusion: Formula


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


def label(goals: tuple[Goal | Unnamed, ...]) -> Labelling:
    """The canonical labelling of some goals in their order. Raises TooSymmetric beyond the budget."""
    colours: dict[bytes, _Alike] = {}
    for formula, parts in _parts(goals).items():
        colours.setdefault(shape(formula).digest + parts, []).append(formula)
    ordered = sorted(colours.items())

    labels: _Labels = {}
    for _, alike in ordered:
        if len(alike) == 1:
            _name(alike[0], labels)
    unsettled = [alike for _, alike in ordered if len(alike) > 1]
    swaps: list[Mapping[Formula, Formula]] = []
    while unsettled:
        unsettled = _propagate(unsettled, labels)
        rest = _tie(unsettled, labels, swaps)
        if rest and rest == unsettled:
            _search(rest, labels, swaps)
            break
        unsettled = rest
    return _assemble(ordered, labels, swaps)


def _parts(goals: tuple[Goal | Unnamed, ...]) -> dict[Formula, bytes]:
    """What each formula is in the state: four bytes for each time that it is a hypothesis or conclusion of a goal."""
    parts: dict[Formula, bytes] = {}
    known = parts.get
    for number, goal in enumerate(goals):
        as_hypothesis = pack(">I", 2 * number)
        for _, formula in goal.hypotheses:
            parts[formula] = known(formula, b"") + as_hypothesis
        parts[goal.conclusion] = known(goal.conclusion, b"") + pack(">I", 2 * number + 1)
    return parts


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


def _tie(unsettled: list[_Alike], labels: _Labels, swaps: list[Mapping[Formula, Formula]]) -> list[_Alike]:
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


def _search(unsettled: list[_Alike], labels: _Labels, swaps: list[Mapping[Formula, Formula]]) -> None:
    """Name all atoms that are left, by individualisation and refinement, and record the automorphisms."""
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
        swaps.append({items[item]: items[_image(item, automorphism)] for item in moved})


def _image(item: Item, automorphism: Automorphism) -> Item:
    return Item(item.class_, tuple([automorphism.get(atom, atom) for atom in item.atoms]))


def _assemble(
    ordered: Iterable[tuple[bytes, _Alike]], labels: _Labels, swaps: list[Mapping[Formula, Formula]]
) -> Labelling:
    """Write the state down with labels for atoms: formulas by colour, those of one colour by their labels."""
    colours: list[bytes] = []
    formulas: list[Formula] = []
    written: list[int] = []
    for colour, alike in ordered:
        if len(alike) > 1:
            rows = [([labels[atom] for atom in shape(formula).atoms], formula) for formula in alike]
            alike = [formula for _, formula in sorted(rows, key=itemgetter(0))]
        for formula in alike:
            colours.append(colour)
            formulas.append(formula)
            written += [labels[atom] for atom in shape(formula).atoms]
    # It can be read back: the number of colours, their ends, and in each the shape, which tells the number of labels.
    text = pack(">I", len(colours)) + _END.join([*colours, pack(f">{len(written)}I", *written)])
    key = blake2b(text, digest_size=16).digest()
    places: Iterable[int] = range(len(formulas))
    if swaps:
        place_of = {formula: place for place, formula in enumerate(formulas)}
        orbits = UnionFind(places)
        for swap in swaps:
            for one, other in swap.items():
                orbits.unite(place_of[one], place_of[other])
        places = map(orbits.find, places)
    return Labelling(key, tuple(labels), tuple(formulas), tuple(places))
