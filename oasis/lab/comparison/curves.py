"""Curves of students as numbers: bins of episodes, areas, and when something happened first or for good."""

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


def area_under_curve(curve: ArrayLike, x: ArrayLike | None = None) -> Floats:
    """The mean of curves over their last axis: over episodes, the area divided by their number.

    Args:
        curve: shape (..., points).
        x: the episodes of the points, from 1, increasing, where not each has one; a point stands for the episodes from
            the point before it, not included, up to its own.
    """
    curve = np.asarray(curve, np.float64)
    widths = np.ones(curve.shape[-1]) if x is None else np.diff(np.asarray(x), prepend=0)
    return np.asarray(np.average(curve, axis=-1, weights=widths))


def first_reliable(success: ArrayLike, x: ArrayLike | None = None) -> Floats:
    """The first point of the last axis from which on every point is a success; infinity if the last one is none.

    Args:
        success: shape (..., points).
        x: what to call the points; their numbers from 1 if not given.
    """
    success = np.asarray(success, bool)
    lasting = np.logical_and.accumulate(success[..., ::-1], axis=-1).sum(axis=-1)
    points = success.shape[-1]
    names = np.append(np.arange(1, points + 1) if x is None else np.asarray(x), np.inf)
    return np.asarray(names[points - lasting], np.float64)


def first_success(success: ArrayLike) -> Floats:
    """The number, from 1, of the first point of the last axis that is a success; infinity if none is."""
    success = np.asarray(success, bool)
    return np.where(success.any(axis=-1), success.argmax(axis=-1) + 1.0, np.inf)
