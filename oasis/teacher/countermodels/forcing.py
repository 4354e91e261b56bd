"""Which worlds of a Kripke model force which formulas, and whether a model refutes a sequent.

Kripke's clauses (1965), nothing else: this knows neither engine nor clauses, so it can judge what they found. Each
distinct subformula is looked at once, however often it occurs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from oasis.teacher.countermodels.kripke import Kripke
from tactics.formula import FALSE, And, Formula, Implies, Or, subformulas
from tactics.printer import brief


class NotACountermodel(Exception):
    """A model that does not refute a sequent, or is no Kripke model; the text says what fails where."""


class Forcing:
    """Which worlds of a model force a formula; what was worked out for one formula is kept for the next."""

    def __init__(self, model: Kripke) -> None:
        self.model = model
        self._worlds: dict[Formula, int] = {FALSE: 0}
        for world, true in enumerate(model.true):
            for atom in true:
                self._worlds[atom] = self._worlds.get(atom, 0) | 1 << world

    def worlds(self, formula: Formula) -> int:
        """A bit for each world that forces the formula."""
        if formula not in self._worlds:
            self.work_out(subformulas(formula))
        return self._worlds[formula]

    def forces(self, world: int, formula: Formula) -> bool:
        """Whether a world forces the formula."""
        return bool(self.worlds(formula) >> world & 1)

    def refutes(self, hypotheses: Iterable[Formula], goal: Formula) -> bool:
        """Whether the root forces all hypotheses and not the goal."""
        return not self.forces(0, goal) and all(self.forces(0, formula) for formula in hypotheses)

    def work_out(self, formulas: Iterable[Formula]) -> None:
        """Look at formulas beforehand; the sides of each come before it."""
        worlds, above = self._worlds, self.model.above
        for formula in formulas:
            if formula in worlds:
                continue
            match formula:
                case And(left, right):
                    worlds[formula] = worlds[left] & worlds[right]
                case Or(left, right):
                    worlds[formula] = worlds[left] | worlds[right]
                case Implies(left, right):
                    against = worlds[left] & ~worlds[right]
                    if against:
                        worlds[formula] = sum(1 << world for world, mask in enumerate(above) if not mask & against)
                    else:
                        worlds[formula] = (1 << len(above)) - 1
                case _:
                    worlds[formula] = 0  # an atom that is true nowhere


def check(model: Kripke, hypotheses: Sequence[Formula], goal: Formula) -> None:
    """Raise NotACountermodel unless this is a Kripke model whose root forces all hypotheses and not the goal."""
    check_order(model)
    forcing = Forcing(model)
    for formula in hypotheses:
        if not forcing.forces(0, formula):
            raise NotACountermodel(f"The root does not force the hypothesis {brief(formula)}.")
    if forcing.forces(0, goal):
        raise NotACountermodel(f"The root forces the goal {brief(goal)}.")


def check_order(model: Kripke) -> None:
    """Raise NotACountermodel unless the worlds are partially ordered above the root, and what is true stays true."""
    size = len(model.true)
    if size == 0 or len(model.above) != size:
        raise NotACountermodel(f"There are {size} worlds, and {len(model.above)} are put in order.")
    if model.above[0] != (1 << size) - 1:
        raise NotACountermodel("Not every world, and nothing else, is above the root.")
    for world, above in enumerate(model.above):
        if above >> size or not above >> world & 1:
            raise NotACountermodel(f"Above world {world} must be itself and nothing that is no world.")
        for other in range(size):
            if other == world or not above >> other & 1:
                continue
            if model.above[other] >> world & 1:
                raise NotACountermodel(f"Worlds {world} and {other} are above each other.")
            if model.above[other] & ~above:
                raise NotACountermodel(f"Something is above world {other} and not above world {world} below it.")
            if not model.true[world] <= model.true[other]:
                raise NotACountermodel(f"Something is true at world {world} and not at world {other} above it.")
