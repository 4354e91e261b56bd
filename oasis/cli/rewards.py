"""Rewards on the command line: their names, as in `--reward dagger:all:P=0.3`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from oasis.student.settings import WEIGHTS
from tactics.errors import InputError


@dataclass(frozen=True)
class Weighing:
    """How the terms of R† are weighed."""

    weights: Annotated[str | None, WEIGHTS] = None


def read_reward(names: str, weights: str | None) -> str:
    """The reward, or the comma list of them, with what --weights says of R†. Raises InputError."""
    if weights is None:
        return names
    from oasis.dagger.making import PREFIX, described, weights_of

    each = [name.strip() for name in names.split(",")]
    if PREFIX not in each:
        raise InputError(f"--weights says all about --reward {PREFIX}, and does not go with --reward {names}.")
    return ",".join(described(weights_of(weights)) if name == PREFIX else name for name in each)
