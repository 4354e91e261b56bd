"""A short reinforcement in a process of its own: `KIND FILE STEPS`, or `KIND FILE` to resume; it says each update."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch

from oasis.neural.networks.network import Network
from oasis.neural.networks.presets import from_json
from oasis.neural.reinforcement import train
from oasis.neural.reinforcement.grpo import Grpo
from oasis.neural.reinforcement.lemmas import PoolSettings
from oasis.neural.reinforcement.ppo import Ppo
from oasis.neural.reinforcement.settings import GrpoSettings, PpoSettings
from oasis.neural.reinforcement.train import Reinforcement
from tactics.formula import Formula
from tactics.parser import parse

LEMMAS = (
    *("A -> A \\/ B", "A -> B \\/ A", "A -> B \\/ (C \\/ A)", "A -> (B \\/ A) \\/ C"),
    *("A \\/ B -> B \\/ A", "A -> B -> (C \\/ A) /\\ (B \\/ C)", "((A -> B) -> C) -> B -> C \\/ A"),
)
SETS: dict[str, tuple[Formula, ...]] = {
    "ordinary": (parse("A -> A \\/ B"), parse("B -> A \\/ B")),
    "hard": (parse("A -> B \\/ (C \\/ (A \\/ B))"),),
    "large": (parse("B -> (A \\/ B) /\\ (B \\/ A)"),),
    "iltp": (parse("A \\/ ~A"),),
}
KINDS: dict[str, tuple[type[Reinforcement], type[Any]]] = {"grpo": (Grpo, GrpoSettings), "ppo": (Ppo, PpoSettings)}


def settings(kind: str, steps: int, **others: Any) -> Any:
    usual = {"drawn": 4, "group": 4, "mixed": 2, "every": 2, "warm_up": 2, "learning_rate": 1e-2}
    return KINDS[kind][1](**{"steps": steps, "pool": PoolSettings(lemmas=LEMMAS), **usual, **others})


def started(kind: str, steps: int, file: Path, **others: Any) -> Reinforcement:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        network = from_json({"kind": "relational", "width": 16, "layers": 2, "heads": 2})
    return KINDS[kind][0](settings(kind, steps, **others), file, 0, network)


def weights(network: Network) -> list[float]:
    return torch.cat([each.detach().flatten() for each in network.module.parameters()]).tolist()


def main(kind: str, file: Path, steps: int | None) -> None:
    torch.set_num_threads(1)
    with patch.multiple(train, examined=lambda: SETS, hundred=lambda: SETS["hard"]):
        training = KINDS[kind][0].resumed(file, 0) if steps is None else started(kind, steps, file)
        for told in training:
            print(told.step, told.surrogate, told.entropy, told.proved, told.value, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else None)
