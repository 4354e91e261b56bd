"""Networks by name: their kinds, in the sizes that come ready."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

import torch

from oasis.ground.names import NETWORKS
from oasis.neural.networks.network import Network
from oasis.neural.networks.pretrained import begun
from oasis.neural.networks.sizes import LAYERS, PRESETS
from tactics.errors import InputError, check_choice, printable

CERTAIN: Final = 0.3
"""Share of the goals without a losing move that networks learn from which write."""


def made(kind: str, preset: str, seed: int, model: str | None = None, layers: int | None = None) -> Network:
    """Return a network with random weights, or with a language model's; the same for a seed.

    Args:
        kind: of network.
        preset: its size.
        seed: of the random weights.
        model: what it begins with if it is a language model (`oasis.neural.networks.pretrained.begun`).
        layers: how many of its layers, the lowest.

    Raises InputError for an unknown kind, preset or model.
    """
    check_choice("--preset", preset, PRESETS)
    of_kind = NETWORKS.find(kind)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network: Network = of_kind.from_json(dict(PRESETS[preset])) if model is None else begun(model, layers or LAYERS)
        return network


def learned_from(kind: str | type) -> Mapping[str, Any]:
    """Return the settings of data that suit networks of a kind: its `LEARNS_FROM`, and what networks that write need.

    Raises InputError for an unknown kind.
    """
    of_kind = NETWORKS.find(kind) if isinstance(kind, str) else kind
    writes = {"certain": CERTAIN} if hasattr(of_kind, "written") else {}
    return {**writes, **getattr(of_kind, "LEARNS_FROM", {})}


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
