"""The thesis's three rewards (section 5.2), functions of one transition. The full reward R† is not among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from tactics.formula import FALSE, TRUTH
from tactics.goal import State, initial


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


class Pay(NamedTuple):
    """What one of the thesis's rewards pays: it depends on nothing but what kind of step it is.

    Attributes:
        error: a step that does not apply.
        error_stuck: one that does not apply, after which no action is left.
        step: one that changes the state.
        stuck: one that changes the state and leaves no action.
        proved: the one that completes the proof.
    """

    error: float
    error_stuck: float
    step: float
    stuck: float
    proved: float

    @classmethod
    def of(cls, reward: Reward) -> Pay:
        """Asks the reward about a step of each kind."""
        before, after = initial(TRUTH), initial(FALSE)
        return cls(
            error=reward(Transition(before, before, False)),
            error_stuck=reward(Transition(before, before, True)),
            step=reward(Transition(before, after, False)),
            stuck=reward(Transition(before, after, True)),
            proved=reward(Transition(before, (), False)),
        )


REWARDS: Final[dict[str, Reward]] = {
    "terminating": terminating,
    "standard": standard,
    "standard-qed": standard_qed,
}
"""The rewards by the name that a person types."""
