"""A short reinforcement of a small network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from oasis.neural.reinforcement.lemmas import PoolSettings
from tactics.formula import Formula
from tactics.parser import parse
from tests.neural.modules import grpo, networks, options, ppo, torch, train
from tests.neural.small import small

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
KINDS = ("grpo", "ppo")


def settings(kind: str, steps: int, **others: Any) -> Any:
    made = options.GrpoSettings if kind == "grpo" else options.PpoSettings
    usual = {"drawn": 4, "group": 4, "mixed": 2, "every": 2, "warm_up": 2, "learning_rate": 1e-2}
    return made(**{"steps": steps, "pool": PoolSettings(lemmas=LEMMAS), **usual, **others})


def kind_of(kind: str) -> type[train.Reinforcement]:
    return grpo.Grpo if kind == "grpo" else ppo.Ppo


def started(kind: str, steps: int, file: Path, **others: Any) -> train.Reinforcement:
    return kind_of(kind)(settings(kind, steps, **others), file, 0, small(seed=3))


def stopped(kind: str, steps: int, file: Path, **others: Any) -> train.Reinforcement:
    """Return a training that was stopped after its first update, and is in its file."""
    training = started(kind, steps, file, **others)
    training.stop()
    list(training)
    return training


def weights(network: networks.Network) -> list[float]:
    return torch.cat([each.detach().flatten() for each in network.module.parameters()]).tolist()
