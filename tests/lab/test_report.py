"""The page of a comparison is well-formed and needs nothing beside it; its pictures show what they should."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from oasis.lab.pages.page import check_page, write
from oasis.lab.pictures import legend_columns
from oasis.lab.plots.curves import Series, panel
from oasis.lab.statistics import Interval
from tactics.errors import InputError

pytestmark = pytest.mark.slow


def test_curves_below_zero_are_not_cut_off_and_bounds_of_infinity_reach_the_top() -> None:
    axes = Figure().subplots()
    below = Interval(np.array([-1.0, 2.0]), np.array([-2.0, 1.0]), np.array([0.0, np.inf]))
    panel(axes, {"a": Series([1, 2], below)}, "x", "y")
    low, high = axes.get_ylim()
    assert low <= -2
    assert 2 <= high < 3
    panel(axes := Figure().subplots(), {"a": Series([1, 2], Interval(*(abs(b) for b in below)))}, "x", "y")
    assert axes.get_ylim()[0] == 0


def test_of_curves_that_cover_each_other_each_is_seen() -> None:
    axes = Figure().subplots()
    same = Interval(*np.ones((3, 30)))
    panel(axes, dict.fromkeys(("solid", "dashed", "dotted"), Series([*range(30)], same)), "x", "y")
    solid, *broken = axes.lines
    assert solid.get_linestyle() == "-"
    assert all(line.get_zorder() > solid.get_zorder() for line in broken)
    marks = [set(line.get_markevery()) for line in axes.lines]  # type: ignore[arg-type]
    assert all(marks)
    assert not any(one & other for one, other in combinations(marks, 2))


def test_a_point_between_gaps_and_a_curve_of_few_points_have_markers() -> None:
    axes = Figure().subplots()
    value = np.full(40, np.nan)
    value[[7, 20, 21, 22]] = 1
    panel(axes, {"a": Series([*range(40)], Interval(value, value, value))}, "x", "y")
    assert axes.lines[0].get_markevery() == [7, 20, 21, 22]
    value[20:] = 1
    panel(axes := Figure().subplots(), {"a": Series([*range(40)], Interval(value, value, value))}, "x", "y")
    marked = axes.lines[0].get_markevery()
    assert isinstance(marked, list)
    assert 7 in marked
    assert len(marked) < 10


def test_lines_far_from_the_curves_are_in_the_picture_and_names_of_close_ones_do_not_touch() -> None:
    axes = Figure().subplots()
    panel(axes, {"a": Series([1, 2], Interval(*np.zeros((3, 2))))}, "x", "y", lines={"far": 7.0})
    assert axes.get_ylim()[1] >= 7
    (text,) = axes.texts
    assert text.xyann[1] <= 1  # type: ignore[attr-defined]
    axes = Figure().subplots()
    flat = Interval(*np.ones((3, 2)))
    panel(axes, {"a": Series([1, 2], flat)}, "x", "y", lines={"one": 0.5, "two": 0.5001, "three": 0.501})
    heights = sorted(text.xyann[1] for text in axes.texts)  # type: ignore[attr-defined]
    assert all(above - below > 0.05 for below, above in pairwise(heights))


@pytest.mark.parametrize(("names", "columns"), [(["a"] * 3, 3), (["a"] * 40, 10), (["x" * 200] * 2, 1), ([], 1)])
def test_a_legend_fills_its_rows_evenly(names: list[str], columns: int) -> None:
    assert legend_columns(names, 13.3) == columns


def test_a_place_that_no_page_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no folder .*nowhere for r"):
        check_page(tmp_path / "nowhere" / "r.html")
    with pytest.raises(InputError, match=r"cannot be written \(Is a directory\); name another file"):
        write(tmp_path, "")
