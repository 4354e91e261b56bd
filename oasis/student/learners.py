"""The learners: each is one function that plays one episode and learns from it.

`gamma` is the discount, in [0, 1]; `alpha` the step size, in (0, 1]. A(s) is `observation.actions`, empty when the
episode has terminated, so the target of a last step is its reward alone. An episode cut short by the step limit has not
terminated: temporal differences look ahead from its last step as from any other; Monte Carlo takes what it got.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from oasis.student.environment import ProofEnvironment
from oasis.student.memory import Memory
from oasis.student.policy import Policy

Learner = Callable[[ProofEnvironment, Memory, Policy, float, float], None]
"""(environment, q, policy, alpha, gamma): one episode."""


def epsilon_soft(environment: ProofEnvironment, q: Memory, policy: Policy, alpha: float, gamma: float) -> None:
    """Every-visit Monte Carlo control; the step size is 1/visits. Sutton & Barto (2018), 5.4; thesis, 4.2.1."""
    episode: list[tuple[int, float]] = []
    observation, _ = environment.reset()
    truncated = False
    while observation.actions and not truncated:
        action = policy(observation)
        observation, reward, _, truncated, _ = environment.step(action)
        episode.append((action.pair, reward))
    discounted_return = 0.0
    for pair, reward in reversed(episode):
        discounted_return = reward + gamma * discounted_return
        q.update(pair, discounted_return)


def sarsa(environment: ProofEnvironment, q: Memory, policy: Policy, alpha: float, gamma: float) -> None:
    """On-policy temporal differences. Sutton & Barto (2018), 6.4; thesis (4.1)."""
    observation, _ = environment.reset()
    truncated = False
    action = policy(observation) if observation.actions else None
    while action is not None and not truncated:
        observation, reward, _, truncated, _ = environment.step(action)
        following = policy(observation) if observation.actions else None
        target = reward if following is None else reward + gamma * q.values[following.pair]
        q.update(action.pair, target, alpha)
        action = following


def q_learning(environment: ProofEnvironment, q: Memory, policy: Policy, alpha: float, gamma: float) -> None:
    """Off-policy temporal differences. Sutton & Barto (2018), 6.5; thesis (4.2)."""
    observation, _ = environment.reset()
    truncated = False
    while observation.actions and not truncated:
        action = policy(observation)
        observation, reward, terminated, truncated, _ = environment.step(action)
        target = reward if terminated else reward + gamma * q.best(observation)
        q.update(action.pair, target, alpha)


LEARNERS: Final[dict[str, Learner]] = {
    "epsilon-soft": epsilon_soft,
    "sarsa": sarsa,
    "q-learning": q_learning,
}
"""The learners by the name that a person types."""
