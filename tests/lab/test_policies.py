"""What policies come to on a benchmark: groups, means, pass@k, values of goals, pairs, and what provers say."""

from collections.abc import Generator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from curricula import resolve
from curricula.benchmark import benchmark
from oasis.ground.passes import pass_at_k
from oasis.ground.statistics import mean_interval
from oasis.lab.measure import Family
from oasis.lab.policies.balance import POSITIONS, Balance, over_policies, save_plot
from oasis.lab.policies.calibration import JUDGED, Judgements
from oasis.lab.policies.groups import reports, tables, to_json
from oasis.lab.policies.plays import PLAYED, SAMPLE, Evaluation, Proofs, Samples, certified, levels
from oasis.lab.report import Report
from oasis.neural.policies import policy_named
from oasis.neural.reached import labelled, random_plays, reached
from oasis.play import writing as whole
from oasis.play.calibration import calibration
from oasis.play.choices import Writing
from oasis.play.committed import Choosing, committed
from oasis.play.policy import Floats, Ordered, Policy, Uniform
from oasis.play.writing import Completion, Draft
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.goal import Goal, Move
from tactics.rules import legal_moves
from tactics.written import pieces
from tests.commands import Oasis

ORDINARY = "propl:kind=ordinary,count=60"
HARD = "propl:kind=hard,count=40,seed=2"


def played(policy: Policy, name: str = ORDINARY, number: int | None = None, **how: object) -> Evaluation:
    """Play so many theorems of a benchmark by a policy, or all; return the evaluation."""
    evaluation = Evaluation(policy, benchmark(name).lemmas, Choosing(**how))  # type: ignore[arg-type]
    done = list(islice(evaluation.run(), number))
    assert len(evaluation.done) == (done[-1] if done else 0)
    return evaluation


@cache
def of_chance() -> Evaluation:
    return played(Uniform())


def numbers(report: Report, name: str) -> dict[str, float]:
    return {each.name: float(report.number(each, name).value) for each in report.numbers}


def test_the_numbers_are_those_of_committed_play() -> None:
    (report,) = reports(benchmark(ORDINARY), {"uniform": of_chance()})["sets"].values()
    plays = list(committed(Uniform(), [lemma.formula for lemma in of_chance().lemmas]))
    lengths = [len(play.script) for play in plays if play.proved]
    shortest = [lemma.shortest or 0 for lemma, play in zip(of_chance().lemmas, plays, strict=True) if play.proved]
    found = numbers(report, "uniform")
    assert found["proved"] == len(lengths) / 60
    assert_allclose([found["moves"], found["too many"]], [np.mean(lengths), np.mean(lengths) - np.mean(shortest)])
    assert_allclose(found["calls"], sum(play.calls for play in plays) / 60)


def test_the_theorems_of_sets_are_told_apart_by_the_length_of_their_shortest_proofs() -> None:
    theorems = benchmark(ORDINARY)
    for name, group in theorems.parts["lengths"].items():
        least, most = name.removesuffix(" moves").split("–")
        assert all(int(least) <= (lemma.shortest or 0) <= int(most) for lemma in group)
    found = reports(theorems, {"uniform": of_chance()})
    assert sum(report.units for report in found["lengths"].values()) == 60
    told = to_json(found)["sets"][ORDINARY]
    assert (told["report"], len(told["by_lemma"]["proved"]["uniform"])) == (2, 60)


@pytest.mark.slow
def test_sizes_are_chosen_by_levels_and_the_longest_fifth_stands_by_itself() -> None:
    chosen = benchmark("propl", (16,))
    assert (chosen.parts["lengths"], chosen.parts["sets"]) == ({}, {})
    longest, whole = chosen.parts["longest"]["16"], chosen.parts["sizes"]["16"]
    assert (len(longest), len(whole), len(chosen.lemmas)) == (40, 200, 200)
    assert min(lemma.shortest or 0 for lemma in longest) >= np.quantile([lemma.shortest or 0 for lemma in whole], 0.75)


def test_iltp_is_told_apart_by_family_and_level() -> None:
    theorems = benchmark("iltp", (1, 2, None))
    evaluation = Evaluation(Uniform(), theorems.lemmas)
    list(evaluation.run())
    found = reports(theorems, {"uniform": evaluation})
    assert found["sets"]["iltp"].units == sum(each.units for each in found["families"].values())
    assert {"SYJ201", "SYJ203", "SYN", "SYJ"} <= set(found["families"]) and "SYJ207" not in found["families"]
    (table,) = levels(theorems, {"uniform": evaluation})
    proved = {row[0]: row[1] for row in table.rows}
    assert proved["SYJ204"] == "1, 2"  # where no move loses
    assert set(proved["SYJ203"].split(", ")) <= {"1", "2"}


def test_provers_are_shown_a_sample_of_proofs() -> None:
    (verdicts,) = certified(benchmark(ORDINARY), of_chance(), ["native"], pytest.fail).values()
    assert (len(verdicts), {*verdicts.values()}) == (SAMPLE, {None})
    assert certified(benchmark(ORDINARY), played(Uniform(), number=0), ["native"], pytest.fail) == {}


def samples(**how: object) -> Samples:
    asked = {"samples": 6, "seed": 2, "max_moves": 500, "choosing": Choosing(temperature=1.0), **how}
    return Samples(Uniform(), benchmark("propl:kind=hard,count=120").lemmas, **asked)  # type: ignore[arg-type]


@pytest.mark.slow
def test_pass_at_k_and_attempts_are_means_over_all_orders_of_the_plays() -> None:
    found = samples(ks=(6, 1, 3))
    assert [*found.run()] == [*range(1, 121)]
    formulas = [lemma.formula for lemma in found.lemmas]
    drawn = [committed(Uniform(), formulas, Choosing(temperature=1.0), seed=2 + n, max_moves=500) for n in range(6)]
    each_play = np.array([[each.proved for each in plays] for plays in drawn])
    (report,) = reports(benchmark("propl:kind=hard,count=120"), {"uniform": found})["sets"].values()
    (curve,) = report.curves
    assert report.points(curve, "uniform").tolist() == [1, 3, 6]
    value, low, high = report.number(curve, "uniform")
    assert_allclose(value, [np.mean([pass_at_k(6, int(c), k) for c in each_play.sum(axis=0)]) for k in (1, 3, 6)])
    assert (low < value).all() and (value < high).all()
    orders = np.random.default_rng(0).permuted(np.repeat(each_play[None], 2_000, axis=0), axis=1)
    first = np.where(orders.any(axis=1), orders.argmax(axis=1) + 1, 6)
    assert numbers(report, "uniform")["attempts"] == pytest.approx(np.mean(first), abs=0.01)
    assert report.never(report.compared[0], "uniform") == (~each_play.any(axis=0)).sum()


@pytest.mark.slow
def test_what_was_played_so_far_counts_and_round_numbers_are_told() -> None:
    found = samples()
    assert [*islice(found.run(), 100)][-1] == 100 and found.ks == (1, 2, 5, 6)
    (report,) = reports(benchmark("propl:kind=hard,count=120"), {"uniform": found})["sets"].values()
    assert report.units == 100


class Wavering(whole.Scribe):
    """Writes a proof of a theorem every other time, by its seed, in two parts; otherwise nothing."""

    def completed(self, drafts: Sequence[Draft], writing: Writing) -> Generator[None, None, list[Completion]]:
        came = zip(drafts, (yield from super().completed(drafts, writing)), strict=True)
        moves = [[piece.move for piece in pieces(each.text)][: None if draft.text else 2] for draft, each in came]
        both = zip(drafts, moves, strict=True)
        said = "p is at hand, as H9.\nFalse -> p can be proved."
        return [Completion(self.style.text([said, *each] if draft.seed % 2 else []), 3) for draft, each in both]


def test_written_proofs_are_counted_if_they_replay_and_so_are_calls_and_tokens() -> None:
    theorems = benchmark("textbook")
    author: Any = Wavering(Uniform())
    how: dict[str, Any] = {"samples": 12, "seed": 1, "ks": (1, 12)}
    found = Proofs(author, theorems.lemmas, writing=Writing(top_p=1), **how)
    more = Proofs(author, theorems.lemmas, writing=Writing(top_p=1, resumes=1), **how)
    for each in (found, more):
        assert [*each.run()] == [*range(1, 43)]
    (report,) = reports(theorems, {"once": found, "resumed": more})["sets"].values()
    assert [numbers(report, name)["tokens"] for name in report.names] == [36, 3 * numbers(report, "resumed")["calls"]]
    assert [numbers(report, name)["right claims"] for name in report.names] == [0.5, 0.5]
    (curve,) = report.curves
    shares = [report.number(curve, name).value.tolist() for name in report.names]
    assert shares[0][0] < 0.2 < shares[1][0] < 0.8 < shares[1][1]
    with pytest.raises(InputError, match="1 to the 12 of --written"):
        Proofs(author, theorems.lemmas, writing=Writing(), samples=12, ks=(13,))
    assert Proofs(author, theorems.lemmas, writing=Writing(), samples=100).ks == (1, 8, 32, 100)


# Comparing two policies


def test_two_policies_are_compared_on_the_theorems_that_both_have_played() -> None:
    both = {"first": played(policy_named("first", None)), "uniform": of_chance()}
    found = reports(benchmark(ORDINARY), both)
    report = found["sets"][ORDINARY]
    proved = [{lemma.name for lemma in each.proved(each.lemmas)} for each in both.values()]
    more, less = len(proved[0] - proved[1]), len(proved[1] - proved[0])
    gain, _ = report.difference(PLAYED.headline, ("first", "uniform"))
    assert_allclose(float(gain.value), (more - less) / 60)
    assert gain.low <= gain.value <= gain.high
    whole, *_ = [table for table in tables(found) if table.title == "First less second"]
    assert whole.rows[0][:2] == (f"{ORDINARY} (60)", "first – uniform")
    first, *_ = tables(reports(benchmark(ORDINARY), {"uniform": of_chance()}))
    assert (first.header, first.words) == (("set (lemmas)", "proved"), 1)
    assert list(tables(found)[-1].sentences) == report.sentences() and report.sentences()[0].startswith("Proved: ")
    some = {**both, "uniform": played(Uniform(), number=20)}
    assert reports(benchmark(ORDINARY), some)["sets"][ORDINARY].units == 20
    assert reports(benchmark(ORDINARY), {**both, "uniform": played(Uniform(), number=0)}) == {}


@pytest.mark.slow
@pytest.mark.parametrize("units", [1_000, 10_000])
def test_a_test_of_many_lemmas_is_that_of_tosses_of_a_coin(units: int) -> None:
    proved = np.ones((2, units), np.bool_)
    proved[0, :1], proved[1, :9] = False, False
    names = [str(place) for place in range(units)]
    trials = {name: [{"proved": each}] for name, each in zip("ab", proved, strict=True)}
    report = Report(Family("plays", "moves", PLAYED.measures[:1], "lemmas"), trials, names)
    gain, p = report.difference(PLAYED.headline, ("a", "b"))
    assert_allclose([float(gain.value), p], [8 / units, 2 / 2**8])
    assert 0 < gain.low < gain.high < 20 / units


# Values of goals


class Half(Uniform):
    """A policy that values every goal at one half."""

    def values(self, goals: Sequence[Goal]) -> Floats:
        return np.full(len(goals), 0.5)


class Unsure(Uniform):
    """A policy that has all kinds of values, better for short goals."""

    def values(self, goals: Sequence[Goal]) -> Floats:
        return np.array([1 / (1 + len(str(goal)) % 7) for goal in goals])


def judged(policy: Policy, theorems: int) -> tuple[Judgements, Report]:
    plays = played(policy, HARD, theorems).done
    found = Judgements(policy, benchmark(HARD).lemmas, seed=4, max_moves=1_000, plays=plays)
    assert [*found.run()] == [*range(1, theorems + 1)]
    (report,) = reports(benchmark(HARD), {"it": found})["sets"].values()
    return found, report


@pytest.mark.parametrize("policy", [Exact(), Half(), Unsure()], ids=["exact", "half", "unsure"])
def test_the_numbers_over_theorems_have_the_means_over_all_goals(policy: Policy) -> None:
    found, report = judged(policy, 15)
    values, provable = (np.concatenate(each) for each in list(zip(*found.done.values(), strict=True))[:2])
    whole, told = calibration(values, provable), numbers(report, "it")
    names = ("Brier score", "baseline", "accuracy", "AUC", "ECE", "provable")
    same = (whole.brier, whole.base, whole.accuracy, whole.auc, whole.ece, whole.happened)
    assert_allclose([told[name] for name in names], same, atol=1e-12)
    assert (told["goals"], told["undecided"]) == (whole.states / 15, 0)
    curve = report.number(JUDGED.measures[-1], "it").value
    assert_allclose(curve[np.isfinite(curve)], [each.happened for each in whole.bins])


def test_the_goals_are_those_of_the_policys_own_plays_and_of_random_ones() -> None:
    found, report = judged(Half(), 7)
    formulas = [lemma.formula for lemma in found.done]
    plays = zip(committed(Uniform(), formulas), random_plays(formulas, 4, 1_000), strict=True)
    goals = [reached(lemma, (own.script, other)) for lemma, (own, other) in zip(formulas, plays, strict=True)]
    assert numbers(report, "it")["goals"] * 7 == sum(map(len, goals))
    truth = [provable for each in goals for _, provable in labelled(each, 10)]
    assert_allclose(numbers(report, "it")["provable"], np.mean(truth))


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
    assert list(balance.run()) == list(range(1, balance.total + 1))
    return balance


@pytest.fixture(scope="module")
def both() -> Balance:
    """The balance of two seeds of one training: one writes moves and the other judges them."""
    return balanced(**{"half-0": Scribe, "half-1": Exact})


def test_each_position_is_what_it_says(both: Balance) -> None:
    assert both.missing == {"half-0": ["judged"], "half-1": ["free", "tactics"]}
    found = both.reports()
    assert [len(report.names) for benchmarks in found.values() for report in benchmarks.values()] == [5, 5, 4, 4]

    def value(policy: str, position: str, *names: str) -> list[float]:
        told = numbers(found[policy]["SYJ203"], position)
        return [told[name] for name in names]

    assert value("half-0", "free", "proved", "illegal") == [0, 1]
    assert value("half-0", "tactics", "proved", "illegal") == [1, 0]
    assert [value("half-1", name, "proved") for name in ("masked", "eager", "judged")] == [[1]] * 3
    assert value("half-1", "masked", "moves", "too many") == [10, 0]
    proved, trials, calls, spent = value("half-0", "search", "proved", "trials", "calls", "milliseconds")
    assert proved >= 2 / 3 and trials > calls / 2 and spent > 0
    report = found["half-0"]["SYJ203"]
    assert report.pairs[0] == ("tactics", "free") and report.difference(PLAYED.headline, report.pairs[0])[0].value == 1


def test_no_position_profits_from_what_another_one_asked() -> None:
    Scribe.made = 0
    balance = balanced(scribe=Scribe)
    assert Scribe.made == 1 + sum(len(report.names) for report in balance.reports()["scribe"].values())


def test_what_was_not_played_to_its_end_is_left_out() -> None:
    balance = Balance({"first": lambda: Ordered(0)}, {"one": LEMMAS["SYJ203"][:1]})
    plays = balance.run()
    next(plays), next(plays)
    assert balance.reports()["first"]["one"].names == ("masked",)
    list(plays)
    assert balance.reports()["first"]["one"].names == ("masked", "eager", "search")
    assert balance.to_json()["policies"]["first"]["one"]["numbers"]["proved"]["eager"]["value"] == 1


@pytest.mark.slow
def test_the_picture_has_every_position_and_along_policies_seeds_of_one_training_are_one_point(
    both: Balance, tmp_path: Path
) -> None:
    found = both.reports()
    save_plot(tmp_path / "balance.svg", found)
    drawn = (tmp_path / "balance.svg").read_text()
    assert all(f">{position.name}<" in drawn or f"<!-- {position.name} -->" in drawn for position in POSITIONS)
    first, second = over_policies({**found, "exact": found["half-1"]}).axes
    assert [label.get_text() for label in first.get_xticklabels()] == ["half", "exact"]
    assert (first.get_title(), second.get_title()) == ("% proved of SYJ203", "% proved of textbook")
    curves = dict(zip(first.get_legend_handles_labels()[1], first.containers, strict=True))
    assert set(curves) == {position.name for position in POSITIONS}
    of_each = [found[name]["SYJ203"] for name in ("half-0", "half-1", "half-1")]
    shares = [report.number(PLAYED.headline, "masked").scaled(100) for report in of_each]
    seeds = mean_interval(np.array([float(each.value) for each in shares[:2]]), least=0, most=100)
    assert_allclose(curves["masked"].lines[0].get_ydata(), [seeds.value, shares[2].value])
    ends = [path.vertices[:, 1] for path in curves["masked"].lines[2][0].get_paths()]
    assert_allclose(ends, [seeds[1:], [shares[2].value] * 2])  # of four theorems a share has no bounds


@pytest.mark.slow
def test_the_command_tells_all_of_it_and_draws_it(oasis: Oasis, tmp_path: Path) -> None:
    few = ("--benchmark", "textbook", "--count", "8", "--plot", "balance.png", "--along", "policy")
    shown = oasis("policy", "balance", "uniform", "teacher", *few)
    assert all(f" {word} " in shown.stdout for word in ("uniform", "teacher", "shape", "look", "eager – masked"))
    assert "uniform cannot be asked to be free, tactics, judged" in shown.stderr and "look cannot" not in shown.stderr
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
