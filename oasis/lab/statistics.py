"""Averages over seeds, and how sure one can be of them: percentile bootstrap intervals (Efron, Tibshirani 1993, 13.3).

The first axis of a sample is always that of the seeds; whatever else it has (episodes, say) is treated point by point.
What never happened stands in a sample as infinity. Interquartile means, stratified intervals and the probability of
improvement are those that Agarwal et al. (2021), "Deep reinforcement learning at the edge of the statistical
precipice", ask for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

    def contains(self, number: float) -> bool:
        """Whether a single number lies between the bounds, or so near them that rounding may have put it outside."""
        room = 1e-9 * max(1.0, abs(number))
        return bool(self.low - room <= number <= self.high + room)

    def to_json(self) -> dict[str, Any]:
        """Numbers, or lists of them where the sample had further axes; null for what is not finite."""
        return {
            name: np.where(np.isfinite(array), array, np.array(None, object)).tolist()
            for name, array in self._asdict().items()
        }


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
    drawn = [
        statistic(sample[draw.integers(len(sample), size=(len(sample), size))])
        for size in _batches(resamples, sample.size)
    ]
    return _interval(statistic(sample), drawn, confidence)


def stratified_bootstrap(
    sample: Floats,
    statistic: Statistic = interquartile_mean,
    *,
    together: bool = False,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """A statistic of all seeds in all strata taken together, seeds drawn anew in each stratum (Agarwal et al. 2021).

    Args:
        sample: shape (seeds, strata, ...): for each seed a number in each stratum, on each lemma say.
        statistic: what to reduce seeds and strata to.
        together: whether a seed is drawn with its numbers in all strata: where one student did them all, they are not
            independent, and intervals that took them so would be too narrow.
        confidence: as in `bootstrap`, as are the others.
        resamples: how many samples to draw.
        seed: of the drawing.
    """
    if not sample.size:
        raise InputError("There is nothing to average; ask for at least one seed.")
    seeds, strata, *more = sample.shape
    draw = np.random.default_rng(seed)
    drawn = []
    for size in _batches(resamples, sample.size):
        chosen = draw.integers(seeds, size=(seeds, 1 if together else strata, size))
        drawn.append(statistic(sample[chosen, np.arange(strata)[:, None]].reshape(-1, size, *more)))
    return _interval(statistic(sample.reshape(-1, *more)), drawn, confidence)


def median_or_never(sample: Floats, **options: Any) -> Interval:
    """The median of a sample that has infinity for what never happened, which the bounds may be as well.

    Args:
        sample: shape (seeds, ...).
        options: those of `bootstrap`.
    """
    finite = sample[np.isfinite(sample)]
    last = float(finite.max(initial=1.0))
    # A number far above all others instead, as differences of infinities are none.
    found = bootstrap(np.where(np.isfinite(sample), sample, 1e6 * last), median, **options)
    return Interval(*(np.where(bound > last, np.inf, bound) for bound in found))


def paired_difference(ours: Floats, theirs: Floats, statistic: Statistic = mean, **options: Any) -> Interval:
    """How much more ours is than theirs, seed by seed.

    Args:
        ours: shape (seeds, ...).
        theirs: the same shape, the seeds in the same order.
        statistic: what to reduce the differences to.
        options: those of `bootstrap`.
    """
    if ours.shape != theirs.shape:
        raise ValueError(f"samples of shapes {ours.shape} and {theirs.shape} have no pairs")
    return bootstrap(ours - theirs, statistic, **options)


def probability_of_improvement(
    ours: Floats,
    theirs: Floats,
    *,
    together: bool = False,
    confidence: float = CONFIDENCE,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval:
    """How likely one of ours is more than one of theirs, ties half: the Mann-Whitney U divided by the number of pairs.

    With strata it is the mean of what it is in each (Agarwal et al. 2021). Both samples are drawn anew.

    Args:
        ours: shape (seeds,) or (seeds, strata); infinity is more than all else.
        theirs: the same, the number of seeds may be another.
        together: as in `stratified_bootstrap`.
        confidence: as in `bootstrap`, as are the others.
        resamples: how many samples to draw.
        seed: of the drawing.
    """
    one, other = (sample.reshape(len(sample), -1).T for sample in (ours, theirs))
    # For each stratum a table of the pairs: 1 where ours is more, 1/2 where it is the same.
    wins = (one[:, :, None] > other[:, None]) + 0.5 * (one[:, :, None] == other[:, None])
    draw = np.random.default_rng(seed)
    drawn = []
    for size in _batches(resamples, wins.size // max(1, min(one.size, other.size))):
        # How often each seed is drawn, which is all that counts.
        times = [draw.multinomial(n, [1 / n] * n, size=(1 if together else len(wins), size)) for n in wins.shape[1:]]
        drawn.append((((times[0] @ wins) * times[1]).sum(axis=-1) / wins[0].size).mean(axis=0))
    return _interval(np.asarray(wins.mean()), drawn, confidence)


def _batches(resamples: int, numbers: int) -> list[int]:
    """How many samples to draw at a time, with so many numbers in each."""
    batch = max(1, _BATCH // numbers)
    return [min(batch, resamples - done) for done in range(0, resamples, batch)]


def _interval(value: Floats, drawn: Iterable[Floats], confidence: float) -> Interval:
    """The bounds between which the middle of what was drawn lies."""
    low, high = np.quantile(np.concatenate([*drawn]), [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return Interval(value, np.asarray(low), np.asarray(high))
