"""Rewards that know a step by a row of numbers, so that what they pay for many steps is one sum over arrays."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from oasis.rewards.seam import Outcome, Reward, Transition, Uses
from tactics.goal import Move, State

Rows = NDArray[Any]


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

    def look(self, state: State) -> Any:
        """What `row_between` needs to know of a state: the state itself, or what is worked out once for all its steps.

        Who asks keeps it, and gives the same object before and after a step that changes nothing.
        """
        return state

    def row_between(self, before: Any, move: Move, after: Any, ended: bool) -> tuple[float, ...]:
        """As `row`, with what `look` gives in place of the states."""
        return self.row(before, move, after, ended)

    @abstractmethod
    def pay(self, rows: Rows) -> NDArray[np.float64]:
        """What steps pay by the present counters; each as if it were alone; shape (rows,)."""

    @abstractmethod
    def count(self, rows: Rows, times: NDArray[np.int64], closed: NDArray[np.int64]) -> None:
        """Take into account how often steps were made in the round that is over, as in `Uses`; shape (rows,) each.

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
        uses = np.array([*steps.values()], np.int64).reshape(-1, 2)
        rows = [self.row(*step, not step.after) for step in steps]
        self.count(np.array(rows, self.row_type), uses[:, 0], uses[:, 1])
