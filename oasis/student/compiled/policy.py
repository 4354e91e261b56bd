"""Chance and choice in the compiled loops: SplitMix64 as in `oasis.ground.splitmix`, and the policies."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oasis.student.compiled.graph import Graph
from oasis.student.compiled.jit import inlined, inner
from oasis.student.compiled.memory import Memory, edges_of, is_open, pair_of
from oasis.student.compiled.task import Task

# As numpy ints: uint64 and a signed number would make a float.
_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_11, _27, _30, _31, _32 = (np.uint64(bits) for bits in (11, 27, 30, 31, 32))


@inlined
def random_bits(rng: NDArray[np.uint64]) -> np.uint64:
    """64 random bits."""
    rng[0] += _GAMMA
    bits = rng[0]
    bits = (bits ^ (bits >> _30)) * _FIRST
    bits = (bits ^ (bits >> _27)) * _SECOND
    return np.uint64(bits ^ (bits >> _31))


@inlined
def random(rng: NDArray[np.uint64]) -> float:
    """A multiple of 2^-53 in [0, 1)."""
    return np.float64(random_bits(rng) >> _11) * 2.0**-53


@inlined
def below(rng: NDArray[np.uint64], n: int) -> int:
    """An int from 0 to n - 1."""
    return int(((random_bits(rng) >> _32) * np.uint64(n)) >> _32)


@inlined
def uniform(graph: Graph, q: Memory, state: int) -> int:
    """Any of A(s), each as likely; the number of its edge."""
    first, last = edges_of(graph, state)
    if not q.forgets:
        return first + below(q.rng, last - first)
    number = 0
    for edge in range(first, last):
        number += is_open(graph, q, state, edge)
    chosen = below(q.rng, number)
    for edge in range(first, last):
        if is_open(graph, q, state, edge):
            if chosen == 0:
                return edge
            chosen -= 1
    return first


@inlined
def greedy(graph: Graph, q: Memory, state: int) -> int:
    """Any of A(s) of the largest Q, which must not be empty; chance is asked on ties only."""
    first, last = edges_of(graph, state)
    largest, ties, chosen = -math.inf, 0, first
    for edge in range(first, last):
        value = q.pairs[pair_of(graph, q, state, edge)].value
        if value >= largest and is_open(graph, q, state, edge):
            if value > largest:
                largest, ties, chosen = value, 0, edge
            ties += 1
    if ties > 1:
        others = below(q.rng, ties)
        while others:
            chosen += 1
            if q.pairs[pair_of(graph, q, state, chosen)].value == largest and is_open(graph, q, state, chosen):
                others -= 1
    return chosen


@inlined
def epsilon_greedy(graph: Graph, q: Memory, state: int, epsilon: float) -> int:
    """With probability ε any of A(s), else a greedy one, ties by the odds of a prior if there is one."""
    if random(q.rng) < epsilon:
        return uniform(graph, q, state)
    return favoured(graph, q, state) if graph.calculus.has_prior else greedy(graph, q, state)


@inner
def favoured(graph: Graph, q: Memory, state: int) -> int:
    """Any of A(s) of the largest Q, as likely as its odds say; `oasis.student.policy.epsilon_greedy` with a prior."""
    first, last = edges_of(graph, state)
    action = graph.calculus.goals[graph.states[state].head].first_action - first
    largest, ties, chosen, total, is_alike, odds = -math.inf, 0, first, 0.0, True, 0.0
    for edge in range(first, last):
        value = q.pairs[pair_of(graph, q, state, edge)].value
        if value > largest:
            largest, ties, chosen, total, is_alike = value, 0, edge, 0.0, True
            odds = graph.calculus.actions[action + edge].odds
        if value == largest:
            ties += 1
            total += graph.calculus.actions[action + edge].odds
            is_alike = is_alike and graph.calculus.actions[action + edge].odds == odds
    if ties == 1 or is_alike:
        return greedy(graph, q, state)
    point = random(q.rng) * total
    for edge in range(first, last):
        if q.pairs[pair_of(graph, q, state, edge)].value == largest:
            chosen = edge
            point -= graph.calculus.actions[action + edge].odds
            if point < 0.0:
                return chosen
    return chosen


@inlined
def behave(graph: Graph, q: Memory, task: Task, state: int, steps: int, epsilon: float) -> int:
    """What is done in a state after so many steps of an episode: what is dictated, and then ε-greedily chosen."""
    if steps < task.dictated.size:
        return int(task.dictated[steps])
    return epsilon_greedy(graph, q, state, epsilon)
