"""What tests of networks share: small networks, and the truth by another engine."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from oasis.neural.encoding.moves import Formulas, formulas_of
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.goal import Goal
from tests.neural.modules import networks, presets, progress, torch

KINDS: Final = ("relational", "decoder")
"""Of networks; those of `oasis.neural.networks.presets`, which imports torch."""
TINY: Final = Path(__file__).parents[2] / "oasis/neural/data/tiny.safetensors"
"""The network that comes along."""


def small(kind: str = "relational", seed: int = 0) -> networks.Network:
    """Return a network of two layers with random weights, the same for a seed."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return presets.from_json({"kind": kind, "width": 16, "layers": 2, "heads": 2})


def is_provable(goal: Goal | Formulas) -> bool:
    """Decide a goal, or its conclusion and hypotheses, with an engine that no network learns from."""
    conclusion, *hypotheses = formulas_of(goal) if isinstance(goal, Goal) else goal
    return isinstance(Intuit().decide(hypotheses, conclusion), Proved)


def losses(progress: list[progress.Progress]) -> list[tuple[object, ...]]:
    """Return the numbers of a supervised training that are the same if it goes on as it was."""
    return [
        (each.step, each.policy_loss, each.provability_loss, each.choices, each.verdicts, each.lost)
        for each in progress
    ]
