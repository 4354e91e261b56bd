"""Averages and their intervals: known arrays, scipy as the judge, and simulations of what the intervals promise."""

from functools import partial

import numpy as np
import pytest
from scipy import stats

from benchmarks.coverage import EQUAL_KINDS, POPULATIONS, allowance, coverage, false_differences
from benchmarks.false_differences import Simulation, practised
from oasis.ground.plural import conjunction, listed
from oasis.ground.statistics import (
    CONFIDENCE,
    MEAN,
    MEDIAN,
    SHARE,
    Floats,
    Interval,
    difference,
    mean_interval,
    unseen,
)
from oasis.lab.plans import effort
from oasis.lab.students.reported import significant
from tactics.errors import InputError

EXPERIMENTS = 1000


def sample(*shape: int) -> Floats:
    """Return numbers that are far from normal."""
    return np.asarray(np.random.default_rng(5).exponential(10, size=shape))


def numbers(interval: Interval) -> list[float]:
    return [float(bound) for bound in interval]


@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_interval_of_a_mean_is_scipys_of_student(confidence: float) -> None:
    drawn = sample(12)
    reference = stats.ttest_1samp(drawn, 0).confidence_interval(confidence)
    expected = [drawn.mean(), reference.low, reference.high]
    assert numbers(mean_interval(drawn, confidence=confidence)) == pytest.approx(expected)
    assert mean_interval(drawn, least=drawn.mean()).low == drawn.mean()


def test_a_curve_has_at_each_point_the_interval_of_that_point() -> None:
    curves = np.minimum(sample(30, 7) / 20, 1)
    for statistic in (MEAN, SHARE, MEDIAN):
        whole = statistic.of(curves, 0, 1)
        for place in range(7):
            expected = numbers(statistic.of(curves[:, place], 0, 1))
            assert [float(bound[place]) for bound in whole] == pytest.approx(expected)


def test_students_with_the_same_number_have_no_interval_though_sums_are_rounded() -> None:
    assert numbers(mean_interval(np.full(10, 0.1))) == [pytest.approx(0.1)] * 3
    low, high = mean_interval(np.full(10, 0.1))[1:]
    assert low == high


@pytest.mark.parametrize(("successes", "students"), [(0, 10), (10, 10), (9, 10), (1, 5), (4, 30), (30, 30)])
def test_of_yes_and_no_the_interval_is_that_of_clopper_and_pearson(successes: int, students: int) -> None:
    reference = stats.binomtest(successes, students).proportion_ci(0.95, method="exact")
    value, low, high = numbers(SHARE.of((np.arange(students) < successes) / 1, 0, 1))
    assert (value, low, high) == pytest.approx((successes / students, reference.low, reference.high))


@pytest.mark.parametrize(("successes", "students"), [(0, 10), (9, 10), (1, 5), (4, 30)])
def test_shares_that_are_nearly_yes_or_no_have_nearly_its_interval(successes: int, students: int) -> None:
    nearly = (np.arange(students) < successes) / 1
    nearly[-1] = 1e-9
    reference = stats.binomtest(successes, students).proportion_ci(0.95, method="exact")
    _, low, high = numbers(SHARE.of(nearly, 0, 1))
    # Of 4,000 weighted means the 100 furthest out are beyond the bound: its place is known to a tenth of them.
    assert low == pytest.approx(reference.low, abs=0.015)
    assert high == pytest.approx(reference.high, abs=0.015)


def test_ten_of_ten_is_no_proof_that_everybody_does_and_a_share_lies_between_none_and_all() -> None:
    assert numbers(SHARE.of(np.ones(10), 0, 1)) == [1, pytest.approx(0.025**0.1), 1]
    _, low, high = numbers(SHARE.of(np.full(10, 0.5), 0, 1))
    assert 0 < low < 0.4 < 0.6 < high < 1


@pytest.mark.parametrize("name", POPULATIONS)
def test_intervals_contain_the_true_value_as_often_as_they_say(name: str) -> None:
    population = POPULATIONS[name]
    for students in (6, 10, 30):
        if "long tail" in name:
            promised = 0.87
        elif name == "mean, 0, or 0.5 in one of ten":
            promised = CONFIDENCE - 0.9**students  # whoever was not drawn is in no interval
        else:
            promised = CONFIDENCE
        found = coverage(population, students, EXPERIMENTS)
        assert found >= promised - allowance(1 - promised, EXPERIMENTS), students


@pytest.mark.parametrize("name", EQUAL_KINDS)
@pytest.mark.parametrize(("kinds", "students"), [(2, 3), (3, 10), (8, 10), (8, 30)])
def test_of_equal_kinds_any_two_are_told_apart_in_at_most_5_of_100_experiments(
    name: str, kinds: int, students: int
) -> None:
    _, of_any = false_differences(EQUAL_KINDS[name], kinds, students, EXPERIMENTS)
    assert of_any <= 0.05 + allowance(0.05, EXPERIMENTS)


@pytest.mark.slow
def test_a_whole_report_tells_equal_kinds_of_real_students_apart_in_at_most_5_of_100_and_sees_what_differs() -> None:
    simulation = Simulation(practised(40, 60))
    found = simulation.told_apart(partial(simulation.shuffled, 4, 10), 400)
    assert found.any(axis=(1, 2)).mean() <= 0.05 + allowance(0.05, 400)
    assert simulation.told_apart(partial(simulation.drawn, 10), 40).any(axis=(1, 2)).mean() > 0.8
    assert not simulation.told_apart(partial(simulation.drawn, 7), 40).any()  # too few for six pairs


def test_a_multiple_has_the_multiples_of_the_bounds_in_their_order_and_never_is_null_in_json() -> None:
    interval = Interval(np.asarray(2.0), np.asarray(1.0), np.asarray(5.0))
    assert numbers(interval.scaled(10)) == [20, 10, 50]
    assert numbers(interval.scaled(-1)) == [-2, -5, -1]
    never = Interval(np.asarray(np.inf), np.asarray(3.0), np.asarray(np.inf))
    assert never.to_json() == {"value": None, "low": 3.0, "high": None}


def test_few_students_say_nothing_of_others() -> None:
    with pytest.raises(InputError, match="ask for at least two seeds"):
        mean_interval(np.zeros((1, 4)))
    for statistic, enough in ((MEAN, 5), (SHARE, 5), (MEDIAN, 6)):
        for students in (enough - 1, enough):
            found = statistic.of(np.arange(students) / 10, 0, 1)
            assert np.isfinite(found[1:]).all() == (students == enough)


def test_the_median_of_what_seldom_happened_is_never() -> None:
    mostly = MEDIAN.of(np.array([3.0, 5, 4, 4, np.inf, 6, 2, 3, 4, 5]), 1, np.inf)
    assert numbers(mostly) == [4, 3, 6]  # between the second and the ninth of ten
    assert numbers(MEDIAN.of(np.full(7, np.inf), 1, np.inf)) == [np.inf] * 3
    assert numbers(MEDIAN.of(np.array([2.0, 3, 5, 8, 13, 21]), 1, np.inf)) == [6.5, 2, 21]


def test_a_difference_is_that_of_scipys_paired_t_test_with_bonferronis_correction() -> None:
    ours, theirs = sample(2, 25)
    reference = stats.ttest_rel(ours, theirs).confidence_interval(1 - 0.05 / 6)
    assert numbers(difference(ours, theirs, family=6))[1:] == pytest.approx([*reference], rel=1e-3)
    ours, noise = sample(40) * 100, np.random.default_rng(3).normal(1, 0.1, 40)
    assert numbers(difference(ours + noise, ours)) == pytest.approx([1, 1, 1], abs=0.1)
    with pytest.raises(ValueError, match="have no pairs"):
        difference(ours, ours[:-1])


def test_pairs_that_all_differ_by_the_same_do_not_prove_that_all_others_do() -> None:
    assert [round(unseen(students), 2) for students in (5, 10, 30)] == [0.52, 0.31, 0.12]
    full, none = np.ones(10), np.zeros(10)
    assert numbers(difference(full, none, span=1)) == [1, pytest.approx(1 - 2 * unseen(10)), 1]
    assert difference(full, none, span=1).low > 0 > difference(full[:3], none[:3], span=1).low
    assert difference(none, none, span=1).high > 0.2


def test_values_have_three_digits() -> None:
    words = {0.2: "0.200", 0.04351: "0.0435", -6e-5: "0", -1: "−1.00", 100.4: "100", 4321: "4,321"}
    assert {number: significant(number) for number in words} == words


def test_milliseconds_are_told_as_seconds() -> None:
    for milliseconds, seconds in ((27_000, "27"), (1_500, "1.5"), (12_000_001, "12,000")):
        assert effort(milliseconds, "ms of processor time") == f"{seconds} s of processor time"
    assert effort(27_000, "episodes") == "27,000 episodes"


def test_a_list_ends_with_and_and_names_at_most_a_dozen_lemmas() -> None:
    assert [conjunction("a"), conjunction("ab"), conjunction("abc")] == ["a", "a and b", "a, b and c"]
    assert listed(["a", "b c"]) == "a and “b c”"
    assert listed([str(place) for place in range(14)]).endswith("10, 11 and 2 more")
