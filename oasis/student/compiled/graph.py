"""The graph of states as integer arrays, the same for all students; it grows while they explore it.

A state is a cell of two: its first goal, and the state of the others; equal states have equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.student.compiled.calculus import (
    DOES_NOT_APPLY,
    NOTHING,
    WHOLE_STATE,
    Calculus,
    Records,
    expand,
    resolve,
)
from oasis.student.compiled.jit import inlined, inner, outer
from oasis.student.compiled.table import Ints, clear, first_slot, has_room, mixed, next_slot, put

PROVED: Final = 1
"""The state without goals."""
ASK: Final = 0
"""Python has to be asked before there is an answer."""

# How states come by their keys.
BY_STATE: Final = 0
BY_GOAL: Final = 1
BY_GOAL_IN_PYTHON: Final = 2
BY_STATE_IN_PYTHON: Final = 3

WEIGH: Final = -1
"""Asked for in place of an edge: the odds of all actions of a state's first goal."""

# Places in `counts`: the next number of each; the state and the edge that Python is asked for; whether an array is
# full; what the reward is asked about that edge, and after how many steps.
STATES: Final = 0
EDGES: Final = 1
KEYS: Final = 2
ASKED_STATE: Final = 3
ASKED_EDGE: Final = 4
FULL: Final = 5
ASKED_PAY: Final = 6
ASKED_STEPS: Final = 7

# What a reward is asked: nothing; about a step after which the episode can go on, and one after which it cannot; about
# the whole of an episode that was cut short, and of one that came to an end.
NO_PAY: Final = 0
PAY_GOING_ON: Final = 1
PAY_ENDED: Final = 2
PAY_AT_LIMIT: Final = 3
PAY_AT_END: Final = 4


STATE: Final = np.dtype(
    [
        ("head", "i4"),  # its first goal; that of the proved state is 0, which has no actions
        ("tail", "i4"),  # the state of the others
        ("first_edge", "i4"),
        ("edges", "i4"),  # one for each action of its first goal
        ("key", "i4"),  # 0 while it has no edges yet
        ("open", "i4"),  # the number of its goals
    ]
)
EDGE: Final = np.dtype(
    [
        ("after", "i4"),  # the state behind it; 0 while it was never tried
        ("slot", "i4"),  # its place among the pairs of the state's key
    ]
)


class Graph(NamedTuple):
    """States with their edges, and the keys at which values are kept; every array is indexed by number.

    Attributes:
        calculus: what is known of goals.
        keys_by: how states come by their keys; see the constants.
        states: STATE.
        edges: EDGE.
        pairs: how many each key has.
        table: states by head and tail.
        counts: see the constants.
    """

    calculus: Calculus
    keys_by: int
    states: Records
    edges: Records
    pairs: Ints
    table: Ints
    counts: NDArray[np.int64]


@inner
def cons(graph: Graph, goal: int, others: int) -> int:
    """The state of a goal and the state of the others; ASK if there is no room for it."""
    table = graph.table
    if not has_room(table, graph.counts[STATES]):
        _index(graph)
    slot = first_slot(table, mixed(goal, others))
    while table[slot]:
        state = table[slot]
        if graph.states[state].head == goal and graph.states[state].tail == others:
            return int(state)
        slot = next_slot(table, slot)
    state = graph.counts[STATES]
    if state == graph.states.size:
        graph.counts[FULL] = 1
        return ASK
    graph.counts[STATES] += 1
    graph.states[state].head, graph.states[state].tail = goal, others
    graph.states[state].open = graph.states[others].open + 1
    table[slot] = state
    return int(state)


@inner
def _index(graph: Graph) -> None:
    """Put all states but the proved one into the table anew, with as many slots as they need."""
    clear(graph.table, graph.counts[STATES])
    for state in range(PROVED + 1, graph.counts[STATES]):
        put(graph.table, mixed(graph.states[state].head, graph.states[state].tail), state)


@inner
def lay_out(graph: Graph, state: int) -> bool:
    """Make sure that a state has its edges and its key; False if Python has to be asked first."""
    if graph.states[state].key:
        return True
    goal, keys_by = graph.states[state].head, graph.keys_by
    graph.counts[ASKED_STATE], graph.counts[ASKED_EDGE], graph.counts[ASKED_PAY] = 0, 0, NO_PAY
    if not expand(graph.calculus, goal):
        return False
    if graph.calculus.has_prior and not _is_weighed(graph.calculus, goal):
        graph.counts[ASKED_STATE], graph.counts[ASKED_EDGE] = state, WEIGH
        return False
    in_python = keys_by == BY_STATE_IN_PYTHON or (keys_by == BY_GOAL_IN_PYTHON and graph.calculus.goals[goal].key == 0)
    first, edges = graph.counts[EDGES], graph.calculus.goals[goal].actions
    if in_python:
        graph.counts[ASKED_STATE] = state
        return False
    if first + edges > graph.edges.size or graph.counts[KEYS] == graph.pairs.size:
        graph.counts[FULL] = 1
        return False
    graph.counts[EDGES] += edges
    graph.states[state].first_edge, graph.states[state].edges = first, edges
    if keys_by == BY_GOAL_IN_PYTHON:
        for action in range(edges):
            graph.edges[first + action].slot = graph.calculus.actions[
                graph.calculus.goals[goal].first_action + action
            ].slot
    else:
        for action in range(edges):
            graph.edges[first + action].slot = action
    key = graph.calculus.goals[goal].key
    if key == 0 or keys_by == BY_STATE:
        key = graph.counts[KEYS]
        graph.counts[KEYS] += 1
        graph.calculus.goals[goal].key, graph.pairs[key] = key, edges
    graph.states[state].key = key
    return True


@inlined
def _is_weighed(calculus: Calculus, goal: int) -> bool:
    """Whether the odds of a goal's actions are known, of which there may be none."""
    return bool(calculus.goals[goal].actions == 0 or calculus.actions[calculus.goals[goal].first_action].odds > 0.0)


@outer
def laid_out(graph: Graph, state: int) -> Iterator[None]:
    """Lay a state out for Python, which may have to be asked first."""
    while not lay_out(graph, state):
        yield


@inner
def follow(graph: Graph, state: int, edge: int) -> int:
    """The state behind an edge, which is the same state if the action does not apply; ASK if Python has to be asked."""
    if graph.edges[edge].after:
        return int(graph.edges[edge].after)
    calculus, goal = graph.calculus, graph.states[state].head
    action = calculus.goals[goal].first_action + edge - graph.states[state].first_edge
    graph.counts[ASKED_STATE], graph.counts[ASKED_EDGE], graph.counts[ASKED_PAY] = state, edge, NO_PAY
    if calculus.actions[action].inference == WHOLE_STATE:
        return ASK
    if calculus.actions[action].inference == DOES_NOT_APPLY:
        graph.edges[edge].after = state
        return state
    if not resolve(calculus, goal, action):
        return ASK
    after = int(graph.states[state].tail)
    if calculus.actions[action].also_left:
        after = cons(graph, calculus.actions[action].also_left, after)
    if calculus.actions[action].left != NOTHING and after != ASK:
        after = cons(graph, calculus.actions[action].left, after)
    graph.edges[edge].after = after
    return after


@outer
def index_states(graph: Graph) -> None:
    """Put all states but the proved one into the table, and count their goals."""
    _index(graph)
    for state in range(PROVED + 1, graph.counts[STATES]):
        graph.states[state].open = graph.states[graph.states[state].tail].open + 1


@outer
def cons_from_python(graph: Graph, goal: int, others: int) -> int:
    """`cons`, for Python."""
    return cons(graph, goal, others)
