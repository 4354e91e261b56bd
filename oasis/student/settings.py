"""The settings of a training run, checked when they are made."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from oasis.backends.registry import BACKENDS
from oasis.dagger.rewarding import recorded, reward
from oasis.experience.prior import Prior
from oasis.play.actions import ACTION_SPACES
from oasis.rewards import LARGEST
from oasis.student.learners import learner
from oasis.student.schedules import Schedule, parse_schedule
from state_spaces import STATE_SPACES
from tactics.errors import InputError, check_choice

_MOST: Final = 10**12
"""Of episodes, steps and planning steps; compiled loops count with 64 bits."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How a student learns; raises InputError for a value out of range.

    The defaults are one-step Q-learning with the thesis's step size, discount and ε; `MAIN_JOB` are those of
    `oasis train`.
    """

    learner: str = "q-learning"
    """One of `oasis.student.learners.LEARNERS`, or `module:object` for a Learner of one's own."""
    reward: str = "terminating"
    """One of `oasis.rewards.REWARDS`, `dagger:…` for R† (`oasis.dagger.making`), or `module:object` for a maker."""
    state_space: str = "simple"
    """When two states are the same: `simple`, `name` or `match`."""
    actions: str = "legal"
    """What is on offer: `legal`, `blind` or `simplify`."""
    forget_errors: bool = False
    """Whether an action that does not apply is given up; with `blind`."""
    episodes: int = 5000
    """Episodes for each lemma, at least 1."""
    epsilon: float | str = 0.4
    """Share of actions chosen at random, in [0, 1]; a number or a schedule (`oasis.student.schedules`)."""
    alpha: float | str = 0.7
    """Step size, in (0, 1]; a number or a schedule; Monte Carlo averages and does not use it."""
    gamma: float = 0.9
    """Discount, in [0, 1]."""
    trace_decay: float = 0.9
    """λ of `sarsa-lambda` and `q-lambda`, in [0, 1]."""
    planning: int = 20
    """Planning steps of `dyna-q` after each real one, at least 0."""
    initial_value: float = 0.0
    """Q before the first update; optimistic if it is more than can be had."""
    max_steps: int = 200
    """Steps after which an episode is abandoned, at least 1."""
    seed: int = 0
    """Seed of all random choices."""
    search: str = ""
    """Who looks for a proof of each lemma, which is shown before it is practised: a search by its name, or nobody."""
    search_budget: int = 10_000
    """Expansions of that search for each lemma, at least 1."""
    shown: int = 10
    """How often the proof is shown, at least 1."""
    experience: str = ""
    """Odds by which lots are drawn among moves of equal value (`oasis.experience.prior.Prior.text`); empty for none."""
    backend: str = "native"
    """Where moves are made: `native`, the embedded calculus, or inside a prover (`oasis.backends`)."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "str" and not isinstance(value, str):
                raise InputError(
                    f"{_option(field.name)} is given by its name, as text, not as a {type(value).__name__}; what you "
                    "have made yourself is named module:object, or __main__:object where it is typed in."
                )
        kind = learner(self.learner)
        reward(self.reward)
        object.__setattr__(self, "reward", recorded(self.reward))
        check_choice("--state-space", self.state_space, STATE_SPACES)
        check_choice("--actions", self.actions, ACTION_SPACES)
        check_choice("--backend", self.backend, BACKENDS)
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "int" and type(value) is not int:
                raise InputError(f"{_option(field.name)} must be a whole number, not {value!r}.")
        for name, least in [("episodes", 1), ("max_steps", 1), ("planning", 0), ("search_budget", 1), ("shown", 1)]:
            if getattr(self, name) < least:
                raise InputError(f"{_option(name)} must be at least {least}, not {getattr(self, name)}.")
            if getattr(self, name) > _MOST:
                raise InputError(f"{_option(name)} must be at most {_MOST:,}, not {getattr(self, name):,}.")
        for name in ("epsilon", "alpha"):
            schedule = _schedule(name, getattr(self, name))
            if schedule == (schedule.first, schedule.first, 0.0):
                object.__setattr__(self, name, schedule.first)  # a number that was typed is a number
            for number in (schedule.first, schedule.last):
                _share(name, number)
        for name in ("gamma", "trace_decay"):
            _share(name, getattr(self, name))
        if not abs(self.initial_value) <= LARGEST:
            raise InputError(
                f"--initial-value must be a number from {-LARGEST:g} to {LARGEST:g}, not {self.initial_value}."
            )
        if min(parse_schedule(self.alpha)[:2]) == 0:
            raise InputError("--alpha must be above 0, or nothing is learned.")
        if self.forget_errors and self.actions != "blind":
            raise InputError("--forget-errors goes with --actions blind: no other action can fail.")
        if Prior.read(self.experience):
            if self.actions != "legal":
                raise InputError("Maxims are about legal moves, so --experience goes with --actions legal.")
            if not kind.learns:
                raise InputError(f"{self.learner} has no values that could be equal; leave --experience out, or it.")
        if kind.of_goals and self.actions == "simplify":
            raise InputError(f"{self.learner} learns about goals one at a time, so use --actions legal or blind.")


def _schedule(name: str, text: float | str) -> Schedule:
    try:
        return parse_schedule(text)
    except InputError as error:
        raise InputError(f"{_option(name)}: {error}") from None


def _share(name: str, number: float) -> None:
    if not 0 <= number <= 1:
        raise InputError(f"{_option(name)} must lie between 0 and 1, not {number:g}.")


def _option(name: str) -> str:
    return "--" + name.replace("_", "-")


MAIN_JOB: Final = Settings(learner="and-or-q", episodes=20_000)
"""What `oasis train` begins with: all six lemmas of the thesis are proved in the shortest way, with every seed tried.

Values of goals travel through a proof in one episode, and a goal is worth the same wherever it is left open; one-step
Q-learning moves a reward back by a step an episode, and values states, of which level 6 has a hundred times as many
(docs/measurements.md).
"""
