"""Averages over seeds, and how sure one can be of them: percentile bootstrap intervals (Efron, Tibshirani 1993, 13.3).

The first axis of a sample is always that of the seeds; whatever else it has (episodes, say) is treated point by point.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactics.errors import InputError

Floats = NDArray[np.float64]
Statistic = Callable[[Floats], Floats]
"""Reduces the first axis."""

RESAMPLES: Final = 2000
CONFIDENCE: Final = 0.95
_BATCH: Final = 1_000_000
"""Numbers that are drawn at a time, to bound the memory."""


class Interval(NamedTuple):
    """A statistic of a sample, and the bounds between which it lies with the confidence asked for."""

    value: Floats
    low: Floats
    high: Floats

    @property
    def sign(self) -> int:
        """Of a single number: +1 or -1 if all of the interval has that sign, 0 if 0 is in it."""
        return int(self.low > 0) - int(self.high < 0)

    def to_json(self) -> dict[str, Any]:
        """Numbers, or lists of them where the sample had further axes."""
        return {name: array.tolist() for name, array in self._asdict().items()}


def mean(sample: Floats) -> Floats:
    """The arithmetic mean."""
    return np.asarray(np.mean(sample, axis=0))


def median(sample: Floats) -> Floats:
    """The median; what never happened may stand in the sample as any number above all others."""
    return np.asarray(np.median(sample, axis=0))


def interquartile_mean(sample: Floats) -> Floats:
    """The mean of what is left without the lowest and the highest quarter, each rounded down to whole seeds."""
    cut = len(sample) // 4
    return np.asarray(np.mean(np.sort(sample, axis=0)[cut : len(sample) - cut], axis=0))


def bootstrap(
    sample: Floats,
    statistic: Statistic = mean,
    *,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """A statistic with its percentile bootstrap interval, seeds drawn with replacement.

    Args:
        sample: shape (seeds, ...), at least one seed.
        statistic: what to reduce the seeds to.
        confidence: the share of such intervals that should contain the true value, between 0 and 1.
        resamples: how many samples to draw.
        seed: of the drawing; equal samples and seeds give equal intervals.
    """
    if not len(sample):
        raise InputError("There is nothing to average; ask for at least one seed.")
    draw = np.random.default_rng(seed)
    batch = max(1, _BATCH // sample.size)
    sizes = [min(batch, resamples - done) for done in range(0, resamples, batch)]
    drawn = np.concatenate([statistic(sample[draw.integers(len(sample), size=(len(sample), size))]) for size in sizes])
    low, high = np.quantile(drawn, [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return Interval(statistic(sample), np.asarray(low), np.asarray(high))
