"""What all compiled learners have in common: a step, what it pays, and what is written down of an episode."""

from __future__ import annotations

from oasis.student.compiled.graph import (
    ASK,
    ASKED_EDGE,
    ASKED_PAY,
    ASKED_STATE,
    ASKED_STEPS,
    PAY_AT_END,
    PAY_AT_LIMIT,
    PAY_ENDED,
    PAY_GOING_ON,
    PROVED,
    Graph,
    follow,
)
from oasis.student.compiled.jit import inlined, inner
from oasis.student.compiled.memory import MET, Memory, ended, is_met, meet, pair_of
from oasis.student.compiled.task import NO_PROOF, Log, Task
from oasis.student.schedules import Schedule


@inlined
def level(schedule: Schedule, episode: int, episodes: int) -> float:
    """What a schedule comes to in an episode, before it falls; `oasis.student.schedules.Schedule.rate`."""
    way = min(1.0, (episode - 1) / (episodes - 1)) if episodes > 1 else 0.0
    return schedule.first + (schedule.last - schedule.first) * way


@inlined
def step(graph: Graph, q: Memory, task: Task, log: Log, state: int, edge: int, steps: int) -> int:
    """The state after an action, met, and its pay known; ASK if Python has to be asked first.

    `steps` were made before it. What does not apply may be given up.
    """
    log.edges[steps] = edge
    after = int(graph.edges[edge].after)
    if after == ASK or not is_met(graph, q, after):
        after = _discover(graph, q, state, edge)
    if after == state and q.forgets:
        q.pairs[pair_of(graph, q, state, edge)].forgotten = True
    if task.by_edge and after != ASK and not _is_paid(graph, q, task, log, state, edge, after, steps):
        return ASK
    return after


@inner
def _discover(graph: Graph, q: Memory, state: int, edge: int) -> int:
    """As `step`, where that is not known yet; apart, because to hand over all arrays takes longer than a known step."""
    after = follow(graph, state, edge)
    return after if after != ASK and meet(graph, q, after) else ASK


@inner
def _is_paid(graph: Graph, q: Memory, task: Task, log: Log, state: int, edge: int, after: int, steps: int) -> bool:
    """Whether it is known what a step pays, also as an episode's last; else Python is to be asked."""
    over = ended(graph, q, after)
    graph.counts[ASKED_STATE], graph.counts[ASKED_EDGE], graph.counts[ASKED_STEPS] = state, edge, steps + 1
    if not task.pays[2 * edge + over].is_known:
        graph.counts[ASKED_PAY] = PAY_ENDED if over else PAY_GOING_ON
        return False
    if task.pays_at_end and (over or steps + 1 == task.max_steps) and not log.at_end[0].is_known:
        graph.counts[ASKED_PAY] = PAY_AT_END if over else PAY_AT_LIMIT
        return False
    return True


@inlined
def reward(task: Task, log: Log, state: int, edge: int, after: int, over: bool) -> float:
    """What a step pays that was made."""
    if task.by_edge:
        paid: float = task.pays[2 * edge + over].amount
        if log.at_end[0].is_known:
            paid += log.at_end[0].amount
        return paid
    if after == PROVED:
        return task.pay.proved
    if after == state:
        return task.pay.error_stuck if over else task.pay.error
    return task.pay.stuck if over else task.pay.step


@inner
def record(graph: Graph, q: Memory, task: Task, log: Log, episode: int, steps: int, state: int) -> None:
    """Write down what became of an episode, and keep the shortest proof."""
    place = episode - task.first
    log.proved[place], log.steps[place], log.states[place] = state == PROVED, steps, q.counts[MET]
    log.at_end[0].is_known = False
    if log.uses.size:
        _count(graph, task, log, steps, state == PROVED)
    if state == PROVED:
        keep_shortest(graph, task, log, steps)


@inner
def _count(graph: Graph, task: Task, log: Log, steps: int, proved: bool) -> None:
    """Count the steps of an episode; a goal is closed once fewer goals are open than when it was in focus."""
    fewest = graph.states[graph.edges[log.edges[steps - 1]].after].open if steps else 0
    for back in range(steps - 1, -1, -1):
        edge = log.edges[back]
        before = graph.edges[log.edges[back - 1]].after if back else task.start
        fewest = min(fewest, graph.states[graph.edges[edge].after].open)
        log.uses[edge].times += 1
        log.uses[edge].closed += fewest < graph.states[before].open
        log.uses[edge].proved += proved


@inner
def keep_shortest(graph: Graph, task: Task, log: Log, steps: int) -> int:
    """The number of actions of a proof that changed something; its edges are kept if no proof so far had fewer."""
    before, length = task.start, 0
    for place in range(steps):
        after = graph.edges[log.edges[place]].after
        length += after != before
        before = after
    if log.best_length[0] == NO_PROOF or length < log.best_length[0]:
        before, log.best_length[0], length = task.start, length, 0
        for place in range(steps):
            after = graph.edges[log.edges[place]].after
            if after != before:
                log.best[length] = log.edges[place]
                length += 1
            before = after
    return int(length)
