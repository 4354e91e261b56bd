"""Networks that are kept in files, as policies; torch is imported when a file is read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oasis.ground.names import NETWORKS
from oasis.neural.installed import check_installed

if TYPE_CHECKING:
    from oasis.neural.networks.network import Network
    from oasis.neural.policy import NetworkPolicy

CHECKPOINT: Final = ".safetensors"
"""How the name of a network's file ends."""
TINY: Final = "tiny"
"""The name of the network that comes along."""
_OWN: Final = re.compile(r"([\w.]+:\w+):(.+)")


def network(file: Path) -> NetworkPolicy:
    """Return the policy of a trained network, and let torch compute on one thread from now on.

    A few goals are asked about at a time, for which more threads mostly wait for each other. Raises InputError if the
    file is none, and LibraryMissing.
    """
    check_installed()
    import torch

    from oasis.neural.policy import policy_of
    from oasis.neural.training.checkpoint import load

    torch.set_num_threads(1)
    checkpoint = load(file)
    return policy_of(checkpoint.network, checkpoint.temperature)


def split(name: str) -> tuple[str, str]:
    """Return the code of somebody's own network and its file, as in `mine:Net:FILE`; no code if none is named."""
    found = _OWN.fullmatch(name)
    return (found[1], found[2]) if found else ("", name)


def trusting(name: str) -> Path:
    """Return a network's file, and import the code that is named before it, which alone would not be run.

    Raises InputError if there is no such code.
    """
    code, file = split(name)
    if code:
        NETWORKS.find(code, "--policy")
    return Path(file)


@contextmanager
def checkpoint_file(name: str) -> Iterator[Path]:
    """The file of a checkpoint: that of the network that comes along for `tiny`, and else the one that is named."""
    if name != TINY:
        yield trusting(name)
        return
    with resources.as_file(resources.files("oasis.neural") / "data" / f"{TINY}{CHECKPOINT}") as file:
        yield file


def begun_from(name: str) -> tuple[Network, str]:
    """Return the network of a checkpoint that a training goes on from, and what stands for it. Raises InputError."""
    from oasis.neural.training.checkpoint import load
    from oasis.neural.training.header import digest

    with checkpoint_file(name) as file:
        return load(file).network, digest(file)


def tiny() -> NetworkPolicy:
    """The policy of the network that comes along. Raises InputError if the libraries are missing."""
    with checkpoint_file(TINY) as file:
        return network(file)
