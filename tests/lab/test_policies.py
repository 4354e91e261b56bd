"""What policies come to on a benchmark: groups, means, intervals, pass@k, values, pairs, and what provers say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from math import isclose
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest
from scipy.stats import binomtest

from curricula import resolve
from oasis.lab.plots.balance import over_policies, save_plot
from oasis.lab.policy_balance import POSITIONS, Balance, Row
from oasis.lab.policy_calibration import Judgements
from oasis.lab.policy_eval import SAMPLE, Evaluation, benchmark, differences
from oasis.lab.policy_pairs import mcnemar, paired
from oasis.lab.policy_samples import Samples
from oasis.lab.statistics import mean_interval, wilson_interval
from oasis.neural.policies import policy_named
from oasis.neural.reached import labelled, random_plays, reached
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Floats, Ordered, Policy, Uniform
from oasis.search.sampling import pass_at_k
from oasis.teacher.policy import Exact
from tactics.goal import Goal, Move
from tactics.rules import legal_moves
from tests.commands import Oasis

ORDINARY = "propl:kind=ordinary,count=60"
HARD = "propl:kind=hard,count=40,seed=2"


def played(policy: Policy, name: str = ORDINARY, number: int | None = None, **how: object) -> Evaluation:
    """Play so many theorems of a benchmark by a policy, or all; return the evaluation."""
    evaluation = Evaluation(policy, benchmark(name), Choosing(**how))  # type: ignore[arg-type]
    done = list(islice(evaluation.play(), number))
    assert evaluation.done == (done[-1] if done else 0)
    return evaluation


@cache
def of_chance() -> Evaluation:
    return played(Uniform())


def test_the_score_is_that_of_committed_play() -> None:
    ((name, score),) = of_chance().scores("sets").items()
    plays = list(committed(Uniform(), [lemma.formula for lemma in of_chance().benchmark.lemmas]))
    lengths = [len(play.script) for play in plays if play.proved]
    assert (name, score.theorems, score.proved) == (ORDINARY, 60, len(lengths))
    assert score.moves is not None and isclose(score.moves, sum(lengths) / len(lengths), abs_tol=0.001)
    assert score.shortest is not None and score.shortest <= score.moves
    assert isclose(score.calls, sum(play.calls for play in plays) / 60, abs_tol=0.001)


def test_the_theorems_of_sets_are_told_apart_by_the_length_of_their_shortest_proofs() -> None:
    for name, group in of_chance().benchmark.parts["lengths"].items():
        least, most = name.removesuffix(" moves").split("–")
        assert all(int(least) <= (lemma.shortest or 0) <= int(most) for lemma in group)
    told = of_chance().to_json()["lengths"]
    assert sum(score["theorems"] for score in told.values()) == 60
    assert sum(score["proved"] for score in told.values()) == of_chance().scores("sets")[ORDINARY].proved


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


@pytest.mark.slow
def test_sizes_are_chosen_by_levels_and_the_longest_fifth_stands_by_itself() -> None:
    chosen = benchmark("propl", (16,))
    assert chosen.parts["lengths"] == {}
    evaluation = Evaluation(Ordered(0), chosen, Choosing())
    list(evaluation.play())
    ((name, longest),) = evaluation.longest("sizes").items()
    assert (name, longest.theorems, evaluation.scores("sets")) == ("16", 40, {})
    whole = evaluation.to_json()["sizes"]["16"]
    assert whole["longest"]["theorems"] == 40 and whole["theorems"] == 200
    assert longest.shortest is None or longest.shortest > whole["shortest"]


def test_iltp_is_told_apart_by_family_and_level() -> None:
    evaluation = Evaluation(Uniform(), benchmark("iltp", (1, 2, None)), Choosing())
    list(evaluation.play())
    told = evaluation.to_json()
    assert told["sets"]["iltp"]["theorems"] == sum(each["theorems"] for each in told["families"].values())
    assert {"SYJ201", "SYJ203", "SYN", "SYJ"} <= set(told["families"]) and "SYJ207" not in told["families"]
    assert set(told["families"]["SYJ203"]["levels"]) <= {1, 2}
    assert told["families"]["SYJ204"]["levels"] == [1, 2]  # where no move loses


def test_provers_are_shown_a_sample_of_proofs() -> None:
    (verdict,) = of_chance().certify(["native"], pytest.fail)
    assert played(Uniform(), number=0).certify(["native"], pytest.fail) == []
    assert (verdict.prover, verdict.accepted, verdict.rejected) == ("native", SAMPLE, {})


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (10, 10), (1, 3), (600, 1000)])
def test_the_interval_is_wilsons(successes: int, trials: int) -> None:
    ours = wilson_interval(successes, trials)
    theirs = binomtest(successes, trials).proportion_ci(method="wilson")
    assert float(ours.value) == successes / trials
    assert isclose(float(ours.low), theirs.low, abs_tol=1e-12) and isclose(float(ours.high), theirs.high, abs_tol=1e-12)


def samples(**how: object) -> Samples:
    asked = {"samples": 6, "seed": 2, "max_moves": 500, **how}
    return Samples(Uniform(), benchmark("propl:kind=hard,count=120"), Choosing(temperature=1.0), **asked)  # type: ignore[arg-type]


@pytest.mark.slow
def test_pass_at_k_is_the_mean_of_the_unbiased_estimates() -> None:
    found = samples(ks=(6, 1, 3))
    plays = found.play()
    assert next(plays) == 100 and [*plays] == [120]
    formulas = [lemma.formula for lemma in benchmark("propl:kind=hard,count=120").lemmas]
    drawn = [committed(Uniform(), formulas, Choosing(temperature=1.0), seed=2 + n, max_moves=500) for n in range(6)]
    each_play = [[each.proved for each in plays] for plays in drawn]
    counts = [sum(of_lemma) for of_lemma in zip(*each_play, strict=True)]
    ((name, passes),) = found.passes("sets").items()
    assert [*passes] == [1, 3, 6]
    for k, interval in passes.items():
        assert float(interval.value) == pytest.approx(fmean(pass_at_k(6, count, k) for count in counts))
        assert interval.low < interval.value < interval.high
    assert found.to_json()["sets"][name]["3"]["value"] == pytest.approx(float(passes[3].value))


@pytest.mark.slow
def test_what_was_played_so_far_counts_and_round_numbers_are_told() -> None:
    found = samples()
    assert next(found.play()) == 100 and found.ks == (1, 2, 5, 6)
    assert len(found.passes("sets")) == 1 and found.passes("families") == {}


# Comparing two policies


@pytest.mark.parametrize(("only_one", "only_other"), [(0, 0), (3, 3), (9, 1), (1, 9), (40, 12)])
def test_p_is_that_of_tosses_of_a_coin(only_one: int, only_other: int) -> None:
    tosses = only_one + only_other
    expected = binomtest(only_one, tosses).pvalue if tosses else 1.0
    assert mcnemar(only_one, only_other) == pytest.approx(expected)


def test_theorems_that_both_have_played_are_counted_by_who_proves_them() -> None:
    one, other = played(policy_named("first", None)), of_chance()
    pair = paired(one, other)["sets"][ORDINARY]
    proved = [{each.lemma.name for each in found.theorems if each.played.proved} for found in (one, other)]
    assert pair.theorems == 60
    assert pair.both == len(proved[0] & proved[1])
    assert (pair.only_one, pair.only_other) == (len(proved[0] - proved[1]), len(proved[1] - proved[0]))
    assert float(pair.more.value) == pytest.approx((pair.only_one - pair.only_other) / 60)
    assert pair.more.contains(float(pair.more.value))
    turned = paired(other, one)["sets"][ORDINARY]
    assert (turned.only_one, turned.only_other, turned.p) == (pair.only_other, pair.only_one, pair.p)
    assert pair.to_json()["more"]["value"] == float(pair.more.value)
    assert paired(one, played(Uniform(), number=20))["sets"][ORDINARY].theorems == 20
    assert not paired(one, played(Uniform(), number=0))["sets"]


# Values of goals


class Half(Uniform):
    """A policy that values every goal at one half."""

    def values(self, goals: Sequence[Goal]) -> Floats:
        return np.full(len(goals), 0.5)


def judgements(policy: Policy, theorems: int) -> Judgements:
    return Judgements(policy, played(policy, HARD, theorems), seed=4, max_moves=1_000)


def test_a_policy_that_knows_the_truth_is_never_wrong_and_meets_goals_of_both_kinds() -> None:
    found = judgements(Exact(), 15)
    assert list(found.judge()) == [15]
    (of_set,) = found.calibrations("sets").values()
    assert (of_set.accuracy, of_set.auc, of_set.ece, of_set.brier) == (1, 1, 0, 0)
    assert 0.3 < of_set.happened < 1
    assert found.to_json()["sets"][HARD]["states"] == of_set.states and found.undecided == 0


def test_the_goals_are_those_of_the_policys_own_plays_and_of_random_ones() -> None:
    found = judgements(Half(), 7)
    list(found.judge())
    (of_set,) = found.calibrations("sets").values()
    formulas = [lemma.formula for lemma in benchmark(HARD).lemmas[:7]]
    plays = zip(committed(Uniform(), formulas), random_plays(formulas, 4, 1_000), strict=True)
    goals = [reached(lemma, (own.script, other)) for lemma, (own, other) in zip(formulas, plays, strict=True)]
    assert of_set.states == sum(map(len, goals))
    assert of_set.brier == 0.25 and len(of_set.bins) == 1
    assert of_set.happened == pytest.approx(np.mean([provable for each in goals for _, provable in labelled(each, 10)]))


LEMMAS = {"SYJ203": resolve("SYJ203").lemmas[:3], "textbook": resolve("textbook").lemmas[:5]}


class Scribe(Uniform):
    """A uniform policy that writes the first legal move among tactics, and no move if it writes freely."""

    made = 0

    def __init__(self) -> None:
        super().__init__()
        Scribe.made += 1

    def written(self, goals: Sequence[Goal], *, tactics: bool = False) -> list[Move | None]:
        return [legal_moves(goal)[0] if tactics else None for goal in goals]


def balanced(**policies: type[Policy]) -> Balance:
    balance = Balance(policies, LEMMAS, expansions=2_000, max_moves=200)
    assert list(balance.play()) == list(range(1, balance.total + 1))
    return balance


@pytest.fixture(scope="module")
def both() -> Balance:
    """The balance of two seeds of one training: one writes moves and the other judges them."""
    return balanced(**{"half-0": Scribe, "half-1": Exact})


def test_each_position_is_what_it_says(both: Balance) -> None:
    assert both.missing == {"half-0": ["judged"], "half-1": ["free", "tactics"]}
    rows = {(row.policy, row.benchmark, row.position.name): row for row in both.rows}
    assert len(rows) == len(both.rows) == 2 * (5 + 4)
    free, tactics, searched = (rows["half-0", "SYJ203", name] for name in ("free", "tactics", "search"))
    assert (free.score.proved, free.score.illegal) == (0, 3)
    assert (tactics.score.proved, tactics.score.illegal) == (3, 0)
    assert tactics.gain is not None and float(tactics.gain.value) == 1.0
    assert free.gain is None
    for name in ("masked", "eager", "judged"):
        assert rows["half-1", "SYJ203", name].score.proved == 3
    assert rows["half-1", "SYJ203", "masked"].score.moves == rows["half-1", "SYJ203", "masked"].score.shortest == 10
    assert searched.score.proved >= 2
    assert searched.score.trials > searched.score.calls / 2
    assert all(row.outcomes.sum() == row.score.proved and row.seconds > 0 for row in both.rows)


def test_no_position_profits_from_what_another_one_asked() -> None:
    Scribe.made = 0
    balance = balanced(scribe=Scribe)
    assert Scribe.made == 1 + len(balance.rows)


def test_the_first_move_of_all_is_no_better_eagerly_played_than_by_order() -> None:
    balance = Balance({"first": lambda: Ordered(0)}, {"SYJ203": LEMMAS["SYJ203"]})
    list(balance.play())
    assert [row.position.name for row in balance.rows] == ["masked", "eager", "search"]
    assert np.array_equal(balance.rows[0].outcomes, np.ones(3))


def test_a_single_lemma_has_no_gains_and_what_was_not_played_to_its_end_is_left_out() -> None:
    balance = Balance({"uniform": Uniform}, {"one": LEMMAS["SYJ203"][:1]})
    plays = balance.play()
    next(plays), next(plays)
    assert [row.position.name for row in balance.rows] == ["masked"]
    list(plays)
    assert [row.gain for row in balance.rows] == [None] * 3


def test_a_row_comes_back_from_json_but_for_its_outcomes(both: Balance) -> None:
    for row in both.rows:
        again = Row.from_json(json.loads(json.dumps(row.to_json())))
        assert again.to_json() == row.to_json()
        assert again.position is row.position


@pytest.mark.slow
def test_the_picture_has_every_position_and_along_policies_seeds_of_one_training_are_one_point(
    both: Balance, tmp_path: Path
) -> None:
    save_plot(tmp_path / "balance.svg", both.rows)
    drawn = (tmp_path / "balance.svg").read_text()
    assert all(f">{position.name}<" in drawn or f"<!-- {position.name} -->" in drawn for position in POSITIONS)
    exact = [replace(row, policy="exact") for row in both.rows if row.policy == "half-1"]
    first, second = over_policies([*both.rows, *exact]).axes
    assert [label.get_text() for label in first.get_xticklabels()] == ["half", "exact"]
    assert (first.get_title(), second.get_title()) == ("proved of SYJ203", "proved of textbook")
    curves = dict(zip(first.get_legend_handles_labels()[1], first.containers, strict=True))
    assert set(curves) == {position.name for position in POSITIONS}
    masked = curves["masked"].lines[0]
    shares = {
        row.policy: float(row.score.share.value)
        for row in both.rows
        if (row.benchmark, row.position.name) == ("SYJ203", "masked")
    }
    assert list(masked.get_ydata()) == pytest.approx([(shares["half-0"] + shares["half-1"]) / 2, shares["half-1"]])
    bounds = [wilson_interval(3, 3), mean_interval(np.array([shares["half-0"], shares["half-1"]]), least=0, most=1)]
    ends = [path.vertices[:, 1] for path in curves["masked"].lines[2][0].get_paths()]
    for interval, (low, high) in zip(bounds[::-1], ends, strict=True):
        assert (low, high) == pytest.approx((float(interval.low), float(interval.high)))


@pytest.mark.slow
def test_the_command_tells_all_of_it_and_draws_it(oasis: Oasis, tmp_path: Path) -> None:
    few = ("--benchmark", "SYJ203", "--count", "2", "--plot", "balance.png", "--along", "policy")
    shown = oasis("policy", "balance", "uniform", "teacher", *few)
    assert "uniform on 2 theorems of SYJ203" in shown.stdout and "teacher on 2 theorems of SYJ203" in shown.stdout
    assert "uniform cannot be asked to be free, tactics, judged" in shown.stderr
    assert (tmp_path / "balance.png").stat().st_size > 10_000


def test_a_network_that_is_asked_computes_on_one_thread() -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(before + 1)
    try:
        policy_named("tiny", None)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
