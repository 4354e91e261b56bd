"""Markers and legends of pictures."""

import numpy as np
import pytest

from oasis.ground.pictures import legend_columns, marked


def test_a_point_between_gaps_and_a_curve_of_few_points_have_markers() -> None:
    value = np.full(40, np.nan)
    value[[7, 20, 21, 22]] = 1
    assert marked(value, 0) == [7, 20, 21, 22]
    value[20:] = 1
    assert 7 in marked(value, 0) and len(marked(value, 0)) < 10
    assert not {*marked(np.ones(30), 0)} & {*marked(np.ones(30), 0.5)}


@pytest.mark.parametrize(("names", "columns"), [(["a"] * 3, 3), (["a"] * 40, 10), (["x" * 200] * 2, 1), ([], 1)])
def test_a_legend_fills_its_rows_evenly(names: list[str], columns: int) -> None:
    assert legend_columns(names, 13.3) == columns
