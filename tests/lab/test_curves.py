"""Curves of students as numbers: known curves, and the definitions once more."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from oasis.lab.comparison.curves import POINTS, area_under_curve, bin_width, binned, first_reliable, first_success


@given(st.integers(1, 3_000_000))
def test_a_bin_is_a_round_number_that_leaves_at_most_so_many_points(episodes: int) -> None:
    width = bin_width(episodes)
    assert str(width).rstrip("0") in ("1", "2", "5")
    assert -(-episodes // width) <= POINTS
    assert width == 1 or -(-episodes // (width // 2)) > POINTS // 2


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.integers(1, 12))
def test_bins_have_the_means_of_their_episodes(numbers: list[int], width: int) -> None:
    middles, means = binned(np.array([numbers]), width)
    pieces = [numbers[start : start + width] for start in range(0, len(numbers), width)]
    assert means[0].tolist() == pytest.approx([sum(piece) / len(piece) for piece in pieces])
    episodes = [range(start + 1, min(start + width, len(numbers)) + 1) for start in range(0, len(numbers), width)]
    assert middles.tolist() == [sum(piece) / len(piece) for piece in episodes]


def test_the_area_under_a_curve_is_its_mean_over_episodes_and_the_first_success_need_not_last() -> None:
    assert area_under_curve([[0, 1, 1, 1], [0, 0, 0, 1]]).tolist() == [0.75, 0.25]
    # Seen after episodes 1, 2 and 10: the last point stands for eight episodes.
    assert area_under_curve([True, False, True], [1, 2, 10]).tolist() == 0.9
    assert first_success([[False, True, False], [True, False, True], [False] * 3]).tolist() == [2, 1, np.inf]
    assert first_reliable([[False, True, False], [True, False, True]]).tolist() == [np.inf, 3]


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
