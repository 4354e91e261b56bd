"""Beliefs by the names that people type, and what one answers, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from oasis.dagger.beliefs.belief import Belief
from oasis.ground.names import BELIEFS
from oasis.ground.plugins import foreign
from oasis.ground.registry import imported
from tactics.errors import InputError
from tactics.goal import State

NETWORK: Final = ".safetensors"
"""How the name of a network's file ends, which is a belief as well."""
_OF_NETWORK: Final = "oasis.neural.beliefs.provability:of_file"


def belief_named(name: str, fitted: Mapping[str, Callable[[], Belief]], option: str = "--belief") -> Belief:
    """The belief that a name stands for: one of `BELIEFS`, a network's file, or `module:object`.

    An object of somebody's own is a belief, or makes one when it is called without arguments.

    Args:
        name: as it was typed.
        fitted: makes those that were fitted, by their names.
        option: that the name was given with.

    Raises InputError if there is none of that name, or if what is there is no belief.
    """
    if name in fitted:
        return fitted[name]()
    if name.endswith(NETWORK):
        of_network: Callable[[str], Belief] = imported(_OF_NETWORK)
        return of_network(name)
    belief: Belief = BELIEFS.make(name, option)
    if not isinstance(getattr(belief, "version", None), str) or not isinstance(getattr(belief, "leaks", None), bool):
        raise InputError(
            f"{option} {name} is no belief: it needs a text version and a bool leaks (see "
            "oasis.dagger.beliefs.belief.Belief)."
        )
    return belief


def believed(belief: Belief, states: Sequence[State]) -> list[float]:
    """What a belief says of each of some states.

    Raises InputError if it fails, or says anything but a probability for each.
    """
    name = f"The belief {type(belief).__name__}"
    with foreign(name):
        answers = np.asarray(belief.probabilities(states))
    if answers.shape != (len(states),) or answers.dtype.kind not in "fiub":
        raise InputError(f"{name} has to give a probability for each of {len(states)} states.")
    said: list[float] = answers.tolist()
    for each in said:
        if not 0 <= each <= 1:  # NaN is neither
            raise InputError(f"{name} has to give probabilities from 0 to 1, not {each}.")
    return [float(each) for each in said]
