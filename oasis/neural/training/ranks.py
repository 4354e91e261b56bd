"""Processes that train one network together, each on batches of its own: those that torchrun started."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import distributed
from torch.nn import Parameter

from oasis.neural.devices import CPU


@dataclass(frozen=True)
class Ranks:
    """A process among those that train together; by itself it is the first and only one.

    Attributes:
        rank: its number, from 0; the first one tells how it goes, and writes the checkpoints.
        count: how many they are.
        device: where it computes.
    """

    rank: int = 0
    count: int = 1
    device: torch.device = CPU

    @property
    def is_first(self) -> bool:
        """Whether this one speaks for all."""
        return self.rank == 0

    def averaged(self, parameters: Iterable[Parameter], stopping: bool) -> bool:
        """Put the mean of all processes' gradients in place of this one's; gives whether any of them is to stop.

        All have to ask at the same step, so all learn at the same step that one of them was told to stop.
        """
        if self.count == 1:
            return stopping
        gradients = [each.grad for each in parameters if each.grad is not None]
        told = torch.tensor([float(stopping)], device=self.device)
        flat = torch.cat([*(gradient.flatten() for gradient in gradients), told])
        distributed.all_reduce(flat)
        parts = torch.split(flat[:-1] / self.count, [gradient.numel() for gradient in gradients])
        for gradient, part in zip(gradients, parts, strict=True):
            gradient.copy_(part.view_as(gradient))
        return bool(flat[-1] > 0)

    def summed(self, numbers: NDArray[Any]) -> NDArray[Any]:
        """The sum over all processes of some numbers, which all of them ask for."""
        if self.count == 1:
            return numbers
        total = torch.from_numpy(numbers).to(self.device)
        distributed.all_reduce(total)
        return np.asarray(total.cpu().numpy())


@contextmanager
def together(device: torch.device) -> Iterator[Ranks]:
    """Meet the processes that torchrun started beside this one, over NCCL on GPUs (one each) and Gloo otherwise."""
    if "RANK" not in os.environ:
        yield Ranks(device=device)
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Ranks(distributed.get_rank(), distributed.get_world_size(), device)
    finally:
        distributed.destroy_process_group()
