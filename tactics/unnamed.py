"""Goals without the names and the order of their hypotheses, as integers, and what the moves leave of them.

What is left of such a goal is a sequent. Neither truth nor length depends on more: whether a rule applies to a
hypothesis, and which sequents it leaves, depends on the formulas that are there. So goals of one sequent have the same
moves but for which of several equal hypotheses is named, and go on to the same sequents.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from tactics.formula import Formula
from tactics.goal import Goal, Sequent, sequent
from tactics.rules import RULES, Premise, inferences

NONE: Final = -1
"""Stands where a move takes no hypothesis or leaves no goal."""
RULE_NAMES: Final = tuple(RULES)
"""The rules by their numbers."""
_RULE_NUMBERS: Final = {name: number for number, name in enumerate(RULE_NAMES)}


Applied = tuple[int, int, int, int, int]
"""A move of a sequent: the place of the rule in `RULES`; the id of the formula of its hypothesis, or NONE; how many
hypotheses have that formula, so that a goal has this move so often, else 1; and the numbers of the sequents that it
leaves, the first one focused, filled up with NONE to two."""
_Premises = tuple[tuple[list[int], int], ...]


class _Inference(NamedTuple):
    """A rule on a formula, in integers.

    Attributes:
        rule: the place of the rule in `RULES`.
        given: what must be among the hypotheses, or NONE.
        premises: for each the hypotheses that it has instead of the formula, and its conclusion, NONE for the old one.
    """

    rule: int
    given: int
    premises: _Premises


class Sequents:
    """Sequents, numbered as they are met.

    Args:
        rules: the names of the rules whose moves they have.

    Attributes:
        number: of each sequent, from 0.
        goals: the sequents by their numbers.
        formulas: those of the sequents by their ids, held because ids mean nothing without their formulas.
    """

    def __init__(self, rules: Collection[str] = RULE_NAMES) -> None:
        self._rules = rules
        self.number: dict[Sequent, int] = {}
        self.goals: list[Sequent] = []
        self.formulas: dict[int, Formula] = {}
        self._on_conclusions: dict[int, list[_Inference]] = {}
        self._on_hypotheses: dict[int, list[_Inference]] = {}

    def add(self, goal: Goal) -> int:
        """The number of the sequent of a goal."""
        self.formulas |= {formula.id: formula for formula in (goal.conclusion, *(f for _, f in goal.hypotheses))}
        return self._numbered(sequent(goal))

    def expand(self, number: int) -> list[Applied]:
        """The moves of a sequent: those on the conclusion, then those on each distinct hypothesis."""
        conclusion, *hypotheses = self.goals[number]
        moves: list[Applied] = []
        if conclusion not in self._on_conclusions:
            self._on_conclusions[conclusion] = self._inferences(conclusion, as_hypothesis=False)
        for rule, given, premises in self._on_conclusions[conclusion]:
            if given == NONE or given in hypotheses:
                moves.append((rule, NONE, 1, *self._left(premises, conclusion, hypotheses)))
        last, known = NONE, self._on_hypotheses
        for place, principal in enumerate(hypotheses):
            if principal == last:
                continue
            last = principal
            if principal not in known:
                known[principal] = self._inferences(principal, as_hypothesis=True)
            for rule, given, premises in known[principal]:
                if given == NONE or given in hypotheses:
                    left = self._left(premises, conclusion, hypotheses[:place] + hypotheses[place + 1 :])
                    moves.append((rule, principal, hypotheses.count(principal), *left))
        return moves

    def _left(self, premises: _Premises, conclusion: int, hypotheses: list[int]) -> tuple[int, int]:
        """What a move leaves of a sequent with this conclusion; the hypotheses are those that stay."""
        one = two = NONE
        for added, other in premises:
            after = conclusion if other == NONE else other, *sorted(hypotheses + added)
            known = self.number.get(after)
            one, two = two, self._numbered(after) if known is None else known
        return (two, NONE) if len(premises) == 1 else (one, two)

    def _numbered(self, goal: Sequent) -> int:
        number = self.number.setdefault(goal, len(self.goals))
        if number == len(self.goals):
            self.goals.append(goal)
        return number

    def _inferences(self, formula: int, *, as_hypothesis: bool) -> list[_Inference]:
        """What the rules can do with a formula."""
        return [
            _Inference(_RULE_NUMBERS[rule.name], self._id(given), tuple(map(self._premise, premises)))
            for rule, given, premises in inferences(self.formulas[formula], as_hypothesis)
            if rule.name in self._rules
        ]

    def _premise(self, premise: Premise) -> tuple[list[int], int]:
        return list(map(self._id, premise.added)), self._id(premise.conclusion)

    def _id(self, formula: Formula | None) -> int:
        if formula is None:
            return NONE
        self.formulas[formula.id] = formula
        return formula.id
