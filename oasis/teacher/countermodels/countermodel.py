"""A countermodel as it is shown: found, checked, shrunk, and with the sequent that it refutes.

How it looks is `drawing`'s and `svg`'s concern, what it says in words `explanation`'s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any

from oasis.ground.limits import Limit
from oasis.teacher.countermodels.forcing import Forcing
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.shrinking import members, shrunk
from oasis.teacher.countermodels.smallest import smallest
from oasis.teacher.deciding.clauses import parts, uncurried
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.formula import FALSE, TRUTH, Binary, Formula, Implies
from tactics.goal import Goal
from tactics.printer import COQ, Notation, brief

if TYPE_CHECKING:
    from oasis.teacher.deciding.decide import Decision


@dataclass(frozen=True)
class Countermodel:
    """A Kripke model whose root, world 0, forces the hypotheses and not the conclusion; it was checked.

    Attributes:
        model: the model.
        hypotheses: of the sequent that it refutes.
        conclusion: of this sequent.
        is_smallest: whether it is certain that no countermodel has fewer worlds.
    """

    model: Kripke
    hypotheses: tuple[Formula, ...]
    conclusion: Formula
    is_smallest: bool = False

    @classmethod
    def shrunk(
        cls, model: Kripke, hypotheses: Sequence[Formula], conclusion: Formula, limit: Limit | None = None
    ) -> Countermodel:
        """The countermodel after a check, with as few worlds as are found before the limit. Raises NotACountermodel."""
        small = shrunk(model, hypotheses, conclusion, limit)
        best, is_smallest = smallest(small, hypotheses, conclusion, limit)
        if best is not small:
            best = shrunk(best, hypotheses, conclusion, limit)
        return cls(best, tuple(hypotheses), conclusion, is_smallest)

    @classmethod
    def of(cls, decision: Decision, formula: Formula, limit: Limit | None = None) -> Countermodel | None:
        """The countermodel by which a formula was decided, as small as is found before the limit; None if by none."""
        return None if decision.countermodel is None else cls.shrunk(decision.countermodel, (), formula, limit)

    def __repr__(self) -> str:
        """The sequent that it refutes, and the model as it is drawn in a terminal."""
        from oasis.teacher.countermodels.drawing import draw

        return f"not provable: {self.sequent()}\n{draw(self)}"

    def _repr_svg_(self) -> str:
        from oasis.teacher.countermodels.svg import svg

        return svg(self)

    @cached_property
    def forcing(self) -> Forcing:
        """What is forced where."""
        return Forcing(self.model)

    def true_at(self, world: int) -> list[str]:
        """The names of the atoms that are true at a world, in order."""
        return sorted(atom.name for atom in self.model.true[world])

    def above(self, world: int) -> list[int]:
        """The worlds that lie above a world, itself not among them."""
        return [other for other in members(self.model.above[world]) if other != world]

    def worlds_to_json(self) -> list[dict[str, list[Any]]]:
        """For each world the names of what is true there and the numbers of what lies above."""
        return [{"true": self.true_at(world), "above": self.above(world)} for world in range(len(self.model.true))]

    def main_formulas(self, most: int) -> list[Formula]:
        """The hypotheses, the conclusion and their largest parts, no atoms: the first `most` that are met."""
        return list(islice(self._compound(), most))

    def _compound(self) -> Iterator[Formula]:
        """Distinct compound formulas from the outside inwards."""
        level: Sequence[Formula] = (*self.hypotheses, self.conclusion)
        seen: set[Formula] = {FALSE, TRUTH}
        while level:
            sides: list[Formula] = []
            for formula in level:
                if formula not in seen and isinstance(formula, Binary):
                    yield formula
                    sides += _main_parts(formula)
                seen.add(formula)
            level = sides

    def sequent(self, notation: Notation = COQ) -> str:
        """What is refuted, long formulas shortened; of more than three hypotheses the number."""
        conclusion = brief(self.conclusion, notation)
        if not self.hypotheses:
            return conclusion
        if len(self.hypotheses) > 3:
            left = f"{len(self.hypotheses)} hypotheses"
        else:
            left = ", ".join(brief(formula, notation) for formula in self.hypotheses)
        return f"{left} {notation.turnstile} {conclusion}"


def _main_parts(formula: Binary) -> list[Formula]:
    """What a formula is made of, nests of one connective taken apart at once."""
    if isinstance(formula, Implies):
        antecedents, last = uncurried(formula)
        return [*antecedents, last]
    return parts(formula, type(formula))


def refute(hypotheses: Sequence[Formula], conclusion: Formula, intuit: Intuit) -> Countermodel | None:
    """A countermodel for a sequent, None if it is provable. Raises LimitReached if neither is known in time."""
    answer = intuit.decide(hypotheses, conclusion)
    if isinstance(answer, Proved):
        return None
    return Countermodel.shrunk(answer, hypotheses, conclusion, intuit.limit)


def refute_goal(goal: Goal, intuit: Intuit) -> Countermodel | None:
    """The same for a goal of a proof under way."""
    return refute([hypothesis.formula for hypothesis in goal.hypotheses], goal.conclusion, intuit)
