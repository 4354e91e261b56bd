"""Averages and bootstrap intervals: known arrays, and scipy as the judge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from oasis.lab import statistics
from oasis.lab.statistics import Floats, Interval, bootstrap, interquartile_mean, mean, median
from tactics.errors import InputError


def sample(*shape: int) -> Floats:
    """Numbers that are far from normal."""
    return np.asarray(np.random.default_rng(5).exponential(10, size=shape))


@pytest.mark.parametrize(
    ("statistic", "expected"), [(mean, 14.5), (median, 4.5), (interquartile_mean, 4.5)], ids=["mean", "median", "iqm"]
)
def test_averages_of_a_known_array(statistic: statistics.Statistic, expected: float) -> None:
    shuffled = np.array([7.0, 1, 3, 88, 2, 5, 4, 6])
    assert statistic(shuffled) == pytest.approx(expected)
    assert statistic(np.stack([shuffled, 2 * shuffled], axis=1)) == pytest.approx([expected, 2 * expected])


@pytest.mark.parametrize("seeds", [1, 3, 4, 10, 75])
def test_the_interquartile_mean_is_scipys_trimmed_mean(seeds: int) -> None:
    drawn = sample(seeds, 6)
    assert interquartile_mean(drawn) == pytest.approx(stats.trim_mean(drawn, 0.25, axis=0))


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (mean, np.mean),
        (interquartile_mean, lambda drawn, axis: stats.trim_mean(drawn, 0.25, axis=axis)),
        (median, np.median),
    ],
    ids=["mean", "iqm", "median"],
)
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_intervals_are_scipys_percentile_bootstrap(
    ours: statistics.Statistic, theirs: Callable[..., Floats], confidence: float
) -> None:
    drawn = sample(40)
    interval = bootstrap(drawn, ours, confidence=confidence, resamples=20_000)
    reference = stats.bootstrap(
        (drawn,),
        theirs,
        confidence_level=confidence,
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    width = reference.high - reference.low
    assert interval.low == pytest.approx(reference.low, abs=0.04 * width)
    assert interval.high == pytest.approx(reference.high, abs=0.04 * width)
    assert interval.value == pytest.approx(theirs(drawn, axis=0))


def test_about_95_of_100_intervals_contain_the_true_mean() -> None:
    draw = np.random.default_rng(2)
    intervals = [bootstrap(draw.normal(3.0, 1.0, size=50), seed=number) for number in range(400)]
    hits = sum(bool(interval.low <= 3.0 <= interval.high) for interval in intervals)
    assert 0.91 <= hits / 400 <= 0.97


def test_a_curve_has_at_each_point_the_interval_of_that_point() -> None:
    curves = sample(30, 7)
    whole = bootstrap(curves)
    for place in range(7):
        point = bootstrap(curves[:, place])
        for bound, of_curve in zip(point, whole, strict=True):
            assert of_curve[place] == pytest.approx(bound)


def test_drawing_in_batches_draws_as_many(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def counted(drawn: Floats) -> Floats:
        sizes.append(drawn.shape[1] if drawn.ndim == 2 else 0)
        return mean(drawn)

    drawn = sample(10)
    at_once = bootstrap(drawn, counted, resamples=25)
    assert sizes == [25, 0]
    sizes.clear()
    monkeypatch.setattr(statistics, "_BATCH", 100)
    in_batches = bootstrap(drawn, counted, resamples=25)
    assert sizes == [10, 10, 5, 0]
    assert in_batches.value == at_once.value
    assert in_batches.low < in_batches.value < in_batches.high


def test_equal_seeds_give_equal_intervals_and_others_do_not() -> None:
    drawn = sample(20)
    assert bootstrap(drawn, seed=3) == bootstrap(drawn, seed=3)
    assert bootstrap(drawn, seed=3) != bootstrap(drawn, seed=4)


def test_students_that_agree_leave_no_doubt() -> None:
    assert [*bootstrap(np.full(12, 2.5))] == [2.5, 2.5, 2.5]


@pytest.mark.parametrize(("low", "high", "sign"), [(0.1, 2, 1), (-2, -0.1, -1), (-1, 1, 0), (0, 1, 0), (-1, 0, 0)])
def test_a_sign_is_told_only_if_both_bounds_have_it(low: float, high: float, sign: int) -> None:
    assert Interval(np.asarray((low + high) / 2), np.asarray(low), np.asarray(high)).sign == sign


def test_what_never_happened_may_be_any_large_number_for_the_median() -> None:
    first = np.array([3.0, 8, 5, 2, 4, np.nan, np.nan])
    few, many = (bootstrap(np.nan_to_num(first, nan=never), median) for never in (76.0, 1000.0))
    assert few.value == many.value == 5


def test_nothing_has_no_average() -> None:
    with pytest.raises(InputError, match="nothing to average"):
        bootstrap(np.zeros((0, 4)))
