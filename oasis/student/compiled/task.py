"""What a compiled learner is given beside graph and memory, and where it writes down what happened."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.rewards import USES, Pay
from oasis.student.compiled.calculus import Records
from oasis.student.compiled.table import Ints
from oasis.student.schedules import Schedule

AMOUNT: Final = np.dtype([("amount", "f8"), ("is_known", "?")], align=True)
"""What a reward pays for a step, once it was asked."""

NO_PROOF: Final = -1
"""Stands for the length of the shortest of no proofs."""


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
        pay: the reward of each kind of step, where it depends on nothing else.
        by_edge: whether the reward is that of `pays` instead.
        pays: AMOUNT, at twice the number of an edge if the episode can go on behind it, else at the place after; of no
            length where `pay` says it all.
        pays_at_end: whether the reward is asked once more at an episode's end.
        dictated: the edges that are taken first, whatever the student would do; of no length if nobody dictates.
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
    by_edge: bool
    pays: Records
    pays_at_end: bool
    dictated: Ints


class Log(NamedTuple):
    """What became of the episodes of a task.

    Attributes:
        proved: whether each ended in a proof; shape (episodes,).
        steps: the actions in each; shape (episodes,).
        states: states in memory after each; shape (episodes,).
        edges: the present episode's, one a step; shape (max_steps,).
        pairs: of its steps; shape (max_steps,).
        rewards: of its steps; shape (max_steps,).
        at_end: AMOUNT, what is paid on top of its last step; shape (1,).
        best: the edges of the shortest proof so far, without those that change nothing; shape (max_steps,).
        best_length: their number, NO_PROOF while there is none; shape (1,).
        uses: USES, of each edge; of no length where nobody asks.
    """

    proved: NDArray[np.bool_]
    steps: Ints
    states: Ints
    edges: Ints
    pairs: Ints
    rewards: NDArray[np.float64]
    at_end: Records
    best: Ints
    best_length: Ints
    uses: Records


def empty_log(episodes: int, max_steps: int, uses: Records | None = None) -> Log:
    """A log for so many episodes of at most so many steps, which counts in `uses` how often each edge was taken."""
    return Log(
        proved=np.zeros(episodes, np.bool_),
        steps=np.zeros(episodes, np.int32),
        states=np.zeros(episodes, np.int32),
        edges=np.zeros(max_steps, np.int32),
        pairs=np.zeros(max_steps, np.int32),
        rewards=np.zeros(max_steps, np.float64),
        at_end=np.zeros(1, AMOUNT),
        best=np.zeros(max_steps, np.int32),
        best_length=np.full(1, NO_PROOF, np.int32),
        uses=np.zeros(0, USES) if uses is None else uses,
    )
