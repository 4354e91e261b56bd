"""What a compiled learner is given beside graph and memory, and where it writes down what happened."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.rewards import Pay
from oasis.student.compiled.calculus import Ints
from oasis.student.compiled.graph import PROVED
from oasis.student.compiled.jit import inlined
from oasis.student.compiled.memory import MET, Memory
from oasis.student.schedules import Schedule


class Task(NamedTuple):
    """Episodes to play on one lemma, and the parameters of all learners; none uses all of them.

    Attributes:
        start: the state in which episodes start.
        first, last: numbers of the episodes, the last one not included, from 1.
        episodes: number over which schedules go their way.
        max_steps: after which an episode is cut short.
        epsilon: share of random actions.
        alpha: step size.
        gamma, trace_decay, planning: as in `oasis.student.settings`.
        pay: the reward of each kind of step.
    """

    start: int
    first: int
    last: int
    episodes: int
    max_steps: int
    epsilon: Schedule
    alpha: Schedule
    gamma: float
    trace_decay: float
    planning: int
    pay: Pay


class Log(NamedTuple):
    """What became of each episode: proved or not, steps, states in memory; and room for the steps of one episode."""

    proved: NDArray[np.bool_]
    steps: Ints
    states: Ints
    pairs: Ints
    rewards: NDArray[np.float64]
    befores: Ints
    afters: Ints


@inlined
def level(schedule: Schedule, episode: int, episodes: int) -> float:
    """What a schedule comes to in an episode, before it falls; `oasis.student.schedules.Schedule.rate`."""
    way = min(1.0, (episode - 1) / (episodes - 1)) if episodes > 1 else 0.0
    return schedule.first + (schedule.last - schedule.first) * way


@inlined
def reward(task: Task, before: int, after: int, is_over: bool) -> float:
    """What a step pays."""
    if after == PROVED:
        return task.pay.proved
    if after == before:
        return task.pay.error_stuck if is_over else task.pay.error
    return task.pay.stuck if is_over else task.pay.step


@inlined
def record(task: Task, q: Memory, log: Log, episode: int, steps: int, state: int) -> None:
    """Write down what became of an episode."""
    place = episode - task.first
    log.proved[place], log.steps[place], log.states[place] = state == PROVED, steps, q.counts[MET]
