"""The reports of measures say the same as those that they replace, number by number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from curricula import resolve
from oasis.lab.climbing.measures import remarks as ladder_remarks
from oasis.lab.climbing.measures import report as ladders
from oasis.lab.climbing.plan import ClimbPlan, climbers
from oasis.lab.climbing.summary import compare as summarised
from oasis.lab.experiment import stacked
from oasis.lab.searching import stages as staging
from oasis.lab.searching.measures import remarks, report
from oasis.lab.searching.plan import SearchPlan, searchers
from oasis.lab.searching.summary import compare
from oasis.lab.statistics import GAFFKE
from oasis.play.solving import Budget
from oasis.teacher.exact.values import shortest_proof
from tests.lab.test_searching import PLAN, trials

TEXTBOOK = SearchPlan(
    "textbook",
    resolve("textbook").lemmas[:14],
    searchers("alone,best-first,rmaxts", "uniform,teacher"),
    tuple(range(6)),
    Budget(60),
)
ONE = SearchPlan(
    "SYJ203.2",
    resolve("SYJ203.2").lemmas,
    searchers("best-first,rmaxts,sampling", "uniform"),
    tuple(range(7)),
    Budget(40),
)
EXPERIMENTS = {
    "several": TEXTBOOK,
    "few": PLAN,
    "one": ONE,
    "time": replace(TEXTBOOK, budget=Budget(seconds=0.05), seeds=(0, 1)),
    "calls": replace(TEXTBOOK, budget=Budget(calls=10), seeds=(0, 1)),
    "stages": replace(PLAN, variants=staging.staged("best-first", "uniform")),
}
WITHOUT = {
    "method": "a share has one method",
    "expansions": "a median that is never: the headline is a mean in which never is the whole budget",
    "most": "read off the curve of what is solved within so many expansions",
    "stopped": "said in a sentence",
    "shortest": "a share of each lemma's proofs, where it was of all proofs together",
    "fewer": "the test on ranks and its table are gone",
    "ranks": "the test on ranks and its table are gone",
    "name": "a name", "search": "in the plan", "policy": "in the plan", "experience": "in the plan",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_number_of_searches_that_has_a_measure_is_what_it_was(name: str) -> None:
    plan = EXPERIMENTS[name]
    found = trials(plan)
    apart = {
        each: [{field: array[place] for field, array in outcomes._asdict().items()} for place in range(len(plan.seeds))]
        for each, outcomes in found.items()
    }
    old = compare(plan, found, [shortest_proof(lemma) for lemma in plan.lemmas]).to_json()
    new = report(plan, apart).to_json()
    many, checked = len(plan.lemmas), set(WITHOUT)

    def same(key: str, one: Any, other: Any) -> None:
        checked.add(key)
        nothing = [np.nan if each is None else each for each in np.atleast_1d(np.array(one, object))]
        assert np.array(nothing, float) == pytest.approx(
            np.array([np.nan if each is None else each for each in np.atleast_1d(np.array(other, object))], float),
            abs=1e-12,
            nan_ok=True,
        ), key

    assert old["tries"] == next(iter(new["curves"]["pass@k"].values()))["x"]
    for each in old["variants"]:
        numbers = {measure: of[each["name"]] for measure, of in new["numbers"].items()}
        curves = {measure: of[each["name"]] for measure, of in new["curves"].items()}
        same("solved", each["solved"]["value"], numbers["solved"]["value"])
        if each["method"] == GAFFKE:
            same("solved", each["solved"]["low"], numbers["solved"]["low"])
        same("proved", each["proved"], numbers["proved"]["value"] * many)
        same("refuted", each["refuted"], numbers["refuted"]["value"] * many)
        same("moves", each["moves"] and each["moves"]["value"], numbers["moves"]["value"])
        units = many if many > 1 else len(plan.seeds)
        for bound in ("value", "low", "high") if units >= 5 else ("value",):
            same("calls", each["calls"][bound], numbers["calls in all"][bound])
            same("seconds", each["seconds"][bound], numbers["time in all"][bound])
        same("passes", [k["value"] for k in each["passes"]], curves["pass@k"]["value"])
        for key, curve, scale in (
            ("by_expansions", "solved within expansions", 1),
            ("by_seconds", "solved within time", 1000),
        ):
            same(key, each[key]["value"], curves[curve]["value"])
            same(key, np.multiply(each[key]["x"], scale), curves[curve]["x"])
        assert not set(each) - checked
    for pair in old["pairs"]:
        (other,) = (
            each
            for each in new["pairs"]
            if (each["one"], each["other"], each["measure"]) == (pair["one"], pair["other"], "solved")
        )
        same("solved", pair["solved"]["value"], other["value"])
        assert not set(pair) - checked - {"one"} - {"other"}
    said = " ".join(remarks(plan, apart))
    assert all(lemma in said for lemma in old["unsolved"])
    for each in old["variants"]:
        assert all(reason in said for reason in each["stopped"])


CLIMBS = {
    "some": ClimbPlan(
        "some", resolve("textbook").lemmas[:9], climbers("table,search,table+search", "tiny"), (0, 1), 0.6
    ),
    "one": ClimbPlan("one", resolve("SYJ203.2").lemmas, climbers("table,search", "tiny"), (0, 1, 2), 0.3),
}
CLIMBS_WITHOUT = {
    "name": "a name",
    "ladder": "in the plan",
    "method": "a share has one method",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIMBS)
def test_every_number_of_ladders_that_has_a_measure_is_what_it_was(name: str) -> None:
    plan = CLIMBS[name]
    peirce = resolve("textbook/peirce").lemmas
    plan = replace(plan, lemmas=(*plan.lemmas, *peirce)) if name == "some" else plan
    apart = {
        each.name: [plan.attempt(place, seed)._asdict() for seed in plan.seeds]
        for place, each in enumerate(plan.variants)
    }
    old = summarised(plan, {each: stacked(plan, found) for each, found in apart.items()}).to_json()
    new = ladders(plan, apart).to_json()
    for each in old["variants"]:
        numbers = {measure: of[each["name"]] for measure, of in new["numbers"].items()}
        assert numbers["proved"]["value"] == pytest.approx(each["share"]["value"], abs=1e-12)
        assert numbers["proved"]["value"] * old["theorems"] == pytest.approx(each["proved"]["value"], abs=1e-12)
        for who in ("table", "search", "network"):
            assert numbers[f"by {who}"]["value"] * old["theorems"] == pytest.approx(each["by"][who], abs=1e-12)
        assert numbers["refuted"]["value"] == pytest.approx(each["refuted"], abs=1e-12)
        assert numbers["time in all"]["value"] == pytest.approx(each["seconds"], abs=1e-12)
        assert numbers["had more"]["value"] == pytest.approx(each["had_more"], abs=1e-12)
        assert set(each) - CLIMBS_WITHOUT.keys() == {"share", "proved", "by", "refuted", "seconds", "had_more"}
    said = " ".join(ladder_remarks(plan, apart))
    for pair in old["pairs"]:
        (other,) = (
            each
            for each in new["pairs"]
            if (each["other"], each["one"], each["measure"]) == (pair["one"], pair["other"], "proved")
        )
        assert -other["value"] == pytest.approx(pair["share"]["value"], abs=1e-12)
        assert -other["value"] * old["theorems"] == pytest.approx(pair["more"]["value"], abs=1e-12)
        assert all(lemma in said for lemma in (*pair["only_one"], *pair["only_other"]))
