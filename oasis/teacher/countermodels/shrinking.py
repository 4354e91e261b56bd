"""Smaller countermodels out of larger ones, as far as cheap steps go.

Worlds that cannot be told apart become one; then worlds and true atoms are left out, many at once and then fewer, while
the model still refutes the sequent. In the end none can be left out by itself, though a smaller model of another shape
may exist, which `smallest` looks for. Whatever is left out, the rest is a Kripke model by construction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TypeVar

from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.countermodels.forcing import Forcing, check
from oasis.teacher.countermodels.kripke import Kripke
from tactics.formula import Atom, Formula, subformulas

_T = TypeVar("_T")


def shrunk(model: Kripke, hypotheses: Sequence[Formula], goal: Formula, limit: Limit | None = None) -> Kripke:
    """A countermodel that is smaller where that was easy, numbered upwards; at the limit, the best one by then.

    Raises NotACountermodel if there was none to begin with.
    """
    check(model, hypotheses, goal)
    shrinking = _Shrinking(model, hypotheses, goal, limit or Limit())
    with suppress(LimitReached):  # what was found by then is a countermodel all the same
        shrinking.run()
    smaller = upwards(shrinking.best)
    check(smaller, hypotheses, goal)
    return smaller


class _Shrinking:
    """A countermodel on its way; `best` is the smallest one so far."""

    def __init__(self, model: Kripke, hypotheses: Sequence[Formula], goal: Formula, limit: Limit) -> None:
        self._hypotheses, self._goal, self._limit = hypotheses, goal, limit
        self._parts = list(dict.fromkeys(part for formula in (*hypotheses, goal) for part in subformulas(formula)))
        mentioned = frozenset(part for part in self._parts if isinstance(part, Atom))
        self.best = quotient(Kripke(tuple(true & mentioned for true in model.true), model.above))

    def run(self) -> None:
        """Leave out what can be left out until that is nothing. Raises LimitReached."""
        before = None
        while self.best != before:
            before = self.best
            self._climb()
            self._leave_out_worlds(self.best)
            self._leave_out_truths(self.best)
            self.best = quotient(self.best)

    def _climb(self) -> None:
        """Start further up, at the highest world that refutes the sequent by itself."""
        model = self.best
        for world in sorted(range(1, len(model.true)), key=lambda world: model.above[world].bit_count()):
            others = [other for other in members(model.above[world]) if other != world]
            if self._refutes(part := submodel(model, [world, *others])):
                self.best = part
                return

    def _leave_out_worlds(self, model: Kripke) -> None:
        self._leave_out(list(range(1, len(model.true))), lambda worlds: submodel(model, [0, *worlds]))

    def _leave_out_truths(self, model: Kripke) -> None:
        self._leave_out(_truths(model), lambda truths: _with_truths(model, truths))

    def _leave_out(self, things: list[_T], build: Callable[[list[_T]], Kripke]) -> None:
        """Leave out parts of a model that is built from such things; half of them, then a quarter, at last single ones.

        Zeller and Hildebrandt (2002), "Simplifying and isolating failure-inducing input", without its second half.
        """
        size = len(things)
        while size:
            start = 0
            while start < len(things):
                fewer = things[:start] + things[start + size :]
                model = build(fewer)
                if model != self.best and self._refutes(model):
                    self.best, things = model, fewer
                else:
                    start += size
            size //= 2

    def _refutes(self, model: Kripke) -> bool:
        self._limit.check()
        forcing = Forcing(model)
        forcing.work_out(self._parts)
        return forcing.refutes(self._hypotheses, self._goal)


def _truths(model: Kripke) -> list[tuple[Atom, int]]:
    """Which atom is true at which world, atom by atom."""
    return sorted(
        ((atom, world) for world, true in enumerate(model.true) for atom in true),
        key=lambda truth: (truth[0].name, truth[1]),
    )


def _with_truths(model: Kripke, truths: Iterable[tuple[Atom, int]]) -> Kripke:
    """The model in which these are true at these worlds and above them, and nothing else is."""
    true: list[set[Atom]] = [set() for _ in model.true]
    for atom, world in truths:
        for other in members(model.above[world]):
            true[other].add(atom)
    return Kripke(tuple(map(frozenset, true)), model.above)


def submodel(model: Kripke, worlds: Sequence[int]) -> Kripke:
    """The model restricted to some worlds, in this order, which gives them their numbers."""
    above = (
        sum(1 << place for place, other in enumerate(worlds) if model.above[world] >> other & 1) for world in worlds
    )
    return Kripke(tuple(model.true[world] for world in worlds), tuple(above))


def quotient(model: Kripke) -> Kripke:
    """The model with bisimilar worlds made one; the same formulas are forced at the root."""
    classes: dict[tuple[frozenset[Atom], int], int] = {}
    true: list[frozenset[Atom]] = []
    above: list[int] = []
    class_of: dict[int, int] = {}
    for world in sorted(range(len(model.true)), key=lambda world: model.above[world].bit_count()):
        beyond = 0
        for other in members(model.above[world]):
            if other != world:
                beyond |= 1 << class_of[other]
        key = (model.true[world], beyond)
        if key not in classes:
            number = len(true)
            # A world below these with nothing of its own sees the same, so it is one of them.
            classes[key] = classes[model.true[world], beyond | 1 << number] = number
            true.append(model.true[world])
            above.append(beyond | 1 << number)
        class_of[world] = classes[key]
    in_order = list(dict.fromkeys(class_of[world] for world in range(len(model.true))))
    return submodel(Kripke(tuple(true), tuple(above)), in_order)


def upwards(model: Kripke) -> Kripke:
    """The same model with its worlds numbered by their height, those with fewer true atoms first."""
    height = heights(model)
    names = [sorted(atom.name for atom in true) for true in model.true]
    return submodel(
        model, sorted(range(len(names)), key=lambda world: (height[world], len(names[world]), names[world]))
    )


def heights(model: Kripke) -> list[int]:
    """For each world the length of the longest way up to it from the root."""
    height = [0] * len(model.true)
    for world in sorted(range(len(height)), key=lambda world: -model.above[world].bit_count()):
        for other in members(model.above[world]):
            if other != world:
                height[other] = max(height[other], height[world] + 1)
    return height


def edges(model: Kripke) -> list[tuple[int, int]]:
    """Which world lies immediately above which, the lower one first: the transitive reduction of the order."""
    found = []
    for world in range(len(model.true)):
        beyond = model.above[world] & ~(1 << world)
        indirect = 0
        for other in members(beyond):
            indirect |= model.above[other] & ~(1 << other)
        found += [(world, other) for other in members(beyond & ~indirect)]
    return found


def members(worlds: int) -> Iterator[int]:
    """The worlds that have a bit, lowest number first."""
    while worlds:
        low = worlds & -worlds
        yield low.bit_length() - 1
        worlds ^= low
