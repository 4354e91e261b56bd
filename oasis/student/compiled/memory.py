"""What one student has learned, as arrays over state-action pairs, and how it is read and changed.

A key's pairs lie side by side, numbered as the student meets them, so a new student's memory is empty at once and what
belongs together lies together.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.student.compiled.calculus import Records
from oasis.student.compiled.graph import FULL, Graph, lay_out
from oasis.student.compiled.jit import inlined, inner
from oasis.student.compiled.table import Ints

# Places in `counts`: the next pair, keys met, pairs tried, pairs with a trace.
PAIRS: Final = 0
MET: Final = 1
TRIED: Final = 2
TRACED: Final = 3


PAIR: Final = np.dtype(
    [
        ("value", "f8"),  # Q
        ("visits", "i4"),  # the number of updates
        ("forgotten", "?"),  # whether it was given up
        ("has_trace", "?"),
    ],
    align=True,
)
OUTCOME: Final = np.dtype([("reward", "f8"), ("after", "i4")], align=True)


class Memory(NamedTuple):
    """One student's arrays.

    All are zeros in the beginning but for `rng`, the first count and the first pair of the proved state's key: these
    are 1, so that this state counts as met.

    Attributes:
        forgets: whether actions that do not apply are given up.
        initial_value: Q before the first update.
        first_pair: of a key; 0 while the student has not met it.
        pairs: PAIR.
        traces: eligibility, by pair; of no length, as `traced`, for learners without traces.
        traced: the pairs with a trace, in the order in which they came by it.
        model: OUTCOME, what came of a pair when it was last tried; its state is 0 if it was never tried. Of no length,
            as `tried`, for learners without a model.
        tried: the pairs of the model, in the order of their first tries.
        counts: see the constants.
        rng: state of SplitMix64, in an array of one.
    """

    forgets: bool
    initial_value: float
    first_pair: Ints
    pairs: Records
    traces: NDArray[np.float64]
    traced: Ints
    model: Records
    tried: Ints
    counts: NDArray[np.int64]
    rng: NDArray[np.uint64]


@inlined
def pair_of(graph: Graph, q: Memory, state: int, edge: int) -> int:
    """The number of a state-action pair."""
    return int(q.first_pair[graph.states[state].key] + graph.edges[edge].slot)


@inlined
def is_open(graph: Graph, q: Memory, state: int, edge: int) -> bool:
    """Whether an action is in A(s): it was not given up."""
    return not (q.forgets and q.pairs[pair_of(graph, q, state, edge)].forgotten)


@inlined
def edges_of(graph: Graph, state: int) -> tuple[int, int]:
    """The first edge of a state, and the one behind its last."""
    first = graph.states[state].first_edge
    return int(first), int(first + graph.states[state].edges)


@inlined
def ended(graph: Graph, q: Memory, state: int) -> bool:
    """Whether A(s) is empty: proved, or stuck."""
    if not q.forgets:
        return bool(graph.states[state].edges == 0)
    first, last = edges_of(graph, state)
    for edge in range(first, last):  # noqa: SIM110, generator expressions do not compile
        if is_open(graph, q, state, edge):
            return False
    return True


@inlined
def best(graph: Graph, q: Memory, state: int) -> float:
    """The largest Q(s, a) over A(s), which must not be empty."""
    largest = -math.inf
    first, last = edges_of(graph, state)
    for edge in range(first, last):
        value = q.pairs[pair_of(graph, q, state, edge)].value
        if value > largest and is_open(graph, q, state, edge):
            largest = value
    return largest


@inlined
def is_met(graph: Graph, q: Memory, state: int) -> bool:
    """Whether the student has met a state, or another of its key."""
    return bool(q.first_pair[graph.states[state].key])


@inner
def meet(graph: Graph, q: Memory, state: int) -> bool:
    """Make sure that a state is laid out and has its place in the memory; False if Python has to be asked first."""
    if not lay_out(graph, state):
        return False
    if is_met(graph, q, state):
        return True
    key = graph.states[state].key
    first, number = q.counts[PAIRS], graph.pairs[key]
    if first + number > q.pairs.size:
        graph.counts[FULL] = 1
        return False
    q.first_pair[key] = first
    q.counts[PAIRS] += number
    q.counts[MET] += 1
    if q.initial_value:
        for pair in range(first, first + number):
            q.pairs[pair].value = q.initial_value
    return True


@inlined
def rate(base: float, power: float, n: int) -> float:
    """The step size of the n-th update; `oasis.student.schedules.Rate`."""
    return base if power == 0.0 else base / math.pow(n, power)


@inlined
def update(q: Memory, pair: int, target: float, alpha: float, power: float) -> None:
    """Q <- Q + α (target - Q), α for one more update of this pair."""
    q.pairs[pair].visits += 1
    q.pairs[pair].value += rate(alpha, power, q.pairs[pair].visits) * (target - q.pairs[pair].value)


@inner
def spread(q: Memory, pair: int, error: float, alpha: float, power: float, decay: float) -> None:
    """Renew the trace of a pair, give every pair with a trace its share of an error, and let the traces decay."""
    q.pairs[pair].visits += 1
    if not q.pairs[pair].has_trace:
        q.pairs[pair].has_trace = True
        q.traced[q.counts[TRACED]] = pair
        q.counts[TRACED] += 1
    q.traces[pair] = 1.0
    for place in range(q.counts[TRACED]):
        traced = q.traced[place]
        q.pairs[traced].value += rate(alpha, power, q.pairs[traced].visits) * (error * q.traces[traced])
        q.traces[traced] *= decay


@inner
def clear_traces(q: Memory) -> None:
    """No pair has a trace."""
    for place in range(q.counts[TRACED]):
        q.pairs[q.traced[place]].has_trace = False
    q.counts[TRACED] = 0


@inner
def remember(q: Memory, pair: int, reward: float, after: int) -> None:
    """Put into the model what came of a pair."""
    if q.model[pair].after == 0:
        q.tried[q.counts[TRIED]] = pair
        q.counts[TRIED] += 1
    q.model[pair].reward, q.model[pair].after = reward, after
