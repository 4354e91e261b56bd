"""What tests of networks share: small networks, and the truth by another engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from oasis.neural.encoding.moves import Formulas, formulas_of
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.errors import InputError
from tactics.goal import Goal
from tests.neural.modules import loop, networks, presets, torch

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


def numbers(told: Iterable[Any]) -> list[dict[str, object]]:
    """Return all that is told of a training but its speed."""
    return [{name: of for name, of in vars(each).items() if not name.endswith("_per_second")} for each in told]


def check_goes_on_as_it_was(started: Callable[[str], loop.Loop], stop: int, kept: int) -> None:
    """Check that a training whose process was killed ends as one that was not.

    Args:
        started: begins the training in a file of a name.
        stop: the step after which it is killed.
        kept: the step at which its file was written last.
    """
    whole, cut = started("whole"), started("cut")
    wanted = numbers(whole)
    for each in cut:
        if each.step >= stop:
            break
    resumed = type(cut).resumed(cut.file, workers=0)
    assert resumed.step == kept
    assert numbers(resumed) == [told for told in wanted if int(str(told["step"])) > kept]
    assert whole.file.read_bytes() == cut.file.read_bytes()
    with pytest.raises(InputError, match="is over"):
        type(cut).resumed(cut.file)
