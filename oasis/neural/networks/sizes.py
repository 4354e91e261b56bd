"""The sizes of networks that come ready. Imports no torch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

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
LANGUAGE: Final = "lm"
"""The kind that begins with the lower layers of a language model, whatever the size."""
LAYERS: Final = 6
"""How many layers it takes unless told otherwise."""
USUAL: Final[Mapping[str, int]] = {"steps": 6_000, "nodes": 3_000, "warm_up": 100}
"""How a network is trained unless told otherwise: steps, nodes of the goals of a step, steps of warm-up."""
OF_LANGUAGE: Final[Mapping[str, float]] = {"steps": 600, "nodes": 800, "warm_up": 10, "learning_rate": 3e-4}
"""The same for a language model, which has learned something already and takes a hundred times as long for a goal."""
FROM_NOTHING: Final = 6e-4
"""The learning rate of a language model with random weights."""
