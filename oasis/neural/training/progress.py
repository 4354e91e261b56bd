"""What is told of a training while it goes on: by any, and by those that the oracle supervises."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol

import numpy as np

from oasis.neural.training.loss import Loss
from oasis.neural.training.ranks import Ranks

CURVES: Final = {
    "policy_loss": "loss/policy",
    "provability_loss": "loss/provability",
    "choices": "share right/choices of a move",
    "verdicts": "share right/verdicts on goals",
    "solved": "proved/of the fixed hundred",
    "lost": "own plays/choices that lost",
    "states_per_second": "speed/goals a second",
    "nodes_per_second": "speed/nodes a second",
}
"""How the curves of a supervised training are called on a board; other numbers are called as they are."""


class Told(Protocol):
    """What became of the last steps of a training."""

    @property
    def step(self) -> int:
        """How many have been made."""
        ...

    @property
    def solved(self) -> float | None:
        """The share of the fixed hundred that are proved now; None where they were not played."""
        ...

    @property
    def news(self) -> str:
        """How it goes, in a line."""
        ...

    @property
    def outcome(self) -> str:
        """What came of the training, if this was told last."""
        ...


@dataclass(frozen=True)
class Progress:
    """What became of the last steps of a supervised training.

    Attributes:
        step: how many have been made.
        policy_loss: -log of the probability of the moves that keep, a goal with moves.
        provability_loss: binary cross-entropy of a goal.
        choices: share of the goals with moves whose likeliest move keeps.
        verdicts: share of the goals that were judged right.
        states_per_second: goals, by the clock.
        nodes_per_second: their nodes, without padding.
        solved: share of the fixed hundred that are proved now; None where they were not played.
        lost: where the network played itself, the share of its choices in the last round that lost a provable goal.
    """

    step: int
    policy_loss: float
    provability_loss: float
    choices: float
    verdicts: float
    states_per_second: float
    nodes_per_second: float
    solved: float | None = None
    lost: float | None = None

    @property
    def news(self) -> str:
        """Losses, what is right, and the speed."""
        return (
            f"loss {self.policy_loss:.3f} + {self.provability_loss:.3f}, right {self.choices:.1%} of choices, "
            f"{self.verdicts:.1%} of verdicts{'' if self.lost is None else f', lost {self.lost:.2%} of its own'}, "
            f"{self.states_per_second:,.0f} goals/s, {self.nodes_per_second:,.0f} nodes/s"
        )

    @property
    def outcome(self) -> str:
        """What is right at the end."""
        return f"right at the end {self.choices:.2%} of the choices and {self.verdicts:.2%} of the verdicts"


class SoFar(Progress):
    """What became of the steps since the last report, in this process, after a step with which no report is due."""


class Window:
    """What becomes of some steps, summed up."""

    def __init__(self) -> None:
        self._began = monotonic()
        self._sums = np.zeros(7)

    def add(self, found: Loss, goals: int, nodes: int) -> None:
        """Count a step with so many goals and nodes."""
        self._sums += (
            found.policy.item(),
            found.provability.item(),
            found.choices,
            found.right_choices.item(),
            found.right_verdicts.item(),
            goals,
            nodes,
        )

    def of_all(self, ranks: Ranks) -> Window:
        """The same for all processes that train together, which all of them ask for."""
        self._sums = ranks.summed(self._sums)
        return self

    def progress(self, step: int, solved: float | None = None, lost: float | None = None) -> Progress:
        """Report on the steps, of which the last one has this number."""
        policy, provability, choices, right_choices, right_verdicts, goals, nodes = self._sums.tolist()
        seconds = max(monotonic() - self._began, 1e-9)
        return Progress(
            step,
            policy / max(choices, 1),
            provability / goals,
            right_choices / max(choices, 1),
            right_verdicts / goals,
            goals / seconds,
            nodes / seconds,
            solved,
            lost,
        )

    def so_far(self, step: int, lost: float | None = None) -> SoFar:
        """Say how it goes after a step with which no report is due."""
        return SoFar(**vars(self.progress(step, lost=lost)))
