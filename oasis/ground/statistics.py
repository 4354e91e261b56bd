"""Averages over students or lemmas, and how sure one can be of them: intervals that hold for few as for many.

The first axis of a sample is that of the students, one for each seed; further axes (episodes, say) are treated point by
point. What never happened stands in a sample as infinity. Which interval is taken where was chosen by how often it
contains the true value in simulations (`python -m benchmarks.coverage`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log2
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tactics.errors import InputError

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CONFIDENCE: Final = 0.95
"""How often an interval, or all intervals of a family of differences together, should contain the true value."""
_RESAMPLES: Final = 4000
"""Of weights; a bound is known to 2 or 3 % of the width."""
LEVEL: Final = 1 - CONFIDENCE
"""How often a report at most says that any two kinds differ which do not."""
SIGNS: Final = 2**14
"""Choices of signs that a test looks at: all that there are up to 14 units, and of more so many are drawn."""
POWER: Final = 0.8
"""How often the seeds that a report asks for should tell two kinds apart."""
MOST_SEEDS: Final = 2000
"""More than so many are not asked for."""
BOUNDED: Final = 5
"""Units that the interval of a mean takes; of fewer it says nothing that helps."""


class Interval(NamedTuple):
    """A statistic of a sample, and the bounds between which the true value lies with the confidence asked for."""

    value: Floats
    low: Floats
    high: Floats

    def scaled(self, factor: float) -> Interval:
        """The interval of a multiple of the number; a negative factor exchanges the bounds."""
        value, low, high = (np.asarray(factor * bound) for bound in self)
        return Interval(value, low, high) if factor >= 0 else Interval(value, high, low)

    def to_json(self) -> dict[str, Any]:
        """Numbers, or lists of them where the sample had further axes; null for what is not finite."""
        return {
            name: np.where(np.isfinite(array), array, np.array(None, object)).tolist()
            for name, array in self._asdict().items()
        }


def mean_interval(
    sample: Floats, *, least: float = -np.inf, most: float = np.inf, confidence: float = CONFIDENCE
) -> Interval:
    """The mean with Student's t interval (Student 1908), for averages of many episodes, which are nearly bell-shaped.

    Of students who all have the same number the interval is that number: what others have cannot be told.

    Args:
        sample: shape (students, ...), at least two students.
        least: the smallest number there can be; the interval does not go below.
        most: the largest.
        confidence: the share of such intervals that should contain the true mean, between 0 and 1.
    """
    from scipy.special import stdtrit

    students = len(sample)
    if students < 2:
        raise InputError("One student alone has no interval; ask for at least two seeds.")
    value = np.asarray(np.mean(sample, axis=0))
    deviation = np.where(_alike(sample), 0.0, np.std(sample, axis=0, ddof=1))  # 0 is not left to rounding
    half = stdtrit(students - 1, (1 + confidence) / 2) * deviation / np.sqrt(students)
    low, high = np.maximum(value - half, least), np.minimum(value + half, most)
    return Interval(value, np.asarray(low), np.asarray(high))


def difference(ours: Floats, theirs: Floats, *, span: float = np.inf, family: int = 1) -> Interval:
    """How much more ours is than theirs on average: Student's t interval of the differences, seed by seed.

    Students of one seed draw the same random numbers, so those of two kinds do the same until what they have learned
    differs: after 15 episodes of thesis/43 the shares of proofs of Sarsa and Q-learning correlate with 1.00, of other
    learners with 0.1 to 0.3. Differences of pairs take that into account, and are right without it. Between equal kinds
    they are symmetric, however skewed the numbers are, which is what makes t hold for ten students.

    Where differences come in steps, as those of yes and no do, the bounds are moved outwards by half the smallest step
    divided by n (the continuity correction of Yates 1934). Where all pairs differ by the same, the interval says what a
    pair that was not drawn may change: it has at most the weight `unseen`.

    Args:
        ours: shape (seeds, ...), at least two seeds.
        theirs: the same shape, the seeds in the same order.
        span: the largest difference there can be.
        family: the number of differences that are looked at together; with so many intervals all contain their true
            values as often as one should alone (Bonferroni), also if the largest is chosen after looking.
    """
    if ours.shape != theirs.shape:
        raise ValueError(f"samples of shapes {ours.shape} and {theirs.shape} have no pairs")
    gains = np.asarray(ours, np.float64) - theirs
    confidence = 1 - (1 - CONFIDENCE) / family
    value, low, high = mean_interval(gains, confidence=confidence)
    room = _smallest_step(gains) / (2 * len(gains))
    if np.isfinite(span):
        weight, alike = unseen(len(gains), confidence=confidence), _alike(gains)
        low = np.where(alike, value - weight * (value + span), low)
        high = np.where(alike, value + weight * (span - value), high)
    return Interval(value, np.asarray(np.maximum(low - room, -span)), np.asarray(np.minimum(high + room, span)))


def unseen(students: int, *, confidence: float = CONFIDENCE) -> float:
    """The largest share of students that may do what none of so many does: 31 % for 10, 12 % for 30.

    It is the upper bound of the interval of Clopper and Pearson (1934).
    """
    return float(1 - ((1 - confidence) / 2) ** (1 / students))


@dataclass(frozen=True)
class Statistic:
    """What makes one number of those of the units, with one way to an interval.

    Attributes:
        name: for people.
        of: (numbers of shape (units, ...), the smallest that there can be, the largest) → the number with its
            interval, point by point; bounds are infinite where so few units allow none.
        says: how its interval is made.
    """

    name: str
    of: Callable[[Floats, float, float], Interval]
    says: str


def _mean(sample: Floats, least: float, most: float) -> Interval:
    if len(sample) >= BOUNDED:
        return mean_interval(sample, least=least, most=most)
    return _boundless(np.mean(sample, axis=0))


def _share(sample: Floats, least: float, most: float) -> Interval:
    """Give the mean of shares with an interval that has a width even if all units have the same share.

    Of zeros and ones it is that of Clopper and Pearson (1934), so 10 of 10 says 69 to 100 %. Elsewhere it is Gaffke's,
    which is the same for zeros and ones: an end of the scale is put beside the units, all are given random weights that
    are uniform among those with sum 1 (Dirichlet's), and the interval ends at a quantile of the weighted means (Gaffke
    2005; Learned-Miller, Thomas 2019).
    """
    if len(sample) < BOUNDED:
        return _boundless(np.mean(sample, axis=0))
    exact = _clopper_pearson if ((sample == 0) | (sample == 1)).all() else _gaffke
    low, high = exact(sample.reshape(len(sample), -1))
    value = np.asarray(np.mean(sample, axis=0))
    return Interval(value, low.reshape(value.shape), high.reshape(value.shape))


def _median(sample: Floats, least: float, most: float) -> Interval:
    """Give the median with the interval between two of the units (David, Nagaraja 2003, 7.1); infinity is never.

    The bounds are the numbers of the units that stand equally far from both ends, as near the middle as the binomial
    distribution allows, whatever the distribution of the numbers; fewer than six units allow none.
    """
    from scipy.special import bdtr

    units, value = len(sample), np.asarray(np.median(sample, axis=0))
    left_out = int((bdtr(np.arange(units), units, 0.5) <= LEVEL / 2).sum())
    if not left_out:
        return _boundless(value)
    ordered = np.sort(sample, axis=0)
    return Interval(value, np.asarray(ordered[left_out - 1]), np.asarray(ordered[-left_out]))


def _boundless(value: Any) -> Interval:
    return Interval(np.asarray(value), np.full_like(value, -np.inf), np.full_like(value, np.inf))


MEAN: Final = Statistic("mean", _mean, "Student's t, from five units on")
SHARE: Final = Statistic(
    "mean share",
    _share,
    "Gaffke's, which has a width even if all units are alike (Learned-Miller, Thomas 2019), from five units on",
)
MEDIAN: Final = Statistic("median", _median, "between two of the units (David, Nagaraja 2003), from six units on")


class Differences(NamedTuple):
    """How much more one kind has than another, measure by measure; shapes (measures,).

    Attributes:
        gain: the mean differences; their intervals hold together over the whole report, and leave out 0 or end there
            if and only if p is at most `LEVEL`.
        p: corrected over the whole report.
    """

    gain: Interval
    p: Floats


def signs(units: int) -> NDArray[np.int8]:
    """Return all choices of signs of so many differences, or `SIGNS` of them; shape (choices, units).

    The first is that of the data, which counts as one that was drawn.
    """
    if 2**units <= SIGNS:
        return (1 - 2 * (np.arange(2**units)[:, None] >> np.arange(units) & 1)).astype(np.int8)
    drawn = np.random.default_rng(0).integers(0, 2, size=(SIGNS, units), dtype=np.int8)
    drawn[0] = 0
    drawn *= -2  # in place: of 10,000 units these are 160 MB
    drawn += 1
    return drawn


def differences(gains: Floats, pairs: int, spans: Floats | float = np.inf) -> Differences:
    """Compare one pair of kinds in all measures of a report, on differences unit by unit.

    If two kinds are the same, the signs of their differences are a matter of chance (Fisher 1935, section 21). The
    largest |t| over the measures corrects for their number, stepping down (Westfall, Young 1993), and Bonferroni for
    the number of pairs: measures that say the same cost little. An interval is mean ± t s/√n with the t of that
    distribution, or Student's where few units differ and that is larger; what is told apart by stepping down alone has
    a bound of 0 (Guilbaud 2008). Where all units differ by the same, it says what one that was not drawn may change
    (`unseen`). The signs of units that do not differ play no part, so of 10,000 lemmas only those are tried on which
    two policies come to different ends.

    Args:
        gains: differences; shape (units, measures).
        pairs: of kinds in the whole report.
        spans: the largest difference that there can be; shape (measures,).
    """
    from scipy.special import stdtrit

    units = len(gains)
    norm = np.sqrt((gains**2).sum(axis=0))  # which no choice of signs changes
    unit = gains[gains.any(axis=1)] / np.where(norm > 0, norm, 1)
    choices = signs(len(unit))
    drawn = np.concatenate([np.abs(block @ unit) for block in np.array_split(choices, max(1, choices.size >> 20))])
    seen, p, last = drawn[0], np.ones(gains.shape[1]), 0.0
    order = np.argsort(-seen, kind="stable")
    for place, measure in enumerate(order):
        rivals = drawn[:, order[place:]].max(axis=1)
        last = p[measure] = min(1.0, max(last, pairs * float(np.mean(rivals >= seen[measure] - 1e-9))))
    spare = int(LEVEL / pairs * len(choices) + 1e-9)
    critical = np.sort(drawn.max(axis=1))[::-1][spare] ** 2 if units >= fewest(pairs) else np.inf
    t = np.sqrt(critical * (units - 1) / (units - critical)) if critical < units - 1e-9 else np.inf
    t = max(t, float(stdtrit(units - 1, 1 - LEVEL / pairs / 2))) if units > 1 else t
    mean, alike = gains.mean(axis=0), _alike(gains)
    error = np.where(alike, 0.0, gains.std(axis=0, ddof=min(1, units - 1))) / np.sqrt(units)
    half = np.where(error > 0, t * np.where(error > 0, error, 1), 0.0 if np.isfinite(t) else np.inf)
    weight, bounded = unseen(units, confidence=1 - LEVEL / pairs), alike & np.isfinite(spans) & np.isfinite(t)
    low = mean - np.where(bounded, weight * (np.where(bounded, spans, 0) + mean), half)
    high = mean + np.where(bounded, weight * (np.where(bounded, spans, 0) - mean), half)
    most = np.where(np.isfinite(half), spans, np.inf)
    low, high = np.maximum(low, -most), np.minimum(high, most)
    apart = p <= LEVEL
    low = np.where(apart & (mean > 0), np.maximum(low, 0), np.where(apart, low, np.minimum(low, 0)))
    high = np.where(apart & (mean < 0), np.minimum(high, 0), np.where(apart, high, np.maximum(high, 0)))
    return Differences(Interval(mean, low, high), p)


def fewest(pairs: int) -> int:
    """Return the number of units below which `differences` can tell no kinds apart: 6 for one pair, 7 for three."""
    return ceil(1 + log2(max(1, pairs) / LEVEL) - 1e-9)


def seeds_needed(gains: Floats, effect: float, pairs: int) -> int | None:
    """Return how many units tell two kinds apart with `POWER`, from differences that are there.

    It asks the noncentral t distribution, with Bonferroni over pairs; from ten units it is a rough number.

    Args:
        gains: differences of a pilot; shape (units,).
        effect: the mean difference that should be seen, not 0.
        pairs: of kinds in the whole report.

    Returns:
        at least `fewest`; None if it is more than `MOST_SEEDS`.
    """
    from scipy.special import nctdtr, stdtrit

    deviation = float(gains.std(ddof=1))
    numbers = np.arange(fewest(pairs), MOST_SEEDS + 1)
    if deviation == 0:
        return int(numbers[0])
    bound = stdtrit(numbers - 1, 1 - LEVEL / 2 / max(1, pairs))
    enough = 1 - nctdtr(numbers - 1, abs(effect) / deviation * np.sqrt(numbers), bound) >= POWER
    return int(numbers[np.argmax(enough)]) if enough.any() else None


def _clopper_pearson(outcomes: Floats) -> tuple[Floats, Floats]:
    """The bounds for the probability of 1 where all outcomes are 0 or 1; shape (units, points)."""
    from scipy.special import betaincinv

    ones, zeros = outcomes.sum(axis=0), (1 - outcomes).sum(axis=0)
    low = np.where(ones > 0, betaincinv(np.maximum(ones, 1), zeros + 1, LEVEL / 2), 0.0)
    high = np.where(zeros > 0, betaincinv(ones + 1, np.maximum(zeros, 1), 1 - LEVEL / 2), 1.0)
    return low, high


def _gaffke(shares: Floats) -> tuple[Floats, Floats]:
    """The bounds for the mean of numbers in [0, 1], whatever their distribution; shape (units, points)."""
    rng, means = np.random.default_rng(0), []
    for block in np.array_split(np.empty(_RESAMPLES), 1 + (_RESAMPLES * len(shares) >> 22)):  # at most 32 MiB at once
        weights = rng.standard_exponential((len(block), len(shares) + 1))
        weights /= weights.sum(axis=1, keepdims=True)
        below = weights[:, 1:] @ shares  # beside them a unit with share 0
        means.append((below, below + weights[:, :1]))  # and one with share 1
    below, above = (np.concatenate(each) for each in zip(*means, strict=True))
    return np.quantile(below, LEVEL / 2, axis=0), np.quantile(above, 1 - LEVEL / 2, axis=0)


def _alike(sample: Floats) -> NDArray[np.bool_]:
    """Whether all students have the same number, but for rounding."""
    low, high = np.min(sample, axis=0), np.max(sample, axis=0)
    return np.asarray(high - low <= 1e-12 * np.maximum(np.abs(low), np.abs(high)))


def _smallest_step(sample: Floats) -> Floats:
    """The smallest distance between two different numbers of a sample, 0 if there is none."""
    steps = np.diff(np.sort(sample, axis=0), axis=0)
    rounding = 1e-9 * np.max(np.abs(sample), axis=0)
    smallest = np.min(steps, axis=0, initial=np.inf, where=steps > rounding)
    return np.where(np.isfinite(smallest), smallest, 0.0)
