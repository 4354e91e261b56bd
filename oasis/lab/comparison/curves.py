"""Curves of students as numbers: bins of episodes."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from oasis.lab.statistics import Floats

POINTS: Final = 50
"""Of a curve at most; episodes of longer ones are put into bins."""
_WIDTHS: Final = (1, 2, 5)
"""Of bins, times powers of ten."""


def bin_width(episodes: int) -> int:
    """The smallest round number of episodes such that a curve has at most `POINTS` points."""
    power = 1
    while True:
        for factor in _WIDTHS:
            if factor * power * POINTS >= episodes:
                return factor * power
        power *= 10


def binned(curves: ArrayLike, width: int) -> tuple[Floats, Floats]:
    """The middles of bins of episodes, counted from 1, and the means of curves in them; the last may be narrower."""
    curves = np.asarray(curves, np.float64)
    starts = np.arange(0, curves.shape[-1], width)
    ends = np.minimum(starts + width, curves.shape[-1])
    return (starts + 1 + ends) / 2, np.add.reduceat(curves, starts, axis=-1) / (ends - starts)
