"""What a policy proves of a benchmark: groups, means, intervals, and what provers say of a sample."""

from __future__ import annotations

from itertools import islice
from math import isclose

import pytest
from scipy.stats import binomtest

from oasis.backends.registry import backend
from oasis.committed import Choosing, committed
from oasis.lab.policy_eval import PUBLISHED, SAMPLE, Evaluation, benchmark, differences
from oasis.lab.statistics import wilson_interval
from oasis.policy import Ordered, Uniform
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.script import replay


def played(name: str, **how: object) -> Evaluation:
    evaluation = Evaluation(Uniform(), benchmark(name), Choosing(**how))  # type: ignore[arg-type]
    assert list(evaluation.play())[-1] == evaluation.done == len(evaluation.benchmark.lemmas)
    return evaluation


def test_the_score_is_that_of_committed_play() -> None:
    evaluation = played("propl:kind=ordinary,count=60")
    ((name, score),) = evaluation.scores("sets").items()
    lemmas = evaluation.benchmark.lemmas
    plays = list(committed(Uniform(), [lemma.formula for lemma in lemmas]))
    lengths = [len(play.script) for play in plays if play.proved]
    assert (name, score.theorems, score.proved) == ("propl:kind=ordinary,count=60", 60, len(lengths))
    assert score.moves is not None and isclose(score.moves, sum(lengths) / len(lengths), abs_tol=0.001)
    assert score.shortest is not None and score.shortest <= score.moves
    assert isclose(score.calls, sum(play.calls for play in plays) / 60, abs_tol=0.001)


@pytest.mark.some_days
@pytest.mark.slow
def test_propl_has_sets_sizes_and_published_figures() -> None:
    evaluation = Evaluation(Exact(), benchmark("propl"), Choosing(judge=True))
    assert list(islice(evaluation.play(), 250))[-1] == 250
    part_way = evaluation.to_json()
    assert part_way["sets"]["ordinary"]["theorems"] == part_way["sets"]["ordinary"]["proved"] == 250
    assert "hard" not in part_way["sets"] and part_way["sizes"] == {}
    assert [each["share"] for each in part_way["published"]] == [each.share for each in PUBLISHED]
    sizes = {name: len(group) for name, group in benchmark("propl").parts["sizes"].items()}
    assert sizes == dict.fromkeys(("16", "32", "64", "128", "256"), 200)


@pytest.mark.some_days
def test_the_theorems_of_sets_are_told_apart_by_the_length_of_their_shortest_proofs() -> None:
    lengths = benchmark("propl").parts["lengths"]
    assert [*lengths][:2] == ["1–2 moves", "3–4 moves"] and [*lengths][-1] == "17 moves and more"
    found = {name: {lemma.shortest for lemma in group} for name, group in lengths.items()}
    assert found["9–10 moves"] == {9, 10} and min(filter(None, found["17 moves and more"])) == 17
    assert sum(map(len, lengths.values())) == 2000
    assert benchmark("propl", (32,)).parts["lengths"] == {}
    evaluation = Evaluation(Ordered(0), benchmark("propl:kind=ordinary,count=30"), Choosing())
    list(evaluation.play())
    told = evaluation.to_json()["lengths"]
    assert sum(score["theorems"] for score in told.values()) == 30
    assert (
        sum(score["proved"] for score in told.values()) == evaluation.scores("sets")[evaluation.benchmark.name].proved
    )


@pytest.mark.parametrize(
    ("choosing", "told"),
    [
        (Choosing(), "chooses among the legal moves, and moves that cannot lose are made without asking it."),
        (Choosing(invertible="free"), "chooses among the legal moves."),
        (Choosing(judge=True, invertible="free"), "judges what each legal move leaves."),
        (Choosing(writing="free", invertible="free"), "what is no legal move ending an attempt as well."),
    ],
)
def test_what_keeps_published_figures_from_being_comparable_is_told_of_how_it_was_played(
    choosing: Choosing, told: str
) -> None:
    assert differences(choosing).endswith(told)


@pytest.mark.some_days
def test_sizes_are_chosen_by_levels_and_the_longest_fifth_stands_by_itself() -> None:
    evaluation = Evaluation(Ordered(0), benchmark("propl", (32,)), Choosing())
    list(evaluation.play())
    ((name, longest),) = evaluation.longest("sizes").items()
    assert (name, longest.theorems, evaluation.scores("sets")) == ("32", 40, {})
    whole = evaluation.to_json()["sizes"]["32"]
    assert whole["longest"]["theorems"] == 40 and whole["theorems"] == 200
    assert longest.shortest is None or longest.shortest > whole["shortest"]


def test_iltp_is_told_apart_by_family_and_level() -> None:
    evaluation = Evaluation(Uniform(), benchmark("iltp", (1, 2)), Choosing())
    list(evaluation.play())
    told = evaluation.to_json()
    assert told["sets"]["iltp"]["theorems"] == sum(each["theorems"] for each in told["families"].values())
    assert {"SYJ201", "SYJ203", "SYN", "SYJ"} <= set(told["families"]) and "SYJ207" not in told["families"]
    assert set(told["families"]["SYJ203"]["levels"]) <= {1, 2}
    assert told["families"]["SYJ204"]["levels"] == [1, 2]  # where no move loses


def test_provers_are_shown_a_sample_of_proofs() -> None:
    evaluation = played("propl:kind=ordinary,count=40")
    with backend("native") as prover:
        verdict = evaluation.certify(prover)
    assert verdict is not None
    assert (verdict.prover, verdict.accepted, verdict.rejected) == ("native", SAMPLE, {})
    nothing = Evaluation(Uniform(), benchmark("propl:kind=ordinary,count=40"), Choosing())
    with backend("native") as prover:
        assert nothing.certify(prover) is None


def test_scripts_that_count_as_proofs_are_proofs() -> None:
    lemmas = benchmark("propl:kind=hard,count=40,seed=2").lemmas
    for lemma, play in zip(lemmas, committed(Exact(), [each.formula for each in lemmas]), strict=True):
        assert play.proved and not replay(lemma.formula, play.script)[-1]
        assert len(play.script) >= (lemma.shortest or 0)


@pytest.mark.parametrize("name", ["SYJ207", "propl:kind=non-theorem,count=2"])
def test_a_benchmark_without_theorems_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="has no theorems, so there is nothing to prove"):
        benchmark(name)


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (1, 3), (600, 1000)])
def test_the_interval_is_wilsons(successes: int, trials: int) -> None:
    ours = wilson_interval(successes, trials)
    theirs = binomtest(successes, trials).proportion_ci(method="wilson")
    assert float(ours.value) == successes / trials
    assert isclose(float(ours.low), theirs.low, abs_tol=1e-12) and isclose(float(ours.high), theirs.high, abs_tol=1e-12)
