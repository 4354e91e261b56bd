"""A learner of your own that keeps more than one table: Double Q-learning (Sutton & Barto 2018, 6.7).

Run, in this folder:
    oasis train SYJ203.2 --learner own_learner:DOUBLE
    oasis compare SYJ203.2 --learner q-learning,own_learner:DOUBLE --episodes 100 --seeds 10

A student chooses by `q.values`, is examined by them, and they alone are stored; so they hold the mean of both tables,
and what is kept beside them is how far the tables are from it. A stored student goes on with two equal tables.
"""

from __future__ import annotations

from collections import defaultdict
from weakref import WeakKeyDictionary

from oasis.student.environment import PerceivedEnvironment
from oasis.student.learners import Learner, Parameters, steps
from oasis.student.memory import Memory
from oasis.student.policy import Choose

_APART: WeakKeyDictionary[Memory, defaultdict[int, float]] = WeakKeyDictionary()
"""Of each student's memory, by the number of a pair: Q1 = Q + apart and Q2 = Q - apart."""


def double_q_learning(environment: PerceivedEnvironment, q: Memory, policy: Choose, parameters: Parameters) -> None:
    """One episode; at each step a coin says which table learns, and the other says what its best action is worth."""
    apart = _APART.setdefault(q, defaultdict(float))
    for step in steps(environment, policy):
        sign = 1 if parameters.rng.below(2) else -1  # Q + sign * apart learns, Q - sign * apart says what is ahead
        target = step.reward
        if step.after.actions:
            pairs = [each.pair for each in step.after.actions]
            best = max(pairs, key=lambda pair: q.values[pair] + sign * apart[pair])
            target += parameters.gamma * (q.values[best] - sign * apart[best])
        error = target - (q.values[step.pair] + sign * apart[step.pair])
        q.visit(step.pair)
        half = parameters.alpha.at(q.visits[step.pair]) * error / 2
        q.values[step.pair] += half
        apart[step.pair] += sign * half


DOUBLE = Learner(double_q_learning)
