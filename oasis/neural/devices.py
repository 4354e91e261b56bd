"""Where networks compute: on the CPU, or on a GPU, where they train with 16-bit numbers.

Nothing is compiled: every batch has a size of its own, and torch would compile again and again (docs/measurements.md).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

import torch

from tactics.errors import InputError, check_choice

CPU: Final = torch.device("cpu")
DEVICES: Final = ("auto", "cpu", "cuda")
"""What a person may ask for; `auto` takes a GPU where there is one."""


def device_named(name: str) -> torch.device:
    """The device that a name stands for. Raises InputError for an unknown one, and where there is no GPU."""
    check_choice("--device", name, DEVICES)
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise InputError("--device cuda needs a GPU that torch can use, and there is none here; leave it out.")
    return torch.device("cuda" if there and name != "cpu" else "cpu")


def precision(device: torch.device) -> AbstractContextManager[Any]:
    """The numbers to compute with: bfloat16 for products of matrices on a GPU, where they are several times as fast."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
