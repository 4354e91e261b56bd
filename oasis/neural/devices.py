"""Where networks compute, on the CPU or on a GPU, and with what numbers; on a GPU they train with 16 bits.

Nothing is compiled: every batch has a size of its own, and torch would compile again and again (docs/measurements.md).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Final

import torch

from tactics.errors import InputError, check_choice

CPU: Final = torch.device("cpu")
DEVICES: Final = ("auto", "cpu", "cuda")
"""What a person may ask for; `auto` takes a GPU where there is one."""
PRECISIONS: Final = ("auto", "float32", "bfloat16")
"""What a person may ask for; `auto` takes bfloat16 on a GPU, where it is several times as fast, and else float32."""
_chosen: Final = ContextVar("precision", default="auto")


def device_named(name: str) -> torch.device:
    """The device that a name stands for. Raises InputError for an unknown one, and where there is no GPU."""
    check_choice("--device", name, DEVICES)
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise InputError("--device cuda needs a GPU that torch can use, and there is none here; leave it out.")
    return torch.device("cuda" if there and name != "cpu" else "cpu")


@contextmanager
def computing(name: str) -> Iterator[None]:
    """Have networks that train and play within multiply matrices in numbers of a precision.

    Weights, gradients and what an optimizer knows keep 32 bits, of which bfloat16 has the upper half: a weight of .05
    that had no more would not notice a step of 5e-6. Raises InputError for an unknown precision.
    """
    check_choice("--precision", name, PRECISIONS)
    token = _chosen.set(name)
    try:
        yield
    finally:
        _chosen.reset(token)


def precision(device: torch.device) -> AbstractContextManager[Any]:
    """The numbers to multiply matrices in on a device: those of `computing`, and else what suits it."""
    name = _chosen.get()
    is_halved = device.type == "cuda" if name == "auto" else name == "bfloat16"
    return torch.autocast(device.type, torch.bfloat16, enabled=is_halved)
