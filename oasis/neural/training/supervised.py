"""Trainings on goals that the oracle labelled: which moves keep a goal provable, and which goals are.

Both heads are trained at once. Where the goals come from is each training's own.
"""

from __future__ import annotations

import random
from abc import abstractmethod
from collections.abc import Iterator
from hashlib import blake2b
from math import cos, pi
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from oasis.neural.encoding.batch import chunked
from oasis.neural.networks.network import Network
from oasis.neural.reinforcement.rollouts import solve_rate
from oasis.neural.training.checkpoint import Checkpoint
from oasis.neural.training.data import Portion
from oasis.neural.training.loop import Loop
from oasis.neural.training.loss import labelled_loss
from oasis.neural.training.progress import Progress, SoFar, Window
from oasis.neural.training.reserved import hundred
from oasis.neural.training.settings import SupervisedSettings
from tactics.errors import InputError

REPORT_EVERY: Final = 50
"""Steps, so that reports are the same for the same settings, however long steps take."""
SAVE_EVERY: Final = 500
"""Steps; the fixed hundred are played as often."""


class OnLabels(Loop):
    """A training that makes steps on labelled goals; its learning rate falls as a cosine to 0. See `Loop`.

    Attributes:
        portions: how many portions of data are done with.
    """

    portions: int = 0

    @property
    def learning_rate(self) -> float:
        """That of the step that comes next."""
        return super().learning_rate * (1 + cos(pi * self.step / self.settings.steps)) / 2

    def add_to_digest(self, portion: Portion) -> None:
        """Count a portion among the data."""
        self.digest = blake2b(self.digest.encode() + portion.digest, digest_size=16).hexdigest()

    def batches_of(self, portion: Portion) -> list[NDArray[np.int64]]:
        """The places of a portion's goals, batch after batch."""
        sizes = np.array([len(goal.tokens) for goal in portion.goals])
        batches = list(chunked(sizes, self.settings.nodes))
        random.Random(f"{self.settings.seed} {self.portions}").shuffle(batches)
        return batches

    def learn(self, portion: Portion, batch: NDArray[np.int64], window: Window) -> bool:
        """Make a step with the goals of a portion at some places; gives whether the training is to stop after it."""
        goals = [portion.goals[place] for place in batch]
        keeps = [portion.keeps[place] for place in batch]

        def losses() -> Iterator[Tensor]:
            found = labelled_loss(self.network, goals, keeps, portion.provable[batch])
            window.add(found, len(goals), sum(len(goal.tokens) for goal in goals))
            yield (found.policy + found.provability) / len(goals)

        return self.descend(losses())


class Supervised(OnLabels):
    """A training that makes steps on labelled goals and nothing else.

    Attributes:
        batches: steps made with the portion that is not done with.
    """

    settings: SupervisedSettings

    def __init__(self, settings: SupervisedSettings, file: Path, workers: int, network: Network) -> None:
        super().__init__(settings, file, workers, network)
        self.batches = 0

    @abstractmethod
    def data(self) -> Iterator[Portion]:
        """What is learned from, from the portion on that is not done with, without end; keeps `digest` up to date."""

    def restore(self, checkpoint: Checkpoint) -> None:
        """Be where a checkpoint was, in the midst of a portion. Raises as `Loop.restore` does."""
        super().restore(checkpoint)
        self.portions, self.batches = (int(checkpoint.about["at"][name]) for name in ("portion", "batch"))

    @property
    def place(self) -> dict[str, int]:
        """Where it is, as a checkpoint tells it."""
        return {**super().place, "portion": self.portions, "batch": self.batches}

    @property
    def lost(self) -> float | None:
        """The share of the network's own choices that lost, if it plays itself."""
        return None

    def __iter__(self) -> Iterator[Progress]:
        """Train to the end, and write the checkpoint now and then, and in the end; yield the reports alone."""
        return (told for told in self.steps() if not isinstance(told, SoFar))

    def steps(self) -> Iterator[Progress]:
        """Train, and yield how it goes after each step."""
        window = Window()
        for portion in self.data():
            for batch in self._shared(self.batches_of(portion))[self.batches :]:
                is_stopped = self.learn(portion, batch, window)
                self.batches += 1
                ended = is_stopped or self.is_over
                if ended or self.step % REPORT_EVERY == 0:
                    solved = None
                    if self.ranks.is_first and (ended or self.step % SAVE_EVERY == 0):
                        self.save()
                        solved = solve_rate(self.network, hundred()[: self.settings.exam])
                    yield window.of_all(self.ranks).progress(self.step, solved, self.lost)
                    window = Window()
                else:
                    yield window.so_far(self.step, self.lost)
                if ended:
                    return
            self.portions, self.batches = self.portions + 1, 0

    def to_json(self) -> dict[str, Any]:
        """What is trained, how, and how far."""
        return {**super().to_json(), "portions": self.portions}

    def _shared(self, batches: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """Those of some batches that this process learns from; each has as many, and what is left over is left out."""
        count = self.ranks.count
        if 0 < len(batches) < count:  # without any, in the plays of a portion of few lemmas no move could lose
            raise InputError(f"There are {len(batches)} batches at a time for {count} processes; start fewer of them.")
        return batches[self.ranks.rank : len(batches) // count * count : count]
