"""What the greedy policy of a table is worth, compiled: `oasis.play.states.worth` for ties that are broken by lot."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.student.compiled.graph import ASK, PROVED, Graph, cons, lay_out
from oasis.student.compiled.jit import inlined, outer
from oasis.student.compiled.memory import Memory, best, edges_of, is_met, is_open, pair_of
from oasis.student.compiled.table import Ints

# Columns of `Walk.mass`: of visits; discounted by γ a move; discounted by γ an action.
VISITS: Final = 0
BY_MOVE: Final = 1
BY_ACTION: Final = 2
# Places in `Walk.worth`, in the order of `oasis.play.states.Worth`.
CHANCE: Final = 0
PROOF: Final = 1
ACTIONS: Final = 2
PAID: Final = 3


class Walk(NamedTuple):
    """A way down through the states of a lemma (`oasis.play.states.States`), and what comes of it.

    Attributes:
        number: of each state in the graph; shape (states,).
        first, after, moves: as there.
        amounts: what a reward pays for each edge; shape (edges,).
        gamma: the discount.
        powers: of the discount, as many as an edge makes moves; shape (moves + 1,).
        mass: how much of the plays comes to each state, all zeros in the beginning; shape (states, 3).
        worth: likewise; shape (4,).
    """

    number: Ints
    first: Ints
    after: Ints
    moves: Ints
    amounts: NDArray[np.float64]
    gamma: float
    powers: NDArray[np.float64]
    mass: NDArray[np.float64]
    worth: NDArray[np.float64]


@outer
def walk(graph: Graph, q: Memory, way: Walk) -> Iterator[None]:
    """Work out what the greedy policy is worth, in one pass from the lemma's state down; nothing is learned."""
    root = way.number.size - 1
    way.mass[root, VISITS] = way.mass[root, BY_MOVE] = way.mass[root, BY_ACTION] = 1.0
    for place in range(root, 0, -1):
        visits, by_move, by_action = way.mass[place, VISITS], way.mass[place, BY_MOVE], way.mass[place, BY_ACTION]
        if visits == 0.0:
            continue
        state = way.number[place]
        while not lay_out(graph, state):
            yield
        first, last = edges_of(graph, state)
        largest = best(graph, q, state) if is_met(graph, q, state) else math.nan
        chosen, stays, amount = 0, 0, 0.0
        for edge in range(first, last):
            if _is_chosen(graph, q, state, edge, largest):
                number = way.first[place] + edge - first
                chosen += 1
                stays += way.moves[number] == 0
                amount += way.amounts[number]
        if chosen == 0:
            continue
        leaves = chosen - stays
        left = leaves + (1.0 - way.gamma) * stays
        if amount != 0.0:
            way.worth[PAID] += by_action * amount / left if left > 0.0 else math.copysign(math.inf, amount)
        if leaves == 0:
            continue
        way.worth[ACTIONS] += visits * chosen / leaves
        for edge in range(first, last):
            number = way.first[place] + edge - first
            moves = way.moves[number]
            if moves and _is_chosen(graph, q, state, edge, largest):
                after = way.after[number]
                way.mass[after, VISITS] += visits / leaves
                way.mass[after, BY_MOVE] += by_move / leaves * way.powers[moves]
                way.mass[after, BY_ACTION] += by_action * way.gamma / left
                if after == 0:
                    way.worth[PROOF] += by_move / leaves * way.powers[moves - 1]
    way.worth[CHANCE] = way.mass[0, VISITS]


@inlined
def _is_chosen(graph: Graph, q: Memory, state: int, edge: int, largest: float) -> bool:
    """Whether an action is among the best of A(s); where the student has never been, `largest` is no number."""
    if math.isnan(largest):
        return True
    return bool(q.pairs[pair_of(graph, q, state, edge)].value == largest and is_open(graph, q, state, edge))


@outer
def numbered(graph: Graph, lists: Ints, goals: Ints, number: Ints) -> bool:
    """Find the number of each list of goals in the graph; False if there is no room for it.

    Args:
        graph: in which they may be new.
        lists: the place of the first goal, and the list of the others, which comes before it; shape (lists, 2).
        goals: the numbers of the goals in the graph.
        number: where the answers go; shape (lists,).
    """
    number[0] = PROVED
    for place in range(1, number.size):
        number[place] = cons(graph, goals[lists[place, 0]], number[lists[place, 1]])
        if number[place] == ASK:
            return False
    return True
