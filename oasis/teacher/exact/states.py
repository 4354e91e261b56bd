"""Every state that a lemma leads to, as a graph of integers, so that what a reward is worth in it is a sum of arrays.

States count up to the names and the order of hypotheses, as goals do in `oasis.teacher.exact.goal_graph`. A move works
on the goal in focus and leaves the others as they are, so a state is a goal and the state of the others.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.ground.limits import LimitReached
from oasis.teacher.exact.goal_graph import MAX_GOALS, GoalGraph
from oasis.teacher.exact.values import Lengths
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, initial, sequent
from tactics.rules import apply
from tactics.unnamed import NONE

MAX_STATES: Final = 1_000_000
"""States of the largest graph unless told otherwise. SYJ203.4 has a third of them."""
PROVED: Final = 0
"""The number of the state without goals."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


class Edge(NamedTuple):
    """A move in a state, as a reward is asked about it."""

    before: State
    move: Move
    after: State
    ended: bool


class StateGraph:
    """The states that a lemma leads to; what a move leaves has a smaller number.

    Args:
        lemma: the formula to begin with.
        max_states: how many there may be.

    Attributes:
        of_goals: the goals and their moves as a graph of their own.
        head: the goal in focus of each state, NONE for the proved one; shape (states,).
        tail: the state of the other goals.
        size: how many goals each state has.
        most: moves that can be made of each state, at most.
        length: moves of the shortest proof of each state; infinity where there is none.
        before, after: the states that each edge joins, sorted by `before`; shape (edges,).
        move: the number of its move.
        root: the number of the lemma's own state, which is the last one.

    Raises LimitReached.
    """

    def __init__(self, lemma: Formula, max_states: int = MAX_STATES) -> None:
        graph = self.of_goals = GoalGraph(initial(lemma), max_goals=min(max_states, MAX_GOALS))
        self._lemma = initial(lemma)[0]
        first, premises = graph.first_move.tolist(), graph.premises.tolist()
        cells: dict[tuple[int, int], int] = {}
        pending: list[tuple[int, int]] = []

        def state_of(goal: int, others: int) -> int:
            cell = goal, others
            if cell not in cells:
                if len(cells) == max_states:
                    raise LimitReached(f"{max_states:,} states were not enough")
                cells[cell] = len(cells) + 1
                pending.append(cell)
            return cells[cell]

        state_of(graph.number[sequent(initial(lemma)[0])], PROVED)
        edges: list[tuple[int, int, int]] = []
        while pending:
            goal, others = cell = pending.pop()
            number = cells[cell]
            for move in range(first[goal], first[goal + 1]):
                after = others
                for premise in reversed(premises[move]):
                    after = after if premise == NONE else state_of(premise, after)
                edges.append((number, after, move))
        self._arrange(graph, np.array([(NONE, PROVED), *cells], np.int64), np.array(edges, np.int64).reshape(-1, 3))

    def _arrange(self, graph: GoalGraph, cells: Integers, edges: Integers) -> None:
        """Number the states anew: by the most moves that they can take."""
        steps = np.append(_most_moves(graph), 0)  # the last place is that of NONE
        size, most = np.zeros(len(cells), np.int64), steps[cells[:, 0]]
        rest = cells[:, 1].copy()
        while rest.any():
            most += steps[cells[rest, 0]]
            rest = cells[rest, 1]
        order = np.argsort(most, kind="stable")
        place = np.argsort(order, kind="stable")
        self.head, self.tail = cells[order, 0], place[cells[order, 1]]
        rest = np.arange(len(cells))
        while rest.any():
            size += rest > 0
            rest = self.tail[rest]
        self.size, self.most, self.root = size, most[order], len(cells) - 1
        lengths = Lengths(graph).shortest
        self.length = np.zeros(len(cells))
        rest = np.arange(len(cells))
        while rest.any():
            self.length += lengths[self.head[rest]]
            rest = self.tail[rest]
        edges[:, :2] = place[edges[:, :2]]
        self.before, self.after, self.move = edges[np.argsort(edges[:, 0], kind="stable")].T

    def __len__(self) -> int:
        return len(self.head)

    @property
    def goals(self) -> list[Goal]:
        """The goals by their numbers, each with names that it was first met with."""
        return self._shown[0]

    @property
    def moves(self) -> list[Move]:
        """By its number a move of some goal."""
        return self._shown[1]

    @cached_property
    def _shown(self) -> tuple[list[Goal], list[Move]]:
        return _shown(self.of_goals, self._lemma)

    @cached_property
    def has_moves(self) -> Truths:
        """Whether anything can be done in each state; shape (states,)."""
        found = np.zeros(len(self), np.bool_)
        found[self.before] = True
        return found

    @cached_property
    def stuck(self) -> Truths:
        """Whether nothing can be done in each state, and it is not proved."""
        found = ~self.has_moves
        found[PROVED] = False
        return found

    @cached_property
    def provable(self) -> Truths:
        """Whether each state has a proof."""
        return np.asarray(np.isfinite(self.length))

    @cached_property
    def is_shortest(self) -> Truths:
        """Whether each edge is on a shortest proof of the state before it; shape (edges,)."""
        fits = self.length[self.after] + 1 == self.length[self.before]
        return np.asarray(self.provable[self.before] & fits)

    def state(self, number: int) -> State:
        """The goals of a state."""
        found = []
        while number != PROVED:
            found.append(self.goals[self.head[number]])
            number = int(self.tail[number])
        return tuple(found)

    def edge(self, number: int) -> Edge:
        """An edge as a reward is asked about it; the state after it has its goals as they were first met."""
        after = int(self.after[number])
        before, move = self.state(int(self.before[number])), self.moves[int(self.move[number])]
        return Edge(before, move, self.state(after), not self.has_moves[after])

    def best(self, amounts: Floats, gamma: float, *, proved: float, stuck: float) -> tuple[Floats, Floats]:
        """The largest discounted return from each state and through each edge, by backward induction.

        Args:
            amounts: what each edge pays; -inf for one that may not be taken.
            gamma: the discount.
            proved: what it is worth to have come to a proof; -inf if that does not count.
            stuck: what it is worth to have got stuck; likewise.

        Returns:
            shapes (states,) and (edges,).
        """
        value = np.full(len(self), stuck, np.float64)
        value[PROVED] = proved
        through = np.empty(len(self.before))
        for states, edges, starts in self._layers:
            through[edges] = amounts[edges] + gamma * value[self.after[edges]]
            value[states] = np.maximum.reduceat(through[edges], starts)
        return value, through

    @cached_property
    def _layers(self) -> list[tuple[Integers, slice, Integers]]:
        """States that cannot lead to each other, their edges, and where those of each begin; the lowest first."""
        states, starts = np.unique(self.before, return_index=True)
        bounds = np.append(np.unique(self.most[states], return_index=True)[1], len(states))
        ends = np.append(starts, len(self.before))
        return [
            (states[low:high], slice(ends[low], ends[high]), starts[low:high] - starts[low])
            for low, high in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        ]


def _shown(graph: GoalGraph, root: Goal) -> tuple[list[Goal], list[Move]]:
    """The goals of a graph as people see them, and a move of each number."""
    goals = {graph.number[sequent(root)]: root}
    moves: dict[int, Move] = {}
    pending = [root]
    while pending:
        goal = pending.pop()
        for move, number in graph.moves(goal).items():
            moves.setdefault(number, move)
            for left in apply((goal,), move):
                place = graph.number[sequent(left)]
                if place not in goals:
                    goals[place] = left
                    pending.append(left)
    return [goals[place] for place in range(len(graph))], [moves[number] for number in range(len(graph.rule))]


def _most_moves(graph: GoalGraph) -> Integers:
    """The most moves that can be made of each goal and all that it leaves; shape (goals,)."""
    most = np.ones(len(graph) + 1, np.int64)
    most[NONE] = 0
    for low, high in zip(graph.layers[1:-1], graph.layers[2:], strict=True):
        first = graph.first_move[low]
        below = most[graph.premises[first : graph.first_move[high]]].sum(axis=1)
        most[low:high] = 1 + np.maximum.reduceat(below, graph.first_move[low:high] - first)
    return most[:-1]
