"""Supervised training: a network learns from the oracle which moves keep a goal provable, and which goals are.

Both heads are trained at once. What happens at a step depends on the settings and the number of the step, never on the
clock, so a training that was killed goes on as if it had not been.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from math import cos, pi
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self

import numpy as np
import torch

from oasis.neural.encoding.batch import chunked
from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import made
from oasis.neural.policy import NetworkPolicy
from oasis.neural.training.checkpoint import Checkpoint, load, save
from oasis.neural.training.data import DataSettings, Portion
from oasis.neural.training.loss import Loss, loss
from oasis.neural.training.solving import hundred, solve_rate
from oasis.neural.training.stream import streamed
from tactics.errors import InputError

REPORT_EVERY: Final = 50
"""Steps."""
SAVE_EVERY: Final = 500
"""Steps; the fixed hundred are played as often."""
_BETAS: Final = (0.9, 0.98)
_KEPT: Final = ("step", "exp_avg", "exp_avg_sq")
"""What AdamW knows of a parameter."""


@dataclass(frozen=True)
class SftSettings:
    """What a supervised training depends on.

    Attributes:
        network: its kind.
        preset: its size.
        seed: of its first weights, and of the order of the goals.
        steps: of the optimizer, at least 1.
        learning_rate: the highest; it rises evenly in the first `warm_up` steps, and falls as a cosine to 0.
        warm_up: steps.
        nodes: in a batch, padding included.
        weight_decay: AdamW's (Loshchilov and Hutter 2019).
        largest_gradient: its norm is cut down to this.
        data: what it learns from.

    Raises InputError for what cannot be.
    """

    network: str = "relational"
    preset: str = "tiny"
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
        data = content["data"]
        return cls(**{**content, "data": DataSettings(**{**data, "connectives": tuple(data["connectives"])})})


@dataclass(frozen=True)
class Progress:
    """What became of the last steps.

    Attributes:
        step: how many have been made.
        policy_loss: -log of the probability of the moves that keep, a goal with moves.
        provability_loss: binary cross-entropy of a goal.
        choices: share of the goals with moves whose likeliest move keeps.
        verdicts: share of the goals that were judged right.
        states_per_second: goals, by the clock.
        nodes_per_second: their nodes, without padding.
        solved: share of the fixed hundred that are proved now; None where they were not played.
    """

    step: int
    policy_loss: float
    provability_loss: float
    choices: float
    verdicts: float
    states_per_second: float
    nodes_per_second: float
    solved: float | None = None


class Training:
    """A supervised training: iterate over it to train, and to hear how it goes.

    Args:
        settings: what it depends on.
        file: where the checkpoint is written.
        workers: processes that make data; with none, this one does.

    Attributes:
        network: what is trained.
        step: steps made.
        stopping: set it to end the training after the step that is being made, with a checkpoint to go on with.
    """

    def __init__(self, settings: SftSettings, file: Path, workers: int = 1) -> None:
        self.settings, self.file, self.workers = settings, file, workers
        self.network: Network = made(settings.network, settings.preset, settings.seed)
        self.step = self.portions = self.batches = 0
        self.digest = ""
        self.stopping = False
        self._optimizer = self._new_optimizer()

    @classmethod
    def resumed(cls, file: Path, workers: int = 1) -> Self:
        """The training that a file holds, at the step at which it was written.

        Raises InputError for a file that holds no training under way.
        """
        checkpoint = load(file)
        if not checkpoint.optimizer:
            raise InputError(f"The training of {file} is over; train another one with oasis policy sft -o FILE.")
        try:
            self = cls(SftSettings.from_json(checkpoint.about["settings"]), file, workers)
            place = checkpoint.about["at"]
            self.step, self.portions, self.batches = (int(place[name]) for name in ("step", "portion", "batch"))
            self.digest = str(checkpoint.about["data"])
            self.network.module.load_state_dict(checkpoint.network.module.state_dict())
            for name, parameter in self.network.module.named_parameters():
                self._optimizer.state[parameter] = {
                    kept: checkpoint.optimizer[f"{name}.{kept}"].clone() for kept in _KEPT
                }
        except (KeyError, RuntimeError, TypeError, ValueError):
            raise InputError(f"{file} does not hold what a training needs to go on; train it again.") from None
        return self

    def __iter__(self) -> Iterator[Progress]:
        """Train to the end, and write the checkpoint now and then, and in the end."""
        window = Window()
        for portion in streamed(self.settings.data, self.network.form, self.portions, self.workers):
            for batch in self.batches_of(portion)[self.batches :]:
                self.learn(portion, batch, window)
                self.batches += 1
                self.step += 1
                ended = self.stopping or self.step == self.settings.steps
                if ended or self.step % REPORT_EVERY == 0:
                    is_save = ended or self.step % SAVE_EVERY == 0
                    solved = solve_rate(NetworkPolicy(self.network), hundred()) if is_save else None
                    if is_save:
                        self.save()
                    yield window.progress(self.step, solved)
                    window = Window()
                if ended:
                    return
            self.portions, self.batches = self.portions + 1, 0
            self.digest = blake2b(self.digest.encode() + portion.digest, digest_size=16).hexdigest()

    @property
    def parameters(self) -> int:
        """How many numbers are trained."""
        return sum(parameter.numel() for parameter in self.network.module.parameters())

    def to_json(self) -> dict[str, Any]:
        """What is trained, how, and how far."""
        return {
            "file": str(self.file),
            "parameters": self.parameters,
            "settings": asdict(self.settings),
            "step": self.step,
            "portions": self.portions,
            "data": self.digest,
        }

    def save(self) -> None:
        """Write the checkpoint."""
        optimizer = {
            f"{name}.{kept}": self._optimizer.state[parameter][kept]
            for name, parameter in self.network.module.named_parameters()
            for kept in _KEPT
            if self.step < self.settings.steps
        }
        about = {
            "training": "sft",
            "settings": asdict(self.settings),
            "at": {"step": self.step, "portion": self.portions, "batch": self.batches},
            "data": self.digest,
        }
        save(self.file, Checkpoint(self.network, about, optimizer))

    def batches_of(self, portion: Portion) -> list[np.ndarray[Any, np.dtype[np.int64]]]:
        """The places of a portion's goals, batch after batch."""
        sizes = np.array([len(goal.tokens) for goal in portion.goals])
        batches = list(chunked(sizes, self.settings.nodes))
        random.Random(f"{self.settings.seed} {self.portions}").shuffle(batches)
        return batches

    def learn(self, portion: Portion, batch: np.ndarray[Any, np.dtype[np.int64]], window: Window) -> None:
        """Make a step with the goals of a portion at some places."""
        goals = [portion.goals[place] for place in batch]
        moves = torch.from_numpy(np.repeat(np.arange(len(goals)), [len(goal.moves) for goal in goals]))
        keeps = torch.from_numpy(np.concatenate([portion.keeps[place] for place in batch]))
        provable = torch.from_numpy(portion.provable[batch])
        found = loss(self.network.judged(goals), moves, keeps, provable)
        for group in self._optimizer.param_groups:
            group["lr"] = self._learning_rate()
        self._optimizer.zero_grad()
        ((found.policy + found.provability) / len(goals)).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.network.module.parameters(), self.settings.largest_gradient)
        self._optimizer.step()
        window.add(found, len(goals), sum(len(goal.tokens) for goal in goals))

    def _learning_rate(self) -> float:
        settings = self.settings
        rising = min(1.0, (self.step + 1) / settings.warm_up)
        return settings.learning_rate * rising * (1 + cos(pi * self.step / settings.steps)) / 2

    def _new_optimizer(self) -> torch.optim.AdamW:
        parameters = self.network.module.parameters()
        return torch.optim.AdamW(parameters, lr=0.0, betas=_BETAS, weight_decay=self.settings.weight_decay)


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

    def progress(self, step: int, solved: float | None) -> Progress:
        """What is told after a step."""
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
        )
