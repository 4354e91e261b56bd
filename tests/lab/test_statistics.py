"""Averages and bootstrap intervals: known arrays, and scipy as the judge."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from oasis.lab import statistics
from oasis.lab.statistics import (
    Floats,
    Interval,
    area_under_curve,
    bootstrap,
    first_reliable,
    first_success,
    interquartile_mean,
    mean,
    median,
    median_or_never,
    paired_difference,
    probability_of_improvement,
    stratified_bootstrap,
)
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
    with pytest.raises(InputError, match="nothing to average"):
        stratified_bootstrap(np.zeros((0, 4)))


samples = arrays.arrays(np.float64, st.integers(1, 12), elements=st.integers(-3, 3).map(float))


@given(samples, samples)
def test_the_probability_of_improvement_is_scipys_mann_whitney_u_for_each_pair(ours: Floats, theirs: Floats) -> None:
    found = probability_of_improvement(ours, theirs, resamples=20)
    u = stats.mannwhitneyu(ours, theirs, method="asymptotic").statistic
    assert float(found.value) == pytest.approx(u / (len(ours) * len(theirs)))
    assert 0 <= found.low <= found.high <= 1


@given(samples, samples)
def test_what_one_has_more_often_the_other_has_less_often(ours: Floats, theirs: Floats) -> None:
    one, other = (probability_of_improvement(*pair, resamples=20) for pair in ((ours, theirs), (theirs, ours)))
    assert float(one.value + other.value) == pytest.approx(1)


def test_probabilities_of_known_samples() -> None:
    low, high = np.array([1.0, 2, 3]), np.array([4.0, 5, np.inf])
    assert [*probability_of_improvement(high, low)] == [1, 1, 1]
    assert [*probability_of_improvement(low, high)] == [0, 0, 0]
    # Exactly ½, as whoever asks whether the interval contains it must not be misled by rounding.
    assert [*probability_of_improvement(np.full(30, np.inf), np.full(29, np.inf))] == [0.5, 0.5, 0.5]
    assert float(probability_of_improvement(np.array([1.0, 2]), np.array([2.0, 0])).value) == (0.5 + 2) / 4


def test_over_strata_the_probability_is_the_mean_of_theirs() -> None:
    ours, theirs = sample(9, 3), sample(7, 3) * 0.7
    each = [float(probability_of_improvement(ours[:, n], theirs[:, n]).value) for n in range(3)]
    assert float(probability_of_improvement(ours, theirs).value) == pytest.approx(np.mean(each))


def test_intervals_of_a_probability_are_scipys_bootstrap_of_two_samples() -> None:
    ours, theirs = sample(25), 0.6 * sample(31)[::-1]
    found = probability_of_improvement(ours, theirs, resamples=20_000)

    def share(one: Floats, other: Floats, axis: int) -> Floats:
        wins = np.expand_dims(one, -1) > np.expand_dims(other, -2)
        return np.asarray(wins.mean(axis=(-2, -1)))

    reference = stats.bootstrap(
        (ours, theirs), share, n_resamples=20_000, method="percentile", batch=500, rng=np.random.default_rng(1)
    ).confidence_interval
    assert float(found.low) == pytest.approx(reference.low, abs=0.01)
    assert float(found.high) == pytest.approx(reference.high, abs=0.01)


def test_stratified_intervals_are_scipys_bootstrap_of_a_sample_for_each_stratum() -> None:
    drawn = sample(12, 3) * np.array([1, 4, 9])
    found = stratified_bootstrap(drawn, resamples=20_000)
    reference = stats.bootstrap(
        tuple(drawn.T),
        lambda *strata, axis: stats.trim_mean(np.concatenate(strata, axis=-1), 0.25, axis=-1),
        n_resamples=20_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    width = reference.high - reference.low
    assert float(found.value) == pytest.approx(stats.trim_mean(drawn, 0.25, axis=None))
    assert float(found.low) == pytest.approx(reference.low, abs=0.05 * width)
    assert float(found.high) == pytest.approx(reference.high, abs=0.05 * width)


def test_students_that_differ_in_all_strata_at_once_have_wider_intervals_when_drawn_whole() -> None:
    each = sample(20, 1)
    alike = np.repeat(each, 5, axis=1)
    apart, together = (stratified_bootstrap(alike, mean, together=whole) for whole in (False, True))
    assert together.high - together.low > 1.8 * (apart.high - apart.low)
    of_students = bootstrap(each[:, 0])
    assert [float(bound) for bound in together] == pytest.approx([float(bound) for bound in of_students], rel=0.05)


def test_a_stratum_alone_is_a_sample() -> None:
    drawn = sample(15, 1)
    assert [*stratified_bootstrap(drawn)] == [*bootstrap(drawn[:, 0], interquartile_mean)]


def test_the_area_under_a_curve_is_its_mean_over_episodes() -> None:
    assert area_under_curve([[0, 1, 1, 1], [0, 0, 0, 1]]).tolist() == [0.75, 0.25]
    # Seen after episodes 1, 2 and 10: the last point stands for eight episodes.
    assert area_under_curve([True, False, True], [1, 2, 10]).tolist() == 0.9


@given(arrays.arrays(bool, st.tuples(st.integers(1, 4), st.integers(1, 9))))
def test_reliable_is_the_first_point_after_the_last_failure(
    success: np.ndarray[tuple[int, int], np.dtype[np.bool_]],
) -> None:
    expected = [
        next((n + 1 for n in range(len(row)) if all(row[n:])), np.inf)  # by its definition
        for row in success.tolist()
    ]
    assert first_reliable(success).tolist() == expected
    points = 10 * np.arange(1, success.shape[1] + 1)
    assert first_reliable(success, points).tolist() == [10 * point for point in expected]


def test_the_first_success_need_not_last() -> None:
    assert first_success([[False, True, False], [True, False, True], [False] * 3]).tolist() == [2, 1, np.inf]
    assert first_reliable([[False, True, False], [True, False, True]]).tolist() == [np.inf, 3]


def test_the_median_of_what_seldom_happened_is_never() -> None:
    mostly = median_or_never(np.array([3.0, 5, 4, 4, np.inf, 6, 2, 3, 4, 5]))
    assert float(mostly.value) == 4
    assert np.isfinite(mostly.high)
    half = median_or_never(np.array([3.0, 5, np.inf, np.inf]))
    assert (float(half.value), float(half.high)) == (np.inf, np.inf)
    assert half.low == 3
    assert [*median_or_never(np.full(5, np.inf))] == [np.inf] * 3


def test_differences_of_pairs_do_not_care_how_much_the_pairs_differ_from_each_other() -> None:
    ours = sample(40) * 100
    difference = paired_difference(ours + 1, ours)
    assert [float(bound) for bound in difference] == pytest.approx([1, 1, 1])
    with pytest.raises(ValueError, match="have no pairs"):
        paired_difference(ours, ours[:-1])


def test_never_is_null_in_json() -> None:
    assert Interval(np.asarray(np.inf), np.asarray(3.0), np.asarray(np.inf)).to_json() == {
        "value": None,
        "low": 3.0,
        "high": None,
    }
