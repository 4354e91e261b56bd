"""Temperature scaling (Guo et al. 2017): one number that a network's log-odds of provability are divided by.

A network that was trained until it is sure is surer than it is right. The temperature is fitted by maximum likelihood
to goals of theorems of the published training set, which nobody is tested on: those in focus in the network's own play
of each theorem and in a play of random legal moves, but for goals that come to no choice. No order changes by it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

import numpy as np

from curricula.propl import formula
from curricula.propl_lemmas import published
from oasis.neural.policy import NetworkPolicy
from oasis.neural.reached import labelled, random_plays, reached
from oasis.neural.training.checkpoint import Checkpoint
from oasis.neural.training.reserved import TRAINING_SET
from oasis.play.calibration import Calibration, calibration, cooled, temperature
from oasis.play.committed import choices, committed
from oasis.play.solving import LONGEST
from tactics.errors import InputError
from tactics.goal import Goal

THEOREMS: Final = 1_000
"""Unless somebody asks for another number."""


@dataclass(frozen=True)
class Cooled:
    """What came of fitting a temperature.

    Attributes:
        temperature: the one that was fitted.
        before: the calibration at temperature 1 on the goals that it was fitted to.
        after: that at the fitted temperature.
    """

    temperature: float
    before: Calibration
    after: Calibration

    def to_json(self) -> dict[str, Any]:
        """The temperature and both calibrations."""
        return {"temperature": self.temperature, "before": self.before.to_json(), "after": self.after.to_json()}


class Cooling:
    """The fitting of a temperature to a network: play first, and then `fitted`.

    Args:
        checkpoint: of the network.
        theorems: of the training set, from its end, which no fixed hundred is taken from; at least 1.
        seed: of the random plays.

    Raises InputError for a number out of range.
    """

    def __init__(self, checkpoint: Checkpoint, theorems: int = THEOREMS, seed: int = 0) -> None:
        entries = published()[TRAINING_SET]
        if not 1 <= theorems <= len(entries):
            raise InputError(f"--theorems is {theorems}; give a whole number from 1 to {len(entries)}.")
        self.theorems = [formula(entry.number, entry.n) for entry in entries[-theorems:]]
        self._seed = seed
        self._policy = NetworkPolicy(checkpoint.network)
        self._values: list[float] = []
        self._provable: list[bool] = []

    def play(self) -> Iterator[int]:
        """Play every theorem twice, and have the network and the oracle judge the goals; gives how many are done."""
        own = (play.script for play in committed(self._policy, self.theorems, seed=self._seed, together=100))
        plays = zip(self.theorems, own, random_plays(self.theorems, self._seed, LONGEST), strict=True)
        done = 0
        while batch := list(islice(plays, 100)):
            known: dict[Goal, bool] = {}
            for theorem, *scripts in batch:
                known |= labelled([goal for goal in reached(theorem, scripts) if choices(goal)])
            self._values += self._policy.values(list(known)).tolist()
            self._provable += known.values()
            done += len(batch)
            yield done

    def fitted(self) -> Cooled:
        """The temperature for what was played. Raises InputError if the goals are all provable, or none is."""
        if len({*self._provable}) < 2:
            raise InputError("Of these theorems' goals all are provable or none is; take more with --theorems.")
        values = np.array(self._values)
        found = temperature(values, self._provable)
        return Cooled(found, calibration(values, self._provable), calibration(cooled(values, found), self._provable))


def with_temperature(checkpoint: Checkpoint, cooled: Cooled) -> Checkpoint:
    """The checkpoint with a temperature, and how many goals it was fitted to."""
    about: Mapping[str, Any] = {
        **checkpoint.about,
        "temperature": cooled.temperature,
        "temperature_goals": cooled.before.states,
    }
    return replace(checkpoint, about=about)
