"""The states that a lemma leads to in an action space, as arrays, and what a policy is worth there: an exact exam.

States are those that a player meets, names and order of hypotheses included. Every move makes a goal lighter, so the
only cycles are the loops of actions that do not apply, and what a policy is worth is a sum over the states that it
reaches. Nothing is sampled, and there is no step limit. What is best is not known here
(`oasis.teacher.exact.policies`).
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.ground.limits import LimitReached
from oasis.play.actions import LEGAL, SIMPLIFY, ActionSpace, attempt
from oasis.play.exam import proposed
from oasis.play.policy import Floats, Policy
from tactics.formula import Formula
from tactics.goal import Goal, State, initial

MAX_STATES: Final = 50_000
"""States of the largest graph unless told otherwise. SYJ203.3 has 17,813, SYJ203.4 2.6 million."""
YARDSTICK: Final = 0.9
"""What each move of the calculus leaves of the 1 that a proof is worth, when policies are held against each other."""
PROVED: Final = 0
"""The number of the state without goals."""

Integers = NDArray[np.int32]


class Worth(NamedTuple):
    """What a policy comes to on a lemma, exactly.

    Attributes:
        chance: the probability that a play proves.
        proof: the expectation over plays of `YARDSTICK`^(n-1) for a proof of n moves of the calculus, and 0 for none:
            the same for all rewards, discounts and action spaces.
        actions: the expected number of actions until a play proves, is stuck, or stays where it is for ever.
        paid: the expected return under a reward, discounted by γ an action; NaN if no reward was given, and infinite if
            γ is 1 and something is paid for ever.
    """

    chance: float
    proof: float
    actions: float
    paid: float


class States:
    """Every state that a lemma leads to, the lower ones first: what an action that applies leaves has a smaller number.

    Args:
        lemma: the formula to begin with.
        space: the actions on offer.
        max_states: how many there may be.

    Attributes:
        goals: every goal that was met.
        lists: every list of goals that was met, as the number of its first goal and the number of the list of the
            others, which is smaller; the first is the empty list, of no goal; shape (lists, 2).
        place: of each state among the lists; shape (states,).
        layers: the states from `layers[h]` up to `layers[h + 1]`, which is not among them, have height h: the longest
            way down from them has h actions.
        first: the edges of state s are those from `first[s]` up to `first[s + 1]`, one for each of its actions.
        before, after: the states that each edge joins; shape (edges,).
        moves: the moves of the calculus that each edge makes, 0 if its action does not apply; shape (edges,).
        root: the number of the lemma's own state, which is the last one.

    Raises LimitReached.
    """

    def __init__(self, lemma: Formula, space: ActionSpace = LEGAL, max_states: int = MAX_STATES) -> None:
        self.lemma, self.space = lemma, space
        found = _Lists(space)
        edges: dict[int, list[_Edge]] = {PROVED: []}
        height: dict[int, int] = {PROVED: 0}
        pending = [found.number(initial(lemma), PROVED)]
        while pending:  # depth first
            state = pending[-1]
            if state in height:
                pending.pop()
            elif state in edges:  # and what it leads to has its height
                height[state] = 1 + max((height[edge.after] for edge in edges[state]), default=-1)
            elif len(edges) == max_states:
                raise LimitReached(f"{max_states:,} states were not enough")
            else:
                edges[state] = found.edges(state)
                pending += [edge.after for edge in edges[state] if edge.after not in height]
        order = sorted(height, key=height.__getitem__)  # the proved state is the first, and the lemma's the last
        self.root = len(order) - 1
        self.goals, self.lists, self.place = found.goals, np.array(found.lists, np.int32), np.array(order, np.int32)
        heights = np.fromiter(map(height.__getitem__, order), np.int32, len(order))
        self.layers: Integers = np.searchsorted(heights, np.arange(heights[-1] + 2)).astype(np.int32)
        actions = np.array([*found.actions, 0], np.int32)[self.lists[self.place, 0]]  # none, if there is no goal
        self.first: Integers = np.append(0, np.cumsum(actions)).astype(np.int32)
        self.before = np.repeat(np.arange(len(order), dtype=np.int32), actions)
        self.after, self.moves = self.before.copy(), np.zeros(len(self.before), np.int32)
        number = np.zeros(len(found.lists), np.int32)
        number[self.place] = np.arange(len(order))
        applied = [(place, *edge) for place in order for edge in edges[place]]
        before, action, after, moves = np.array(applied, np.int32).reshape(-1, 4).T
        edge = self.first[number[before]] + action
        self.after[edge], self.moves[edge] = number[after], moves

    def __len__(self) -> int:
        return len(self.place)

    @cached_property
    def states(self) -> list[State]:
        """The states by their numbers."""
        found: list[State] = [()]
        for goal, others in self.lists[1:].tolist():
            found.append((self.goals[goal], *found[others]))
        return [found[place] for place in self.place]

    @cached_property
    def applies(self) -> NDArray[np.bool_]:
        """Whether the action of each edge applies, so that the edge is no loop; shape (edges,)."""
        return np.asarray(self.moves > 0)

    @cached_property
    def most_moves(self) -> int:
        """The most moves of the calculus that an edge makes."""
        return int(self.moves.max(initial=0))

    @cached_property
    def goes_on(self) -> NDArray[np.bool_]:
        """Whether any action applies in each state; shape (states,)."""
        return np.bincount(self.before, self.applies, len(self)) > 0


class _Edge(NamedTuple):
    """An action that applies, by its place among the actions; the list that it leaves, and the moves that it makes."""

    action: int
    after: int
    moves: int


class _Lists:
    """Lists of goals as numbers: an action works on the first goal, and so is tried once a goal.

    Attributes:
        goals: those that were met.
        actions: how many actions each goal has.
        lists: the first goal and the list of the others, by number.
    """

    def __init__(self, space: ActionSpace) -> None:
        self._space = space
        self.goals: list[Goal] = []
        self.actions: list[int] = []
        self.lists: list[tuple[int, int]] = [(-1, PROVED)]
        self._goal_number: dict[Goal, int] = {}
        self._number: dict[tuple[int, int], int] = {}
        self._applied: list[list[tuple[int, State, int]]] = []  # by goal: action, goals left, moves made
        self._repeats: list[bool] = []  # whether the first action on a goal is to simplify

    def number(self, goals: State, others: int) -> int:
        """The number of the list of some goals and, behind them, of others."""
        for goal in reversed(goals):
            if goal not in self._goal_number:
                self._meet(goal)
            cell = self._goal_number[goal], others
            if cell not in self._number:
                self._number[cell] = len(self.lists)
                self.lists.append(cell)
            others = self._number[cell]
        return others

    def edges(self, state: int) -> list[_Edge]:
        """The actions that apply to a list of goals."""
        goal, others = self.lists[state]
        edges = [_Edge(action, self.number(left, others), moves) for action, left, moves in self._applied[goal]]
        if self._repeats[goal]:
            edges[0] = self._simplified(state)
        return edges

    def _meet(self, goal: Goal) -> None:
        self._goal_number[goal] = len(self.goals)
        self.goals.append(goal)
        actions = self._space.actions((goal,))
        done = enumerate(self._space.perform((goal,), action, attempt) for action in actions)
        self._applied.append([(action, left, len(moves)) for action, (left, moves) in done if moves])
        self.actions.append(len(actions))
        self._repeats.append(actions[:1] == (SIMPLIFY,))

    def _simplified(self, state: int) -> _Edge:
        """What `simplify` leaves, which goes on with the next goal where it closes one."""
        made = 0
        left: State = ()
        while not left and state and self._repeats[self.lists[state][0]]:
            goal, others = self.lists[state]
            _, left, moves = self._applied[goal][0]
            state, made = self.number(left, others), made + moves
        return _Edge(0, state, made)


def worth(policy: Policy, states: States, gamma: float, amounts: Floats | None = None) -> Worth:
    """What a policy comes to in the states of a lemma; it is asked about those that it reaches.

    A loop that is chosen with probability p only delays what comes: v = r + γ (p v + (1 - p) v') is solved for v.

    Args:
        policy: who plays; its probabilities are those of the actions of `states.space`.
        states: where.
        gamma: the discount, from 0 to 1.
        amounts: what a reward pays for each edge, if there is one; shape (edges,).

    Raises InputError if the policy gives something else than a probability for each action.
    """
    mass = np.zeros((3, len(states)))  # of visits; discounted by γ a move; discounted by γ an action
    mass[:, states.root] = 1.0
    proof, actions, paid = 0.0, 0.0, np.nan if amounts is None else 0.0
    for low, high in zip(states.layers[-2::-1].tolist(), states.layers[:0:-1].tolist(), strict=True):
        visited = np.flatnonzero((mass[0, low:high] > 0) & (np.diff(states.first[low : high + 1]) > 0)) + low
        if not len(visited):
            continue
        shares = proposed(policy, [states.states[state] for state in visited], states.space).values()
        share = np.concatenate([*shares])
        edge = np.concatenate([np.arange(*states.first[state : state + 2]) for state in visited])
        at = np.searchsorted(visited, states.before[edge])
        moves = states.moves[edge]
        stays, leaves = np.bincount(at, share * (moves == 0)), np.bincount(at, share * (moves > 0))
        left = leaves + (1 - gamma) * stays
        if amounts is not None:
            paid += forever(mass[2, visited] * np.bincount(at, share * amounts[edge]), left).sum()
        goes_on = (share > 0) & (moves > 0)
        edge, at, share, moves = edge[goes_on], at[goes_on], share[goes_on], moves[goes_on]
        actions += (mass[0, visited] * (stays + leaves))[leaves > 0] @ (1 / leaves[leaves > 0])
        before, after = states.before[edge], states.after[edge]
        by_move = mass[1, before] * share / leaves[at]
        proof += by_move[after == PROVED] @ YARDSTICK ** (moves[after == PROVED] - 1.0)
        np.add.at(mass[0], after, mass[0, before] * share / leaves[at])
        np.add.at(mass[1], after, by_move * YARDSTICK**moves)
        np.add.at(mass[2], after, mass[2, before] * share * gamma / left[at])
    return Worth(float(mass[0, PROVED]), float(proof), float(actions), float(paid))


def forever(amount: Floats, left: Floats) -> Floats:
    """Sum amounts that come again and again, each time 1 - `left` as much: amount / left; infinite for left = 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(amount == 0, 0.0, amount / left))
