"""Pictures in files of several formats, always the same; curves told apart without colours, markers and legends."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from matplotlib import colors
from matplotlib.figure import Figure

from oasis.ground.names import LEARNERS
from oasis.ground.pictures import FORMATS, legend_columns, marked, save, styles
from tests.thorough import thoroughly

SIGNATURES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


def drawn() -> Figure:
    figure = Figure()
    figure.subplots().plot([1, 3, 2], label="a curve")
    return figure


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".svg", *thoroughly(".png", ".pdf")])
def test_a_picture_is_written_in_the_format_of_its_name_and_is_always_the_same(tmp_path: Path, suffix: str) -> None:
    assert {*SIGNATURES} == {*FORMATS}
    one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix.upper()}"
    for path in (one, other):
        save(path, drawn)
    assert one.read_bytes().startswith(SIGNATURES[suffix])
    assert one.read_bytes() == other.read_bytes()


def lightness(colour: str) -> float:
    return sum(part * weight for part, weight in zip(colors.to_rgb(colour), (0.3, 0.59, 0.11), strict=True))


def test_kinds_are_told_apart_by_line_marker_and_lightness_in_every_picture() -> None:
    looks = [*styles(["simple", "name", "match"]).values()]
    assert len({look.line for look in looks}) == len({look.marker for look in looks}) == len(looks)
    shades = sorted(lightness(look.colour) for look in looks)
    assert all(lighter - darker > 0.15 for darker, lighter in pairwise(shades))
    looks = [*styles(map(str, range(100))).values()]
    assert len({look.line for look in looks[:8]}) == len({look.marker for look in looks[:8]}) == 8
    assert len(set(looks)) == 100
    assert max(lightness(look.colour) for look in looks) < 0.75  # to be seen on white
    few, many = styles(["q", "sarsa"], ["sarsa", "q", "and-or-q"]), styles(["mine", "q"], ["sarsa", "q", "and-or-q"])
    assert few["q"] == many["q"] != few["sarsa"]
    assert many["mine"] == [*styles("abcd").values()][3]
    mixed = styles(["teacher", "uniform", *map(str, range(6))], tuple(LEARNERS))
    assert len({look.colour for look in mixed.values()}) == 8, "there are colours left beside those of learners"


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
