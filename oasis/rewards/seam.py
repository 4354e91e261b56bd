"""What a reward is: the seam on which every reward hangs, and what it is told of the steps and episodes that it pays.

A reward is an object that one student owns. It declares what it depends on, and so how fast it can be had: what depends
on the kind of a step alone is five numbers; what depends on a transition alone is worked out once for each edge of the
graph of states; what depends on what happened before is worked out again after every round of episodes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import compress
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactics.formula import Formula
from tactics.goal import Move, State
from tactics.script import Script

Rows = NDArray[Any]


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


class Uses(NamedTuple):
    """How often a step was made in some episodes.

    Attributes:
        times: in all.
        closed: how often the goal that was in focus before it was closed later in the same episode, or by it.
        proved: how often the episode ended in a proof.
    """

    times: int
    closed: int
    proved: int


USES: Final = np.dtype([(name, "i4") for name in Uses._fields])
"""`Uses` as a record of an array."""


def closed(opened: Sequence[int] | NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return for each step of an episode whether its goal in focus was closed: by it or later, when fewer were open.

    Args:
        opened: for each step how many goals more are open after it than before it; shape (steps,).
    """
    left = np.cumsum(opened)
    return np.asarray(np.minimum.accumulate(left[::-1])[::-1] < left - opened)


def closing(path: Sequence[Transition]) -> list[Transition]:
    """Return those steps of an episode whose goal in focus was closed."""
    return [*compress(path, closed([len(step.after) - len(step.before) for step in path]))]


class Outcome(NamedTuple):
    """How an episode ended.

    Attributes:
        proved: whether no goal was left.
        truncated: whether it was cut short by a limit of steps.
        steps: the number of its steps.
        script: the moves that it made, without those that did not apply.
        path: its steps.
    """

    proved: bool
    truncated: bool
    steps: int
    script: Script
    path: Sequence[Transition] = ()


class Reward(ABC):
    """What a student is paid for each step of an episode.

    Whoever plays tells it the lemma when it is taken up (`begin`), asks it about each step, or about a step of each
    kind where that is enough, and, if it `pays_at_end`, once more when an episode is over. A `HISTORY` reward must give
    the same answers until `refresh` is called, which is done after every `round` episodes (`oasis.rewards.Rounds`).

    Attributes:
        dependence: what `step` depends on.
        pays_at_end: whether `end` may give anything but 0; asking costs some microseconds an episode.
        leaks: whether it knows the truth, so that it gives the solution away.
        round: episodes for which the counters of a `HISTORY` reward stand still, at least 1.
        gamma: the discount of whoever is paid, in [0, 1], which its owner sets before anything else.
        recorded: the name under which it is kept, if that says more than what was typed.
    """

    dependence: Dependence
    pays_at_end: bool = False
    leaks: bool = False
    round: int = 100
    gamma: float = 1.0
    recorded: str = ""

    def begin(self, lemma: Formula) -> None:
        """Take note that the steps that follow are on this lemma; episodes side by side take turns."""
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

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        """Take into account how often each step was made in the round that is over, in no particular order."""
        return

    def remark(self) -> str:
        """What people should know of what it paid so far, in a sentence; empty if all went as usual."""
        return ""

    def state(self) -> Any:
        """What it has counted so far, as JSON can hold it; a student that is stored is stored with it."""
        return None

    def restore(self, state: Any) -> None:
        """Go on with what `state` gave; called before anything else. Raises InputError if it cannot."""
        return


class RowReward(Reward):
    """A reward that turns each step into a row of numbers once, and pays for rows.

    A compiled student keeps the row of each edge. After a round it has all that it knows paid again at once, and
    counted in arrays, where any other reward is asked about each edge anew.

    Attributes:
        row_type: a structured dtype, of what `row` gives.
        sees_names: whether steps that differ in the names and the order of hypotheses alone may have different rows.
        pays_failures: whether `finish` may give anything but 0 for an episode without a proof.
    """

    row_type: np.dtype[Any]
    sees_names: bool = True
    pays_failures: bool = True

    @abstractmethod
    def row(self, before: State, move: Move, after: State, ended: bool) -> tuple[float, ...]:
        """A step as numbers that never change, whatever is counted; arguments as in `step`."""

    @abstractmethod
    def pay(self, rows: Rows) -> NDArray[np.float64]:
        """What steps pay by the present counters; each as if it were alone; shape (rows,)."""

    @abstractmethod
    def count(self, rows: Rows, uses: Rows) -> None:
        """Take into account how often steps were made in the round that is over; `USES`, of shape (rows,).

        Whether the episode ended in a step is not told: a row of either stands for both.
        """

    @abstractmethod
    def finish(self, rows: Rows, proved: bool) -> float:
        """What is paid at the end of an episode with these steps, in their order; asked if `pays_at_end`.

        The same for the same steps, until `count` is called.
        """

    def pay_one(self, row: tuple[float, ...]) -> float:
        """What one step pays, to the last bit as `pay` has it."""
        return float(self.pay(np.array([row], self.row_type))[0])

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        """What the step's row pays."""
        return self.pay_one(self.row(before, move, after, ended))

    def end(self, outcome: Outcome) -> float:
        """What the rows of the episode's steps pay at its end."""
        last = len(outcome.path) - 1
        rows = [self.row(*step, place == last and not outcome.truncated) for place, step in enumerate(outcome.path)]
        return self.finish(np.array(rows, self.row_type), outcome.proved)

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        """Count the steps by their rows."""
        rows = [self.row(*step, not step.after) for step in steps]
        self.count(np.array(rows, self.row_type), np.array([*steps.values()], USES))
