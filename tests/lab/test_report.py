"""The page of a comparison is well-formed and needs nothing beside it; its pictures show what they should."""

from __future__ import annotations

from functools import cache, partial
from io import StringIO
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from oasis.ground.pictures import to_svg
from oasis.lab.comparison.summary import Comparison
from oasis.lab.pages.comparison import page, write_checkpoints, write_episodes
from oasis.lab.pages.page import check_page, write
from oasis.lab.pictures import legend_columns
from oasis.lab.plots.comparison import figure, panels, save_plot, single, value_lines
from oasis.lab.plots.curves import Series, panel
from oasis.lab.statistics import Interval
from oasis.lab.students.plan import Plan
from oasis.lab.students.trial import Trial
from tactics.errors import InputError
from tests.lab.made import compared, plan, trial
from tests.lab.pages import check_page_is_whole

pytestmark = pytest.mark.slow


@cache
def results(curriculum: bool = False) -> tuple[Plan, dict[str, Trial], Comparison]:
    if curriculum:
        made = plan("fixed", "afresh", lemmas="thesis/41,thesis/42", episodes=3, orders=True)
        trials = {"fixed": trial(made, greedy=30), "afresh": trial(made)}
    else:
        made = plan("sarsa", "q-learning", "uniform", episodes=60)
        lengths = np.maximum(10, 20 - np.arange(50))[:, None] * (np.arange(50) > 4)[:, None]
        trials = {
            "sarsa": trial(made, proofs="0001" * 15, greedy=lengths, value=0.1),
            "q-learning": trial(made, proofs="0111" * 15, greedy=12, value=0.3),
            "uniform": trial(made),
        }
    return made, trials, compared(made, **trials)


@pytest.mark.parametrize("curriculum", [False, True], ids=["lemma", "curriculum"])
def test_the_page_is_well_formed_and_asks_for_nothing_from_anywhere(curriculum: bool) -> None:
    _, trials, result = results(curriculum)
    text = page(result, trials, "oasis compare SYJ203.2")
    check_page_is_whole(text)
    assert text.count("<svg") == 4


def test_the_page_says_what_was_done_and_a_name_cannot_break_it() -> None:
    made, trials, result = results()
    text = page(result, trials, "oasis compare 'p <-> q'")
    for part in ("(seeds 0 to 3), 60 episodes each", "oasis compare &#39;p &lt;-&gt; q&#39;", "Clopper and Pearson"):
        assert part in text
    assert "It is not told apart" in text and '<td class="word">sarsa</td>' in text
    odd = Plan('<b>&amp; "odd"', made.lemmas, made.variants, made.seeds, made.checkpoints)
    text = page(compared(odd, **trials), trials)
    check_page_is_whole(text)
    assert "<b>&amp" not in text


def test_a_picture_in_a_page_is_an_element_of_xml_as_wide_as_its_place() -> None:
    _, _, result = results()
    texts = [to_svg(partial(single, result, panels(result)[0]), name) for name in ("one", "one", "two")]
    assert texts[0] == texts[1] != texts[2]
    root = ElementTree.fromstring(texts[0].replace("xlink:href", "href"))
    assert "viewBox" in root.attrib
    assert "width" not in root.attrib
    assert any((element.text or "").strip() == "q-learning" for element in root.iter())


def test_all_panels_are_named_and_show_every_variant_and_the_truth() -> None:
    _, _, result = results()
    drawing = figure(result)
    assert [axes.get_xlabel() for axes in drawing.axes] == ["episode (bins of 2)"] * 2 + ["episodes practised"] * 2
    assert all(axes.get_ylabel() and axes.get_title() for axes in drawing.axes)
    (legend,) = drawing.legends
    assert [text.get_text() for text in legend.get_texts()] == ["sarsa", "q-learning", "uniform"]
    names = [[text.get_text() for text in axes.texts] for axes in drawing.axes]
    missing = "no curve where the median is no proof; never one of uniform"
    assert names[:3] == [[], [], ["shortest\n10", missing]]
    assert sorted(names[3]) == ["V* 0.387", "ε-soft (ε 0.4) 0.171"]
    value = drawing.axes[3].lines[1].get_ydata()
    assert set(np.asarray(value)) == {0.3}
    greedy = np.asarray(drawing.axes[2].lines[0].get_ydata(), float)  # from where half of the students have a proof
    assert np.isnan(greedy[:5]).all() and not np.isnan(greedy[5:]).any()


@pytest.mark.parametrize(("orders", "named"), [(("fixed", "afresh"), True), (("fixed", "shuffled"), False)])
def test_a_line_with_its_name_stands_where_the_practice_of_a_lemma_begins(orders: tuple[str, ...], named: bool) -> None:
    made = plan(*orders, lemmas="thesis/41,thesis/42", episodes=4, orders=True)
    result = compared(made, **dict.fromkeys(orders, trial(made, proofs="11110001")))
    for axes in figure(result).axes:
        names = {each.get_text(): each.xy for each in axes.texts if isinstance(each, Annotation)}
        upright = [x for x, other in (np.asarray(line.get_xdata()).tolist()[:2] for line in axes.lines) if x == other]
        found = {name: where for name, where in names.items() if name.startswith("thesis/")}
        assert found == ({"thesis/41": (0.5, 1), "thesis/42": (4.5, 1)} if named else {})
        assert upright == ([4.5] if named else [])


def test_lines_of_one_name_and_several_values_say_whose_they_are() -> None:
    made = plan("q-learning", "dyna-q", episodes=4)
    near, far = made.variants
    other = Plan(
        "x", made.lemmas, (near, type(far)("far", near.settings.__class__(gamma=0.99, episodes=4))), (0, 1), (4,)
    )
    trials = {"q-learning": trial(other), "far": trial(other)}
    assert [*value_lines(compared(other, **trials))] == ["V* 0.387: q-learning", "V* 0.914: far"]


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


@pytest.mark.parametrize(("suffix", "curriculum"), [(".png", True), (".svg", False)])
def test_pictures_are_written_in_every_format(tmp_path: Path, suffix: str, curriculum: bool) -> None:
    path = tmp_path / f"picture{suffix}"
    save_plot(path, results(curriculum)[2])
    assert path.stat().st_size > 10_000


def test_csv_has_a_line_for_each_episode_and_for_each_question_to_the_greedy_policy() -> None:
    made, trials, _ = results(curriculum=True)
    for write_lines, number, first, last in (
        (write_episodes, 2 * 4 * 6, "fixed,0,1,thesis/41,0,10,1", "afresh,3,6,thesis/42,0,10,6"),
        (write_checkpoints, 2 * 4 * 6 * 2, "fixed,0,1,thesis/41,1.0,30,0.0", "afresh,3,6,thesis/42,0.0,0,0.0"),
    ):
        stream = StringIO()
        write_lines(made, trials, stream)
        _, *rows = stream.getvalue().splitlines()
        assert (len(rows), rows[0], rows[-1]) == (number, first, last)


def test_a_place_that_no_page_can_have_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"There is no folder .*nowhere for r"):
        check_page(tmp_path / "nowhere" / "r.html")
    with pytest.raises(InputError, match=r"cannot be written \(Is a directory\); name another file"):
        write(tmp_path, "")
