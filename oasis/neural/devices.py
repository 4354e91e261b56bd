"""Where networks compute: on the CPU with 32-bit numbers, or on a GPU with 16-bit ones and compiled layers."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

import torch

from oasis.neural.networks.network import Network
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


def placed(network: Network, device: torch.device) -> Network:
    """A network moved to a device; on a GPU it is compiled when it is first asked, for goals of any number and size."""
    network.module.to(device)
    if device.type == "cuda":
        network.module.compile(dynamic=True)
    return network


def precision(device: torch.device) -> AbstractContextManager[Any]:
    """The numbers to compute with: bfloat16 for products of matrices on a GPU, where they are several times as fast."""
    return torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda")
