"""What a reward pays, checked, step by step and round by round; and the five numbers that say all that some pay.

They do where a reward depends on the kind of a step alone. In rounds of episodes who plays counts what was done, for a
reward that takes it into account in the end.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from oasis.ground.plugins import failure
from oasis.rewards.seam import Dependence, Outcome, Reward, RowReward, Rows, Transition, Uses, closing
from tactics.errors import InputError
from tactics.formula import FALSE, TRUTH, Formula
from tactics.goal import Move, State, initial

_P = ParamSpec("_P")
_Answer = TypeVar("_Answer")

LARGEST: Final = 1e100
"""The most that a step may pay or cost; sums of such amounts are numbers, and numbers can be compared."""


def paid(reward: Reward, before: State, move: Move, after: State, ended: bool) -> float:
    """What a reward pays for a step. Raises InputError if it fails, or pays what is no number up to `LARGEST`."""
    return _amount(reward, asked(reward, reward.step, before, move, after, ended))


def paid_row(reward: RowReward, row: tuple[float, ...]) -> float:
    """What a reward pays for a step by its row. Raises InputError as `paid` does."""
    return _amount(reward, asked(reward, reward.pay_one, row))


def paid_at_end(reward: Reward, outcome: Outcome) -> float:
    """What a reward pays at the end of an episode. Raises InputError as `paid` does."""
    return _amount(reward, asked(reward, reward.end, outcome))


def paid_rows(reward: RowReward, rows: Rows) -> NDArray[np.float64]:
    """What a reward pays for steps by their rows; shape (rows,). Raises InputError as `paid` does."""
    amounts = asked(reward, reward.pay, rows)
    unfit = ~(np.abs(amounts) <= LARGEST)
    if unfit.any():
        _amount(reward, float(amounts[unfit][0]))
    return amounts


def finished(reward: RowReward, rows: Rows, proved: bool) -> float:
    """What a reward pays at the end of an episode by the rows of its steps. Raises InputError as `paid` does."""
    return _amount(reward, asked(reward, reward.finish, rows, proved))


def asked(reward: Reward, method: Callable[_P, _Answer], *arguments: _P.args, **named: _P.kwargs) -> _Answer:
    """What a method of a reward answers. Raises InputError if it fails."""
    try:
        return method(*arguments, **named)
    except InputError:
        raise
    except (Exception, SystemExit) as error:  # it does not end the command
        raise failure(f"The reward {type(reward).__name__}", error) from error


def state_of(reward: Reward) -> Any:
    """What a reward has counted. Raises InputError if it fails, or gives what JSON cannot hold."""
    state = asked(reward, reward.state)
    asked(reward, json.dumps, state)
    return state


def _amount(reward: Reward, pay: Any) -> float:
    # Values that are no numbers are neither equal nor unequal, and the choice among them would be left to an order.
    if type(pay) is float and -LARGEST <= pay <= LARGEST:
        return pay
    if not isinstance(pay, Real) or not abs(float(pay)) <= LARGEST:
        raise InputError(
            f"The reward {type(reward).__name__} pays {pay!r}; it has to be a number from {-LARGEST:g} to {LARGEST:g}."
        )
    return float(pay)


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

    @property
    def is_for_proofs(self) -> bool:
        """Whether nothing but a proof is worth anything, so that a shortest one is best."""
        return self.step == 0 and max(self.error, self.error_stuck, self.stuck) <= 0 < self.proved

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


class Rounds:
    """A reward at work, and what was done since it last took into account what was done.

    Several players may share it, so that all their episodes count: each says before a step whose turn it is.

    Args:
        reward: pays; if it does not depend on history, nothing is kept for it.

    Attributes:
        episodes: of the present round, so far.
    """

    def __init__(self, reward: Reward) -> None:
        self.reward, self.episodes = reward, 0
        self._lemma: Formula | None = None
        self._counts: tuple[Counter[Transition], ...] = tuple(Counter() for _ in Uses._fields)

    def turn_to(self, lemma: Formula) -> None:
        """Let the reward know which lemma the steps that follow are of, if it was another one."""
        if lemma is not self._lemma:
            asked(self.reward, self.reward.begin, lemma)
            self._lemma = lemma

    def count(self, path: Sequence[Transition], episodes: int = 1) -> None:
        """Count the steps of an episode, and the episode itself unless told otherwise."""
        self.episodes += episodes
        if self.reward.dependence == Dependence.HISTORY:
            proving = path if path and not path[-1].after else ()
            for counts, steps in zip(self._counts, (path, closing(path), proving), strict=True):
                counts.update(steps)

    def renew(self) -> None:
        """Let the reward take a round into account if it is over."""
        if self.episodes >= self.reward.round:
            self.refresh()

    def refresh(self) -> None:
        """Let the reward take into account what was done since the last time, by which it pays from now on."""
        self.episodes = 0
        if self.reward.dependence == Dependence.HISTORY:
            steps = {step: Uses(*(counts[step] for counts in self._counts)) for step in self._counts[0]}
            asked(self.reward, self.reward.refresh, steps)
            for counts in self._counts:
                counts.clear()
