"""The picture: written in the formats it can, named axes, and spaces that are told apart without colour."""

from __future__ import annotations

from importlib import util
from itertools import pairwise
from pathlib import Path

import pytest
from matplotlib import colors

from oasis.lab.plots import style
from oasis.lab.plots.sharing import figure, save_plot
from oasis.lab.plots.style import FORMATS, check_plot, styles
from oasis.lab.sharing.findings import findings
from state_spaces import STATE_SPACES
from tactics.errors import InputError, LibraryMissing
from tests.lab.comparisons import quick, taught
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

SIGNATURES = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}


@pytest.mark.parametrize("suffix", [".svg", *thoroughly(".png", ".pdf")])
def test_the_picture_is_written_in_the_format_of_its_name_and_is_always_the_same(tmp_path: Path, suffix: str) -> None:
    assert {*SIGNATURES} == {*FORMATS}
    one, other = tmp_path / f"one{suffix}", tmp_path / f"other{suffix.upper()}"
    for path in (one, other):
        save_plot(path, quick(), findings(quick()))
    assert one.read_bytes().startswith(SIGNATURES[suffix])
    assert one.read_bytes() == other.read_bytes()


def test_every_panel_has_named_axes_and_curves_that_are_the_means_of_the_students() -> None:
    drawing = figure(quick(), findings(quick()))
    panels = drawing.axes
    assert [panel.get_ylabel() for panel in panels] == [
        *("states in memory", "", "episodes with a proof"),
        *("proofs so far", "", "students with a proof"),
    ]
    assert [panel.get_xlabel() for panel in panels] == ["", "", "lettering", "copy", "episode", "how many"]
    titles = [panel.get_title() for panel in panels]
    assert titles[:2] == ["12 renamed copies of SYJ203.2", "SYJ203.2 itself, 12 times"]
    (legend,) = drawing.legends
    assert [text.get_text() for text in legend.get_texts()] == [name.capitalize() for name in STATE_SPACES]
    assert "3 students" in legend.get_title().get_text()
    drawing = figure(quick(), findings(quick()))
    for column, experiment in enumerate(("copies", "same")):
        for line, space in zip(drawing.axes[column].lines, STATE_SPACES, strict=True):
            expected = quick().record(experiment, space).states.mean(axis=0)
            assert list(line.get_ydata()) == pytest.approx(list(expected))  # type: ignore[arg-type]
            assert list(line.get_xdata()) == [*range(1, 13)]  # type: ignore[arg-type]
        assert len(drawing.axes[column].collections) == len(STATE_SPACES)  # the shaded intervals
    assert drawing.axes[0].get_ylim() == drawing.axes[1].get_ylim()


def lightness(colour: str) -> float:
    return sum(part * weight for part, weight in zip(colors.to_rgb(colour), (0.3, 0.59, 0.11), strict=True))


def test_kinds_are_told_apart_by_line_marker_and_lightness_in_every_picture() -> None:
    looks = [*styles(STATE_SPACES).values()]
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


def test_a_lemma_of_one_copy_or_with_a_long_name_can_be_drawn() -> None:
    sharing = taught("forall Apples Bananas Cherries : Prop, Apples -> Bananas -> Cherries -> Bananas", copies=1)
    drawing = figure(sharing, findings(sharing))
    drawing.draw_without_rendering()
    assert len(drawing.axes[0].get_title()) < 50


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("picture.jpeg", "picture.jpeg should end in .png, .svg or .pdf; rename it."),
        ("picture", "picture should end in"),
        ("nowhere/picture.png", "There is no folder .*nowhere for picture.png"),
    ],
)
def test_a_name_that_cannot_be_drawn_to_is_refused(tmp_path: Path, name: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        check_plot(tmp_path / name)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(InputError, match=r"folder\.png cannot be written \(Is a directory\); name another file\."):
        save_plot(tmp_path / "folder.png", quick(), findings(quick()))


def test_without_matplotlib_the_command_that_installs_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(style, "find_spec", lambda name: None if name == "matplotlib" else util.find_spec(name))
    with pytest.raises(LibraryMissing, match=r"pip install .*\[plots\]'$"):
        check_plot(tmp_path / "picture.png")
