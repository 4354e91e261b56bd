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
