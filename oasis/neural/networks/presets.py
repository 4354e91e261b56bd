"""Networks by name: their kinds, in the sizes that come ready."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

import torch

from oasis.ground.names import NETWORKS
from oasis.ground.plugins import foreign
from oasis.neural.networks.network import Network
from oasis.neural.networks.sizes import PRESETS, Usual
from oasis.neural.training.settings import DataSettings
from tactics.errors import InputError, check_choice, printable

CERTAIN: Final = 0.3
"""Share of the goals without a losing move that networks learn from which write."""


def made(kind: str, preset: str, seed: int, model: str | None = None, layers: int | None = None) -> Network:
    """Return a network with random weights, or with those of a model; the same for a seed.

    Args:
        kind: of network.
        preset: its size, unless it begins with a model.
        seed: of the random weights.
        model: what it begins with, as its kind has it (`begun`).
        layers: how many of its layers, the lowest; None for as many as is usual.

    Raises InputError for an unknown kind, preset or model, and for a kind of somebody's own that fails.
    """
    check_choice("--preset", preset, PRESETS)
    of_kind = NETWORKS.find(kind)
    with torch.random.fork_rng(devices=[]), foreign(f"--network {kind}"):
        torch.manual_seed(seed)
        network: Network = (
            of_kind.from_json(dict(PRESETS[preset]))
            if model is None
            else of_kind.begun(model, usual_of(of_kind).layers if layers is None else layers)
        )
        return network


def usual_of(kind: str | type) -> Usual:
    """Return how networks of a kind are usually trained: its `USUAL`, and what networks that write need.

    Raises InputError for an unknown kind, and for one of somebody's own that does not tell it.
    """
    of_kind = NETWORKS.find(kind) if isinstance(kind, str) else kind
    writes = {"certain": CERTAIN} if hasattr(of_kind, "written") else {}
    usual = getattr(of_kind, "USUAL", Usual())
    is_fit = isinstance(usual, Usual) and usual.data.keys() <= {each.name for each in fields(DataSettings)}
    if not is_fit or (usual.model is not None and not hasattr(of_kind, "begun")):
        told = (
            "a Usual of oasis.neural.networks.sizes, with a model only beside a method begun, and data as DataSettings"
        )
        raise InputError(f"The network {of_kind.__name__} has a USUAL that is of no use; give it {told}.")
    return usual._replace(data={**writes, **usual.data})


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
    check_trusted(kind)
    network: Network = (NETWORKS.find(kind) if ":" in kind else NETWORKS[kind]).from_json(content)
    return network


def check_trusted(kind: str) -> None:
    """Raise InputError for a kind of somebody's own that a file names, and that has not been imported already."""
    module, is_own, _ = kind.partition(":")
    if is_own and module not in sys.modules:
        code = printable(kind)
        raise InputError(f"The network runs code of somebody's own; if you trust it, name it as {code}:FILE.")
