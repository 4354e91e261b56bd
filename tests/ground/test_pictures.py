"""Pictures in files of several formats, always the same, and curves that are told apart without colours."""

from itertools import pairwise
from pathlib import Path

import pytest
from matplotlib import colors
from matplotlib.figure import Figure

from oasis.ground.names import LEARNERS
from oasis.ground.pictures import FORMATS, save, styles
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
