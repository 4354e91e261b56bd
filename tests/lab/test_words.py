"""Numbers as a person reads them."""

from __future__ import annotations

import numpy as np
import pytest

from oasis.lab.statistics import Interval
from oasis.lab.words import (
    amount,
    bounds,
    conjunction,
    listed,
    methods,
    percentage,
    rounded,
    significant,
    with_interval,
)


def interval(value: float, low: float, high: float) -> Interval:
    return Interval(np.asarray(value), np.asarray(low), np.asarray(high))


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.2, "0.200"), (0.04351, "0.0435"), (-6e-5, "0"), (-1, "−1.00"), (100.4, "100"), (4321, "4,321")],
)
def test_values_have_three_digits_that_mean_something(number: float, text: str) -> None:
    assert significant(number) == text


@pytest.mark.parametrize(("number", "text"), [(-0.04, "0.0"), (2.25, "2.2"), (99.96, "100"), (-1234.5, "−1,234")])
def test_a_difference_has_one_decimal_below_a_hundred(number: float, text: str) -> None:
    assert rounded(number) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0.0%"), (4e-4, "<0.1%"), (0.25, "25.0%"), (0.9996, ">99.9%"), (1, "100.0%")]
)
def test_a_share_is_nothing_or_all_only_if_it_is(share: float, text: str) -> None:
    assert percentage(share) == text


def test_bounds_stand_in_brackets_where_they_differ_and_without_signs_where_words_call_it_less() -> None:
    assert with_interval(interval(3, 2, 5), "g") == "3 (2–5)"
    assert with_interval(interval(3, 3, 3), "g") == "3"
    assert with_interval(interval(3, 3, np.inf), "g", never="none") == "3 (3–none)"
    assert with_interval(interval(-0.5, -1, 0.25)) == "−0.500 (−1.00 to 0.250)"
    assert bounds(interval(-2, -3, -1)) == "95 % interval 1.0 to 3.0"
    assert bounds(interval(0, -3, 1)) == "95 % interval −3.0 to 1.0"


def test_milliseconds_are_told_as_seconds() -> None:
    assert amount(27_000, "ms of processor time") == "27 s of processor time"
    assert amount(1_500, "ms of processor time") == "1.5 s of processor time"
    assert amount(12_000_001, "ms of processor time") == "12,000 s of processor time"
    assert amount(27_000, "episodes") == "27,000 episodes"


def test_a_list_ends_with_and_and_names_at_most_a_dozen_lemmas() -> None:
    assert [conjunction("a"), conjunction("ab"), conjunction("abc")] == ["a", "a and b", "a, b and c"]
    assert listed(["a", "b c"]) == "a and “b c”"
    assert listed([str(place) for place in range(14)]).endswith("10, 11 and 2 more")


def test_each_method_is_named_once_with_its_columns_and_only_those_rows_that_do_not_share_one() -> None:
    of_rows = {"sarsa": "Gaffke's", "uniform": "Student's t"}
    assert methods({"proofs": of_rows, "area": dict.fromkeys(of_rows, "Student's t"), "actions": "Student's t"}) == (
        "Intervals: Gaffke's (proofs of sarsa); Student's t (proofs of uniform, area, actions)."
    )
