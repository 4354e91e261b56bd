"""The loop of every training: steps of the optimizer on goals that the oracle labelled, and checkpoints to go on from.

Both heads are trained at once. What happens at a step depends on the settings and the number of the step, never on the
clock, so a training that was killed goes on as if it had not been. Where the goals come from is each training's own.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from math import cos, pi
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
import torch
from numpy.typing import NDArray

from oasis.neural.devices import placed, precision
from oasis.neural.encoding.batch import chunked
from oasis.neural.networks.network import Network
from oasis.neural.policy import NetworkPolicy
from oasis.neural.training.checkpoint import Checkpoint, load, save
from oasis.neural.training.data import DataSettings, Portion
from oasis.neural.training.loss import loss
from oasis.neural.training.progress import Progress, Window
from oasis.neural.training.ranks import Ranks
from oasis.neural.training.reserved import hundred
from oasis.neural.training.solving import solve_rate
from tactics.errors import InputError

REPORT_EVERY: Final = 50
"""Steps."""
SAVE_EVERY: Final = 500
"""Steps; the fixed hundred are played as often."""
_BETAS: Final = (0.9, 0.98)
_KEPT: Final = ("step", "exp_avg", "exp_avg_sq")
"""What AdamW knows of a parameter."""


@dataclass(frozen=True)
class LoopSettings:
    """What every training depends on.

    Attributes:
        seed: of the order of the goals, and of all other chance.
        steps: of the optimizer, at least 1.
        learning_rate: the highest; it rises evenly in the first `warm_up` steps, and falls as a cosine to 0.
        warm_up: steps.
        nodes: in a batch, padding included.
        weight_decay: AdamW's (Loshchilov and Hutter 2019).
        largest_gradient: its norm is cut down to this.
        data: what it learns from.

    Raises InputError for what cannot be.
    """

    seed: int = 0
    steps: int = 6_000
    learning_rate: float = 3e-3
    warm_up: int = 100
    nodes: int = 3_000
    weight_decay: float = 0.01
    largest_gradient: float = 1.0
    data: DataSettings = field(default_factory=DataSettings)

    def __post_init__(self) -> None:
        for name in ("steps", "warm_up", "nodes"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} is {getattr(self, name)}; give a whole number from 1 on.")
        if not 0 < self.learning_rate < 1:
            raise InputError(f"The learning rate is {self.learning_rate:g}; give a number between 0 and 1.")

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> Self:
        """Settings as `asdict` gives them. Raises KeyError or TypeError for other content."""
        data: dict[str, Any] = dict(content["data"])
        data |= {name: tuple(value) for name, value in data.items() if isinstance(value, list)}
        return cls(**{**content, "data": DataSettings(**data)})


class Loop(ABC):
    """A training: iterate over it to train, and to hear how it goes.

    Args:
        settings: what it depends on.
        file: where the checkpoint is written.
        workers: processes that make data; with none, this one does.
        network: what is trained.

    Attributes:
        portions: how many portions of data are done with.
        batches: steps made with the one that is not.
        step: steps made.
        digest: stands for the data so far.
        ranks: the processes that train together; this one alone unless it joined others.
        stopping: set it to end the training after the step that is being made, with a checkpoint to go on with.
    """

    KIND: ClassVar[str]
    """How checkpoints call such a training, and its command is called."""
    SETTINGS: ClassVar[type[LoopSettings]]

    def __init__(self, settings: LoopSettings, file: Path, workers: int, network: Network) -> None:
        self.settings, self.file, self.workers, self.network = settings, file, workers, network
        self.step = self.portions = self.batches = 0
        self.digest = ""
        self.ranks, self.stopping = Ranks(), False
        self._optimizer = torch.optim.AdamW(
            network.module.parameters(), lr=0.0, betas=_BETAS, weight_decay=settings.weight_decay
        )

    @classmethod
    def resumed(cls, file: Path, workers: int = 1) -> Self:
        """The training that a file holds, at the step at which it was written.

        Raises InputError for a file that holds no training under way, or another kind of training.
        """
        checkpoint = load(file)
        kind = checkpoint.about.get("training")
        if kind != cls.KIND:
            raise InputError(f"{file} was not written by oasis policy {cls.KIND}; go on with what wrote it.")
        if not checkpoint.optimizer:
            raise InputError(f"The training of {file} is over; train another one with oasis policy {cls.KIND} -o FILE.")
        try:
            self = cls(cls.SETTINGS.from_json(checkpoint.about["settings"]), file, workers, checkpoint.network)
            self.restore(checkpoint)
        except (KeyError, RuntimeError, TypeError, ValueError):
            raise InputError(f"{file} does not hold what a training needs to go on; train it again.") from None
        return self

    def join(self, ranks: Ranks) -> None:
        """Train together with other processes from now on, each on its device.

        Raises InputError for a training that has been under way with another number of them.
        """
        if self.step and ranks.count != self.ranks.count:
            raise InputError(
                f"{self.file} was trained by {self.ranks.count} processes together, and here are {ranks.count}; go on "
                f"with torchrun --nproc-per-node {self.ranks.count}, or without it if that is 1."
            )
        self.ranks = ranks
        placed(self.network, ranks.device)
        for state in self._optimizer.state.values():
            state |= {name: tensor.to(ranks.device) for name, tensor in state.items() if name != _KEPT[0]}

    def stop(self) -> None:
        """End after the step that is being made, with a checkpoint to go on with."""
        self.stopping = True

    @abstractmethod
    def data(self) -> Iterator[Portion]:
        """What is learned from, from the portion on that is not done with, without end; keeps `digest` up to date."""

    def restore(self, checkpoint: Checkpoint) -> None:
        """Be where a checkpoint was. Raises KeyError, RuntimeError, TypeError or ValueError if that is not told."""
        place = checkpoint.about["at"]
        self.step, self.portions, self.batches = (int(place[name]) for name in ("step", "portion", "batch"))
        self.digest = str(checkpoint.about["data"])
        self.ranks = Ranks(count=int(place.get("processes", 1)))
        for name, parameter in self.network.module.named_parameters():
            self._optimizer.state[parameter] = {kept: checkpoint.optimizer[f"{name}.{kept}"].clone() for kept in _KEPT}

    def more_to_keep(self) -> tuple[Mapping[str, Any], str]:
        """What a checkpoint tells besides, and the examples that it holds while the training is under way, written."""
        return {}, ""

    @property
    def lost(self) -> float | None:
        """The share of the network's own choices that lost, if it plays itself."""
        return None

    def __iter__(self) -> Iterator[Progress]:
        """Train to the end, and write the checkpoint now and then, and in the end."""
        window = Window()
        for portion in self.data():
            for batch in self._shared(self.batches_of(portion))[self.batches :]:
                is_stopped = self.learn(portion, batch, window)
                self.batches += 1
                self.step += 1
                ended = is_stopped or self.step == self.settings.steps
                if ended or self.step % REPORT_EVERY == 0:
                    solved = None
                    if self.ranks.is_first and (ended or self.step % SAVE_EVERY == 0):
                        solved = solve_rate(NetworkPolicy(self.network), hundred())
                        self.save()
                    yield window.of_all(self.ranks).progress(self.step, solved, self.lost)
                    window = Window()
                if ended:
                    return
            self.portions, self.batches = self.portions + 1, 0

    @property
    def parameters(self) -> int:
        """How many numbers are trained."""
        return sum(parameter.numel() for parameter in self.network.module.parameters())

    def to_json(self) -> dict[str, Any]:
        """What is trained, how, and how far."""
        return {
            "file": str(self.file),
            "training": self.KIND,
            "parameters": self.parameters,
            "settings": asdict(self.settings),
            "step": self.step,
            "portions": self.portions,
            "data": self.digest,
        }

    def save(self) -> None:
        """Write the checkpoint."""
        is_over = self.step == self.settings.steps
        optimizer = {
            f"{name}.{kept}": self._optimizer.state[parameter][kept]
            for name, parameter in self.network.module.named_parameters()
            for kept in _KEPT
            if not is_over
        }
        told, examples = self.more_to_keep()
        about = {
            "training": self.KIND,
            "settings": asdict(self.settings),
            "at": {"step": self.step, "portion": self.portions, "batch": self.batches, "processes": self.ranks.count},
            "data": self.digest,
            **told,
        }
        save(self.file, Checkpoint(self.network, about, optimizer, "" if is_over else examples))

    def add_to_digest(self, portion: Portion) -> None:
        """Count a portion among the data."""
        self.digest = blake2b(self.digest.encode() + portion.digest, digest_size=16).hexdigest()

    def batches_of(self, portion: Portion) -> list[NDArray[np.int64]]:
        """The places of a portion's goals, batch after batch."""
        sizes = np.array([len(goal.tokens) for goal in portion.goals])
        batches = list(chunked(sizes, self.settings.nodes))
        random.Random(f"{self.settings.seed} {self.portions}").shuffle(batches)
        return batches

    def _shared(self, batches: list[NDArray[np.int64]]) -> list[NDArray[np.int64]]:
        """Those of some batches that this process learns from; each has as many, and what is left over is left out."""
        count = self.ranks.count
        if len(batches) < count:
            raise InputError(f"There are {len(batches)} batches at a time for {count} processes; start fewer of them.")
        return batches[self.ranks.rank : len(batches) // count * count : count]

    def learn(self, portion: Portion, batch: NDArray[np.int64], window: Window) -> bool:
        """Make a step with the goals of a portion at some places; gives whether the training is to stop after it."""
        device = self.ranks.device
        goals = [portion.goals[place] for place in batch]
        moves = torch.from_numpy(np.repeat(np.arange(len(goals)), [len(goal.moves) for goal in goals])).to(device)
        keeps = torch.from_numpy(np.concatenate([portion.keeps[place] for place in batch])).to(device)
        provable = torch.from_numpy(portion.provable[batch]).to(device)
        with precision(device):
            judgement = self.network.judged(goals)
        judgement = judgement._replace(moves=judgement.moves.float(), provable=judgement.provable.float())
        found = loss(judgement, moves, keeps, provable)
        for group in self._optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self._optimizer.zero_grad()
        ((found.policy + found.provability) / len(goals)).backward()  # type: ignore[no-untyped-call]
        stopping = self.ranks.averaged(self.network.module.parameters(), self.stopping)
        torch.nn.utils.clip_grad_norm_(self.network.module.parameters(), self.settings.largest_gradient)
        self._optimizer.step()
        window.add(found, len(goals), sum(len(goal.tokens) for goal in goals))
        return stopping

    def _learning_rate(self) -> float:
        settings = self.settings
        rising = min(1.0, (self.step + 1) / settings.warm_up)
        return settings.learning_rate * rising * (1 + cos(pi * self.step / settings.steps)) / 2
