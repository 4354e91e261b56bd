"""A smaller formula that is a theorem exactly if another one is, in time that grows with its size alone.

Equivalences that leave less are applied from the inside outwards, and atoms of which only one truth value matters get
it: one that occurs only positively is as good as False, one that occurs only negatively as good as True. After Ferrari,
Fiorentini and Fiorino (2010), "fCube: an efficient prover for intuitionistic propositional logic". What is left is for
an engine to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf
from typing import Final

from oasis.ground.limits import Limit
from oasis.teacher.countermodels.kripke import Kripke
from tactics.formula import FALSE, TRUTH, And, Atom, Binary, Formula, Implies, Or, subformulas
from tactics.uncollected import uncollected

_GAIN: Final = 0.9
"""A round that leaves a larger share of the distinct subformulas is the last one: so all rounds together are linear."""
_BETWEEN_CHECKS: Final = 1024
"""Formulas between two looks at the clock."""


@dataclass(frozen=True)
class Simplified:
    """What is left of a formula.

    Attributes:
        formula: a theorem exactly if the original is one.
        true: atoms of the original in whose place True was put.
    """

    formula: Formula
    true: frozenset[Atom]

    def original(self, countermodel: Kripke) -> Kripke:
        """The countermodel to the original formula that comes of one to what is left."""
        return Kripke(tuple(true | self.true for true in countermodel.true), countermodel.above)


@uncollected()
def simplified(formula: Formula, limit: Limit) -> Simplified:
    """What is left of a formula. Raises LimitReached."""
    values: dict[Formula, Formula] = {}
    true: set[Atom] = set()
    size = inf
    while True:
        built = _rebuilt(formula, values, limit)
        formula = built[formula]
        one_sided = dict(_one_sided(formula, limit)) if len(built) <= _GAIN * size else {}
        if not one_sided:
            return Simplified(formula, frozenset(true))
        size = len(built)
        values = {atom: FALSE if positive else TRUTH for atom, positive in one_sided.items()}
        true |= {atom for atom, positive in one_sided.items() if not positive}


def _rebuilt(formula: Formula, values: Mapping[Formula, Formula], limit: Limit) -> dict[Formula, Formula]:
    """What each subformula becomes, atoms being replaced by values and everything simplified. Raises LimitReached."""
    built: dict[Formula, Formula] = {}
    for number, part in enumerate(subformulas(formula)):
        if number % _BETWEEN_CHECKS == 0:
            limit.check()
        match part:
            case And(left, right):
                built[part] = _conjunction(built[left], built[right])
            case Or(left, right):
                built[part] = _disjunction(built[left], built[right])
            case Implies(left, right):
                built[part] = _implication(built[left], built[right])
            case _:
                built[part] = values.get(part, part)
    return built


def _conjunction(left: Formula, right: Formula) -> Formula:
    if left is TRUTH or right is FALSE or left is right:
        return right
    return left if right is TRUTH or left is FALSE else left & right


def _disjunction(left: Formula, right: Formula) -> Formula:
    if left is FALSE or right is TRUTH or left is right:
        return right
    return left if right is FALSE or left is TRUTH else left | right


def _implication(left: Formula, right: Formula) -> Formula:
    if left is FALSE or right is TRUTH or left is right:
        return TRUTH
    match left, right:
        case _ if left is TRUTH:
            return right
        case _, Implies(same, _) if same is left:
            return right  # A → A → B
        case Implies(Implies(_, inner) as short, outer), _ if inner is outer is right:
            return short  # ((A → B) → B) → B
    return left >> right


def _one_sided(formula: Formula, limit: Limit) -> Iterator[tuple[Atom, bool]]:
    """The atoms that occur only positively or only negatively, and whether it is the former. Raises LimitReached."""
    seen = {(formula, True)}
    pending = list(seen)
    for number, (part, positive) in enumerate(pending):  # which grows
        if number % _BETWEEN_CHECKS == 0:
            limit.check()
        if isinstance(part, Binary):
            for side in ((part.left, positive is not isinstance(part, Implies)), (part.right, positive)):
                if side not in seen:
                    seen.add(side)
                    pending.append(side)
    for part, positive in pending:
        if isinstance(part, Atom) and (part, not positive) not in seen:
            yield part, positive
