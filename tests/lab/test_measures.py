"""A report is made of a list of measures: its numbers, its test of all pairs at once, its sentences and its files."""

import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from oasis.ground.pictures import FORMATS
from oasis.ground.statistics import (
    LEVEL,
    MEAN,
    SHARE,
    Interval,
    Statistic,
    differences,
    fewest,
    seeds_needed,
    signs,
    unseen,
)
from oasis.ground.table import Table, latex
from oasis.lab.measure import Family, Measure, area, last, share
from oasis.lab.pictures import figure, panels
from oasis.lab.report import Report
from oasis.lab.reports import Reports
from oasis.lab.written import page, write_curves, write_paper
from tactics.errors import InputError, LibraryMissing

POINTS = np.array([0, 1, 2, 4])
EFFORT = Measure(
    "effort",
    "steps until it is known",
    lambda trial: trial["effort"],
    "less",
    over_lemmas=np.max,
    tested=True,
    headline=True,
    by_lemma=True,
    least=0,
    digits=0,
    unit="steps",
    never=lambda trial: trial["effort"] >= 100,
)
KNOWN = Measure(
    "known", "share that is known", last("known"), "more", statistic=SHARE, tested=True, least=0, most=1, scale=100,
    unit="%", needs=("known",), lacking="nobody asked",
)  # fmt: skip
CURVE = Measure("course", "share that is known", lambda trial: trial["known"], "more", x="points", statistic=SHARE)
CUT = Measure("cut short", "share of episodes that a limit ended", share("cut"), warn_above=0.01, scale=100, unit="%")
FAMILY = Family("students", "steps", (EFFORT, KNOWN, CURVE, CUT))


VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """Fails on a tag that is not closed in its place; keeps tags and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def check_page_is_whole(text: str) -> None:
    """Fail if a tag is left open, an identifier is there twice, or something is asked for that is not in the page."""
    found = Page(text)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in found.tags}
    said = [(name, value or "") for _, attributes in found.tags for name, value in attributes.items()]
    asked = [value for name, value in said if name in ("src", "href", "xlink:href")]
    identifiers = Counter(value for name, value in said if name == "id")
    assert all(address.startswith("#") for address in asked)
    assert {address[1:] for address in asked} <= set(identifiers) and set(identifiers.values()) <= {1}
    assert "@import" not in text and not re.search(r"url\((?!#)", text)


def trial(effort: tuple[float, ...], known: float = 1.0, *, cut: bool = False) -> dict[str, Any]:
    """Make a trial of as many lemmas as there are efforts."""
    rising = np.linspace(0, known, len(POINTS))[:, None] * np.ones(len(effort))
    return {"effort": np.array(effort), "known": rising, "points": POINTS, "cut": np.array([cut, False])}


def report(*, family: Family = FAMILY, **kinds: list[dict[str, Any]]) -> Report:
    """Report on kinds by their trials."""
    some = next(iter(kinds.values()))[0]
    return Report(family, kinds, [f"L{place}" for place in range(len(some["effort"]))])


def many(low: int, number: int = 8, **others: Any) -> list[dict[str, Any]]:
    """Make trials with efforts from `low` on, a little different for each seed."""
    return [trial((low + seed % 3, low - 1), **others) for seed in range(number)]


def test_a_unit_is_a_seed_or_a_lemma() -> None:
    trials = [trial((3, 5)), trial((4, 9))]
    assert EFFORT.of(trials, "seeds").tolist() == [5, 9]
    assert EFFORT.of(trials, "lemmas").tolist() == [3.5, 7]
    assert CURVE.of(trials, "seeds").shape == (2, 4)
    assert CURVE.of(trials, "lemmas").shape == (2, 4)
    assert_allclose(area("known", "points")(trial((1,))), [7 / 12])
    assert CUT.of(trials, "lemmas").tolist() == [0, 0], "what belongs to no lemma is of seeds"
    with pytest.raises(ValueError, match="effort takes an array of 2 axes from a trial, not 1"):
        replace(EFFORT, take=lambda trial: trial["known"]).of(trials, "seeds")


def test_a_family_has_one_headline() -> None:
    for measures in ((KNOWN,), (EFFORT, replace(KNOWN, headline=True)), (replace(EFFORT, tested=False),)):
        with pytest.raises(ValueError, match="need one headline"):
            Family("students", "steps", measures)


def test_numbers_are_written_as_people_read_them() -> None:
    assert [KNOWN.text(each) for each in (0.5, 1, np.inf)] == ["50.0 %", "100.0 %", "–"]
    assert [EFFORT.text(each, "+") for each in (1234.4, -3, -0.4)] == ["+1,234 steps", "−3 steps", "+0 steps"]
    bounded = Interval(np.array(0.5), np.array(0.25), np.array(0.75))
    assert KNOWN.with_bounds(bounded) == "50.0 % (25.0 to 75.0)"
    assert KNOWN.with_bounds(bounded._replace(low=np.array(-np.inf))) == "50.0 %"


def test_a_verdict_says_who_is_ahead_and_of_whom() -> None:
    found = report(slow=many(60), quick=many(20), also=many(20))
    verdict, *others = found.sentences()
    assert verdict == (
        "Effort: quick is ahead with 21 steps, 40 steps less than slow (40 to 40); not told apart from also."
    )
    assert others[0] == "Known: nobody is ahead; 100.0 % for slow, 100.0 % for quick and 100.0 % for also."
    tables = list(found.tables())
    assert [table.title for table in tables] == [
        "What is compared",
        "Besides",
        "Effort, lemma by lemma",
        "First less second",
    ]
    assert [row[0] for row in tables[-1].rows] == ["slow – quick", "slow – also", "quick – also"]
    assert tables[-1].rows[0][1].endswith(" *")
    assert not tables[-1].rows[2][1].endswith(" *")


def test_who_is_ahead_need_not_have_the_best_mean() -> None:
    lucky = [trial((5 if seed < 3 else 60, 2)) for seed in range(8)]
    found = report(slow=many(60), quick=many(40), lucky=lucky)
    assert found.sentences()[0] == (
        "Effort: quick is ahead with 41 steps, 20 steps less than slow (20 to 20); not told apart from lucky."
    )


def test_kinds_are_held_against_chosen_ones_alone() -> None:
    kinds = {"slow": many(60), "quick": many(20), "also": many(20), "even": many(60)}
    found = Report(FAMILY, kinds, ["L0", "L1"], pairs=[("quick", "slow"), ("even", "slow"), ("also", "quick")])
    assert found.sentences()[:2] == [
        "Effort, against slow: better: quick; not told apart: even.",
        "Effort, against quick: not told apart: also.",
    ]
    assert not [sentence for sentence in found.sentences() if "takes" in sentence]
    assert [row[0] for row in [*found.tables()][-1].rows] == ["quick – slow", "even – slow", "also – quick"]
    assert found.tests[("quick", "slow")].p[0] == 3 * 2 / 2**8


def test_too_few_seeds_have_values_without_bounds_and_one_sentence() -> None:
    found = report(slow=many(60, 4), quick=many(20, 4))
    assert next(iter(found.tables())).rows[0][1] == "61 steps"
    assert found.sentences() == [
        "4 students of each kind can tell no kinds apart, however much they differ; take 6 or more."
    ]
    assert report(alone=many(60, 1)).sentences() == []


def test_what_is_cut_short_or_never_gets_there_is_said() -> None:
    found = report(slow=[*many(60, 7), trial((100, 5))], quick=many(20, cut=True))
    assert found.sentences()[0] == (
        "Effort: of 8 students each, 1 of slow did not get there; they count with the whole budget, so the true means "
        "are larger."
    )
    assert found.sentences()[1] == "Mind that cut short is 50.0 % for quick: share of episodes that a limit ended."


def test_a_measure_that_some_trial_lacks_is_left_out_and_said_to_be() -> None:
    blank = trial((3, 5))
    blank["known"] = np.where(blank["known"] > 0, np.nan, 0)
    found = report(one=[blank] * 7, other=many(3, 7))
    assert found.sentences()[0] == "Left out: “known”, as nobody asked."
    assert [measure.name for measure in found.measures] == ["effort", "course", "cut short"]
    assert found.to_json()["left_out"] == {"known": "nobody asked"}


def test_kinds_without_trials_or_with_more_than_others_have_no_report() -> None:
    uneven: list[dict[str, list[dict[str, Any]]]] = [{"one": []}, {"one": many(3), "other": many(3, 2)}]
    for kinds in uneven:
        with pytest.raises(InputError, match="let the experiment go on"):
            Report(FAMILY, kinds, ["L"])


def test_json_and_rows_hold_every_number() -> None:
    found = report(slow=many(60), quick=many(20))
    told = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert told["report"] == 2
    assert told["numbers"]["effort"]["slow"]["value"] == pytest.approx(np.mean([60 + seed % 3 for seed in range(8)]))
    assert told["by_lemma"]["effort"]["quick"] == [pytest.approx(20.875), 19]
    assert told["curves"]["course"]["slow"]["x"] == [0, 1, 2, 4]
    assert [(pair["measure"], pair["told_apart"]) for pair in told["pairs"]] == [("effort", True), ("known", False)]
    rows = list(found.rows())
    assert len(rows) == 16
    assert rows[8] == {"kind": "quick", "seed": 0, "effort": 20, "known": 1, "cut short": 0}


def test_what_several_reports_say_alike_stands_together_and_is_said_once() -> None:
    few, cut = report(slow=many(60, 4), quick=many(20, 4)), report(slow=many(60, 4), quick=many(20, 4, cut=True))
    found = Reports({"a": few, "b, c": cut, "d": report(slow=many(60), quick=many(20))})
    first, *_, last = found.tables()
    (numbers,) = found.overview("All")
    assert first.header == numbers.header == ("part (students)", "", "effort", "known")
    assert [row[:2] for row in first.rows] == [*product(("a (4)", "b, c (4)", "d (8)"), ("slow", "quick"))]
    assert (last.title, [row[:2] for row in last.rows]) == ("First less second", [("d (8)", "slow – quick")])
    assert found.sentences()[:2] == [
        f"a and “b, c”: {few.sentences()[0]}",
        "“b, c”: Mind that cut short is 50.0 % for quick: share of episodes that a limit ended.",
    ]
    assert [*Reports({"": few}).tables()] == [*few.tables()] and Reports({"": few}).sentences() == few.sentences()
    alone = Reports({"one": report(slow=many(60)), "other": report(slow=many(20))}, "lemma")
    assert next(alone.tables()).header == ("lemma (students)", "effort", "known")
    assert [row["part"] for row in alone.rows()] == ["one"] * 8 + ["other"] * 8


def test_more_units_are_asked_for_than_did_not_tell_kinds_apart() -> None:
    rising = [trial((60 + seed,)) for seed in range(7)]
    found = report(one=rising, two=[trial((61 + 2 * seed,)) for seed in range(6)] + [trial((65,))], three=rising)
    assert found.difference(EFFORT, ("one", "two"))[1] > LEVEL
    assert found.seeds_needed(EFFORT, ("one", "two"), 50.0) == 8


def test_kinds_that_never_get_there_are_not_said_to_be_alike() -> None:
    found = report(one=many(100), other=many(100))
    gain, p = found.difference(EFFORT, ("one", "other"))
    assert p == 1
    assert_allclose([gain.low, gain.high], [-102 * unseen(8), 102 * unseen(8)])


def test_what_differs_by_rounding_does_not_differ() -> None:
    family = replace(FAMILY, measures=(EFFORT, mean := replace(KNOWN, statistic=MEAN)))
    found = report(family=family, one=many(60, known=0.9), other=many(60, known=0.9 - 1e-15))
    assert found.difference(mean, ("one", "other"))[1] == 1
    (axes,) = (axes for axes in figure(found, "T").axes if axes.get_title() == "known (%)")
    assert np.diff(axes.get_xlim()) == pytest.approx(1), "ten times what is shown"


def test_means_are_of_what_is_known() -> None:
    length = Measure("length", "of a proof", lambda trial: np.where(trial["effort"] < 9, trial["effort"], np.nan))
    family = Family("searches", "steps", (EFFORT, length, CUT), across="lemmas")
    found = report(family=family, some=[trial((3, 9)), trial((5, 9))], none=[trial((9, 9))] * 2)
    assert length.of_lemmas(found.trials["some"])[0] == found.number(length, "some").value == 4
    assert found.to_json()["numbers"]["length"]["none"]["value"] is None
    assert next(found.rows())["length"] == 4
    assert all("cut short" not in row for row in found.rows())


@pytest.mark.slow
def test_a_statistic_of_ones_own_is_everywhere_after_one_entry() -> None:
    def middle(sample: Any, least: float, most: float) -> Interval:
        value = stats.trim_mean(sample, 0.25, axis=0)
        found = stats.bootstrap(
            (sample,), lambda x, axis=-1: stats.trim_mean(x, 0.25, axis=axis), rng=1, n_resamples=99
        )
        return Interval(np.asarray(value), *map(np.asarray, found.confidence_interval))

    iqm = Statistic("interquartile mean", middle, "bootstrap")
    mine = replace(
        EFFORT, name="iqm", headline=False, statistic=iqm, over_lemmas=lambda x, axis: stats.trim_mean(x, 0.25, axis)
    )
    found = report(family=replace(FAMILY, measures=(*FAMILY.measures, mine)), slow=many(60), quick=many(20))
    assert "iqm" in next(iter(found.tables())).header
    assert "iqm" in [pair["measure"] for pair in found.to_json()["pairs"]]
    assert next(found.rows())["iqm"] == 59.5
    assert found.to_json()["measures"]["iqm"]["statistic"] == "interquartile mean"
    assert "iqm (steps)" in [panel.title for panel in panels(found)]
    whole = page(
        Reports({"": found}), title="T", lemmas=[("L", "p -> p")], settings={"alpha": 0.1}, command="oasis compare"
    )
    check_page_is_whole(whole)
    assert "<dt>iqm</dt>" in whole and "Interquartile mean; interval: bootstrap." in whole


@pytest.mark.slow
def test_a_folder_for_a_paper_holds_all_that_one_takes(tmp_path: Path) -> None:
    others = report(slow=[trial((100,))] * 6, quick=many(9, 6))
    reports = Reports({"A & B": report(slow=many(60), quick=many(20)), "C": others})
    claims = Table("Claims", ("", "A"), (("less is more", "undecided"),))
    about = {"title": "T", "command": "oasis compare", "made_by": "0.1 (abc)"}
    write_paper(tmp_path / "new", reports, **about, tables=[claims])
    assert {path.suffix for path in (tmp_path / "new").iterdir()} == {*FORMATS, ".txt", ".tex", ".json", ".csv"}
    assert "100.0 \\% (" in (tmp_path / "new" / "A-B.tex").read_text()
    assert "less is more & undecided" in (tmp_path / "new" / "report.tex").read_text()
    assert (tmp_path / "new" / "made_by.txt").read_text() == "oasis compare\nOasis 0.1 (abc)\n"
    assert r"50 \% of a\_b \& \textasciitilde{}p" in latex(Table("", ("50 % of a_b & ~p",), ()))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made a folder"):
        write_paper(tmp_path / "file", reports, title="T", command="", made_by="")


def test_curves_of_each_kind_are_written_for_tensorboard(tmp_path: Path) -> None:
    if find_spec("tensorboard") is None:
        with pytest.raises(LibraryMissing, match=r"^--tensorboard needs TensorBoard, not"):
            write_curves(tmp_path, Reports({"": report(fast=many(3), slow=many(40))}))
        return
    one = report(fast=many(3), slow=many(40))
    write_curves(tmp_path, Reports(dict.fromkeys(("short", "long, again"), one)))
    places = {str(path.relative_to(tmp_path)) for path in tmp_path.glob("*/*")}
    assert places == {f"{part}/{kind}" for part in ("short", "long-again") for kind in ("fast", "slow")}


@pytest.mark.parametrize("units", [6, 10, 14])
def test_one_measure_is_tested_as_scipy_tests_it(units: int) -> None:
    gains = np.random.default_rng(units).normal(0.4, 1, (units, 1))
    theirs = stats.permutation_test(
        (gains[:, 0], np.zeros(units)), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples",
        n_resamples=np.inf, vectorized=True,
    )  # fmt: skip
    assert_allclose(differences(gains, 1).p, theirs.pvalue)
    assert_allclose(differences(gains, 3).p, min(1, 3 * theirs.pvalue))
    assert_allclose(differences(np.pad(gains, ((0, 5_000), (0, 0))), 1).p, theirs.pvalue)


def test_what_is_told_apart_and_what_leaves_out_nothing_are_one_statement() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        gains = rng.normal(rng.choice([0, 1], 4), 1, (8, 4)).round(int(rng.integers(3)))
        found = differences(gains, 2)
        outside = (found.gain.low > 0) | (found.gain.high < 0)
        at_end = (found.gain.value != 0) & ((found.gain.low == 0) | (found.gain.high == 0))
        assert ((found.p <= LEVEL) <= (outside | at_end)).all()
        assert (outside <= (found.p <= LEVEL)).all()


def test_units_that_hardly_differ_leave_room_for_others() -> None:
    gains = np.zeros((42, 2))
    gains[0, 0] = 1
    found = differences(gains, 1, np.array([1.0, 1.0])).gain
    assert found.low[0] < -0.02 < 0.07 < found.high[0]
    assert_allclose([-found.low[1], found.high[1]], unseen(42))
    shares = np.array([[1.0], [1], [1], [1], [1], [-1], [1], [0]])
    assert differences(shares, 1, 1.0).gain.high[0] == 1, "a share is no more than all above another"


def test_measures_that_say_the_same_cost_nothing() -> None:
    gains = np.random.default_rng(4).normal(1, 1, (10, 1))
    assert_allclose(differences(np.repeat(gains, 5, axis=1), 1).p, np.repeat(differences(gains, 1).p, 5))


def test_more_units_than_all_signs_can_be_tried_of() -> None:
    assert signs(5).shape == (32, 5)
    assert len({tuple(row) for row in signs(5)}) == 32
    assert signs(40).shape == (2**14, 40)
    assert (signs(40)[0] == 1).all()
    assert differences(np.full((40, 1), 2.0), 45).p[0] <= LEVEL


def test_the_fewest_units_that_can_tell_kinds_apart() -> None:
    for pairs in (1, 3, 45):
        assert (differences(np.full((fewest(pairs), 1), 1.0), pairs).p <= LEVEL).all()
        assert not (differences(np.full((fewest(pairs) - 1, 1), 1.0), pairs).p <= LEVEL).any()
    assert [fewest(pairs) for pairs in (1, 3, 45)] == [6, 7, 11]


def test_seeds_needed_are_those_of_the_noncentral_t() -> None:
    gains = np.random.default_rng(5).normal(3, 4, 20)
    effect, need = float(gains.mean()), seeds_needed(gains, float(gains.mean()), 3)
    assert need is not None

    def power(seeds: int) -> float:
        bound = stats.t.ppf(1 - LEVEL / 6, seeds - 1)
        return float(stats.nct.sf(bound, seeds - 1, effect / gains.std(ddof=1) * np.sqrt(seeds)))

    assert power(need - 1) < 0.8 <= power(need)
    assert seeds_needed(gains, 1e-6, 3) is None
    assert seeds_needed(np.full(10, 2.0), 2.0, 3) == fewest(3)


def test_a_pilot_says_how_many_it_takes() -> None:
    enough = "8 students of each kind are enough to tell all kinds apart in effort."
    assert report(fast=many(3), slow=many(40)).pilot() == [enough]
    (open_, alike) = report(one=many(3), same=many(3), other=[*many(3)[:7], trial((5, 5))]).pilot()
    assert "8 times of 10, " in open_ and " for “one and other”" in open_
    assert alike.startswith("Nothing says how many it takes for “one and same”, which do not differ in effort here")
    assert report(alone=many(3)).pilot()[0].endswith("name a second kind.")
    draw = np.random.default_rng(2)
    kinds = {f"k{n}": [trial((float(draw.integers(90)),)) for _ in range(8)] for n in range(6)}
    (short,) = Report(FAMILY, kinds, ["L0"]).pilot()
    assert re.search(r"8 times of 10, .* here: some \d+ to (some|more than) [\d,]+, as --json says of each pair", short)


def test_a_mean_of_fewer_than_five_has_no_bounds() -> None:
    assert np.isinf(MEAN.of(np.arange(4.0), 0, 9).low)
    assert np.isfinite(MEAN.of(np.arange(5.0), 0, 9).low)
