"""Why no renaming of atoms makes two states equal whose formulas correspond one by one.

Two formulas of one shape correspond in exactly one way, so a formula with a single possible image settles what its
atoms become, and that leaves others fewer images, until one has none. This is an explanation and no decision: where
every formula has several images it follows one of them, and that the others fail too is known from the states' keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from state_spaces.shape import shape
from tactics.formula import Atom, Formula
from tactics.goal import Goal

Renaming = dict[Atom, Atom]


class Item(NamedTuple):
    """A formula and the part that it plays.

    Attributes:
        goal: the number of its goal, from 0.
        formula: what it says.
        hypotheses: the names of the hypotheses that say so, in their order; none for the conclusion.
    """

    goal: int
    formula: Formula
    hypotheses: tuple[str, ...]


class Step(NamedTuple):
    """A formula is renamed into another; `others` counts what else it could become after the steps before."""

    item: Item
    image: Item
    others: int


class Mismatch(NamedTuple):
    """Steps after which a formula has no image left.

    Attributes:
        steps: in their order; each follows from those before it, or is a choice.
        renaming: what the steps settle.
        item: a formula of the first state that cannot become any of the second.
        alike: those in its place in the second state that have its shape, all of them ruled out.
    """

    steps: tuple[Step, ...]
    renaming: Renaming
    item: Item
    alike: tuple[Item, ...]

    @property
    def said_otherwise(self) -> bool:
        """Whether it could become one of `alike` if that were said as often."""
        clashes = _clash(*self.steps)
        return not all(clashes(self.item, image) for image in self.alike)

    @property
    def taken(self) -> list[Atom]:
        """Atoms that stand in `alike` where an atom of `item` is not settled, and are another one's."""
        names = set(self.renaming.values())
        pairs = (pair for image in self.alike for pair in _pairs(self.item, image))
        return list(dict.fromkeys(name for atom, name in pairs if atom not in self.renaming and name in names))


def find_mismatch(one: Sequence[Goal], other: Sequence[Goal]) -> Mismatch:
    """Why goals that are not the same, but correspond formula by formula, are no renaming of each other."""
    images = _items(other)
    alike = {item: tuple(image for image in images if _alike(item, image)) for item in _items(one)}
    left = {
        item: [image for image in found if len(image.hypotheses) == len(item.hypotheses)]
        for item, found in alike.items()
    }
    steps: list[Step] = []
    while left:
        item = min(left, key=lambda each: len(left[each]))
        if not left[item]:
            needed = _needed(steps, item, alike)
            return Mismatch(needed, _settled(needed), item, alike[item])
        step = Step(item, left[item][0], len(left.pop(item)) - 1)
        clashes = _clash(step)
        left = {item: [image for image in found if not clashes(item, image)] for item, found in left.items()}
        steps.append(step)
    raise AssertionError("these goals are renamings of each other")


def _items(goals: Sequence[Goal]) -> list[Item]:
    """The formulas of some goals, the conclusions first because each has a single image."""
    items = [Item(number, goal.conclusion, ()) for number, goal in enumerate(goals)]
    for number, goal in enumerate(goals):
        names: dict[Formula, list[str]] = {}
        for name, formula in goal.hypotheses:
            names.setdefault(formula, []).append(name)
        items += [Item(number, formula, tuple(saying)) for formula, saying in names.items()]
    return items


def _alike(item: Item, image: Item) -> bool:
    """Whether two formulas stand in the same place and have one shape."""
    in_place = item.goal == image.goal and bool(item.hypotheses) == bool(image.hypotheses)
    return in_place and shape(item.formula).digest == shape(image.formula).digest


def _pairs(item: Item, image: Item) -> Iterable[tuple[Atom, Atom]]:
    """What the atoms of a formula become when it becomes another one."""
    return zip(shape(item.formula).atoms, shape(image.formula).atoms, strict=True)


def _settled(steps: Iterable[Step]) -> Renaming:
    return {atom: name for step in steps for atom, name in _pairs(step.item, step.image)}


def _clash(*steps: Step) -> Callable[[Item, Item], bool]:
    """Whether a formula cannot become one that is alike, as atoms are renamed one to one and steps settle some."""
    renaming = _settled(steps)
    before = {name: atom for atom, name in renaming.items()}

    def clash(item: Item, image: Item) -> bool:
        for atom, name in _pairs(item, image):
            if renaming.get(atom, name) is not name or before.get(name, atom) is not atom:
                return True
        return False

    return clash


def _needed(steps: Sequence[Step], item: Item, alike: Mapping[Item, Sequence[Item]]) -> tuple[Step, ...]:
    """The steps that rule out images of `item`, and those that rule out images of theirs."""
    clash = [_clash(step) for step in steps]
    needed: set[int] = set()
    pending = [(item, len(steps))]
    while pending:
        item, end = pending.pop()
        for image in alike[item]:
            # It takes one pair of atoms to clash, so what rules an image out is one step by itself.
            first = next((place for place in range(end) if clash[place](item, image)), None)
            if first is not None and first not in needed:
                needed.add(first)
                pending.append((steps[first].item, first))
    return tuple(steps[place] for place in sorted(needed))
