"""How the student chooses: the ε-greedy policy, and the greedy one that shows what it has learned."""

from __future__ import annotations

from collections.abc import Callable

from oasis.student.memory import Action, Memory, Observation
from oasis.student.splitmix import SplitMix64

Policy = Callable[[Observation], Action]
"""Chooses from A(s), which is not empty."""


def epsilon_greedy(memory: Memory, epsilon: float, rng: SplitMix64) -> Policy:
    """With probability `epsilon` uniform over A(s), else uniform over the actions of the largest Q (thesis, 4.2.1)."""

    def choose(observation: Observation) -> Action:
        actions = observation.actions
        if rng.random() < epsilon:
            return actions[rng.below(len(actions))]
        best = greedy_actions(memory, observation)
        return best[0] if len(best) == 1 else best[rng.below(len(best))]

    return choose


def greedy(memory: Memory) -> Policy:
    """The first action of the largest Q: no chance in it."""

    def choose(observation: Observation) -> Action:
        return greedy_actions(memory, observation)[0]

    return choose


def greedy_actions(memory: Memory, observation: Observation) -> list[Action]:
    """The actions of the largest Q."""
    largest = memory.best(observation)
    return [action for action in observation.actions if memory.values[action.pair] == largest]
