"""The new reports of policies and the old scores are the same numbers, while both stand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from curricula import resolve
from oasis.lab import policy_balance, policy_eval, policy_samples
from oasis.lab.policies.balance import Balance
from oasis.lab.policies.benchmark import benchmark
from oasis.lab.policies.calibration import Judgements
from oasis.lab.policies.evaluation import PLAYED, Evaluation
from oasis.lab.policies.groups import reports
from oasis.lab.policies.samples import Samples
from oasis.lab.policy_calibration import Judgements as OldJudgements
from oasis.lab.policy_pairs import paired
from oasis.neural.policies import policy_named
from oasis.play.committed import Choosing
from oasis.play.policy import Ordered, Uniform
from oasis.teacher.policy import Exact

NAMES = [("propl:kind=ordinary,count=60", None), ("propl", (16,)), ("iltp", (1, 2, None)), ("textbook", None)]
RENAMED = {"proved": "share", "moves": "moves", "calls": "calls", "trials": "trials"}
OTHERWISE = {
    "theorems": "units of the report",
    "cut": "a share, cut short",
    "illegal": "a share",
    "shortest": "moves less too many",
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "levels"), NAMES)
def test_scores_and_pairs_are_the_same(name: str, levels: Any) -> None:
    theorems = benchmark(name, levels)
    new = {"one": Evaluation(Uniform(), theorems.lemmas), "other": Evaluation(Ordered(0), theorems.lemmas)}
    old = [
        policy_eval.Evaluation(policy, policy_eval.benchmark(name, levels), Choosing())
        for policy in (Uniform(), Ordered(0))
    ]
    assert [list(each.run()) for each in new.values()] == [list(each.play()) for each in old]
    found = reports(theorems, new)
    assert [*found] == [
        part
        for part in (*old[0].benchmark.parts, *["longest"] * (name == "propl"))
        if old[0].scores(part) or part == "longest"
    ]
    pairs = paired(*old)
    for part, groups in found.items():
        for group, report in groups.items():
            for kind, each in zip(report.names, old, strict=True):
                score = each.longest("sizes")[group] if part == "longest" else each.scores(part)[group]
                numbers = {
                    key: float(report.number(m, kind).value) for key, m in {m.name: m for m in report.measures}.items()
                }
                told = score.to_json()
                assert {*told} - {*RENAMED.values()} == {*OTHERWISE, "proved"} - {"share", "moves", "calls", "trials"}
                assert report.units == score.theorems
                assert_allclose(numbers["proved"] * report.units, score.proved, rtol=1e-12)
                for key, ours in (("cut", "cut short"), ("illegal", "illegal")):
                    assert_allclose(numbers[ours] * report.units, told[key], rtol=1e-12)
                for key in ("calls", "trials"):
                    assert round(numbers[key], 3) == told[key]
                if score.moves is not None:
                    assert round(numbers["moves"], 3) == score.moves
                    if score.shortest is not None:
                        assert_allclose(numbers["moves"] - numbers["too many"], score.shortest, atol=2e-3)
            if part in pairs and group in pairs[part]:
                pair = pairs[part][group]
                gain, p = report.difference(PLAYED.headline, ("one", "other"))
                assert_allclose(float(gain.value), float(pair.more.value), atol=1e-12)
                assert_allclose(p, pair.p, atol=0.015)


def test_passes_are_the_same() -> None:
    theorems, choosing = benchmark("textbook"), Choosing(temperature=1.0)
    new = Samples(Uniform(), theorems.lemmas, choosing, seed=2, samples=6)
    old = policy_samples.Samples(
        Uniform(), policy_eval.benchmark("textbook"), choosing, samples=6, seed=2, max_moves=10_000
    )
    list(new.run()), list(old.play())
    (report,) = reports(theorems, {"one": new})["sets"].values()
    (passes,) = old.passes("sets").values()
    assert_allclose(report.number(report.curves[0], "one").value, [each.value for each in passes.values()], rtol=1e-12)
    assert report.points(report.curves[0], "one").tolist() == [*passes]


@pytest.mark.slow
@pytest.mark.parametrize("policy", [Exact, lambda: policy_named("tiny", None)])
def test_judgements_are_the_same(policy: Any) -> None:
    name = "propl:kind=hard,count=40,seed=2"
    theorems = benchmark(name)
    playing, then = (
        Evaluation(policy(), theorems.lemmas),
        policy_eval.Evaluation(policy(), policy_eval.benchmark(name), Choosing()),
    )
    list(playing.run()), list(then.play())
    new = Judgements(policy(), theorems.lemmas, seed=4, max_moves=1_000, plays=playing.done)
    old = OldJudgements(policy(), then, seed=4, max_moves=1_000)
    list(new.run()), list(old.judge())
    (report,) = reports(theorems, {"one": new})["sets"].values()
    (was,) = old.calibrations("sets").values()
    for measure, value in {
        "Brier score": was.brier, "baseline": was.base, "accuracy": was.accuracy, "AUC": was.auc,
        "ECE": was.ece, "provable": was.happened, "goals": was.states / report.units, "undecided": old.undecided / 40,
    }.items():  # fmt: skip
        (each,) = (m for m in report.measures if m.name == measure)
        assert_allclose(float(report.number(each, "one").value), value, rtol=1e-12, atol=1e-12)
    (curve,) = report.curves
    shares = report.number(curve, "one").value
    assert_allclose(shares[~np.isnan(shares)], [each.happened for each in was.bins], atol=1e-12)


@pytest.mark.slow
def test_balances_are_the_same() -> None:
    lemmas = {"SYJ203": resolve("SYJ203").lemmas[:3], "textbook": resolve("textbook").lemmas[:15]}
    makers = {"uniform": Uniform, "exact": Exact}
    new, old = Balance(makers, lemmas, max_moves=200), policy_balance.Balance(makers, lemmas, max_moves=200)
    assert list(new.run()) == list(old.play())
    assert new.missing == old.missing
    found = new.reports()
    for row in old.rows:
        report = found[row.policy][row.benchmark]
        for measure in report.measures[:1] + report.measures[3:5]:
            value = float(report.number(measure, row.position.name).value)
            was = {"proved": float(row.score.share.value), "calls": row.score.calls, "trials": row.score.trials}
            assert_allclose(value, was[measure.name], atol=6e-4)
