"""Which terms of R† help students: its ablation."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import resolve
from oasis.dagger.making import weights_of
from oasis.dagger.weights import weights_named
from oasis.lab.ablation import ALL, CORRECT, TERMINATING, pairs, plans, report, variants
from oasis.lab.pictures import panels
from oasis.student.settings import Settings
from tactics.errors import InputError
from tests.commands import Oasis

SETTINGS = Settings(episodes=20)


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
    chosen = pairs([TERMINATING, ALL, CORRECT, "R† without P", "C and P"])
    assert chosen[:2] == [("R† without P", ALL), ("C and P", CORRECT)]
    assert chosen[2:] == [(name, TERMINATING) for name in (ALL, CORRECT, "R† without P", "C and P")]


def test_lemmas_that_are_no_theorems_are_left_out() -> None:
    kinds = variants(weights_named("sparse"), SETTINGS)
    made_plans = plans(resolve("textbook").lemmas, kinds, (0, 1))
    assert len(made_plans) == 42 and all(len(plan.lemmas) == 1 for plan in made_plans.values())
    with pytest.raises(InputError, match="None of these lemmas is a theorem"):
        plans(resolve("textbook/peirce").lemmas, kinds, (0, 1))


def trial(chance: Sequence[float], *, proved: str = "0101") -> dict[str, Any]:
    """Return what a student did on one lemma, asked five times in four episodes."""
    asked = np.array(chance, np.float64)[:, None]
    return {
        "lemma": np.zeros(len(proved), np.int32),
        "proved": np.array([mark == "1" for mark in proved]),
        "steps": np.full(len(proved), 10),
        "states": np.arange(len(proved)),
        "max_steps": np.array(200),
        "checkpoints": np.arange(5),
        "chance": asked,
        "missing": 1 - asked,
        "own_regret": asked * np.nan,
        "actions": 10 + 0 * asked,
        "value": asked,
    }


SOON, LATE, NEVER = [0, 1, 1, 1, 1], [0, 0, 0.5, 1, 1], [0, 0, 0, 0.5, 0.5]


def test_students_of_one_lemma_each_are_like_one_who_has_each_for_itself() -> None:
    parts = {"a": {"C": [trial(SOON), trial(LATE)]}, "b": {"C": [trial(LATE), trial(NEVER, proved="0000")]}}
    found = report(parts, [])
    assert found.trials["C"][0]["chance"].tolist() == [[0, 0], [1, 0], [1, 0.5], [1, 1], [1, 1]]
    wanted = {"knows from": [2, 3.5], "known": [1, 0.5], "missing, end": [0, 0.25], "while exploring": [0.5, 0.25]}
    assert {name: found.samples[name]["C"].tolist() for name in wanted} == wanted
    assert found.to_json()["by_lemma"]["knows from"]["C"] == [2, 3.5]


def test_it_says_which_terms_help_and_which_harm() -> None:
    kinds: dict[str, Sequence[float]] = {
        TERMINATING: LATE,
        ALL: LATE,
        CORRECT: LATE,
        "C and P": NEVER,
        "C and E": SOON,
        "R† without E": LATE,
    }
    few, found = (
        report({"a": {name: [trial(chance) for _ in range(seeds)] for name, chance in kinds.items()}})
        for seeds in (9, 12)
    )
    assert few.sentences()[1:] == [
        "9 students of each kind can tell no kinds apart, however much they differ; take 10 or more."
    ]
    assert {each["told_apart"] for each in few.to_json()["pairs"]} == {False}
    assert [panel.title for panel in panels(found)][:2] == ["knows from: against R†", "knows from: against C"]
    said = [sentence for sentence in found.sentences() if sentence.startswith("Knows from")]
    assert said == [
        "Knows from, against R†: not told apart: “R† without E”.",
        "Knows from, against C: better: “C and E”; worse: “C and P”.",
        "Knows from, against terminating: better: “C and E”; worse: “C and P”; not told apart: R†, C and “R† without "
        "E”.",
    ]


@pytest.mark.slow
def test_the_command_says_it_in_tables_and_files_and_shows_it_again(oasis: Oasis, tmp_path: Path) -> None:
    arguments = ("textbook/or_comm", "--episodes", "8", "--seeds", "2", "--weights", "sparse:P=0.1", "--dropped")
    first = oasis.ran("dagger", "ablate", *arguments, "--csv", "all.csv", "--csv-episodes", "episodes.csv")
    assert "R† without C_beta" in first.stdout and "C and P" not in first.stdout
    assert "2 students of each kind can tell no kinds apart" in first.stdout
    assert first.stderr.endswith("see it again with: oasis dagger ablate --resume --experiment 1\n")
    rows = oasis.rows("all.csv")
    assert len(rows) == 2 * 6 and rows[0].items() >= {"kind": "terminating", "seed": "0"}.items()
    assert len(oasis.rows("episodes.csv")) == 8 * len(rows)
    again = oasis.ran("dagger", "ablate", "--resume", "--html", "page.html", "--json", "--quiet")
    content = json.loads(again.stdout)
    assert content["experiment"] == 1 and content["rewards"]["R† without P"] == "dagger:sparse"
    assert content["report"] == 2 and content["plan"]["lemmas"][0]["name"] == "textbook/or_comm"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert [text for text in (*content["sentences"], "textbook/or_comm", "rounds of") if text not in page] == []
    few = ("textbook/or_comm", "--episodes", "1", "--seeds", "2", "--weights", "sparse:P=0.1", "--quiet")
    assert {"R† without P", "C and P"} <= oasis.json("dagger", "ablate", *few)["rewards"].keys()
    assert "leave --episodes out" in oasis.refused("dagger", "ablate", "--resume", "--episodes", "9")
