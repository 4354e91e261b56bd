"""Chapter 7 done again: its conditions as data, what is said of arrays with known answers, and a few real students."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.lab.engines import Serial
from oasis.lab.experiment import Experiment
from oasis.lab.students.plan import Plan
from oasis.lab.students.trial import Trial
from oasis.lab.thesis.figures import CONDITIONS, COPIES, MAX_STEPS, Figure, figures
from oasis.lab.thesis.findings import Finding, finding, findings
from oasis.lab.thesis.measures import share, stretch
from oasis.lab.thesis.page import page
from oasis.lab.thesis.pictures import check_pictures, rows, save_pictures
from oasis.lab.thesis.study import Parts, Study, plans
from oasis.lab.thesis.tables import tables
from oasis.store import Store
from tactics.errors import InputError
from tactics.formula import atoms, renamed
from tests.lab.made import trial
from tests.lab.pages import check_page_is_whole

pytestmark = pytest.mark.slow

few = partial(figures, share=0.004, episodes=COPIES)


def made(plan: Plan, rates: Mapping[str, float], value: float = 0.0, steps: int = 30) -> dict[str, Trial]:
    """Return trials in which each variant's students all prove this share of their episodes; 0.5 if not given."""

    def proofs(name: str) -> list[str]:
        rng, marks = np.random.default_rng(len(name)), np.arange(plan.episodes) < rates.get(name, 0.5) * plan.episodes
        return ["".join("01"[mark] for mark in rng.permutation(marks).tolist()) for _ in plan.seeds]

    return {
        variant.name: trial(plan, proofs=proofs(variant.name), greedy=20, value=value, steps=steps)
        for variant in plan.variants
    }


def synthetic(figure: Figure, rates: Mapping[str, float] | None = None, **options: Any) -> Parts:
    return {part: made(plan, rates or {}, **options) for part, plan in figure.plans.items()}


def words(found: Finding) -> str:
    return "\n".join([*found.here, *found.because, *found.later])


def test_the_numbers_are_those_of_the_thesis_whose_conditions_come_first() -> None:
    sizes = {
        figure.number: (len(figure.short.variants), figure.short.episodes, len(figure.short.seeds))
        for figure in figures()
    }
    numbers = [f"7.{number}" for number in range(1, 6)]
    assert sizes == dict(zip(numbers, [(3, 15, 500), (5, 10, 500), (3, 6, 75), (3, 10, 75), (3, 10, 100)], strict=True))
    names = {figure.number: [lemma.name for lemma in figure.short.lemmas] for figure in figures()}
    assert names["7.1"] == names["7.5"] == ["thesis/43"]
    assert names["7.2"] == ["thesis/42"]
    assert names["7.3"] == [f"thesis/{number}" for number in range(41, 47)]
    parts = list(plans(figures()))
    assert parts[:5] == [f"{number} short" for number in numbers]
    assert parts[-5:] == [f"{number} long" for number in numbers]
    assert "7.5 beside" not in parts


def test_the_conditions_and_the_long_part_differ_in_nothing_but_what_is_compared() -> None:
    changed = {
        figure.number: {
            name
            for variant in figure.short.variants
            for name in vars(CONDITIONS)
            if name != "episodes" and getattr(variant.settings, name) != getattr(CONDITIONS, name)
        }
        for figure in figures()
    }
    assert [*changed.values()] == [{"learner"}, {"epsilon"}, {"state_space"}, {"state_space"}, {"reward"}]
    for figure in figures():
        for short, long in zip(figure.short.variants, figure.long.variants, strict=True):
            assert replace(long.settings, episodes=short.settings.episodes) == short.settings
        assert figure.long.lemmas == figure.short.lemmas
        assert 4_990 <= figure.long.episodes <= 5_000


def test_the_copies_are_one_lemma_in_letters_that_never_come_again() -> None:
    (figure,) = figures(["7.4"])
    formulas = [lemma.formula for lemma in figure.short.lemmas]
    assert len(set(formulas)) == COPIES
    pattern = {renamed(each, {atom.name: f"x{n}" for n, atom in enumerate(atoms(each))}) for each in formulas}
    assert len(pattern) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"numbers": ["7.6"]}, "There is no Figure 7.6; --figure is one of 7.1, 7.2, 7.3, 7.4, 7.5."),
        ({"share": 0}, "--share must be above 0 and at most 1, not 0"),
        ({"share": 1.5}, "--share must be above 0 and at most 1, not 1.5"),
    ],
)
def test_what_is_out_of_range_is_refused_in_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=f"^{sentence}"):
        figures(**arguments)


@given(numbers=st.lists(st.booleans(), min_size=1, max_size=300))
def test_the_shares_of_both_ends_are_those_of_their_episodes(numbers: list[bool]) -> None:
    (figure,) = few(["7.2"])
    done = made(figure.short, {})["ε 0.1"]._replace(proved=np.array([numbers]))
    length = stretch(len(numbers))
    assert share(done, first=True) == np.mean(numbers[:length])
    assert share(done, last=True) == np.mean(numbers[-length:])
    assert share(done) == np.mean(numbers)


def test_silence_and_limits_are_spoken_of_only_where_they_are() -> None:
    (figure,) = few(["7.1"])
    silent, heard = (finding(figure, synthetic(figure, value=value)) for value in (0.0, 0.1))
    told = "every one of 2 students of sarsa and q-learning believes the lemma to be worth exactly 0"
    assert told in words(silent)
    assert "exactly 0" not in words(heard)
    (figure,) = few(["7.2"])
    limit, short = (finding(figure, synthetic(figure, steps=steps)).here[-1] for steps in (MAX_STEPS, MAX_STEPS - 1))
    assert "met the limit of 20,000 actions and were cut short" in limit
    assert "limit" not in short


def test_more_and_less_follow_the_arrays() -> None:
    (figure,) = figures(["7.5"], share=0.3, episodes=COPIES)
    sentences = finding(figure, synthetic(figure, {"standard": 0.2, "terminating": 0.8, "standard-qed": 0.8})).here
    assert sentences[0].startswith("standard against terminating, share of proofs: 60.0 percentage points less ")
    assert "standard-qed against terminating, share of proofs: no difference" in sentences[2]
    assert "in an episode as many actions with every student" in sentences[0]
    turned = finding(figure, synthetic(figure, {"standard": 0.8, "terminating": 0.2})).here
    assert turned[0].startswith("standard against terminating, share of proofs: 60.0 percentage points more ")


def test_students_who_do_the_same_are_said_to() -> None:
    (figure,) = few(["7.2"])
    low, *_, high = figure.short.variants
    parts = synthetic(figure)
    parts["short"][high.name] = parts["short"][low.name]
    assert finding(figure, parts).here == (
        f"{low.name} and {high.name}: the same proofs and actions, episode by episode.",
    )


def test_a_longest_route_is_told_from_a_shortest() -> None:
    (figure,) = few(["7.5"])
    because = finding(figure, synthetic(figure)).because
    assert because[0].startswith("terminating teaches short proofs: the shortest, of 16 moves, is worth 0.206 ")
    assert because[1].startswith("standard teaches long proofs: the shortest, of 16 moves, is worth 8.15 ")
    assert because[2].startswith("standard-qed teaches short proofs")


def test_in_name_and_match_a_copy_is_the_lemma_itself() -> None:
    (figure,) = few(["7.4"])
    parts = synthetic(figure)
    parts["beside"]["Simple"] = made(figure.plans["beside"], {"Simple": 0.9})["Simple"]
    because = finding(figure, parts).because
    assert because[0].startswith("In Name and Match the copies are one lemma")
    assert because[1].startswith("In Simple they are not")


def test_no_goal_of_a_lemma_is_one_of_the_lemma_before() -> None:
    (figure,) = few(["7.3"])
    because = finding(figure, synthetic(figure)).because
    assert because[0] == "Of the 59 goals that thesis/42 can lead to, as Name sees them, none can come up in thesis/41."
    assert because[1].startswith("Of the 339 goals that thesis/43 can lead to, as Name sees them, none can come up in ")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with Store(tmp_path_factory.mktemp("study") / "oasis.db") as store:
        campaign = begun(store, few(["7.1", "7.3"]))
        for _ in campaign.run(Serial()):
            pass
        yield Study(campaign)


def begun(store: Store, chosen: Sequence[Figure]) -> Experiment[Plan]:
    return Experiment.start(store, plans(chosen), command="thesis", name="a few figures")


def test_the_figures_that_are_done_can_be_looked_at_before_the_others(store: Store) -> None:
    chosen = few(["7.2", "7.3"])
    campaign = begun(store, chosen)
    study = Study(campaign)
    assert study.figures == chosen
    for progress in campaign.run(Serial()):
        if progress.part == "7.3 long":
            break
    assert [figure.number for figure in study.done] == ["7.2"]
    assert [found.figure.number for found in findings(study)] == ["7.2"]
    resumed = Experiment.resume(store, command="thesis")
    assert {progress.part for progress in resumed.run(Serial())} == {"7.3 long"}
    assert Study(resumed).done == chosen


def test_an_experiment_with_other_parts_is_left_to_the_version_that_began_it(store: Store) -> None:
    (figure,) = few(["7.2"])
    campaign = begun(store, [replace(figure, beside=None)])
    with pytest.raises(InputError, match=r"^Experiment 1 has no part '7\.2 beside', so another version of Oasis"):
        Study(campaign)


def test_the_page_is_whole_and_asks_for_nothing(study: Study) -> None:
    found = findings(study)
    text = page(found, study, "oasis thesis")
    check_page_is_whole(text)
    assert text.count("<svg") == 3 * 2 + 3 * 3
    for each in found:
        assert f"Figure {each.figure.number}: {each.figure.title}" in text


def test_parts_have_tables_with_a_row_for_each_variant_and_curves_of_means(study: Study) -> None:
    for found in findings(study):
        shown = list(tables(found))
        assert [len(table.rows) for table in shown] == [len(plan.variants) for plan in found.figure.plans.values()]
    figure = study.figures[0]
    listed = list(rows(figure, study.parts(figure)))
    points = [
        row["mean"] for row in listed if (row["part"], row["measure"], row["variant"]) == ("short", "steps", "sarsa")
    ]
    assert points == study.parts(figure)["short"]["sarsa"].steps.mean(axis=0).tolist()
    for row in listed:
        if row["measure"] == "proofs":
            assert 0 <= row["low"] < row["high"] <= 1, "students who all do the same leave a share uncertain"


def test_pictures_go_to_a_folder_or_one_to_a_file(study: Study, tmp_path: Path) -> None:
    found = {figure: study.parts(figure) for figure in study.figures}
    save_pictures(tmp_path / "new" / "folder", found)
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == ["figure-7.1.png", "figure-7.3.png"]
    one = study.figures[1]
    save_pictures(tmp_path / "one.svg", {one: found[one]})
    assert "<svg" in (tmp_path / "one.svg").read_text()


def test_pictures_that_cannot_be_written_are_refused_before(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="is a file; name a folder"):
        check_pictures(tmp_path / "file", 2)
    with pytest.raises(InputError, match="There is no folder"):
        check_pictures(tmp_path / "nowhere" / "picture.png", 1)
