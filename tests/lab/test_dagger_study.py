"""The study of S_KL: who is paid what, what a trial is made of, and what is measured of it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import resolve
from oasis.dagger.making import weights_of
from oasis.dagger.weights import weights_named
from oasis.lab.dagger_study import DaggerPlan, plans, rewards
from oasis.lab.pictures import save_side_by_side
from tests.lab.plans import same

PAID = rewards(weights_named("shaped"), ("even", "bayes"))


def planned(lemmas: str, *learners: str) -> dict[str, DaggerPlan]:
    return plans({lemmas: resolve(lemmas).lemmas}, learners, PAID, (0, 1), 2, "new")


def test_rewards_differ_in_s_kl_alone_and_learners_in_what_they_practise() -> None:
    pytest.importorskip("torch")
    without, *others = (weights_of(each.reward) for each in PAID[1:])
    assert [each.belief for each in others] == ["even", "bayes"] and "S_KL" not in without.weights
    assert all({**without.weights, "S_KL": each.weights["S_KL"]} == each.weights for each in others)
    network, table, goals = planned("textbook", "grpo", "q-learning", "and-or-q").values()
    assert network.lemmas == table.lemmas == table.practised and not {*network.lemmas} & {*network.practised}
    assert network.effort == table.effort and all(lemma.shortest for lemma in table.lemmas)
    assert len(goals.variants) == 1 and DaggerPlan.from_json(network.to_json()) == network


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ppo", "grpo", "q-learning", "and-or-q"])
def test_a_trial_is_the_same_again_and_its_numbers_are_told(name: str) -> None:
    pytest.importorskip("torch")
    (plan,) = planned("textbook/or_comm", name).values()
    trial = plan.attempt(len(plan.variants) - 1, 1)
    assert same({"": [trial]}, {"": [plan.attempt(len(plan.variants) - 1, 1)]})
    assert trial["proved"].shape == (3, 1) and trial["plays"].tolist() == [0, 16, 32]
    assert (trial["policy KL"] >= 0).all()
    assert all(trial[f"steps, {name}"].sum() == pytest.approx(1) for name in ("KL by even", "policy KL"))
    late = {**trial, "proved": np.array([[0], [0.5], [0.5]]), "longer": np.array([1.5])}
    never = {**trial, "proved": np.zeros((3, 1)), "longer": np.array([np.nan])}
    report = plan.report({each.name: [late, never] for each in plan.variants})
    assert report.table("", report.numbers).rows[0][1:4] == ("25.0 %", "1.50", "16")
    assert ("looks at no reward" in " ".join(report.sentences())) == (name == "and-or-q")


@pytest.mark.slow
def test_pictures_are_of_what_all_reports_have_in_one_colour_each(monkeypatch: pytest.MonkeyPatch) -> None:
    (plan,) = planned("textbook/or_comm", "and-or-q").values()
    ones, bins = np.ones(1), np.full((2, 1), 0.5)
    trial = {"plays": np.arange(2), "proved": np.ones((2, 1)), "longer": ones, "bins": np.arange(2)}
    trial |= {
        f"{of}{kl}": kept
        for kl in ("policy KL", "KL by even", "KL by bayes")
        for of, kept in (("", ones), ("steps, ", bins))
    }
    report = plan.report({"any reward": [trial, trial]})
    assert report.number(report.measures[0], "any reward").value == 1
    fewer = replace(plan, surprises=plan.surprises[:1]).report({"any reward": [trial, trial]})
    drawn: dict[str, Any] = {}
    monkeypatch.setattr("oasis.lab.pictures.save", lambda path, made: drawn.update({path.stem: made}))
    save_side_by_side(Path("a.png"), {"all": report, "fewer": fewer})
    assert {"a-policy-KL", "a-steps-KL-by-even"} < {*drawn} and "a-steps-KL-by-bayes" not in drawn
    paid = {"S_KL by even": [trial, trial], "S_KL by bayes": [trial, trial]}
    save_side_by_side(Path("b.png"), {"paid": plan.report(paid), "alike": report})
    (legend,) = drawn["b-QED-by-then"]().legends
    assert {text.get_text() for text in legend.texts} == {*paid, "any reward"}
    assert len({handle.get_color() for handle in legend.legend_handles}) == 3
