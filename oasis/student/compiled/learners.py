"""The learners as numba generators: bit for bit what `oasis.student.learners` says, where their sources are cited.

All play by one loop (`learner`), and each is what it learns from a step. The loop yields when Python has to be asked
about a formula or a key that was never met before, and goes on where it was: a generator keeps its variables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from oasis.student.compiled.episode import level, record, reward, step
from oasis.student.compiled.graph import ASK, PROVED, Graph, cons
from oasis.student.compiled.jit import inlined, outer
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

_NOT_CHOSEN: Final = 0
"""Stands for the edge of an action that is still to be chosen."""


class Step(NamedTuple):
    """What a learner learns from.

    Attributes:
        number: of the steps before it in the episode.
        pair: the state and the action.
        reward: what it paid.
        after: the state behind it.
        over: whether A(after) is empty.
        edge: the next action, if learners are to know it.
        alpha: the step size in this episode.
    """

    number: int
    pair: int
    reward: float
    after: int
    over: bool
    edge: int
    alpha: float


Choose = Callable[[Graph, Memory, Task, int, int, float], int]
"""The edge of an action: (graph, q, task, state, steps made, epsilon)."""
Learn = Callable[[Graph, Memory, Task, Log, Step], bool | None]
"""Learns from a step; True, with nothing learned, if Python has to be asked first."""
Player = Callable[[Graph, Memory, Task, Log], Iterator[None]]
"""Plays all episodes of a task."""


def learner(choose: Choose = behave, *, ahead: bool = False, afterwards: bool = False) -> Callable[[Learn], Player]:
    """Make the generator of a learner.

    Args:
        choose: the policy.
        ahead: whether the next action is chosen before a step is learned from.
        afterwards: whether an episode is learned from when it is over, its last step first; only then can Python be
            asked.
    """

    def player(learn: Learn) -> Player:
        name = learn.__name__
        learn.__qualname__ = f"{name}.learn"  # what is kept on disk under the name alone is the player
        play = _player(inlined(learn), choose, ahead, afterwards)
        play.__name__, play.__qualname__, play.__doc__ = name, name, learn.__doc__
        return outer(play)

    return player


def _player(learn: Learn, choose: Choose, ahead: bool, afterwards: bool) -> Player:
    """Return the loop of all learners, of which each has its own; see `learner`."""

    def play(graph: Graph, q: Memory, task: Task, log: Log) -> Iterator[None]:
        for episode in range(task.first, task.last):
            epsilon = rate(level(task.epsilon, episode, task.episodes), task.epsilon.power, episode)
            alpha = level(task.alpha, episode, task.episodes)
            while not meet(graph, q, task.start):
                yield
            clear_traces(q)
            state, edge, steps, over = task.start, _NOT_CHOSEN, 0, ended(graph, q, task.start)
            while not over and steps < task.max_steps:
                if edge == _NOT_CHOSEN:
                    edge = choose(graph, q, task, state, steps, epsilon)
                pair = pair_of(graph, q, state, edge)
                after = step(graph, q, task, log, state, edge, steps)
                while after == ASK:
                    yield
                    after = step(graph, q, task, log, state, edge, steps)
                over = ended(graph, q, after)
                paid = reward(task, log, state, edge, after, over)
                edge = choose(graph, q, task, after, steps + 1, epsilon) if ahead and not over else _NOT_CHOSEN
                if afterwards:
                    log.pairs[steps], log.rewards[steps] = pair, paid
                else:
                    learn(graph, q, task, log, Step(steps, pair, paid, after, over, edge, alpha))
                state, steps = after, steps + 1
            if afterwards:
                for number in range(steps - 1, -1, -1):
                    while learn(graph, q, task, log, _logged(graph, q, log, number, alpha)):
                        yield
            record(graph, q, task, log, episode, steps, state)

    return play


@inlined
def _logged(graph: Graph, q: Memory, log: Log, number: int, alpha: float) -> Step:
    """A step of an episode that is over."""
    after = graph.edges[log.edges[number]].after
    return Step(number, log.pairs[number], log.rewards[number], after, ended(graph, q, after), _NOT_CHOSEN, alpha)


@inlined
def _by_chance(graph: Graph, q: Memory, task: Task, state: int, steps: int, epsilon: float) -> int:
    """Any of A(s)."""
    return uniform(graph, q, state)


@inlined
def _on_policy(graph: Graph, q: Memory, task: Task, now: Step) -> float:
    """The target of Sarsa."""
    target = now.reward
    if not now.over:
        target += task.gamma * q.pairs[pair_of(graph, q, now.after, now.edge)].value
    return target


@inlined
def _off_policy(graph: Graph, q: Memory, task: Task, now: Step) -> float:
    """The target of Q-learning."""
    return now.reward if now.over else now.reward + task.gamma * best(graph, q, now.after)


@learner(_by_chance)
def uniform_player(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> None:
    """No learner."""


@learner(afterwards=True)
def epsilon_soft(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> None:
    """Every-visit Monte Carlo control."""
    update(q, now.pair, now.reward, 1.0, 1.0)
    if now.number:  # what the step before it paid becomes its return
        log.rewards[now.number - 1] += task.gamma * now.reward


@learner(ahead=True)
def sarsa(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> None:
    """On-policy temporal differences."""
    update(q, now.pair, _on_policy(graph, q, task, now), now.alpha, task.alpha.power)


@learner()
def q_learning(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> None:
    """Off-policy temporal differences."""
    update(q, now.pair, _off_policy(graph, q, task, now), now.alpha, task.alpha.power)


@learner(ahead=True)
def sarsa_lambda(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> None:
    """Sarsa(λ) with replacing traces."""
    error = _on_policy(graph, q, task, now) - q.pairs[now.pair].value
    spread(q, now.pair, error, now.alpha, task.alpha.power, task.gamma * task.trace_decay)


@learner(ahead=True)
def q_lambda(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> None:
    """Watkins's Q(λ)."""
    target, is_greedy = now.reward, True
    if not now.over:
        largest = best(graph, q, now.after)
        target += task.gamma * largest
        is_greedy = q.pairs[pair_of(graph, q, now.after, now.edge)].value == largest
    error = target - q.pairs[now.pair].value
    spread(q, now.pair, error, now.alpha, task.alpha.power, task.gamma * task.trace_decay)
    if not is_greedy:
        clear_traces(q)


@learner()
def dyna_q(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> None:
    """Q-learning that also learns from what it remembers."""
    update(q, now.pair, _off_policy(graph, q, task, now), now.alpha, task.alpha.power)
    remember(q, now.pair, now.reward, now.after)
    for _ in range(task.planning):
        pair = q.tried[below(q.rng, q.counts[TRIED])]
        imagined, target = q.model[pair].after, q.model[pair].reward
        if not ended(graph, q, imagined):
            target += task.gamma * best(graph, q, imagined)
        update(q, pair, target, now.alpha, task.alpha.power)


@learner(afterwards=True)
def and_or_q(graph: Graph, q: Memory, task: Task, log: Log, now: Step) -> bool:
    """Q-learning on goals; a goal's own state is the one in which nothing else is open."""
    before = graph.edges[log.edges[now.number - 1]].after if now.number else task.start
    worth, left, others = 1.0, now.after, graph.states[before].tail
    while left != others:
        goal = cons(graph, graph.states[left].head, PROVED)
        if goal == ASK or not meet(graph, q, goal):
            return True
        worth *= 0.0 if ended(graph, q, goal) else best(graph, q, goal)
        left = graph.states[left].tail
    update(q, now.pair, task.gamma * worth, now.alpha, task.alpha.power)
    return False
