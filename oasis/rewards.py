"""The thesis's three rewards (section 5.2), functions of one transition. The full reward R† is not among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from tactics.goal import State


class Transition(NamedTuple):
    """One step: the state before and after it, and whether no action is left after it although goals are."""

    before: State
    after: State
    stuck: bool

    @property
    def proved(self) -> bool:
        """Whether no goal is left."""
        return not self.after


Reward = Callable[[Transition], float]


def terminating(transition: Transition) -> float:
    """+1 for the step that completes a proof, -1 for the one that ends stuck, else 0."""
    if transition.proved:
        return 1.0
    return -1.0 if transition.stuck else 0.0


def standard(transition: Transition) -> float:
    """+1 for a step that changes the state, -1 for one that does not."""
    return 1.0 if transition.after != transition.before else -1.0


def standard_qed(transition: Transition) -> float:
    """+100 for the step that completes a proof, else as `standard`."""
    return 100.0 if transition.proved else standard(transition)


REWARDS: Final[dict[str, Reward]] = {
    "terminating": terminating,
    "standard": standard,
    "standard-qed": standard_qed,
}
"""The rewards by the name that a person types."""
