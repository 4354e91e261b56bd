"""The learners as numba generators: bit for bit what `oasis.student.learners` says, where their sources are cited.

Each plays all episodes of its task. It yields when Python has to be asked about a formula or a key that was never met
before, and goes on where it was: a generator keeps its variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from oasis.student.compiled.graph import ASK, PROVED, Graph, cons, follow, lay_out
from oasis.student.compiled.jit import outer
from oasis.student.compiled.memory import (
    TRIED,
    Memory,
    best,
    clear_traces,
    edges_of,
    ended,
    is_met,
    meet,
    pair_of,
    rate,
    remember,
    spread,
    step,
    update,
)
from oasis.student.compiled.policy import below, epsilon_greedy, uniform
from oasis.student.compiled.task import Log, Task, level, record, reward

Learner = Callable[[Graph, Memory, Task, Log], Iterator[None]]


@outer
def uniform_player(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """No learner."""
    for episode in range(task.first, task.last):
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        while not over and steps < task.max_steps:
            edge = uniform(graph, q, state)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            state, steps = after, steps + 1
        record(task, q, log, episode, steps, state)


@outer
def epsilon_soft(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """Every-visit Monte Carlo control."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        while not over and steps < task.max_steps:
            edge = epsilon_greedy(graph, q, state, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            log.pairs[steps], log.rewards[steps] = pair, reward(task, state, after, over)
            state, steps = after, steps + 1
        discounted_return = 0.0
        for back in range(steps - 1, -1, -1):
            discounted_return = log.rewards[back] + task.gamma * discounted_return
            update(q, log.pairs[back], discounted_return, 1.0, 1.0)
        record(task, q, log, episode, steps, state)


@outer
def sarsa(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """On-policy temporal differences."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        alpha = level(task.alpha, episode, task.episodes)
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        edge = 0 if over else epsilon_greedy(graph, q, state, epsilon)
        while not over and steps < task.max_steps:
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            target = reward(task, state, after, over)
            if not over:
                edge = epsilon_greedy(graph, q, after, epsilon)
                target += task.gamma * q.pairs[pair_of(graph, q, after, edge)].value
            update(q, pair, target, alpha, task.alpha.power)
            state, steps = after, steps + 1
        record(task, q, log, episode, steps, state)


@outer
def q_learning(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """Off-policy temporal differences."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        alpha = level(task.alpha, episode, task.episodes)
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        while not over and steps < task.max_steps:
            edge = epsilon_greedy(graph, q, state, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            target = reward(task, state, after, over)
            if not over:
                target += task.gamma * best(graph, q, after)
            update(q, pair, target, alpha, task.alpha.power)
            state, steps = after, steps + 1
        record(task, q, log, episode, steps, state)


@outer
def sarsa_lambda(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """Sarsa(λ) with replacing traces."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        alpha = level(task.alpha, episode, task.episodes)
        while not meet(graph, q, task.start):
            yield
        clear_traces(q)
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        edge = 0 if over else epsilon_greedy(graph, q, state, epsilon)
        while not over and steps < task.max_steps:
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            target = reward(task, state, after, over)
            if not over:
                edge = epsilon_greedy(graph, q, after, epsilon)
                target += task.gamma * q.pairs[pair_of(graph, q, after, edge)].value
            spread(q, pair, target - q.pairs[pair].value, alpha, task.alpha.power, task.gamma * task.trace_decay)
            state, steps = after, steps + 1
        record(task, q, log, episode, steps, state)


@outer
def q_lambda(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """Watkins's Q(λ)."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        alpha = level(task.alpha, episode, task.episodes)
        while not meet(graph, q, task.start):
            yield
        clear_traces(q)
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        edge = 0 if over else epsilon_greedy(graph, q, state, epsilon)
        while not over and steps < task.max_steps:
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            target, is_greedy = reward(task, state, after, over), True
            if not over:
                largest = best(graph, q, after)
                edge = epsilon_greedy(graph, q, after, epsilon)
                target += task.gamma * largest
                is_greedy = q.pairs[pair_of(graph, q, after, edge)].value == largest
            spread(q, pair, target - q.pairs[pair].value, alpha, task.alpha.power, task.gamma * task.trace_decay)
            if not is_greedy:
                clear_traces(q)
            state, steps = after, steps + 1
        record(task, q, log, episode, steps, state)


@outer
def dyna_q(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """Q-learning that also learns from what it remembers."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        alpha = level(task.alpha, episode, task.episodes)
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        while not over and steps < task.max_steps:
            edge = epsilon_greedy(graph, q, state, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            paid = reward(task, state, after, over)
            target = paid if over else paid + task.gamma * best(graph, q, after)
            update(q, pair, target, alpha, task.alpha.power)
            remember(q, pair, paid, after)
            for _ in range(task.planning):
                pair = q.tried[below(q.rng, q.counts[TRIED])]
                imagined, target = q.model[pair].after, q.model[pair].reward
                if not ended(graph, q, imagined):
                    target += task.gamma * best(graph, q, imagined)
                update(q, pair, target, alpha, task.alpha.power)
            state, steps = after, steps + 1
        record(task, q, log, episode, steps, state)


@outer
def and_or_q(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """Q-learning on goals; a goal's own state is the one in which nothing else is open."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        alpha = level(task.alpha, episode, task.episodes)
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        while not over and steps < task.max_steps:
            edge = epsilon_greedy(graph, q, state, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, state, edge)
            while after == ASK:
                yield
                after = step(graph, q, state, edge)
            over = ended(graph, q, after)
            log.pairs[steps], log.befores[steps], log.afters[steps] = pair, state, after
            state, steps = after, steps + 1
        for back in range(steps - 1, -1, -1):
            worth, left, others = 1.0, log.afters[back], graph.states[log.befores[back]].tail
            while left != others:
                goal = cons(graph, graph.states[left].head, PROVED)
                while goal == ASK or not meet(graph, q, goal):
                    yield
                worth *= 0.0 if ended(graph, q, goal) else best(graph, q, goal)
                left = graph.states[left].tail
            update(q, log.pairs[back], task.gamma * worth, alpha, task.alpha.power)
        record(task, q, log, episode, steps, state)


@outer
def greedy_proof(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """No learner: follows the greedy policy, learns nothing, and writes down the length of its proof, or 0."""
    state, steps = task.start, 0
    log.steps[0] = 0
    while state != PROVED and steps < task.max_steps:
        while not lay_out(graph, state):
            yield
        first, last = edges_of(graph, state)
        if is_met(graph, q, state):
            if ended(graph, q, state):
                return
            edge = epsilon_greedy(graph, q, state, 0.0)
        elif first == last:
            return
        else:
            edge = first + below(q.rng, last - first)
        after = follow(graph, state, edge)
        while after == ASK:
            yield
            after = follow(graph, state, edge)
        if after == state:
            return
        state, steps = after, steps + 1
    if state == PROVED:
        log.steps[0] = steps


LEARNERS: Final[dict[str, Learner]] = {
    "uniform": uniform_player,
    "epsilon-soft": epsilon_soft,
    "sarsa": sarsa,
    "q-learning": q_learning,
    "sarsa-lambda": sarsa_lambda,
    "q-lambda": q_lambda,
    "dyna-q": dyna_q,
    "and-or-q": and_or_q,
}
"""The learners by the names of `oasis.student.learners.LEARNERS`."""
