"""The frame of every training: steps of the optimizer, alone or by several processes, and checkpoints to go on from.

What happens at a step depends on the settings and the number of the step, never on the clock, so a training that was
killed goes on as if it had not been. What is learned from is left to each kind of training.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Self

from torch import Tensor

from oasis.neural.files import trusting
from oasis.neural.networks.network import Network
from oasis.neural.training.checkpoint import Checkpoint, load, save
from oasis.neural.training.descent import Descent
from oasis.neural.training.progress import Told
from oasis.neural.training.ranks import Ranks
from oasis.neural.training.settings import LoopSettings
from tactics.errors import InputError, printable


class Loop(ABC):
    """A training: iterate over it to train, and to hear how it goes.

    Args:
        settings: what it depends on.
        file: where the checkpoint is written.
        workers: processes that make data; with none, this one does.
        network: what is trained.

    Attributes:
        step: steps made.
        digest: stands for what was learned from so far.
        descent: the optimizer of the network.
        ranks: the processes that train together; this one alone unless it joined others.
        stopping: set it to end the training after the step that is being made, with a checkpoint to go on with.
    """

    KIND: ClassVar[str]
    """How checkpoints call such a training, and its command is called."""
    SETTINGS: ClassVar[type[LoopSettings]]

    def __init__(self, settings: LoopSettings, file: Path, workers: int, network: Network) -> None:
        self.settings, self.file, self.workers, self.network = settings, file, workers, network
        self.step = 0
        self.digest = ""
        self.ranks, self.stopping = Ranks(), False
        self.descent = Descent(network, settings.weight_decay, settings.largest_gradient)

    @classmethod
    def resumed(cls, file: Path, workers: int = 1, trusted: str = "") -> Self:
        """The training that a file holds, at the step at which it was written.

        A file is data, and perhaps from elsewhere: it imports nothing that was not named by a person.

        Args:
            file: a checkpoint, after the code of its network if that is somebody's own (`oasis.neural.files.trusting`).
            workers: processes that make data; with none, this one does.
            trusted: code of somebody's own that the training may import, as `LoopSettings.imported` calls it.

        Raises InputError for a file that holds no training under way, or another kind of training, or one that runs
        other code than what is trusted.
        """
        file = trusting(str(file))
        checkpoint = load(file)
        kind = printable(str(checkpoint.about.get("training", cls.KIND)))[:20]
        if kind != cls.KIND:
            raise InputError(f"{file} is of another training; go on with oasis policy {kind} --resume {file}.")
        if checkpoint.about.get("over", not checkpoint.optimizer):
            raise InputError(f"The training of {file} is over; train another one with oasis policy {cls.KIND} -o FILE.")
        try:
            settings = cls.SETTINGS.from_json(checkpoint.about["settings"])
            _check_trusted(settings.imported, trusted)
            self = cls(settings, file, workers, checkpoint.network)
            self.restore(checkpoint)
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
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
        self.network.module.to(ranks.device)
        self.descent.move_to(ranks.device)

    def stop(self) -> None:
        """End after the step that is being made, with a checkpoint to go on with."""
        self.stopping = True

    @abstractmethod
    def __iter__(self) -> Iterator[Told]:
        """Train to the end, and write the checkpoint now and then, and in the end."""

    def steps(self) -> Iterator[Told]:
        """Train as iterating does; also yield how it goes after steps with which no report is due (`SoFar`)."""
        yield from self

    @property
    def is_over(self) -> bool:
        """Whether all steps have been made."""
        return self.step >= self.settings.steps

    @property
    def learning_rate(self) -> float:
        """That of the step that comes next."""
        return self.settings.learning_rate * min(1.0, (self.step + 1) / self.settings.warm_up)

    def descend(self, losses: Iterable[Tensor]) -> bool:
        """Make a step down the gradient of a sum of losses; gives whether any process is to stop after it.

        Each loss is differentiated before the next one is worked out, so that they need not fit into memory together.
        """
        self.descent.begin()
        for loss in losses:
            loss.backward()  # type: ignore[no-untyped-call]
        stopping = self.ranks.averaged(self.descent.parameters, self.stopping)
        if not self.descent.step(self.learning_rate):
            raise InputError(
                f"The gradient of step {self.step + 1:,} is no number; {self.file} is as it was written last, if it "
                "was. Train again with a smaller --learning-rate."
            )
        self.step += 1
        return stopping

    def restore(self, checkpoint: Checkpoint) -> None:
        """Be where a checkpoint was. Raises what Python raises for content of another form if that is not told."""
        place = checkpoint.about["at"]
        self.step = int(place["step"])
        if not 0 <= self.step <= self.settings.steps or self.is_over:
            raise ValueError("step")
        self.digest = str(checkpoint.about["data"])
        self.ranks = Ranks(count=int(place["processes"]))
        self.descent.restore(checkpoint.optimizer)

    @property
    def place(self) -> dict[str, int]:
        """Where it is, as a checkpoint tells it."""
        return {"step": self.step, "processes": self.ranks.count}

    def more_to_keep(self) -> tuple[Mapping[str, Any], str]:
        """What a checkpoint tells besides, and the text that it holds while the training is under way."""
        return {}, ""

    @property
    def kept(self) -> str:
        """Which network the file holds, and what it proves, where that is not the latest one; else empty."""
        return ""

    def remark(self) -> str:
        """What people should know of what was learned from; empty if all went as usual."""
        return ""

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
            "data": self.digest,
        }

    @property
    def again(self) -> str:
        """Say how the training goes on."""
        return f"go on with oasis policy {self.KIND} --resume {self.file}"

    @property
    def without_memory(self) -> str:
        """Say what to do when memory ran out."""
        return (
            f"The memory was not enough for step {self.step + 1:,}. Close other programs and "
            f"{self.again if self.file.exists() else 'train again'}, or train a smaller network."
        )

    def said(self, last: Told) -> str:
        """Say what came of the training, by what was told last."""
        solved, number = last.solved, min(self.settings.exam or 100, 100)
        proved = "" if solved is None else f"; {solved:.0%} of {number} hard theorems proved, no move taken back"
        return f"{self.file}: {self.step:,} steps; {last.outcome}{f'; {self.kept}' if self.kept else ''}{proved}"

    @property
    def result(self) -> Network:
        """The network that checkpoints are of."""
        return self.network

    def of_parameters(self) -> dict[str, Tensor]:
        """What is needed of each parameter to go on, by its name and what it is."""
        return self.descent.kept()

    def save(self) -> None:
        """Write the checkpoint."""
        told, text = self.more_to_keep()
        about = {
            "training": self.KIND,
            "settings": asdict(self.settings),
            "at": self.place,
            "data": self.digest,
            "over": self.is_over,
            **told,
        }
        kept = {} if self.is_over else self.of_parameters()
        save(self.file, Checkpoint(self.result, about, kept, "" if self.is_over else text))


def _check_trusted(imported: str, trusted: str) -> None:
    """Raises InputError for a checkpoint whose training runs other code than a person named."""
    if imported == trusted:
        return
    if not imported:
        raise InputError("--resume goes on as the training began; leave out --reward, or train another network.")
    code = printable(imported)
    raise InputError(f"What pays the training is code of somebody's own; if you trust it, add --reward {code}.")
