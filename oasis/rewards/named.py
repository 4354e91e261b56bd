"""Rewards by the name that a person types: the thesis's three (section 5.2), R† with its weights, or somebody's own."""

from __future__ import annotations

from oasis.ground.names import REWARDS
from oasis.rewards.seam import Dependence, Reward
from tactics.errors import InputError
from tactics.goal import Move, State


class Terminating(Reward):
    """+1 for the step that completes a proof, -1 for one after which no action is left, else 0."""

    dependence = Dependence.KIND

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """1, -1 or 0."""
        if not after:
            return 1.0
        return -1.0 if ended else 0.0


class Standard(Reward):
    """+1 for a step that changes the state, -1 for one that does not."""

    dependence = Dependence.KIND

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """1 or -1."""
        return 1.0 if after != before else -1.0


class StandardQed(Standard):
    """+100 for the step that completes a proof, else as `Standard`."""

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """100, 1 or -1."""
        return super().step(before, move, after, ended) if after else 100.0


def recorded(name: str) -> str:
    """Return the name under which a reward is kept: one that says all the weights of R†, and needs no file of weights.

    Raises InputError as `reward` does, but not for a name that is not ours, and imports nothing for one.
    """
    return name if REWARDS.is_own(name) else reward(name).recorded or name


def reward(name: str, option: str = "--reward", *, gamma: float = 1.0) -> Reward:
    """A reward of its own for whoever asks.

    Args:
        name: one of `REWARDS`, `dagger` with its weights as `oasis.dagger.making.weights_of` reads them; or
            `module:object` for a maker of somebody's own.
        option: where the name was given.
        gamma: the discount of whoever is paid.

    Raises InputError, naming the option, if there is none of that name, or if what is there makes no reward.
    """
    takes_name = REWARDS.takes_argument(name)
    made: Reward = REWARDS.looked_up(name, option)(name, gamma) if takes_name else REWARDS.make(name, option)
    if getattr(made, "dependence", None) not in [*Dependence]:
        known = ", ".join(f"Dependence.{each.name}" for each in Dependence)
        raise InputError(f"{option} {name} has to say what it depends on; let its dependence be one of {known}.")
    if type(made.round) is not int or made.round < 1:
        raise InputError(f"{option} {name}: its round is a number of episodes, at least 1, not {made.round!r}.")
    made.gamma = gamma
    return made
