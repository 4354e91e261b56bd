"""Goals without names, and their moves: what a network is asked about.

Hypotheses count once each, whatever their names, order and number: neither whether a goal is provable nor what a rule
makes of it depends on more. Moves on equal hypotheses are one move here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tactics.formula import Formula
from tactics.goal import Goal
from tactics.rules import Premise, inferences

Formulas = tuple[Formula, ...]
"""What counts of a goal: its conclusion, then its distinct hypotheses in any order."""


class Option(NamedTuple):
    """A move on a goal without names.

    Attributes:
        rule: its name.
        principal: the formula that the rule is applied to; the conclusion where it takes no hypothesis.
        premises: what it leaves.
    """

    rule: str
    principal: Formula
    premises: tuple[Formulas, ...]


def formulas_of(goal: Goal) -> Formulas:
    """What counts of a goal."""
    return (goal.conclusion, *dict.fromkeys([formula for _, formula in goal.hypotheses]))


def options(formulas: Formulas) -> tuple[Option, ...]:
    """The moves of a goal: those on the conclusion, then those on each hypothesis, in the order of `legal_moves`."""
    conclusion, *hypotheses = formulas
    found = [
        Option(rule.name, conclusion, tuple([_after(hypotheses, conclusion, each) for each in premises]))
        for rule, given, premises in inferences(conclusion, False)
        if given is None or given in hypotheses
    ]
    for principal in hypotheses:
        for rule, given, premises in inferences(principal, True):
            if given is None or given in hypotheses:
                others = [each for each in hypotheses if each is not principal]
                left = tuple([_after(others, conclusion, each) for each in premises])
                found.append(Option(rule.name, principal, left))
    return tuple(found)


def _after(hypotheses: Sequence[Formula], conclusion: Formula, premise: Premise) -> Formulas:
    """What a premise is, given the hypotheses that stay."""
    proved = conclusion if premise.conclusion is None else premise.conclusion
    return (proved, *dict.fromkeys([*hypotheses, *premise.added]))
