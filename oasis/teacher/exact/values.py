"""What goals and states are worth, exactly: shortest proofs, V* and the best ε-soft values, for the thesis's rewards.

Actions are the legal moves and episodes have no step limit. The goals of a state are worked on one after the other, and
what a rule does to the first has no effect on the others; so a state's values come from its goals', and those from the
goals below them, as every move makes a goal lighter: dynamic programming over the graph of goals
(`oasis.teacher.exact.goal_graph`), not over states. Nothing here is approximate; what is out of reach raises
LimitReached.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isinf
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from curricula.lemma import Lemma
from oasis.ground.limits import Limit, LimitReached
from oasis.rewards import Pay, Reward
from oasis.teacher.exact.goal_graph import MAX_GOALS, GoalGraph
from tactics.formula import Formula
from tactics.goal import Goal, Move, State, initial, sequent
from tactics.recursion import Call, run
from tactics.rules import apply
from tactics.script import Script
from tactics.unnamed import NONE

SECONDS: Final = 10.0
"""For the lengths of a lemma whose truth is only there to compare with, and again for its values."""
MOST: Final = 200_000
"""Goals of such a lemma."""
MAX_VALUES: Final = 3_000_000
"""Values that are kept for ε > 0, in about 1 GiB."""
_EXACT: Final = 2**53
"""Up to here every integer is a float."""
_BETWEEN_CHECKS: Final = 256
"""Moves of a script between two looks at the clock."""

Floats: TypeAlias = NDArray[np.float64]


class Payoff(NamedTuple):
    """What a legal move pays that leaves something to do, that ends stuck, and that completes the proof."""

    step: float
    stuck: float
    proved: float

    @classmethod
    def of(cls, reward: Reward) -> Payoff:
        """What one of the thesis's rewards pays; every legal move changes the state, so they depend on nothing else."""
        pay = Pay.of(reward)
        return cls(pay.step, pay.stuck, pay.proved)

    def collected(self, moves: int, last: float, gamma: float) -> float:
        """The discounted return of an episode of so many moves, at least one, of which the last pays `last`.

        r + γr + … + γ^(n-2) r + γ^(n-1) last; Sutton & Barto (2018), 3.8.
        """
        before = moves - 1 if gamma == 1 else (1 - gamma ** (moves - 1)) / (1 - gamma)
        return self.step * before + gamma ** (moves - 1) * last


class Lengths:
    """How long episodes can be on each goal of a graph, in moves; ±inf where there is none.

    Attributes:
        graph: the goals.
        shortest: L, of the shortest proof: 1 + min over moves of the sum of L over what the move leaves; inf if none.
        longest: M, of the longest proof, with max for min; -inf if none.
        stuck: S, of the longest way to a goal without moves: 0 where there are none, else 1 + max over moves of S of
            the first goal left, or of M of the first and S of the second; -inf if there is none.
    """

    def __init__(self, graph: GoalGraph) -> None:
        self.graph = graph
        # The last place stands for a goal that is not there: NONE is -1.
        self.shortest: Floats = np.full(len(graph) + 1, inf)
        self.longest: Floats = np.full(len(graph) + 1, -inf)
        self.stuck: Floats = np.full(len(graph) + 1, -inf)
        self.shortest[NONE] = self.longest[NONE] = 0
        if len(graph):
            self.stuck[: graph.layers[1]] = 0
        for low, high in zip(graph.layers[1:-1], graph.layers[2:], strict=True):
            first = graph.first_move[low]
            moves = slice(first, graph.first_move[high])
            starts = graph.first_move[low:high] - first
            one, other = graph.premises[moves].T
            self.shortest[low:high] = np.minimum.reduceat(1 + self.shortest[one] + self.shortest[other], starts)
            self.longest[low:high] = np.maximum.reduceat(1 + self.longest[one] + self.longest[other], starts)
            stuck = 1 + np.maximum(self.stuck[one], self.longest[one] + self.stuck[other])
            self.stuck[low:high] = np.maximum.reduceat(stuck, starts)
        finite = [lengths[np.isfinite(lengths)].max(initial=0) for lengths in (self.shortest, self.longest, self.stuck)]
        if max(finite) > _EXACT:
            raise LimitReached("lengths up to 2^53 were not enough")

    def shortest_proof(self, state: State) -> int | None:
        """The number of moves in the shortest proof of a state, the sum over its goals; None if it has none."""
        return _moves(sum(self.shortest[self._place(goal)] for goal in state))

    def by_move(self, goal: Goal) -> dict[Move, int | None]:
        """The length of the shortest proof of a goal that begins with each legal move; None where none does.

        So a move keeps the goal provable if it has a length, and is on a shortest proof if no other has a smaller one.
        """
        premises = self.graph.premises
        return {move: _moves(1 + self.shortest[premises[n]].sum()) for move, n in self.graph.moves(goal).items()}

    def shortest_script(self, state: State, limit: Limit | None = None) -> Script | None:
        """A shortest proof of a state: of the moves with which one begins always the first legal one. None if none.

        Its length, which `shortest_proof` gives at once, may be exponential in that of the lemma. Raises LimitReached.
        """
        limit = limit or Limit()
        length = self.shortest_proof(state)
        script: list[Move] = []
        while state and length is not None:
            if len(script) % _BETWEEN_CHECKS == 0:
                limit.check()
            lengths = self.by_move(state[0])
            script.append(next(move for move in lengths if lengths[move] == self.shortest_proof(state[:1])))
            state = apply(state, script[-1])
        return None if length is None else tuple(script)

    def ends(self, state: State) -> tuple[float, float, float]:
        """L, M and S of a state that is not proved, as of a goal.

        A list of goals is proved when each is, and gets stuck in the first, or after it has been proved in the others:
        S(g, rest) = max(S(g), M(g) + S(rest)).
        """
        shortest, longest, stuck = 0.0, 0.0, -inf
        for goal in reversed(state):
            place = self._place(goal)
            stuck = max(float(self.stuck[place]), float(self.longest[place]) + stuck)
            shortest += float(self.shortest[place])
            longest += float(self.longest[place])
        return shortest, longest, stuck

    def _place(self, goal: Goal) -> int:
        return self.graph.number[sequent(goal)]


def _moves(length: float) -> int | None:
    """A number of moves, or None for infinity."""
    return None if isinf(length) else int(length)


def lengths(formula: Formula, limit: Limit | None = None, max_goals: int = MAX_GOALS) -> Lengths:
    """The lengths of all goals of a lemma. Raises LimitReached."""
    return Lengths(GoalGraph(initial(formula), limit, max_goals))


def lengths_or_why_not(formula: Formula, seconds: float = SECONDS, max_goals: int = MOST) -> Lengths | str:
    """Return the lengths of every goal on the way, or in words which limit keeps from knowing them."""
    try:
        return lengths(formula, Limit(seconds), max_goals)
    except LimitReached as reached:
        return str(reached)


def shortest_proof(lemma: Lemma, seconds: float = SECONDS, max_goals: int = MOST) -> int | None:
    """Return the moves of a lemma's shortest proof; None if it has none, or if the limits keep from knowing it.

    A lemma that says so itself is believed.
    """
    if lemma.shortest is not None:
        return lemma.shortest
    known = lengths_or_why_not(lemma.formula, seconds, max_goals)
    return None if isinstance(known, str) else known.shortest_proof(initial(lemma.formula))


def shortest_script(formula: Formula, limit: Limit | None = None, max_goals: int = MAX_GOALS) -> Script | None:
    """A shortest proof of a lemma, None if it has no proof. Raises LimitReached."""
    return lengths(formula, limit, max_goals).shortest_script(initial(formula), limit)


class Values:
    """The values of states under the best ε-soft policy, which is the best of all for ε = 0.

    v(s) = (1-ε) max q(s, m) + ε mean q(s, m) over the legal moves m, q(s, m) = r + γ v(s'), and v = 0 where the episode
    is over; Sutton & Barto (2018), 3.6 and 5.4.

    For ε = 0 three episodes are compared, which `Lengths.ends` gives: the shortest and the longest proof, and the
    longest that gets stuck. No other collects more: with n the return of a proof of n moves only rises or only falls,
    as it is a + b γ^n, or a + b n for γ = 1; and to get stuck later never pays less where stuck ≤ step and 0 ≤ step,
    as in the thesis's rewards. Under `terminating` that is γ^(L-1) with a proof, and -γ^(S-1) without.

    For ε > 0 a state's value depends on all its goals, but on those behind the first only by what it pays to get there:
    a value is kept for each goal and each such number, and no state is looked at twice.

    Args:
        lengths: of a graph that has the goals of all states asked for.
        payoff: what moves pay.
        gamma: the discount, from 0 to 1.
        epsilon: from 0 to 1.
        limit: for all questions together.
    """

    def __init__(
        self, lengths: Lengths, payoff: Payoff, gamma: float, epsilon: float = 0.0, limit: Limit | None = None
    ) -> None:
        if not payoff.stuck <= payoff.step >= 0:
            raise ValueError(f"a step must pay at least 0, and no less than to be stuck, unlike {payoff}")
        self.payoff, self.gamma, self.epsilon = payoff, gamma, epsilon
        self._lengths, self._limit = lengths, limit or Limit()
        graph = lengths.graph
        self._number = graph.number
        self._stuck = int(graph.layers[1]) if len(graph) else 0
        self._hopeless = frozenset(np.flatnonzero(np.isinf(lengths.shortest)).tolist())
        self._first_move: list[int] = graph.first_move.tolist()
        self._times: list[int] = graph.times.tolist()
        self._premises: list[list[int]] = [[g for g in left if g != NONE] for left in graph.premises.tolist()]
        self._known: dict[tuple[int, float], float] = {}

    def v(self, state: State) -> float:
        """The value of a state. Raises LimitReached."""
        if not state or self._number[sequent(state[0])] < self._stuck:
            return 0.0
        if self.epsilon > 0:
            return run(self._soft(state), self._limit.check)
        shortest, longest, stuck = self._lengths.ends(state)
        episodes = [(shortest, self.payoff.proved), (longest, self.payoff.proved), (stuck, self.payoff.stuck)]
        return max(self.payoff.collected(int(n), last, self.gamma) for n, last in episodes if not isinf(n))

    def _soft(self, state: State) -> Call[float]:
        first, *others = [self._number[sequent(goal)] for goal in state]
        worth: float = 0.0
        if first not in self._hopeless:
            worth = yield self._reached(others, self.payoff.proved)
        value: float = yield self._value(first, worth)
        return value

    def _reached(self, goals: Sequence[int], worth: float) -> Call[float]:
        """What it pays to come to these goals, if to have proved them pays `worth`: r + γ v."""
        for place, goal in enumerate(goals):
            if goal in self._hopeless:
                goals, worth = goals[: place + 1], 0.0  # what comes behind is never reached
                break
        for goal in reversed(goals):
            if goal < self._stuck:
                worth = self.payoff.stuck
            else:
                value: float = yield self._value(goal, worth)
                worth = self.payoff.step + self.gamma * value
        return worth

    def _value(self, goal: int, worth: float) -> Call[float]:
        """The value of every state with this goal first in which the move that closes it pays `worth`."""
        known = self._known.get((goal, worth))
        if known is None:
            values: list[float] = []
            for move in range(self._first_move[goal], self._first_move[goal + 1]):
                value: float = yield self._reached(self._premises[move], worth)
                values += [value] * self._times[move]
            if len(self._known) == MAX_VALUES:
                raise LimitReached(f"{MAX_VALUES:,} values were not enough")
            known = (1 - self.epsilon) * max(values) + self.epsilon * sum(values) / len(values)
            self._known[goal, worth] = known
        return known
