"""A policy's network as a belief of R†: how likely a state is to be proved, by its word on each goal.

The network stands still while a student learns. It was trained on what the oracle says of goals, and not on how
somebody's episodes ended, so it says how likely there is a proof, not how likely it will be found, and it leaks that.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from pathlib import Path

import numpy as np

from oasis.neural.files import TINY, checkpoint_file, network
from oasis.neural.training.header import digest
from oasis.play.policy import Floats, Policy
from tactics.goal import State


class Provability:
    """p(QED | state): the product of how likely its goals are to be provable, as if they did not depend on each other.

    Args:
        policy: has values of goals, which are these probabilities.
        version: stands for all that they depend on.
    """

    leaks = True

    def __init__(self, policy: Policy, version: str) -> None:
        self._policy, self.version = policy, version

    def probabilities(self, states: Sequence[State]) -> Floats:
        """The products; shape (states,)."""
        goals = list(dict.fromkeys(goal for state in states for goal in state))
        values = self._policy.values(goals)
        assert values is not None
        known = dict(zip(goals, values.tolist(), strict=True))
        return np.array([prod(known[goal] for goal in dict.fromkeys(state)) for state in states], np.float64)


def of_file(name: str) -> Provability:
    """The belief of a network's file. Raises InputError if the file is none, or the libraries are missing."""
    file = Path(name)
    return Provability(network(file), f"network-{digest(file)[:16]}")


def tiny() -> Provability:
    """That of the network that comes along."""
    with checkpoint_file(TINY) as file:
        return of_file(str(file))
