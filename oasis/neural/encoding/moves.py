"""Goals without names, and their moves: what a network is asked about.

Hypotheses count once each, whatever their names, order and number: neither whether a goal is provable nor what a rule
makes of it depends on more. Moves on equal hypotheses are one move here.
"""

from __future__ import annotations

from typing import NamedTuple

from tactics.formula import Formula
from tactics.goal import Goal
from tactics.rules import Premise, inferences, wanted_by

Formulas = tuple[Formula, ...]
"""What counts of a goal: its conclusion, then its distinct hypotheses in any order."""
Unordered = tuple[Formula, frozenset[Formula]]
"""The same, whatever the order."""


class Option(NamedTuple):
    """A move on a goal without names.

    Attributes:
        rule: its name.
        principal: the formula that the rule is applied to; the conclusion where it takes no hypothesis.
        goal: that it is a move on.
        changes: what each goal that it leaves has that this one has not.
    """

    rule: str
    principal: Formula
    goal: Formulas
    changes: tuple[Premise, ...]

    @property
    def closes(self) -> bool:
        """Whether it leaves nothing."""
        return not self.changes

    @property
    def wanted(self) -> Formula | None:
        """The formula that has to follow from the hypotheses for it to keep its goal; None if it cannot lose."""
        return wanted_by(self.rule, self.changes)

    @property
    def premises(self) -> tuple[Formulas, ...]:
        """What it leaves, worked out each time."""
        return tuple([self._after(change) for change in self.changes])

    def _after(self, change: Premise) -> Formulas:
        conclusion, *hypotheses = self.goal
        if change.replacement is not None:
            hypotheses.remove(self.principal)
        proved = conclusion if change.conclusion is None else change.conclusion
        return (proved, *dict.fromkeys([*hypotheses, *change.added]))


def unordered(goal: Formulas) -> Unordered:
    """What a goal is whatever the order of its hypotheses."""
    return goal[0], frozenset(goal[1:])


def formulas_of(goal: Goal) -> Formulas:
    """What counts of a goal."""
    return (goal.conclusion, *dict.fromkeys([formula for _, formula in goal.hypotheses]))


def options(formulas: Formulas) -> tuple[Option, ...]:
    """The moves of a goal: those on the conclusion, then those on each hypothesis, in the order of `legal_moves`."""
    hypotheses = frozenset(formulas[1:])
    found = [
        Option(rule.name, principal, formulas, changes)
        for place, principal in enumerate(formulas)
        for rule, given, changes in inferences(principal, as_hypothesis=place > 0)
        if given is None or given in hypotheses
    ]
    return tuple(found)
