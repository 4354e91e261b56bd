"""How the student chooses: the ε-greedy policy, and the greedy one that shows what it has learned."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from oasis.student.memory import Action, Memory, Observation

Policy = Callable[[Observation], Action]
"""Chooses from A(s), which is not empty."""


def epsilon_greedy(memory: Memory, epsilon: float, rng: Random) -> Policy:
    """With probability `epsilon` uniform over A(s), else uniform over the actions of the largest Q (thesis, 4.2.1)."""

    def choose(observation: Observation) -> Action:
        actions = observation.actions
        if rng.random() < epsilon:
            return actions[int(rng.random() * len(actions))]
        values = [memory.values[pair] for _, pair in actions]
        largest = max(values)
        best = [action for action, value in zip(actions, values, strict=True) if value == largest]
        return best[int(rng.random() * len(best))]

    return choose


def greedy(memory: Memory) -> Policy:
    """The first action of the largest Q: no chance in it."""

    def choose(observation: Observation) -> Action:
        return max(observation.actions, key=lambda action: memory.values[action.pair])

    return choose
