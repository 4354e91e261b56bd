"""How large the networks are that come ready, and how they are usually trained. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

PRESETS: Final[Mapping[str, Mapping[str, int]]] = {
    "tiny": {"width": 64, "layers": 3, "heads": 4},
    "small": {"width": 128, "layers": 5, "heads": 8},
    "base": {"width": 320, "layers": 8, "heads": 10},
    "large": {"width": 512, "layers": 8, "heads": 16},
}
"""The sizes by name: relational networks have 0.19, 1.1, 10.6 and 27 million parameters, decoders 0.16, 1.0, 10.0 and
25.6."""

LEARNING_RATES: Final[Mapping[str, float]] = {"tiny": 3e-3, "small": 2e-3, "base": 3e-4, "large": 3e-4}
"""The highest one to train a size with; with 1e-3 `base` came to no attention in 6,000 steps."""


class Usual(NamedTuple):
    """How networks of a kind are trained unless told otherwise; the class of a kind has it as `USUAL`.

    Attributes:
        steps: of the optimizer.
        nodes: of the goals of a step, or their tokens.
        warm_up: steps in which the learning rate rises.
        learning_rates: the highest one by size or, of a kind that begins with a model, by model; "" for any other.
        model: that a kind with a method `begun` begins with; None for random weights in one of the sizes.
        layers: how many of the model's lowest layers; None for random weights.
        data: settings of `oasis.neural.training.settings.DataSettings`.
    """

    steps: int = 6_000
    nodes: int = 3_000
    warm_up: int = 100
    learning_rates: Mapping[str, float] = LEARNING_RATES
    model: str | None = None
    layers: int | None = None
    data: Mapping[str, Any] = MappingProxyType({})

    def learning_rate(self, begun: str) -> float:
        """Return the highest learning rate of a network of some size, or begun with some model."""
        return self.learning_rates.get(begun, self.learning_rates.get("", LEARNING_RATES["tiny"]))


LANGUAGE: Final = Usual(
    steps=600,
    nodes=800,
    warm_up=10,
    learning_rates={"": 3e-4, "none": 6e-4},
    model="smollm2",
    layers=6,
    data={"eager": 1.0, "parts": 4, "astray": 0.5, "theorems": 80},
)
"""Those of a language model, which has learned something already, and takes a hundred times as long for a goal: it
learns from goals with a real choice, from further questions, and little at a time."""
