"""Comparing searches: trials that depend on plan and seed alone, pass@k without bias, numbers and files from them."""

from __future__ import annotations

import csv
import pickle
from dataclasses import replace
from functools import cache
from io import StringIO
from itertools import combinations
from math import inf, isinf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from curricula import resolve
from curricula.lemma import Lemma, Status
from oasis.experience.prior import Prior
from oasis.experience.scope import Scope
from oasis.ground.names import SEARCHES
from oasis.lab.engines import Serial
from oasis.lab.experiment import Experiment
from oasis.lab.pages.searching import page, write_searches
from oasis.lab.plots.searching import PANELS, figure, single
from oasis.lab.proofs import shortest_proofs
from oasis.lab.searching import stages as staging
from oasis.lab.searching.conclusions import conclusions
from oasis.lab.searching.passk import interval, shares, tries
from oasis.lab.searching.plan import Run, SearchPlan, runs, searchers
from oasis.lab.searching.summary import Comparison, compare
from oasis.lab.searching.tables import tables
from oasis.lab.searching.trials import ALONE, STATUSES, Outcomes, lines
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


def trials(plan: SearchPlan) -> dict[str, Outcomes]:
    """Return all trials of a plan."""
    return {
        variant.name: plan.results(
            [np.stack(arrays) for arrays in zip(*(plan.attempt(place, seed) for seed in plan.seeds), strict=True)]
        )
        for place, variant in enumerate(plan.variants)
    }


@cache
def done() -> dict[str, Outcomes]:
    """Return all trials of `PLAN`."""
    return trials(PLAN)


def untimed(found: dict[str, Outcomes]) -> dict[str, list[Any]]:
    """Return the parts of a trial that do not depend on the machine."""
    return {
        name: [array.tolist() for field, array in trial._asdict().items() if "seconds" not in field]
        for name, trial in found.items()
    }


def made(settled: Any, *, lemmas: int = 2, seeds: int = 4, used: int = 100) -> Outcomes:
    """Return outcomes of searches that took so many expansions; infinity: broken off after `used`, without a proof."""
    when = np.broadcast_to(np.asarray(settled, np.float64), (seeds, lemmas))
    spent = np.where(np.isinf(when), used, when).astype(np.int64)
    reasons = ["\n".join("too much" if isinf(each) else "" for each in row) for row in when]
    return Outcomes(
        np.isfinite(when).astype(np.uint8),
        np.where(np.isinf(when), 0, 6),
        np.ones_like(spent),
        *(spent, spent, spent / 1000) * 2,
        np.full(seeds, "\n" * (lemmas - 1)),
        np.array(reasons),
    )


def of(searches: str, *, lemmas: int = 2, seeds: int = 4) -> SearchPlan:
    """Return the plan of made-up outcomes."""
    named = tuple(replace(LEMMAS[0], name=f"L{place}") for place in range(lemmas))
    return SearchPlan("made", named, searchers(searches, "uniform"), tuple(range(seeds)), Budget(expansions=100))


def compared(plan: SearchPlan, *found: Outcomes) -> Comparison:
    both = {variant.name: outcomes for variant, outcomes in zip(plan.variants, found, strict=True)}
    return compare(plan, both, [lemma.shortest for lemma in plan.lemmas])


@pytest.mark.slow
def test_any_solver_stands_beside_the_searches_by_the_name_that_prove_takes() -> None:
    variants = searchers("best-first,teacher,table,committed", "uniform")
    plan = SearchPlan("made", resolve("thesis/42,textbook/peirce").lemmas, variants, (0,), Budget(500, seconds=2.0))
    came = {name: [STATUSES[status].value for status in trial.status[0]] for name, trial in trials(plan).items()}
    assert came["best-first"] == came["teacher"] == ["proved", "refuted"]
    assert came["table"] == came["committed"] == ["proved", "open"]
    for wrong, said in (("nobody", "--search is one of"), ("table+nobody", "'nobody' is no ladder")):
        with pytest.raises(InputError, match=said):
            searchers(wrong, "uniform")


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
    found = compare(plan, played, [None] * len(LEMMAS))
    turned = compare(replace(plan, variants=variants[::-1]), played, [None] * len(LEMMAS))
    table, other = (
        next(each for each in tables(one) if each.title == "What experience was worth") for one in (found, turned)
    )
    assert table.rows[0][:2] == ("alone with experience", "alone without experience")
    assert found.pairs[0].solved.value > 0
    assert other.rows == table.rows
    blank = searchers("alone", "uniform", (Prior({Scope("any", "any", "imply3"): 1.0}).text, ""))
    assert untimed({"": trials(replace(plan, variants=blank))[blank[0].name]}) == untimed(
        {"": trials(plan)["alone without experience"]}
    )


@pytest.mark.parametrize("search", [*SEARCHES, ALONE])
def test_a_trial_depends_on_plan_and_seed_alone(search: str) -> None:
    plan = replace(PLAN, variants=searchers(search, "uniform"))
    assert untimed(trials(plan)) == untimed(trials(plan))
    backwards = replace(plan, lemmas=plan.lemmas[::-1])
    assert np.array_equal(backwards.attempt(0, 7).expansions[::-1], plan.attempt(0, 7).expansions)


@pytest.mark.parametrize("search", list(SEARCHES))
def test_whatever_a_search_settles_is_so_and_it_stops_only_where_it_says_why(search: str) -> None:
    lemmas = resolve("textbook").lemmas
    plan = SearchPlan("textbook", lemmas, searchers(search, "uniform"), (3,), Budget(expansions=200))
    found = plan.attempt(0, 3)
    for lemma, status, reason, script in zip(lemmas, found.status, lines(found.reason), found.scripts[0], strict=True):
        if STATUSES[status].value != "open":
            is_theorem = decide(lemma.formula).verdict is Verdict.THEOREM
            assert (STATUSES[status].value == "proved") is is_theorem is bool(script)
        else:
            assert reason
    assert (found.settled_expansions <= found.expansions).all()


def test_the_policy_alone_takes_nothing_back() -> None:
    found = done()
    theorems = [0, 2]
    assert (found["alone (teacher)"].status[:, theorems] == 1).all()
    assert found["alone (teacher)"].length[:, theorems].tolist() == [[6, 4]] * 3
    assert not found["alone (teacher)"].status[:, 1].any()
    assert set(lines(found["alone (uniform)"].reason)[:, 1]) == {"no move was left"}


@pytest.mark.usefixtures("short_jobs")
def test_searches_are_kept_and_gone_on_with_and_their_proofs_certified(store: Store) -> None:
    begun = Experiment.start(store, {"three": PLAN}, name="three")
    run = begun.run(Serial())
    assert (next(run).done, begun.total) == (1, 12)
    run.close()
    resumed = Experiment.resume(store)
    assert resumed.plan == PLAN
    assert len(list(resumed.run(Serial()))) == 11
    found = resumed.side_by_side("three")
    assert untimed(found) == untimed(done())
    proofs = shortest_proofs(resumed, "three", resumed.trials())
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
    assert plan.attempt(1, 0).status.tolist() == [1]
    changed = replace(plan, runs=(replace(plan.runs[0], episodes=200),))
    with pytest.raises(InputError, match="has practised 300 episodes now, and 200 when this experiment was begun"):
        changed.attempt(0, 0)


@given(st.data(), st.integers(1, 6), st.integers(1, 3))
def test_pass_at_k_is_the_mean_over_all_choices_of_k_tries(data: st.DataObject, seeds: int, lemmas: int) -> None:
    proved = data.draw(arrays(np.bool_, (seeds, lemmas)))
    k = data.draw(st.integers(1, seeds))
    every = [proved[list(chosen)].any(axis=0) for chosen in combinations(range(seeds), k)]
    assert np.allclose(shares(proved, k), np.mean(every, axis=0))


@given(st.data(), st.integers(2, 12), st.integers(1, 8))
def test_the_interval_of_pass_at_k_holds_its_value_and_grows_with_k(
    data: st.DataObject, seeds: int, lemmas: int
) -> None:
    proved = data.draw(arrays(np.bool_, (seeds, lemmas)))
    values = []
    for k in tries(seeds):
        value, low, high = interval(proved, k)
        assert 0 <= low <= value + 1e-9 and value - 1e-9 <= high <= 1
        assert low < high
        values.append(float(value))
    assert values == sorted(values)


def test_the_numbers_of_tries_are_round_and_end_with_all_of_them() -> None:
    assert tries(1) == (1,)
    assert tries(10) == (1, 2, 5, 10)
    assert tries(64) == (1, 2, 5, 10, 20, 50, 64)


def test_what_is_never_solved_counts_as_more_than_the_budget_and_it_is_told_why() -> None:
    plan = of("best-first,rmaxts", lemmas=3)
    found = compared(plan, made([10, 20, inf], lemmas=3), made([10, inf, inf], lemmas=3))
    first, other = found.summaries
    assert (float(first.expansions.value), float(other.expansions.value)) == (20, inf)
    assert (first.most, other.most) == (inf, inf)
    assert float(first.solved.value) == pytest.approx(2 / 3)
    assert found.unsolved == ("L2",)
    (pair,) = found.pairs
    assert pair.fewer == pytest.approx((0.5 + 1 + 0.5) / 3)
    assert "Solved by nobody: L2." in conclusions(found)
    reason = np.array(["\nnothing is left\n100 expansions were not enough"] * 4)
    early = made([10, inf, inf], lemmas=3)._replace(reason=reason)
    found = compared(plan, made(10, lemmas=3), early)
    assert [each["stopped"] for each in found.to_json()["variants"]] == [{}, {"nothing is left": ["L1"]}]
    assert "rmaxts stops before the budget is used up, as nothing is left: L1." in conclusions(found)


def test_two_searches_are_told_apart_where_one_always_needs_more() -> None:
    plan = of("best-first,rmaxts", lemmas=40)
    near, far = (made(np.arange(40) + more, lemmas=40) for more in (10, 30))
    (pair,) = compared(plan, near, far).pairs
    assert (pair.fewer, pair.ranks.sign, pair.solved.sign) == (1.0, 1, 0)
    (pair,) = compared(plan, near, near).pairs
    assert (pair.fewer, pair.ranks.sign) == (0.5, 0)
    alone = of("best-first,rmaxts", lemmas=1, seeds=20)
    (one,) = compared(alone, *(made(number, lemmas=1, seeds=20) for number in (10, 30))).pairs
    assert (one.fewer, one.ranks.sign) == (1.0, 1)


def test_a_curve_ends_where_a_search_was_broken_off() -> None:
    found = compared(of("best-first,rmaxts"), made([10, inf], used=50), made([10, 90]))
    broken, whole = (summary.by_expansions for summary in found.summaries)
    x = np.asarray(broken.x)
    assert np.isnan(broken.interval.value[x > 50]).all()
    assert np.isfinite(broken.interval.value[x <= 50]).all()
    assert whole.interval.value[-1] == 1
    assert set(broken.interval.value[(x > 10.5) & (x <= 50)]) == {0.5}


def test_moves_are_compared_with_the_shortest_where_that_is_known() -> None:
    plan = of("best-first")
    trial = made([1, 2])._replace(length=np.array([[6, 12]] * 4))
    (summary,) = compared(plan, trial).summaries
    assert summary.moves is not None and float(summary.moves.value) == pytest.approx(1.5)
    assert summary.shortest == (4, 8)
    (nothing,) = compare(plan, {"best-first": trial}, [None, None]).summaries
    assert nothing.moves is None


@pytest.mark.slow
def test_stages_say_how_much_more_than_alone_and_need_expansions_and_theorems() -> None:
    variants = staging.staged("best-first", "uniform,teacher")
    assert [variant.search for variant in variants[::2]] == ["alone", "sampling", "best-first"]
    plans = staging.plans(replace(PLAN, variants=variants, budget=Budget(expansions=50, seconds=0.2)))
    assert [(plan.budget.expansions, plan.budget.seconds) for plan in plans.values()] == [(50, None), (None, 0.2)]
    done = {part: trials(plan) for part, plan in plans.items()}
    found = staging.stages(plans, done)
    by_name = {stage.variant.name: stage for stage in found}
    assert float(by_name["alone (teacher)"].share[staging.TIME].value) == 1
    assert float(by_name["best-first (uniform)"].share[staging.EXPANSIONS].value) == 1
    assert by_name["alone (uniform)"].gain == {}
    assert float(by_name["best-first (teacher)"].gain[staging.TIME].value) == 0
    shown = staging.table(plans, found)
    assert [row[0] for row in shown.rows[:3]] == ["uniform"] * 3
    assert [row[1] for row in shown.rows[:3]] == ["alone, one play", "+ sampling", "+ best-first"]
    assert shown.header[2:] == ("50 expansions", "more", "0.2 s", "more")
    with pytest.raises(InputError, match="--budget expansions=N,seconds=S"):
        staging.plans(replace(PLAN, budget=Budget(seconds=1)))
    plan = replace(PLAN, lemmas=LEMMAS[1:2])
    with pytest.raises(InputError, match="No lemma of these is a theorem"):
        staging.stages({"": plan}, {"": trials(plan)})


@pytest.mark.slow
def test_pictures_have_room_for_their_legend_and_leave_the_panels_theirs() -> None:
    plan = SearchPlan("three", LEMMAS, searchers(",".join(SEARCHES), "uniform,teacher,first"), (0,), Budget(20))
    found = compare(plan, trials(plan), [6, None, 4])
    for drawing in (figure(found), *(single(found, each) for each in PANELS)):
        drawing.draw_without_rendering()
        (legend,) = drawing.legends
        box = legend.get_window_extent()
        assert box.x0 >= 0 and box.x1 <= drawing.bbox.x1 and box.y1 <= drawing.bbox.y1
        for axes in drawing.axes:
            assert axes.get_window_extent().y1 <= box.y0
            assert axes.get_window_extent().height > 3 * drawing.dpi


@pytest.mark.slow
def test_everything_is_in_tables_page_and_csv() -> None:
    found = compare(PLAN, done(), [6, None, 4])
    first, passes, _ = tables(found)
    assert [row[0] for row in first.rows] == list(done()) and first.rows[3][1].startswith("100.0%")
    assert passes.header == ("search", "pass@1", "pass@2", "pass@3")
    text = page(found, "oasis compare three", "a test")
    assert text.count("<svg") == 2 and "Searches compared on three" in text
    stream = StringIO()
    write_searches({"three": PLAN}, {"three": done()}, stream)
    rows = list(csv.DictReader(StringIO(stream.getvalue())))
    assert len(rows) == len(PLAN.variants) * len(PLAN.seeds) * len(LEMMAS)
    assert {row["status"] for row in rows if row["search"] == "best-first"} == {"proved", "refuted"}
