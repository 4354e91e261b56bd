"""The goals that others lead to, as a graph of integers: which moves each has, and which goals a move leaves.

A goal counts up to the names and the order of its hypotheses (`tactics.unnamed`). What the goals are worth is not known
here (`oasis.teacher.exact.values`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import chain
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from oasis.ground.limits import Limit, LimitReached
from tactics.goal import Goal, Move, Sequent, sequent
from tactics.rules import legal_moves
from tactics.unnamed import NONE, RULE_NAMES, Sequents

MAX_GOALS: Final = 500_000
"""Goals of the largest graph unless told otherwise. SYJ203.8 has nearly as many, and takes 350 MiB."""
_BETWEEN_CHECKS: Final = 256
"""Goals between two looks at the clock."""

Integers: TypeAlias = NDArray[np.int32]


class GoalGraph:
    """Every goal that some goals lead to, themselves among them, the lower ones first.

    Args:
        roots: the goals to begin with.
        limit: is asked while the graph is built.
        max_goals: how many goals it may have.
        rules: the names of the rules whose moves it has.

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
        rules: Collection[str] = RULE_NAMES,
    ) -> None:
        self._rules, limit = rules, limit or Limit()
        found = Sequents(rules)
        for root in roots:
            found.add(root)
        expanded: list[int] = []
        lengths: list[int] = []
        for goal, _ in enumerate(found.goals):  # which grow
            if goal % _BETWEEN_CHECKS == 0:
                limit.check()
            if len(found.goals) > max_goals:
                raise LimitReached(f"{max_goals:,} goals were not enough")
            applied = found.expand(goal)
            expanded.extend(chain.from_iterable(applied))
            lengths.append(len(applied))
        self._formulas = list(found.formulas.values())  # held, because ids mean nothing without their formulas
        counts = np.array(lengths, np.int32)
        moves = np.array(expanded, np.int64).reshape(-1, 5)
        heights = _heights(counts, moves[:, 3:].astype(np.int32))
        order = np.argsort(heights, kind="stable")
        place = np.append(np.argsort(order, kind="stable"), NONE).astype(np.int32)
        moves = moves[np.argsort(np.repeat(place[:-1], counts), kind="stable")]
        self.number: dict[Sequent, int] = {found.goals[old]: new for new, old in enumerate(order)}
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
        known = {(RULE_NAMES[self.rule[number]], self.principal[number]): number for number in numbers}
        formulas = {name: formula.id for name, formula in goal.hypotheses}
        return {
            move: known[move.rule, NONE if move.hypothesis is None else formulas[move.hypothesis]]
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
