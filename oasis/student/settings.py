"""The settings of a training run, checked when they are made."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from oasis.backends.registry import BACKENDS
from oasis.rewards import REWARDS
from oasis.student.actions import ACTION_SPACES
from oasis.student.learners import LEARNERS
from state_spaces import STATE_SPACES
from tactics.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a student learns; raises InputError for a value out of range.

    The defaults find the shortest proofs of SYJ203's levels 1-3 with every seed tried: Q-learning under `terminating`
    approaches V* = γ^(L-1), so the shortest proof is the best; step size, discount and ε are the thesis's; 5,000
    episodes are enough for level 3 and keep six levels within a minute in plain Python (docs/measurements.md).
    """

    learner: str = "q-learning"
    """`epsilon-soft`, `sarsa` or `q-learning`."""
    reward: str = "terminating"
    """`terminating`, `standard` or `standard-qed`."""
    state_space: str = "simple"
    """When two states are the same: `simple`, `name` or `match`."""
    actions: str = "legal"
    """What is on offer: `legal`, `blind` or `simplify`."""
    forget_errors: bool = False
    """Whether an action that does not apply is given up; with `blind`."""
    episodes: int = 5000
    """Episodes for each lemma, at least 1."""
    epsilon: float = 0.4
    """Share of actions chosen at random, in [0, 1]."""
    alpha: float = 0.7
    """Step size, in (0, 1]; Monte Carlo averages and does not use it."""
    gamma: float = 0.9
    """Discount, in [0, 1]."""
    max_steps: int = 200
    """Steps after which an episode is abandoned, at least 1."""
    seed: int = 0
    """Seed of all random choices."""
    backend: str = "native"
    """Where moves are made: `native`, the embedded calculus, or inside a prover (`oasis.backends`)."""

    def __post_init__(self) -> None:
        _choice("learner", self.learner, LEARNERS)
        _choice("reward", self.reward, REWARDS)
        _choice("state-space", self.state_space, STATE_SPACES)
        _choice("actions", self.actions, ACTION_SPACES)
        _choice("backend", self.backend, BACKENDS)
        for name, least in [("episodes", 1), ("max_steps", 1)]:
            if getattr(self, name) < least:
                raise InputError(f"{_option(name)} must be at least {least}, not {getattr(self, name)}.")
        for name in ("epsilon", "alpha", "gamma"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"{_option(name)} must lie between 0 and 1, not {getattr(self, name):g}.")
        if self.alpha == 0:
            raise InputError("--alpha must be above 0, or nothing is learned.")
        if self.forget_errors and self.actions != "blind":
            raise InputError("--forget-errors goes with --actions blind: no other action can fail.")


def _choice(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise InputError(f"{_option(name)} is one of {', '.join(known)}, not {value!r}.")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")
