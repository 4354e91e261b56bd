"""What tests of networks share: small networks, the truth by another engine, and commands that run in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from typer.testing import CliRunner, Result

from oasis.cli.main import app
from oasis.neural.encoding.moves import Formulas, formulas_of
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.errors import InputError
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


def ran(*arguments: str) -> Result:
    """Run `oasis policy` in this process; return what it printed. It must not fail."""
    done = CliRunner().invoke(app, ["policy", *arguments])
    if done.exception is not None:
        raise done.exception
    return done


def told(*arguments: str) -> Any:
    """Return what `oasis policy … --json` prints."""
    return json.loads(ran(*arguments, "--json").stdout)


def refused(*arguments: str) -> str:
    """Return the sentence with which `oasis policy` refuses its arguments."""
    error = CliRunner().invoke(app, ["policy", *arguments]).exception
    assert isinstance(error, InputError), (arguments, error)
    return str(error)


def losses(progress: list[progress.Progress]) -> list[tuple[object, ...]]:
    """Return the numbers of a supervised training that are the same if it goes on as it was."""
    return [
        (each.step, each.policy_loss, each.provability_loss, each.choices, each.verdicts, each.lost)
        for each in progress
    ]
