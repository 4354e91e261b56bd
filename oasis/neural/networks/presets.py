"""Networks by name: their kinds, and the sizes that come ready."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import torch

from oasis.neural.networks.decoder import Decoder
from oasis.neural.networks.network import Network
from oasis.neural.networks.relational import Relational
from tactics.errors import check_choice

NETWORKS: Final[Mapping[str, type[Any]]] = {"relational": Relational, "decoder": Decoder}
"""The kinds of networks by name; each has `from_json`."""

PRESETS: Final[Mapping[str, Mapping[str, dict[str, int]]]] = {
    "relational": {
        "tiny": {"width": 64, "layers": 3, "heads": 4},
        "small": {"width": 128, "layers": 5, "heads": 8},
        "base": {"width": 320, "layers": 8, "heads": 10},
        "large": {"width": 512, "layers": 8, "heads": 16},
    },
    "decoder": {
        "tiny": {"width": 64, "layers": 3, "heads": 4},
        "small": {"width": 128, "layers": 5, "heads": 8},
        "base": {"width": 320, "layers": 8, "heads": 10},
        "large": {"width": 512, "layers": 8, "heads": 16},
    },
}
"""The sizes by kind and name: 0.19, 1.1, 10.6 and 27 million parameters; decoders 0.16, 1.0, 10.0 and 25.6."""

LEARNING_RATES: Final[Mapping[str, float]] = {"tiny": 3e-3, "small": 2e-3, "base": 3e-4, "large": 3e-4}
"""The highest one to train a size with; with 1e-3 `base` came to no attention in 6,000 steps."""


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
