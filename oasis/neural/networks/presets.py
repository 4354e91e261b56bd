"""Networks by name: their kinds, in the sizes that come ready."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import torch

from oasis.ground.names import NETWORKS
from oasis.neural.networks.network import Network
from oasis.neural.networks.sizes import PRESETS
from tactics.errors import InputError, check_choice, printable


def made(kind: str, preset: str, seed: int) -> Network:
    """A network with random weights; the same for a seed. Raises InputError for an unknown kind or preset."""
    check_choice("--preset", preset, PRESETS)
    of_kind = NETWORKS.find(kind)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network: Network = of_kind.from_json(dict(PRESETS[preset]))
        return network


def writes(kind: str) -> bool:
    """Whether networks of a kind write moves by themselves. Raises InputError for an unknown kind."""
    return hasattr(NETWORKS.find(kind), "written")


def to_json(network: Network) -> dict[str, Any]:
    """What a network is built of."""
    return {"kind": NETWORKS.name_of(type(network)), **network.to_json()}


def from_json(content: Mapping[str, Any]) -> Network:
    """A network as `to_json` tells of it, with random weights.

    What tells of it may be a file from elsewhere, so a kind of somebody's own has to be imported already. Raises
    InputError if it is not, and KeyError, TypeError or ValueError for other content.
    """
    content = dict(content)
    kind = content.pop("kind")
    module, is_own, _ = kind.partition(":")
    if is_own and module not in sys.modules:
        code = printable(kind)
        raise InputError(f"The network runs code of somebody's own; if you trust it, name it as {code}:FILE.")
    network: Network = (NETWORKS.find(kind) if is_own else NETWORKS[kind]).from_json(content)
    return network
