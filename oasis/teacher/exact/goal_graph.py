"""The goals that others lead to, as a graph of integers: which moves each has, and which goals a move leaves.

A goal counts up to the names and the order of its hypotheses; what is left of it is a sequent. Neither truth nor length
depends on more: whether a rule applies to a hypothesis, and which sequents it leaves, depends on the formulas that are
there. So goals of one sequent have the same moves but for which of several equal hypotheses is named, and go on to the
same sequents. What the goals are worth is not known here (`oasis.teacher.exact.values`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oasis.teacher.limits import Limit, LimitReached
from tactics.formula import Formula
from tactics.goal import Goal, Move, Sequent, sequent
from tactics.rules import RULES, Premise, inferences, legal_moves

MAX_GOALS: Final = 500_000
"""Goals of the largest graph unless told otherwise. SYJ203.8 has nearly as many, and takes 350 MiB."""
NONE: Final = -1
"""Stands where a move takes no hypothesis or leaves no goal."""
_BETWEEN_CHECKS: Final = 256
"""Goals between two looks at the clock."""
_RULE_NUMBERS: Final = {name: number for number, name in enumerate(RULES)}

Integers: TypeAlias = NDArray[np.int32]


class GoalGraph:
    """Every goal that some goals lead to, themselves among them, the lower ones first.

    Args:
        roots: the goals to begin with.
        limit: is asked while the graph is built.
        max_goals: how many goals it may have.
        rules: the names of the rules whose moves it has; None for all.

    Attributes:
        number: the number of each sequent, from 0.
        layers: the goals from `layers[h]` up to `layers[h + 1]`, which is not among them, have height h: the longest
            way down from them has h moves. So what a move leaves has a smaller number.
        first_move: the moves of goal g are those from `first_move[g]` up to `first_move[g + 1]`.
        rule: for each move the place of its rule in `RULES`.
        principal: for each move the id of the formula of its hypothesis, or NONE.
        times: for each move how many hypotheses have that formula, so that a goal has this move so often; else 1.
        premises: for each move the goals that it leaves, the first one focused, filled up with NONE to two.

    Raises LimitReached.
    """

    def __init__(
        self,
        roots: Iterable[Goal],
        limit: Limit | None = None,
        max_goals: int = MAX_GOALS,
        rules: Collection[str] | None = None,
    ) -> None:
        self._rules = RULES if rules is None else rules
        found = _Exploration(roots, limit or Limit(), max_goals, self._rules)
        self._formulas = list(found.formulas.values())  # held, because ids mean nothing without their formulas
        counts = np.array(found.counts, np.int32)
        moves = np.array(found.moves, np.int64).reshape(-1, 5)
        heights = _heights(counts, moves[:, 3:].astype(np.int32))
        order = np.argsort(heights, kind="stable")
        place = np.append(np.argsort(order, kind="stable"), NONE).astype(np.int32)
        moves = moves[np.argsort(np.repeat(place[:-1], counts), kind="stable")]
        goals = list(found.number)
        self.number: dict[Sequent, int] = {goals[old]: new for new, old in enumerate(order)}
        layers = np.arange(heights.max(initial=0) + 2)
        self.layers: Integers = np.searchsorted(heights[order], layers).astype(np.int32)
        self.first_move: Integers = np.append(0, np.cumsum(counts[order])).astype(np.int32)
        self.rule: Integers = moves[:, 0].astype(np.int32)
        self.principal: NDArray[np.int64] = moves[:, 1]
        self.times: Integers = moves[:, 2].astype(np.int32)
        self.premises: Integers = place[moves[:, 3:]]

    def __len__(self) -> int:
        return len(self.number)

    def __contains__(self, goal: Goal) -> bool:
        return sequent(goal) in self.number

    def moves(self, goal: Goal) -> dict[Move, int]:
        """The moves that the graph has of a goal, and of each the number; moves on equal hypotheses have the same."""
        place = self.number[sequent(goal)]
        numbers = range(self.first_move[place], self.first_move[place + 1])
        known = {(self.rule[number], self.principal[number]): number for number in numbers}
        formulas = {name: formula.id for name, formula in goal.hypotheses}
        return {
            move: known[_RULE_NUMBERS[move.rule], NONE if move.hypothesis is None else formulas[move.hypothesis]]
            for move in legal_moves(goal)
            if move.rule in self._rules
        }


def _heights(counts: Integers, premises: Integers) -> Integers:
    """The height of each goal, from how many moves it has and what they leave; layer by layer, after Kahn (1962)."""
    size = len(counts)
    # What is not there stands below everything, as one more goal without moves.
    below = np.where(premises == NONE, size, premises).ravel()
    above = np.repeat(np.arange(size), 2 * counts)
    waiting_for = np.bincount(above, minlength=size + 1)
    above = above[np.argsort(below, kind="stable")]
    ends = np.cumsum(np.bincount(below, minlength=size + 1))
    starts = np.append(0, ends[:-1])
    heights = np.zeros(size + 1, np.int32)
    layer, height = np.flatnonzero(waiting_for == 0), 0
    while len(layer):
        heights[layer] = height
        parents = np.concatenate([above[starts[goal] : ends[goal]] for goal in layer])
        np.subtract.at(waiting_for, parents, 1)
        layer, height = np.unique(parents[waiting_for[parents] == 0]), height + 1
    return heights[:-1]


class _Inference(NamedTuple):
    """A rule on a formula, in integers.

    Attributes:
        rule: the place of the rule in `RULES`.
        given: what must be among the hypotheses, or NONE.
        premises: for each the hypotheses that it has instead of the formula, and its conclusion, NONE for the old one.
    """

    rule: int
    given: int
    premises: tuple[tuple[tuple[int, ...], int], ...]


class _Exploration:
    """Sequents numbered as they are met, and their moves.

    Attributes:
        number: of each sequent.
        counts: for each how many moves it has.
        moves: of the first goal, then the second and so on, five integers each: rule, principal, times, two premises.
        formulas: in the sequents, by their ids.
    """

    def __init__(self, roots: Iterable[Goal], limit: Limit, max_goals: int, rules: Collection[str]) -> None:
        self._rules = rules
        self.number: dict[Sequent, int] = {}
        self.counts: list[int] = []
        self.moves: list[int] = []
        self._pending: list[Sequent] = []
        self.formulas: dict[int, Formula] = {}
        self._on_conclusions: dict[int, list[_Inference]] = {}
        self._on_hypotheses: dict[int, list[_Inference]] = {}
        for root in roots:
            self.formulas |= {formula.id: formula for formula in (root.conclusion, *(f for _, f in root.hypotheses))}
            self._numbered(sequent(root))
        for goal in self._pending:  # which grows
            if len(self.counts) % _BETWEEN_CHECKS == 0:
                limit.check()
            if len(self.number) > max_goals:
                raise LimitReached(f"{max_goals:,} goals were not enough")
            before = len(self.moves)
            self._expand(goal)
            self.counts.append((len(self.moves) - before) // 5)

    def _expand(self, goal: Sequent) -> None:
        """Add the moves of a sequent: those on the conclusion, then those on each distinct hypothesis."""
        conclusion, *hypotheses = goal
        if conclusion not in self._on_conclusions:
            self._on_conclusions[conclusion] = self._inferences(conclusion, as_hypothesis=False)
        for inference in self._on_conclusions[conclusion]:
            if inference.given == NONE or inference.given in hypotheses:
                self._add(inference, NONE, 1, conclusion, hypotheses)
        last = NONE
        for place, principal in enumerate(hypotheses):
            if principal == last:
                continue
            last = principal
            if principal not in self._on_hypotheses:
                self._on_hypotheses[principal] = self._inferences(principal, as_hypothesis=True)
            for inference in self._on_hypotheses[principal]:
                if inference.given == NONE or inference.given in hypotheses:
                    others = hypotheses[:place] + hypotheses[place + 1 :]
                    self._add(inference, principal, hypotheses.count(principal), conclusion, others)

    def _add(self, inference: _Inference, principal: int, times: int, conclusion: int, hypotheses: list[int]) -> None:
        """Add a move; the hypotheses are those that stay."""
        left = [NONE, NONE]
        for place, (added, other) in enumerate(inference.premises):
            after = conclusion if other == NONE else other, *sorted([*hypotheses, *added])
            left[place] = self._numbered(after)
        self.moves += (inference.rule, principal, times, *left)

    def _numbered(self, goal: Sequent) -> int:
        number = self.number.get(goal)
        if number is None:
            number = self.number[goal] = len(self.number)
            self._pending.append(goal)
        return number

    def _inferences(self, formula: int, *, as_hypothesis: bool) -> list[_Inference]:
        """What the rules can do with a formula."""
        return [
            _Inference(_RULE_NUMBERS[rule.name], self._id(given), tuple(map(self._premise, premises)))
            for rule, given, premises in inferences(self.formulas[formula], as_hypothesis)
            if rule.name in self._rules
        ]

    def _premise(self, premise: Premise) -> tuple[tuple[int, ...], int]:
        return tuple(map(self._id, premise.added)), self._id(premise.conclusion)

    def _id(self, formula: Formula | None) -> int:
        if formula is None:
            return NONE
        self.formulas[formula.id] = formula
        return formula.id
