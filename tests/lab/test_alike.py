"""The reports of measures say the same as those that they replace, number by number."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from curricula import resolve
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
