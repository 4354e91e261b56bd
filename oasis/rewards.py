"""What a reward is, and the thesis's three (section 5.2).

A reward is an object that one student owns. It declares what it depends on, and so how fast it can be had: what depends
on the kind of a step alone is five numbers; what depends on a transition alone is worked out once for each edge of the
graph of states; what depends on what happened before is worked out again after every round of episodes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from enum import StrEnum
from numbers import Real
from typing import Any, ClassVar, Final, NamedTuple

from oasis.plugins import failure, looked_up
from tactics.errors import InputError
from tactics.formula import FALSE, TRUTH, Formula
from tactics.goal import Move, State, initial
from tactics.script import Script

LARGEST: Final = 1e100
"""The most that a step may pay or cost; sums of such amounts are numbers, and numbers can be compared."""


class Dependence(StrEnum):
    """What the reward of a step depends on."""

    KIND = "kind"
    """Whether it proves, gets stuck, changes the state or does not (`Pay`), and nothing else."""
    TRANSITION = "transition"
    """The states before and after it, the move, and whether the episode ends in it."""
    HISTORY = "history"
    """The same, and counters that stand still for a round of episodes (`Reward.round`) and then change."""


class Transition(NamedTuple):
    """A step: the state before it, the move, and the state after it."""

    before: State
    move: Move
    after: State


class Outcome(NamedTuple):
    """How an episode ended.

    Attributes:
        proved: whether no goal was left.
        truncated: whether it was cut short by a limit of steps.
        steps: the number of its steps.
        script: the moves that it made, without those that did not apply.
    """

    proved: bool
    truncated: bool
    steps: int
    script: Script


class Reward(ABC):
    """What a student is paid for each step of an episode.

    Whoever plays tells it the lemma when it is taken up (`begin`), asks it about each step, or about a step of each
    kind where that is enough, and, if it `pays_at_end`, once more when an episode is over. A `HISTORY` reward must give
    the same answers until `refresh` is called, which is done after every `round` episodes.

    Attributes:
        dependence: what `step` depends on.
        pays_at_end: whether `end` may give anything but 0; asking costs some microseconds an episode.
        round: episodes for which the counters of a `HISTORY` reward stand still, at least 1.
    """

    dependence: ClassVar[Dependence]
    pays_at_end: ClassVar[bool] = False
    round: int = 100

    def begin(self, lemma: Formula) -> None:
        """Take note that the episodes that follow are on this lemma."""
        return

    @abstractmethod
    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """What a step pays.

        Args:
            before: the state before it.
            move: what was done.
            after: the state after it; without goals if it completes the proof, `before` if the move does not apply.
            ended: whether nothing more can be done: it is proved, or no action is left.
        """

    def end(self, outcome: Outcome) -> float:
        """What is paid on top of an episode's last step."""
        return 0.0

    def refresh(self, steps: Mapping[Transition, int]) -> None:
        """Take into account how often each transition was made in the round that is over, in no particular order."""
        return

    def state(self) -> Any:
        """What it has counted so far, as JSON can hold it; a student that is stored is stored with it."""
        return None

    def restore(self, state: Any) -> None:
        """Go on with what `state` gave; called before anything else."""
        return


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


REWARDS: Final[Mapping[str, Callable[[], Reward]]] = {
    "terminating": Terminating,
    "standard": Standard,
    "standard-qed": StandardQed,
}
"""Makers of rewards by the name that a person types."""


def reward(name: str, option: str = "--reward") -> Reward:
    """A reward of its own for whoever asks: one of `REWARDS`, or `module:object` for a maker of somebody's own.

    Raises InputError, naming the option, if there is none of that name, or if what is there makes no reward.
    """
    maker = looked_up(option, name, REWARDS)
    try:
        made = maker() if callable(maker) else maker
    except Exception as error:
        raise failure(f"{option} {name}", error) from error
    if not isinstance(made, Reward):
        raise InputError(f"{option} {name} is to make an oasis.rewards.Reward, and makes a {type(made).__name__}.")
    if getattr(made, "dependence", None) not in [*Dependence]:
        known = ", ".join(f"Dependence.{each.name}" for each in Dependence)
        raise InputError(f"{option} {name} has to say what it depends on; let its dependence be one of {known}.")
    if type(made.round) is not int or made.round < 1:
        raise InputError(f"{option} {name}: its round is a number of episodes, at least 1, not {made.round!r}.")
    return made


def paid(reward: Reward, before: State, move: Move, after: State, ended: bool) -> float:
    """What a reward pays for a step. Raises InputError if it fails, or pays what is no number up to `LARGEST`."""
    try:
        return _amount(reward, reward.step(before, move, after, ended))
    except Exception as error:
        raise _blamed(reward, error) from error


def paid_at_end(reward: Reward, outcome: Outcome) -> float:
    """What a reward pays at the end of an episode. Raises InputError as `paid` does."""
    try:
        return _amount(reward, reward.end(outcome))
    except Exception as error:
        raise _blamed(reward, error) from error


def _amount(reward: Reward, pay: Any) -> float:
    # Values that are no numbers are neither equal nor unequal, and the choice among them would be left to an order.
    if not isinstance(pay, Real) or not abs(float(pay)) <= LARGEST:
        raise InputError(
            f"The reward {type(reward).__name__} pays {pay!r}; it has to be a number from {-LARGEST:g} to {LARGEST:g}."
        )
    return float(pay)


def _blamed(reward: Reward, error: Exception) -> InputError:
    return error if isinstance(error, InputError) else failure(f"The reward {type(reward).__name__}", error)


class Pay(NamedTuple):
    """What a reward pays that depends on nothing but what kind of step it is.

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
        """Ask a reward about two different steps of each kind.

        Raises InputError if it says, or shows by its answers, that it depends on more than the kind.
        """
        name = type(reward).__name__
        if reward.dependence != Dependence.KIND or reward.pays_at_end:
            raise InputError(f"{name} depends on more than the kind of a step, so five numbers cannot stand for it.")
        one, other = (cls._asked(reward, *probe) for probe in _PROBES)
        if one != other:
            raise InputError(
                f"{name} says that it depends on the kind of a step alone, but pays different amounts for steps of one "
                "kind; let its dependence be Dependence.TRANSITION."
            )
        return one

    @classmethod
    def _asked(cls, reward: Reward, before: State, move: Move, after: State) -> Pay:
        return cls(
            error=paid(reward, before, move, before, False),
            error_stuck=paid(reward, before, move, before, True),
            step=paid(reward, before, move, after, False),
            stuck=paid(reward, before, move, after, True),
            proved=paid(reward, before, move, (), True),
        )


_FALSE, _TRUE = initial(FALSE), initial(TRUTH)
_PROBES: Final = (
    (_TRUE, Move("intro"), _FALSE),
    (initial(FALSE & (TRUTH | FALSE)), Move("split"), _FALSE + initial(TRUTH | FALSE)),
)
"""A state, a move, and another state, twice."""
