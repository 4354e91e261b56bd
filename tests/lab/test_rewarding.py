"""Which terms of R† help students: its ablation, and what commands about R† refuse."""

from __future__ import annotations

import csv
import json
import shlex
from dataclasses import replace
from itertools import pairwise
from math import inf, nan
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve
from oasis.dagger.making import weights_of
from oasis.dagger.weights import weights_named
from oasis.lab.rewarding.ablation import ALL, CORRECT, TERMINATING, Compared, checkpoints, comparisons, plans, variants
from oasis.lab.rewarding.contrasts import contrasts, outcomes, to_json
from oasis.lab.rewarding.measures import Measures, all_measured, mean_of_lemmas, measured, side_by_side
from oasis.lab.rewarding.verdict import compared, effect, paragraph
from oasis.lab.rewarding.verdict import tables as compared_tables
from oasis.student.settings import Settings
from tactics.errors import InputError
from tests.commands import Oasis
from tests.lab.made import plan as planned
from tests.lab.made import trial as trial_of

SETTINGS = Settings(episodes=20)


def measures(
    episodes: object, plays: object = 1.0, length: object = 1.0, limit: float = 100.0, seeds: int = 12
) -> Measures:
    """Return measures of one lemma: one number for all students, or one for each."""

    def column(value: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.broadcast_to(np.asarray(value, np.float64), (seeds,))[:, None].copy()

    return Measures(column(episodes), column(limit), column(plays), column(length), column(plays))


@pytest.mark.slow
def test_every_term_is_left_out_and_added_once_and_all_else_is_that_of_every_student() -> None:
    whole = weights_named("all")
    kinds = {each.name: weights_of(each.settings.reward) for each in variants(whole, SETTINGS)[1:]}
    assert variants(whole, SETTINGS)[0].settings.reward == TERMINATING
    assert kinds[ALL] == whole and dict(kinds[CORRECT].weights) == {"C": 1.0}
    for name, weight in whole.weights.items():
        left = dict(kinds[f"R† without {name}"].weights)
        assert left == {other: w for other, w in whole.weights.items() if other != name}
        if name != "C":
            assert dict(kinds[f"C and {name}"].weights) == {"C": 1.0, name: weight}
    assert len(kinds) == 2 + len(whole.weights) + len(whole.weights) - 1
    with pytest.raises(InputError, match="no term but C"):
        variants(weights_named("correct"), SETTINGS)
    weights = weights_of("dagger:seed:round=50:clip=3.0")
    others = variants(weights, replace(SETTINGS, epsilon=0.1))
    assert {kind.settings.epsilon for kind in others} == {0.1}
    read = [weights_of(kind.settings.reward) for kind in others[1:]]
    assert all((each.round, each.clip, each.options) == (50, 3.0, weights.options) for each in read)


def test_each_reward_is_compared_with_those_that_differ_from_it_by_one_term() -> None:
    chosen = comparisons([TERMINATING, ALL, CORRECT, "R† without P", "C and P"])
    assert Compared("R† without P", ALL, "P", is_dropped=True) in chosen
    assert Compared("C and P", CORRECT, "P") in chosen
    assert [each.ours for each in chosen if each.theirs == TERMINATING] == [ALL, CORRECT, "R† without P", "C and P"]
    assert len(chosen) == 6


@given(st.integers(1, 5000))
def test_checkpoints_grow_by_the_root_of_2_and_end_with_the_last_episode(episodes: int) -> None:
    chosen = checkpoints(episodes)
    assert chosen[-1] == episodes and list(chosen) == sorted(set(chosen)) and chosen[0] >= 1
    assert all(after <= 1.5 * before + 1 for before, after in pairwise(chosen))


def test_lemmas_that_are_no_theorems_are_left_out() -> None:
    kinds = variants(weights_named("sparse"), SETTINGS)
    made_plans = plans(resolve("textbook").lemmas, kinds, (0, 1))
    assert len(made_plans) == 42 and all(len(plan.lemmas) == 1 for plan in made_plans.values())
    with pytest.raises(InputError, match="None of these lemmas is a theorem"):
        plans(resolve("textbook/peirce").lemmas, kinds, (0, 1))


def test_measures_are_read_off_exams() -> None:
    plan = planned("q-learning", episodes=4, seeds=4)
    shares = np.array([[0.0, 0.9, 0.2, 1.0], [0.0, 0.0, 0.0, 0.89], [1.0, 1, 1, 1], [0, 0, 0, 0.95]])[..., None]
    greedy = np.array([[0, 10, 0, 12], [0, 0, 0, 15], [10, 10, 10, 10], [0, 0, 0, 0]])[..., None]
    trial = trial_of(plan, greedy=greedy)._replace(share=shares)
    found = measured(plan, trial, 10)
    assert found.episodes[:, 0].tolist() == [2, inf, 1, 4]
    assert found.waited[:, 0].tolist() == [2, 4, 1, 4]
    assert found.plays[:, 0].tolist() == [1.0, 0.89, 1.0, 0.95]
    assert np.array_equal(found.length[:, 0], [1.2, 1.5, 1.0, nan], equal_nan=True)
    assert found.success[:, 0].tolist() == pytest.approx([0.525, 0.2225, 1.0, 0.2375])
    assert np.isnan(measured(plan, trial, None).length).all()
    both = side_by_side([found, found])
    assert both.episodes.shape == (4, 2)
    assert np.array_equal(mean_of_lemmas(both.length), found.length[:, 0], equal_nan=True)
    assert all_measured({"a": plan}, {"a": {"q-learning": trial}}, {"a": 10})["q-learning"].plays.shape == (4, 1)


def test_a_reward_that_proves_earlier_or_more_often_is_told() -> None:
    rng = np.random.default_rng(1)
    slow, fast = 60 + rng.integers(0, 20, 12), 20 + rng.integers(0, 20, 12)
    found = {ALL: measures(slow, 0.5), "R† without P": measures(fast, 0.5 + rng.random(12) / 10)}
    (one,) = contrasts(found, [Compared("R† without P", ALL, "P", is_dropped=True)])
    assert one.differences["episodes"].interval.value == pytest.approx((fast - slow).mean())
    assert one.differences["episodes"].holm == one.differences["episodes"].p == 2 / 2**12
    assert one.differences["plays"].is_told and effect(one) == "harms"
    assert "reliable" in compared(one) and "episodes earlier" in compared(one)
    (other,) = contrasts(found, [Compared(ALL, "R† without P", "P")])
    assert effect(other) == "harms"  # P is what ours has


def test_never_counts_as_all_episodes_and_lengths_are_compared_where_both_have_a_proof() -> None:
    found = {"a": measures([20.0] * 3 + [inf] * 9), "b": measures(30.0)}
    rare, sure = outcomes(found)
    assert rare.episodes.value == pytest.approx(80) and rare.median.value == inf and rare.reached.value == 0.25
    assert sure.median.value == 30
    found = {"a": measures(1, length=[1.5, 1.3, nan] * 4), "b": measures(1, length=[1.0, nan, 1.0] * 4)}
    (one,) = contrasts(found, [Compared("a", "b")])
    assert one.differences["length"].interval.value == pytest.approx(0.5)
    found["b"] = measures(1, length=nan)
    (one,) = contrasts(found, [Compared("a", "b")])
    assert "length" not in one.differences and outcomes(found)[1].length is None


def test_equal_results_are_called_equal_and_chance_is_not_told_as_a_difference() -> None:
    rng = np.random.default_rng(3)
    found = {
        TERMINATING: measures(10 + rng.integers(0, 9, 12)),
        ALL: (same := measures(10 + rng.integers(0, 9, 12))),
        CORRECT: measures(10 + rng.integers(0, 9, 12)),
        "R† without P": same._replace(plays=same.plays.copy()),
        "R† without E": measures(10 + rng.integers(0, 9, 12)),
    }
    compared_ = contrasts(found, comparisons(list(found)))
    text = " ".join(paragraph(compared_))
    assert "Among all of R†: nothing was seen of E, " in text and "; P changed nothing at all" in text
    assert not any(one.is_told for each in compared_ for one in each.differences.values())
    shown = list(compared_tables(outcomes(found), compared_, "A title"))
    assert shown[0].title == "A title" and len(shown[0].rows) == 5
    assert any(row[:2] == ("R† without P", "the same") for row in shown[1].rows)
    assert json.loads(json.dumps(to_json(outcomes(found), compared_)))["variants"][0]["length"]["value"] == 1.0


def test_more_comparisons_make_each_less_sure() -> None:
    found = {str(place): measures(np.arange(12) + place) for place in range(5)}
    (alone,) = contrasts(found, [Compared("1", "0")])
    among = contrasts(found, [Compared(str(place), "0") for place in range(1, 5)])[0]
    assert among.differences["episodes"].p == alone.differences["episodes"].p
    assert among.differences["episodes"].holm == pytest.approx(4 * alone.differences["episodes"].holm)


def test_the_paragraph_says_who_helps_and_who_harms() -> None:
    noise = np.random.default_rng(5).integers(0, 9, 12)
    found = {
        CORRECT: measures(50 + noise),
        "C and P": measures(70 + noise[::-1]),
        "C and E": measures(20 + noise[::-1]),
        "C and G": measures(25 + noise[::-1]),
        "C and U": measures(20 + noise[::-1], 0.5 + noise / 100),
    }
    chosen = [Compared(name, CORRECT, name[-1]) for name in found if name != CORRECT]
    (said,) = paragraph(contrasts(found, chosen))
    assert said == "Beside C alone: E and G help; P harms; U helps and harms."


@pytest.mark.slow
def test_the_command_says_it_in_tables_and_files_and_shows_it_again(oasis: Oasis, tmp_path: Path) -> None:
    arguments = ("textbook/or_comm", "--episodes", "8", "--seeds", "2", "--weights", "sparse:P=0.1", "--dropped")
    first = oasis.ran("dagger", "ablate", *arguments, "--csv", "all.csv")
    assert "R† without C_beta" in first.stdout and "C and P" not in first.stdout
    assert first.stderr.endswith("see it again with: oasis dagger ablate --resume --experiment 1\n")
    with (tmp_path / "all.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 2 * 6 and {row["shortest"] for row in rows} == {"6"}
    again = oasis.ran("dagger", "ablate", "--resume", "--html", "page.html", "--json", "--quiet")
    content = json.loads(again.stdout)
    assert content["experiment"] == 1 and content["rewards"]["R† without P"] == "dagger:sparse"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 4 and "experiment 1" not in page  # of two measures, against R† and terminating
    assert [text for text in (*content["sentences"], "textbook/or_comm", "rounds of") if text not in page] == []
    few = ("textbook/or_comm", "--episodes", "1", "--seeds", "2", "--weights", "sparse:P=0.1", "--quiet")
    assert {"R† without P", "C and P"} <= oasis.json("dagger", "ablate", *few)["rewards"].keys()
    assert "leave --episodes out" in oasis.refused("dagger", "ablate", "--resume", "--episodes", "9")


# What is refused in one sentence, before any work: commands, and words of their answers.

REFUSED = r"""
dagger ablate = Name a lemma or a curriculum
dagger ablate textbook --weights loud = There are no weights
dagger ablate textbook --html page.pdf = page.pdf should end in .html
dagger audit SYJ203.1 --reading loud = --reading is one of
dagger tune 'A -> A' -o no/w.toml = There is no folder no for w.toml; make it, or name another one.
dagger tune 'A -> A' -o . = . cannot be written (Is a directory); name another file.
dagger tune 'A -> A' --seconds nan = --seconds is nan; give a number above 0.
dagger tune 'A -> A' --preset dagger:all:Q=1 = There is no 'Q'
dagger fit 7 = 7 is the number of a run, and there is no database; name one with --db.
dagger fit textbook --name default = --name 'default' cannot be a name
dagger fit textbook --name a -o b.json = --name does not go with --output.
dagger fit textbook -o b.txt = b.txt should end in .json or .json.gz; rename it.
dagger fit textbook -o . = . should end in .json or .json.gz; rename it.
dagger fit textbook -o no/b.json = There is no folder no for b.json; make it, or name another one.
dagger show --top -1 = --top must be 0 or more.
dagger show nothing = no database to find nothing in
dagger show ./nothing.json = cannot be read
experience add love left --lemma 'p -> p' --reason r = The advice is one of prefer, avoid
experience add prefer left --goal 'p \/ _' --lemma 'p -> p' --reason r = leaves one side open
policy balance uniform --count 0 = --count is 0; give a whole number from 1 on.
policy balance uniform --along time = --along is one of position, policy
policy balance uniform --benchmark SYJ203 --expansions 0 = expansions
policy balance uniform uniform --benchmark SYJ203 = A policy is named twice; leave one out.
policy balance uniform --benchmark SYJ203 --benchmark SYJ203 = Two benchmarks are called SYJ203
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_what_cannot_be_done_is_refused_in_a_sentence(row: str, oasis: Oasis, tmp_path: Path) -> None:
    command, words = row.split(" = ")
    assert words in oasis.refused(*shlex.split(command))
    assert not [*tmp_path.iterdir()]
