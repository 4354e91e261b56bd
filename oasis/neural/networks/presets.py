"""Networks by name: their kinds, in the sizes that come ready."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import torch

from oasis.neural.networks.decoder import Decoder
from oasis.neural.networks.network import Network
from oasis.neural.networks.relational import Relational
from oasis.neural.networks.sizes import PRESETS
from tactics.errors import check_choice

NETWORKS: Final[Mapping[str, type[Any]]] = {"relational": Relational, "decoder": Decoder}
"""The kinds of networks by name; each has `from_json`."""


def made(kind: str, preset: str, seed: int) -> Network:
    """A network with random weights; the same for a seed. Raises InputError for an unknown kind or preset."""
    check_choice("--network", kind, NETWORKS)
    check_choice("--preset", preset, PRESETS[kind])
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return from_json({"kind": kind, **PRESETS[kind][preset]})


def writes(kind: str) -> bool:
    """Whether networks of a kind write moves by themselves. Raises InputError for an unknown kind."""
    check_choice("--network", kind, NETWORKS)
    return hasattr(NETWORKS[kind], "written")


def to_json(network: Network) -> dict[str, Any]:
    """What a network is built of."""
    kind = next(kind for kind, made in NETWORKS.items() if isinstance(network, made))
    return {"kind": kind, **network.to_json()}


def from_json(content: Mapping[str, Any]) -> Network:
    """A network as `to_json` tells of it, with random weights. Raises KeyError, TypeError or ValueError for others."""
    content = dict(content)
    network: Network = NETWORKS[content.pop("kind")].from_json(content)
    return network
