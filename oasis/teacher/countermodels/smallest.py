"""The countermodel with the fewest worlds, up to four: a SAT solver looks for one on every order, the smallest first.

That a model refutes the sequent is for `forcing` to check, and how to leave out true atoms for `shrinking` to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import repeat
from typing import Final

from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.solver import Solver
from tactics.formula import And, Atom, Formula, Implies, Or, subformulas

ORDERS: Final = (
    (0b1,),
    (0b11, 0b10),
    (0b111, 0b110, 0b100),
    (0b111, 0b010, 0b100),
    (0b1111, 0b1110, 0b1100, 0b1000),
    (0b1111, 0b1110, 0b0100, 0b1000),
    (0b1111, 0b1010, 0b1100, 0b1000),
    (0b1111, 0b0110, 0b0100, 0b1000),
    (0b1111, 0b0010, 0b0100, 0b1000),
)
"""All partial orders of up to four worlds above a root, each once up to the numbers of the worlds, as in `Kripke`."""
_MOST_WORLDS: Final = len(ORDERS[-1])
_CONFLICTS: Final = 500
"""After so many conflicts the solver comes back, to look at the clock."""
_TRIES: Final = 4
"""So often it may come back on one order: that no single world refutes SYJ208.20 would take it for ever to see."""
_BETWEEN_CHECKS: Final = 256
"""Formulas between two looks at the clock."""


def smallest(
    model: Kripke, hypotheses: Sequence[Formula], goal: Formula, limit: Limit | None = None
) -> tuple[Kripke, bool]:
    """A countermodel with as few worlds as possible, and whether it is certain that no other has fewer.

    The given countermodel is returned where none with fewer worlds was found: within the limit, a number of conflicts
    of the solver for each order, and four worlds.
    """
    limit = limit or Limit()
    parts = list(dict.fromkeys(part for formula in (*hypotheses, goal) for part in subformulas(formula)))
    certain = True
    with suppress(LimitReached):
        for above in ORDERS:
            if len(above) >= len(model.true):
                return model, certain
            search = _Search(above, parts, limit)
            answer = search.run(hypotheses, goal)
            if answer:
                return search.model(), certain
            certain = certain and answer is False
        return model, certain and len(model.true) == _MOST_WORLDS + 1
    return model, False


class _Search:
    """A Kripke model on a given order, as a question to a SAT solver: a variable for each formula at each world.

    Args:
        above: for each world a bit for each world that lies above it, itself among them.
        parts: the formulas that matter, their sides before them.
        limit: is asked while clauses are made and while the solver works.
    """

    def __init__(self, above: tuple[int, ...], parts: Sequence[Formula], limit: Limit) -> None:
        self._above, self._limit = above, limit
        self._first = {part: 1 + len(above) * number for number, part in enumerate(parts)}
        self._solver = Solver()
        for number, part in enumerate(parts):
            if number % _BETWEEN_CHECKS == 0:
                limit.check()
            for clause in self._clauses(part):
                self._solver.add_clause(clause)

    def run(self, hypotheses: Sequence[Formula], goal: Formula) -> bool | None:
        """Whether some model's root forces the hypotheses and not the goal; None if that is too hard."""
        wanted = [*(self._first[formula] for formula in hypotheses), -self._first[goal]]
        answer: bool | None = None
        for _ in repeat(None, _TRIES):
            self._limit.check()
            self._solver.conf_budget(_CONFLICTS)
            answer = self._solver.solve_limited(assumptions=wanted)
            if answer is not None:
                break
        return answer

    def model(self) -> Kripke:
        """The model that was found."""
        true = set(self._solver.get_model())
        atoms = [(part, first) for part, first in self._first.items() if isinstance(part, Atom)]
        worlds = range(len(self._above))
        return Kripke(
            tuple(frozenset(atom for atom, first in atoms if first + world in true) for world in worlds), self._above
        )

    def _clauses(self, formula: Formula) -> Iterator[list[int]]:
        """What forcing a formula means at each world, by Kripke's clauses (1965)."""
        for world, above in enumerate(self._above):
            here = self._first[formula] + world
            beyond = [here + other - world for other in range(world + 1, len(self._above)) if above >> other & 1]
            match formula:
                case And(left, right):
                    one, other = self._first[left] + world, self._first[right] + world
                    yield from ([-here, one], [-here, other], [here, -one, -other])
                case Or(left, right):
                    one, other = self._first[left] + world, self._first[right] + world
                    yield from ([here, -one], [here, -other], [-here, one, other])
                case Implies(left, right):
                    # It holds here if the right side follows here, and it holds at all worlds above.
                    one, other = self._first[left] + world, self._first[right] + world
                    yield from ([-here, each] for each in beyond)
                    not_above = [-each for each in beyond]
                    yield from ([-here, -one, other], [here, one, *not_above], [here, -other, *not_above])
                case Atom():
                    yield from ([-here, each] for each in beyond)
                case _:
                    yield [-here]
