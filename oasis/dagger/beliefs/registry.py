"""Beliefs by the names that people type, and what one answers, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from oasis.dagger.beliefs.bayes import Bayes
from oasis.dagger.beliefs.belief import Belief, Even
from oasis.dagger.beliefs.knn import Knn
from oasis.ground.plugins import foreign, looked_up, made
from tactics.errors import InputError
from tactics.goal import State

ELSEWHERE: Final[Mapping[str, str]] = {"exact": "oasis.escalation.proving:Certain", "tiny": "oasis.neural.belief:tiny"}
"""Those that need more than is known here, and where they are."""
NETWORK: Final = ".safetensors"
"""How the name of a network's file ends, which is a belief as well."""
_OF_NETWORK: Final = "oasis.neural.belief:of_file"
NAMES: Final = ("knn", "bayes", "even", *ELSEWHERE)


def belief_named(name: str, knn: Knn, bayes: Bayes, option: str = "--belief") -> Belief:
    """The belief that a name stands for: one of `NAMES`, a network's file, or `module:object`.

    An object of somebody's own is a belief, or makes one when it is called without arguments.

    Args:
        name: as it was typed.
        knn: the one that was fitted.
        bayes: the one that was fitted.
        option: that the name was given with.

    Raises InputError if there is none of that name, or if what is there is no belief.
    """
    known: dict[str, Callable[[], Belief]] = {"knn": lambda: knn, "bayes": lambda: bayes, "even": Even}
    if name.endswith(NETWORK):
        of_network: Callable[[str], Belief] = looked_up(option, _OF_NETWORK, {})
        return of_network(name)
    if name not in NAMES and ":" not in name:
        raise InputError(f"{option} is one of {', '.join(NAMES)}, a {NETWORK} file, or module:object, not {name!r}.")
    found = made(option, name, looked_up(option, ELSEWHERE.get(name, name), known), "probabilities")
    is_belief = callable(getattr(found, "probabilities", None)) and isinstance(getattr(found, "version", None), str)
    if not is_belief or not isinstance(getattr(found, "leaks", None), bool):
        raise InputError(
            f"{option} {name} is no belief: it needs a text version, a bool leaks and a method probabilities (see "
            "oasis.dagger.beliefs.belief.Belief)."
        )
    belief: Belief = found
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
