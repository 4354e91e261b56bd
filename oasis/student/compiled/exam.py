"""The exam of a greedy policy, compiled: play for play what `oasis.play.exam.examine` says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from oasis.student.compiled.episode import keep_shortest
from oasis.student.compiled.graph import ASK, PROVED, Graph, follow, lay_out
from oasis.student.compiled.jit import inlined, outer
from oasis.student.compiled.memory import Memory, edges_of, ended, is_met, is_open, pair_of
from oasis.student.compiled.policy import below, greedy, random_bits
from oasis.student.compiled.task import Log, Task

_NOTHING: Final = -1


@outer
def exam(graph: Graph, q: Memory, task: Task, log: Log, seed: np.uint64) -> Iterator[None]:
    """Play every episode of a task by the greedy policy, ties by lot, changing nothing of what the student remembers.

    `q` must have random numbers of its own; `seed` is what `oasis.play.exam.stream` adds the number of a play to. The
    number of moves of each proof goes to `log.steps`, 0 for none.
    """
    for play in range(task.first, task.last):
        q.rng[0] = seed + np.uint64(play - task.first)
        q.rng[0] = random_bits(q.rng)
        state, steps = task.start, 0
        while state != PROVED and steps < task.max_steps:
            while not lay_out(graph, state):
                yield
            edge = _choice(graph, q, state)
            if edge == _NOTHING:
                break
            after = follow(graph, state, edge)
            while after == ASK:
                yield
                after = follow(graph, state, edge)
            if after == state:
                other, last = edges_of(graph, state)
                while other < last and after == state:
                    if _is_best(graph, q, state, other, edge):
                        after = follow(graph, state, other)
                        if after == ASK:
                            yield
                            after = state
                            continue
                    other += 1
                if after == state:
                    break  # whatever it draws, it stays here
                after = state
            log.edges[steps] = edge
            state, steps = after, steps + 1
        log.proved[play - task.first] = state == PROVED
        if state == PROVED:
            log.steps[play - task.first] = keep_shortest(graph, task, log, steps)


@inlined
def _is_best(graph: Graph, q: Memory, state: int, edge: int, best: int) -> bool:
    """Whether an action may be chosen as well as this one, which is among the best."""
    if not is_met(graph, q, state):
        return True
    value = q.pairs[pair_of(graph, q, state, best)].value
    is_equal = q.pairs[pair_of(graph, q, state, edge)].value == value
    return bool(is_equal and is_open(graph, q, state, edge))


@inlined
def _choice(graph: Graph, q: Memory, state: int) -> int:
    """The edge of a best action where the student has been, else of any; _NOTHING where there is none."""
    if is_met(graph, q, state):
        return _NOTHING if ended(graph, q, state) else greedy(graph, q, state)
    first, last = edges_of(graph, state)
    if last - first > 1:
        return first + below(q.rng, last - first)
    return first if last > first else _NOTHING
