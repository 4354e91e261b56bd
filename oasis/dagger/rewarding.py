"""Rewards by the name that a person types: the thesis's three, R† with its weights, or somebody's own."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from oasis.ground.plugins import foreign, looked_up
from oasis.rewards import REWARDS, Dependence, Reward
from tactics.errors import InputError


def recorded(name: str) -> str:
    """The name under which a reward is kept: one that says all the weights of R†, and needs no file of weights."""
    if name.partition(":")[0] != "dagger":
        return name
    from oasis.dagger.making import recorded as recorded_dagger

    return recorded_dagger(name)


def is_brought_along(name: str) -> bool:
    """Whether a reward of this name would be imported from a module of somebody's own."""
    return name not in REWARDS and name.partition(":")[0] != "dagger"


def reward(name: str, option: str = "--reward", *, gamma: float = 1.0) -> Reward:
    """A reward of its own for whoever asks.

    Args:
        name: one of `REWARDS`; `dagger` for R†, with its weights as `oasis.dagger.making.weights_of` reads them; or
            `module:object` for a maker of somebody's own.
        option: where the name was given.
        gamma: the discount of whoever is paid.

    Raises InputError, naming the option, if there is none of that name, or if what is there makes no reward.
    """
    if name.partition(":")[0] == "dagger":
        from oasis.dagger.making import dagger

        return dagger(name, gamma)
    maker = looked_up(option, name, {**REWARDS, "dagger": Reward})
    with foreign(f"{option} {name}"):
        if name not in REWARDS and callable(maker) and not _is_maker(maker):
            raise InputError(
                f"{option} {name} cannot be called without arguments; name a class of oasis.rewards.Reward, with a "
                "method step(self, before, move, after, ended), or a function without arguments that makes one."
            )
        made = maker() if callable(maker) else maker
    if not isinstance(made, Reward):
        raise InputError(f"{option} {name} is to make an oasis.rewards.Reward, and makes a {type(made).__name__}.")
    if getattr(made, "dependence", None) not in [*Dependence]:
        known = ", ".join(f"Dependence.{each.name}" for each in Dependence)
        raise InputError(f"{option} {name} has to say what it depends on; let its dependence be one of {known}.")
    if type(made.round) is not int or made.round < 1:
        raise InputError(f"{option} {name}: its round is a number of episodes, at least 1, not {made.round!r}.")
    made.gamma = gamma
    return made


def _is_maker(maker: Callable[..., Any]) -> bool:
    """Whether it can be called without arguments, as far as it says."""
    try:
        signature(maker).bind()
    except TypeError:
        return False
    except ValueError:  # it says nothing
        pass
    return True
