"""Comparing searches: trials that depend on plan and seed alone, pass@k without bias, and what is measured of them."""

import pickle
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import inf, isinf
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from curricula import resolve
from curricula.lemma import Lemma, Status
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.ground.names import SEARCHES
from oasis.ground.passes import passes, tries
from oasis.lab.engines import Serial
from oasis.lab.experiment import Experiment
from oasis.lab.measure import Trial, texts
from oasis.lab.proofs import shortest_proofs
from oasis.lab.report import Report
from oasis.lab.searches.plan import EXPANSIONS, TIME, Run, SearchPlan, at_equal_effort, runs, searchers, staged
from oasis.lab.searches.trial import ALONE, STATUSES
from oasis.play.solving import Budget
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.student.training import Training
from oasis.teacher.deciding.decide import Verdict, decide
from tactics.errors import InputError
from tactics.parser import parse

LEMMAS = tuple(
    Lemma(text, parse(text), status, "a test", shortest=shortest)
    for text, status, shortest in (
        ("p \\/ q -> q \\/ p", Status.THEOREM, 6),
        ("p \\/ ~p", Status.NON_THEOREM, None),
        ("~~(p \\/ ~p)", Status.THEOREM, 4),
    )
)
PLAN = SearchPlan("three", LEMMAS, searchers("alone,best-first", "uniform,teacher"), (0, 7, 2**63 - 1), Budget(100))


def trials(plan: SearchPlan) -> dict[str, list[Trial]]:
    """Return all trials of a plan."""
    return {
        variant.name: [plan.attempt(place, seed) for seed in plan.seeds] for place, variant in enumerate(plan.variants)
    }


@cache
def done() -> dict[str, list[Trial]]:
    """Return all trials of `PLAN`."""
    return trials(PLAN)


def untimed(found: dict[str, list[Trial]]) -> dict[str, list[Any]]:
    """Return the parts of trials that do not depend on the machine."""
    return {
        name: [{field: array.tolist() for field, array in trial.items() if "seconds" not in field} for trial in each]
        for name, each in found.items()
    }


def made(settled: Any, *, lemmas: int = 2, seeds: int = 4, used: int = 100, reason: str = "too much") -> list[Trial]:
    """Return trials of searches that took so many expansions; infinity: broken off after `used`, without a proof."""
    when = np.broadcast_to(np.asarray(settled, np.float64), (lemmas,))
    spent = np.where(np.isinf(when), used, when).astype(np.int64)
    counts = {"expansions": spent, "calls": spent, "seconds": spent / 1000}
    one = {
        "status": np.isfinite(when).astype(np.uint8),
        "length": np.where(np.isinf(when), 0, 6),
        **counts,
        **{f"settled_{name}": count for name, count in counts.items()},
        "reason": np.array("\n".join(reason if isinf(each) else "" for each in when)),
    }
    return [one] * seeds


def of(searches: str, *, lemmas: int = 2, seeds: int = 4) -> SearchPlan:
    """Return the plan of made-up outcomes."""
    named = tuple(replace(LEMMAS[0], name=f"L{place}") for place in range(lemmas))
    return SearchPlan("made", named, searchers(searches, "uniform"), tuple(range(seeds)), Budget(expansions=100))


def compared(plan: SearchPlan, *found: Sequence[Trial]) -> Report:
    return plan.report({variant.name: each for variant, each in zip(plan.variants, found, strict=True)})


def value(found: Report, measure: str, name: str) -> Any:
    return found.to_json()["numbers"][measure][name]["value"]


@pytest.mark.slow
def test_any_solver_stands_beside_the_searches_by_the_name_that_prove_takes() -> None:
    variants = searchers("best-first,teacher,table,committed", "uniform")
    plan = SearchPlan("made", resolve("thesis/42,textbook/peirce").lemmas, variants, (0,), Budget(500, seconds=2.0))
    came = {name: [STATUSES[status].value for status in trial["status"]] for name, (trial,) in trials(plan).items()}
    assert came["best-first"] == came["teacher"] == ["proved", "refuted"]
    assert came["table"] == came["committed"] == ["proved", "open"]


def test_a_plan_comes_back_from_json_as_it_was() -> None:
    student = Run(3, "/somewhere/oasis.db", Settings(state_space="name"), 200)
    variants, budget = searchers("best-first", "3,uniform"), Budget(calls=5, seconds=0.5)
    plan = replace(PLAN, variants=variants, budget=budget, runs=(student,))
    for each in (PLAN, plan):
        assert SearchPlan.from_json(each.to_json()) == pickle.loads(pickle.dumps(each)) == each


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"budget": Budget()}, "A search needs a budget"),
        ({"seeds": (1, 1)}, "The seed 1 is there twice"),
        ({"variants": searchers("alone", "12")}, "--policy 12 is the number of a run"),
    ],
)
def test_what_does_not_fit_together_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=f"^{sentence}"):
        replace(PLAN, **change)


def test_searches_are_named_by_what_sets_them_apart() -> None:
    assert [each.name for each in searchers("best-first,rmaxts", "uniform")] == ["best-first", "rmaxts"]
    assert [each.name for each in searchers("rmaxts", "uniform,3")] == ["uniform", "run 3"]
    own = [(each.name, each.search, each.policy) for each in searchers("ao-star:teacher,rmaxts", "uniform")]
    assert own == [("ao-star:teacher", "ao-star", "teacher"), ("rmaxts", "rmaxts", "uniform")]
    names = [each.name for each in searchers("rmaxts,best-first", "teacher,3")]
    assert names[1:3] == ["rmaxts (run 3)", "best-first (teacher)"]
    with pytest.raises(InputError, match=r"--search is one of teacher, .* not 'beast'"):
        searchers("best-first,beast", "uniform")


def test_searches_with_and_without_experience_are_told_apart_and_differ_in_nothing_else() -> None:
    sides = {Scope("any", f"{side} side", side): 1e6 for side in ("left", "right")}
    prior = Prior({Scope("or", "or", "destruct_or"): 1e6, **sides}).text
    variants = searchers("alone", "uniform", (prior, ""))
    assert [each.name for each in variants] == ["alone with experience", "alone without experience"]
    plan = SearchPlan("two", LEMMAS, variants, tuple(range(12)), Budget(100))
    assert SearchPlan.from_json(plan.to_json()) == plan
    played = trials(plan)
    proofs = [np.mean([trial["status"] for trial in each]) for each in played.values()]
    assert proofs[0] > proofs[1]
    blank = searchers("alone", "uniform", (Prior({Scope("any", "any", "imply3"): 1.0}).text, ""))
    assert untimed({"": trials(replace(plan, variants=blank))[blank[0].name]}) == untimed({"": [*played.values()][1]})


@pytest.mark.parametrize("search", [*SEARCHES, ALONE])
def test_a_trial_depends_on_plan_and_seed_alone(search: str) -> None:
    plan = replace(PLAN, variants=searchers(search, "uniform"))
    assert untimed(trials(plan)) == untimed(trials(plan))
    backwards = replace(plan, lemmas=plan.lemmas[::-1])
    assert np.array_equal(backwards.attempt(0, 7)["expansions"][::-1], plan.attempt(0, 7)["expansions"])


@pytest.mark.parametrize("search", list(SEARCHES))
def test_whatever_a_search_settles_is_so_and_it_stops_only_where_it_says_why(search: str) -> None:
    lemmas = resolve("textbook").lemmas
    plan = SearchPlan("textbook", lemmas, searchers(search, "uniform"), (3,), Budget(expansions=200))
    found = plan.attempt(0, 3)
    each = found["status"], texts(found["reason"]), texts(found["script"])
    for lemma, status, reason, script in zip(lemmas, *each, strict=True):
        if STATUSES[status].value != "open":
            is_theorem = decide(lemma.formula).verdict is Verdict.THEOREM
            assert (STATUSES[status].value == "proved") is is_theorem is bool(script)
        else:
            assert reason
    assert (found["settled_expansions"] <= found["expansions"]).all()


def test_the_policy_alone_takes_nothing_back() -> None:
    for trial in done()["alone (teacher)"]:
        assert trial["status"].tolist() == [1, 0, 1]
        assert trial["length"].tolist() == [6, 0, 4]
    assert {texts(trial["reason"])[1] for trial in done()["alone (uniform)"]} == {"no move was left"}


@pytest.mark.usefixtures("short_jobs")
def test_searches_are_kept_and_gone_on_with_and_their_proofs_certified(store: Store) -> None:
    begun = Experiment.start(store, {"three": PLAN}, name="three")
    run = begun.run(Serial())
    assert (next(run).done, begun.total) == (1, 12)
    run.close()
    resumed = Experiment.resume(store)
    assert resumed.plan == PLAN
    assert len(list(resumed.run(Serial()))) == 11
    assert untimed(resumed.trials()) == untimed(done())
    proofs = shortest_proofs(resumed.plan, resumed.trials())
    lengths = {(proof.lemma.name, len(proof.script)) for proof in proofs if "teacher" in proof.variant}
    assert lengths == {(LEMMAS[0].name, 6), (LEMMAS[2].name, 4)}
    assert {proof.noun for proof in proofs} == {"searches"}


@pytest.mark.slow
def test_a_trained_student_is_asked_and_one_that_has_practised_on_is_refused(tmp_path: Path) -> None:
    db, lemma = tmp_path / "oasis.db", resolve("SYJ203.2")
    settings = Settings(learner="and-or-q", state_space="name", episodes=300)
    with Store(db) as store:
        list(Training.start(store, lemma, settings))
    variants = searchers("alone,best-first", "1")
    plan = SearchPlan("SYJ203.2", lemma.lemmas, variants, (0, 1), Budget(100), runs(variants, db))
    assert plan.runs[0].episodes == 300
    assert plan.attempt(1, 0)["status"].tolist() == [1]
    changed = replace(plan, runs=(replace(plan.runs[0], episodes=200),))
    with pytest.raises(InputError, match="has practised 300 episodes now, and 200 when this experiment was begun"):
        changed.attempt(0, 0)


def test_the_numbers_of_tries_are_round_and_end_with_all_of_them() -> None:
    assert tries(1) == (1,)
    assert tries(10) == (1, 2, 5, 10)
    assert tries(64) == (1, 2, 5, 10, 20, 50, 64)


def test_what_is_never_settled_counts_as_the_whole_budget_and_it_is_told_why() -> None:
    plan = of("best-first,rmaxts", lemmas=3)
    one, other = made([10, 20, inf], lemmas=3), made([10, inf, inf], lemmas=3, reason="nothing is left")
    found = compared(plan, one, other)
    assert (value(found, "expansions", "best-first"), value(found, "expansions", "rmaxts")) == (130 / 3, 70)
    assert value(found, "solved", "best-first") == pytest.approx(2 / 3)
    said = found.sentences()
    assert said[0].startswith("Expansions: of 3 lemmas each, 1 of best-first and 2 of rmaxts did not get there")
    assert "rmaxts stops before the budget is used up, as nothing is left: L1 and L2." in said
    assert said[-1] == "Solved by nobody: L2."
    stuck = compared(plan, one, made([10, inf, inf], lemmas=3, reason="no move applies after 3 moves"))
    assert "rmaxts stops before the budget is used up, as no move applies: L1 and L2." in stuck.sentences()
    used_up = compared(plan, one, made([10, inf, inf], lemmas=3, reason="100 expansions were not enough"))
    assert "rmaxts stops" not in " ".join(used_up.sentences())


def test_two_searches_are_told_apart_where_one_always_needs_more() -> None:
    plan = of("best-first,rmaxts", lemmas=40)
    near, far = (made(np.arange(40) + more, lemmas=40) for more in (10, 30))
    (verdict, *_) = compared(plan, near, far).sentences()
    assert verdict == "Expansions: best-first is ahead with 29.5, 20.0 less than rmaxts (9.4 to 27.0)."
    assert "nobody is ahead" in compared(plan, near, near).sentences()[0]
    alone = of("best-first,rmaxts", lemmas=1, seeds=20)
    (verdict, *_) = compared(alone, *(made(number, lemmas=1, seeds=20) for number in (10, 30))).sentences()
    assert "best-first is ahead" in verdict, "of a single lemma the units are seeds"


def test_the_effort_is_what_the_budget_limits() -> None:
    for budget, name, shown in (
        (Budget(50), "expansions", "35.0"),
        (Budget(calls=90), "calls", "55.0"),
        (Budget(seconds=0.5), "time", "260.0 ms"),
    ):
        plan = replace(of("best-first"), budget=budget)
        found = compared(plan, made([20, inf]))
        assert next(found.tables()).rows[0][1] == shown
        assert found.family.headline.name == name


def test_a_curve_ends_where_a_search_was_broken_off() -> None:
    curves = compared(of("best-first,rmaxts"), made([10, inf], used=50), made([10, 90])).to_json()["curves"]
    broken, whole = curves["solved within expansions"].values()
    x, share = np.array(broken["x"]), np.array(broken["value"], float)
    assert np.isnan(share[x > 50]).all()
    assert set(share[(x > 10.5) & (x <= 50)]) == {0.5}
    assert whole["value"][-1] == 1


def test_moves_are_compared_with_the_shortest_where_both_are_known() -> None:
    plan = of("best-first", lemmas=3)
    trial = [{**one, "length": np.array([6, 12, 0])} for one in made([1, 2, inf], lemmas=3)]
    found = compared(plan, trial)
    assert value(found, "moves", "best-first") == pytest.approx(1.5)
    assert value(found, "shortest", "best-first") == pytest.approx(0.5)
    refutable = replace(plan, lemmas=tuple(replace(LEMMAS[1], name=name) for name in "abc"))
    assert value(compared(refutable, trial), "moves", "best-first") is None
    assert "pass@k" not in compared(refutable, trial).to_json()["curves"]


def test_pass_at_k_is_a_curve_of_several_lemmas_or_of_seeds() -> None:
    found = PLAN.report(done())
    table = next(table for table in found.tables() if table.title == "pass@k, by searches")
    assert table.header == ("", "1", "2", "3")
    curves = found.to_json()["curves"]["pass@k"]
    several = np.array([[trial["status"] == 1 for trial in each] for each in done().values()])[:, :, [0, 2]]
    for name, proved in zip(done(), several, strict=True):
        assert curves[name]["value"] == pytest.approx(
            passes(proved.sum(axis=0), len(proved), np.arange(1, 4)).mean(axis=0).tolist()
        )
    one = replace(PLAN, lemmas=LEMMAS[:1])
    curve = one.report(trials(one)).to_json()["curves"]["pass@k"]["alone (uniform)"]
    assert curve["x"] == [1, 2, 3] and curve["value"] == sorted(curve["value"])
    assert {*curve["low"], *curve["high"]} == {None}, "so few seeds have no bounds"


def test_stages_are_the_policy_alone_sampling_and_each_search_at_equal_effort() -> None:
    variants = staged("best-first", "uniform,teacher")
    assert [variant.search for variant in variants[::2]] == ["alone", "sampling", "best-first"]
    plans = at_equal_effort(replace(PLAN, variants=variants, budget=Budget(expansions=50, seconds=0.2)))
    assert [(plan.budget.expansions, plan.budget.seconds) for plan in plans.values()] == [(50, None), (None, 0.2)]
    assert plans[EXPANSIONS].pairs == plans[TIME].pairs
    assert plans[TIME].pairs == [
        (f"{search} ({policy})", f"alone ({policy})")
        for search in ("sampling", "best-first")
        for policy in ("uniform", "teacher")
    ]
    with pytest.raises(InputError, match="--budget expansions=N,seconds=S"):
        at_equal_effort(replace(PLAN, budget=Budget(seconds=1)))
