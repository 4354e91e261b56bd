"""The learners as numba generators: bit for bit what `oasis.student.learners` says, where their sources are cited.

Each plays all episodes of its task. It yields when Python has to be asked about a formula or a key that was never met
before, and goes on where it was: a generator keeps its variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from oasis.student.compiled.episode import level, record, reward, step
from oasis.student.compiled.graph import ASK, PROVED, Graph, cons
from oasis.student.compiled.jit import outer
from oasis.student.compiled.memory import (
    TRIED,
    Memory,
    best,
    clear_traces,
    ended,
    meet,
    pair_of,
    rate,
    remember,
    spread,
    update,
)
from oasis.student.compiled.policy import behave, below, uniform
from oasis.student.compiled.task import Log, Task


@outer
def uniform_player(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """No learner."""
    for episode in range(task.first, task.last):
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        while not over and steps < task.max_steps:
            edge = uniform(graph, q, state)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
            over = ended(graph, q, after)
            state, steps = after, steps + 1
        record(graph, q, task, log, episode, steps, state)


@outer
def epsilon_soft(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """Every-visit Monte Carlo control."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        while not over and steps < task.max_steps:
            edge = behave(graph, q, task, state, steps, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
            over = ended(graph, q, after)
            log.pairs[steps], log.rewards[steps] = pair, reward(task, log, state, edge, after, over)
            state, steps = after, steps + 1
        discounted_return = 0.0
        for back in range(steps - 1, -1, -1):
            discounted_return = log.rewards[back] + task.gamma * discounted_return
            update(q, log.pairs[back], discounted_return, 1.0, 1.0)
        record(graph, q, task, log, episode, steps, state)


@outer
def sarsa(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
    """On-policy temporal differences."""
    for episode in range(task.first, task.last):
        epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
        alpha = level(task.alpha, episode, task.episodes)
        while not meet(graph, q, task.start):
            yield
        state, steps, over = task.start, 0, ended(graph, q, task.start)
        edge = 0 if over else behave(graph, q, task, state, 0, epsilon)
        while not over and steps < task.max_steps:
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
            over = ended(graph, q, after)
            target = reward(task, log, state, edge, after, over)
            if not over:
                edge = behave(graph, q, task, after, steps + 1, epsilon)
                target += task.gamma * q.pairs[pair_of(graph, q, after, edge)].value
            update(q, pair, target, alpha, task.alpha.power)
            state, steps = after, steps + 1
        record(graph, q, task, log, episode, steps, state)


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
            edge = behave(graph, q, task, state, steps, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
            over = ended(graph, q, after)
            target = reward(task, log, state, edge, after, over)
            if not over:
                target += task.gamma * best(graph, q, after)
            update(q, pair, target, alpha, task.alpha.power)
            state, steps = after, steps + 1
        record(graph, q, task, log, episode, steps, state)


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
        edge = 0 if over else behave(graph, q, task, state, 0, epsilon)
        while not over and steps < task.max_steps:
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
            over = ended(graph, q, after)
            target = reward(task, log, state, edge, after, over)
            if not over:
                edge = behave(graph, q, task, after, steps + 1, epsilon)
                target += task.gamma * q.pairs[pair_of(graph, q, after, edge)].value
            spread(q, pair, target - q.pairs[pair].value, alpha, task.alpha.power, task.gamma * task.trace_decay)
            state, steps = after, steps + 1
        record(graph, q, task, log, episode, steps, state)


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
        edge = 0 if over else behave(graph, q, task, state, 0, epsilon)
        while not over and steps < task.max_steps:
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
            over = ended(graph, q, after)
            target, is_greedy = reward(task, log, state, edge, after, over), True
            if not over:
                largest = best(graph, q, after)
                edge = behave(graph, q, task, after, steps + 1, epsilon)
                target += task.gamma * largest
                is_greedy = q.pairs[pair_of(graph, q, after, edge)].value == largest
            spread(q, pair, target - q.pairs[pair].value, alpha, task.alpha.power, task.gamma * task.trace_decay)
            if not is_greedy:
                clear_traces(q)
            state, steps = after, steps + 1
        record(graph, q, task, log, episode, steps, state)


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
            edge = behave(graph, q, task, state, steps, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
            over = ended(graph, q, after)
            paid = reward(task, log, state, edge, after, over)
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
        record(graph, q, task, log, episode, steps, state)


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
            edge = behave(graph, q, task, state, steps, epsilon)
            pair = pair_of(graph, q, state, edge)
            after = step(graph, q, task, log, state, edge, steps)
            while after == ASK:
                yield
                after = step(graph, q, task, log, state, edge, steps)
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
        record(graph, q, task, log, episode, steps, state)
