"""The audit of R† against an enumeration of all episodes, and the log of what it pays."""

import csv
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import islice, pairwise
from math import inf
from random import Random
from typing import Any

import numpy as np
import pytest

from curricula import resolve, resolve_lemma
from curricula.lemma import Lemma
from oasis.audit.findings import KINDS, Finding, completed, of_preset, of_terms
from oasis.audit.logged import log
from oasis.audit.returns import Paid
from oasis.audit.safety import chain, gives_up_at, judged, keeping, margins, reward_of
from oasis.audit.search import Search
from oasis.audit.tables import merged, of_presets, of_search, sentences, share
from oasis.audit.tables import of_terms as tables_of_terms
from oasis.dagger.episodes import played
from oasis.dagger.making import made, weights_of
from oasis.dagger.term import Reading
from oasis.dagger.weights import Weights
from oasis.ground.limits import LimitReached
from oasis.ground.names import TERMS
from oasis.play.policy import Uniform
from oasis.rewards import Rounds, Transition
from oasis.student.environment import ProofEnvironment
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.teacher.exact.states import PROVED, StateGraph
from tactics.errors import InputError
from tactics.rules import legal_moves
from tests.thorough import examples

GAMMA = 0.9
POTENTIALS = ["P", "E", "N_fit", "A_gamma", "H", "G"]


@cache
def graph(lemma: str) -> StateGraph:
    return StateGraph(resolve_lemma(lemma).formula)


def paid(weights: str, lemma: str, counters: Any = None) -> Paid:
    of = resolve_lemma(lemma).formula
    return Paid(graph(lemma), of, reward_of(weights_of(weights), GAMMA, counters), GAMMA)


def episodes(of: StateGraph, state: int) -> Iterator[list[int]]:
    """Yield every episode from a state, as the numbers of its edges."""
    if not of.has_moves[state]:
        yield []
    for edge in np.flatnonzero(of.before == state).tolist():
        for rest in episodes(of, int(of.after[edge])):
            yield [edge, *rest]


@pytest.mark.parametrize("lemma", ["SYJ203.2", "textbook/or_assoc", "textbook/scott"])
def test_states_are_what_moves_lead_to_and_have_their_shortest_proofs(lemma: str) -> None:
    of = graph(lemma)
    assert (of.after < of.before).all() and of.root == len(of) - 1
    for number in range(1, len(of)):
        state = of.state(number)
        assert len(state) == of.size[number]
        assert of.stuck[number] == (not legal_moves(state[0]))
        edges = np.flatnonzero(of.before == number)
        if len(edges):
            assert of.length[number] == 1 + of.length[of.after[edges]].min()
    for edge in range(len(of.before)):
        before, move, after, ended = of.edge(edge)
        assert move in legal_moves(before[0]) and ended == (not after or not legal_moves(after[0]))


def test_too_many_states_are_refused() -> None:
    with pytest.raises(LimitReached, match="100 states were not enough"):
        StateGraph(resolve_lemma("SYJ203.2").formula, max_states=100)


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("name", [name for name in TERMS if name not in ("C", "C_beta")])
def test_one_step_stands_for_all_that_pay_the_same(name: str, reading: Reading) -> None:
    of, reward = graph("SYJ203.2"), made(Weights(reading, {name: 1.0}), GAMMA)
    rows = np.array([reward.row(*of.edge(edge)) for edge in range(len(of.before))], reward.row_type)
    assert (Paid(of, resolve_lemma("SYJ203.2").formula, reward, GAMMA).rows == rows).all()


@pytest.mark.parametrize("lemma", ["SYJ203.1", "textbook/or_comm"])
@pytest.mark.parametrize(
    "weights", ["all", "shaped", "seed", "seed:clip=2", "correct:reading=seed:E=1:F_DR=2", "sparse:K_c=2:clip=0.5"]
)
def test_returns_are_those_of_the_best_episodes_that_the_reward_pays(weights: str, lemma: str) -> None:
    of, reward = graph(lemma), paid(weights, lemma)
    bounds = judged(reward)
    for state in range(1, len(of)):
        best = {kind: dict.fromkeys(np.flatnonzero(of.before == state).tolist(), -inf) for kind in bounds.most._fields}
        for episode in [each for each in episodes(of, state) if each]:
            if reward.is_of_lemma and of.size[state] > 1:
                continue  # such an end is not told
            proves = of.after[episode[-1]] == PROVED
            value = reward.replayed(episode)
            kinds = ["proof", "shortest"][: 1 + (len(episode) == of.length[state])] if proves else ["stuck"]
            for kind in kinds:
                best[kind][episode[0]] = max(best[kind][episode[0]], value)
        for kind, expected in best.items():
            for edge, value in expected.items():
                least, most = (getattr(each, kind)[edge] for each in (bounds.least, bounds.most))
                assert value == -inf or least - 1e-9 <= value <= most + 1e-9
                if reward.is_exact or of.size[state] == 1:  # where it is listed
                    assert (least, most) == pytest.approx((value, value))


@pytest.mark.slow
@pytest.mark.parametrize("lemma", ["SYJ203.1", "SYJ203.2", "SYJ203.3", "textbook/scott"])
def test_potentials_of_any_weights_leave_the_best_moves_what_they_are(lemma: str) -> None:
    draw, of = Random(7), resolve_lemma(lemma)
    for weight in (0.05, 1.0, 30.0):
        weights = Weights(Reading.SHAPED, {name: draw.uniform(-1, 1) * weight for name in TERMS} | {"C": 1.0})
        for each in of_preset("drawn", weights, of, graph(lemma)):
            assert {each.counts[kind] for kind in ("lost", "worse", "changed")} == {0} and not any(
                each.undecided.values()
            )


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_weights_and_counts_of_what_is_shaped_change_a_best_move_of_a_random_theorem(seed: int) -> None:
    draw = Random(seed)
    of = resolve(f"random:size=5,atoms=2,kind=theorem,count={examples(3000)},seed={seed}").lemmas
    for lemma in of:
        drawn = {name: draw.choice((0.01, 1, 30)) * draw.uniform(-1, 1) for name in TERMS}
        weights = Weights(Reading.SHAPED, drawn | {"C": 1.0})
        reward = made(weights, GAMMA)
        rounds = Rounds(reward)
        for episode in played(lemma.formula, Uniform(), 5, draw.randrange(10**6)):
            rounds.count([Transition(*step[:3]) for step in episode.steps])
        rounds.refresh()
        finding = Finding("drawn", "shaped", None, "trained")
        each = completed(finding, lemma, StateGraph(lemma.formula), weights, GAMMA, reward.state())
        told = {each.counts[kind] for kind in ("lost", "worse", "changed")}
        assert told == {0} and not any(each.undecided.values()), (lemma.name, drawn)


@cache
def findings(lemma: str) -> list[Finding]:
    of = resolve_lemma(lemma)
    of_presets = [each for name in ("all", "seed") for each in of_preset(name, weights_of(name), of, graph(lemma))]
    return [*of_presets, *(each for reading in Reading for each in of_terms(reading, of, graph(lemma)))]


def of_term(found: list[Finding], name: str, reading: str, weight: float = 1.0, counters: str = "none") -> Finding:
    (one,) = (f for f in found if (f.name, f.reading, f.weight, f.counters) == (name, reading, weight, counters))
    return one


@pytest.mark.slow
def test_findings_add_up_over_lemmas_and_their_shares_are_in_order() -> None:
    one, other = findings("SYJ203.1"), findings("textbook/peirce")
    for both, first, second in zip(merged([*one, *other]), one, other, strict=True):
        assert both.states == first.states + second.states
        assert all(both.counts[kind] == first.counts[kind] + second.counts[kind] for kind in KINDS)
        assert set(both.examples) == set(first.examples) | set(second.examples)
    assert len(merged([*one, *one])) == len(one)
    for each in findings("SYJ203.2"):
        for narrow, wide in pairwise(("lost", "worse", "changed")):
            assert each.counts[narrow] <= each.counts[wide]


@pytest.mark.slow
def test_terms_that_are_no_potential_pay_for_length_for_ends_and_without_a_proof() -> None:
    found = findings("SYJ203.2")
    assert not any(of_term(found, "R_alpha", "sound").counts.values())
    assert of_term(found, "R_alpha", "sound", counters="trained").counts["dead"] > 0
    assert of_term(findings("SYJ203.1"), "K_pre", "seed").first["longer"] == ["SYJ203.1"]
    assert of_term(found, "C_beta", "sound").counts["lost"] > 0  # a proof returns as much as giving up
    peirce = of_term(findings("textbook/peirce"), "K_pre", "seed")
    assert peirce.states - peirce.provable == peirce.counts["paid"] == 3
    assert "there is no proof" in peirce.examples["paid"].says


@pytest.mark.slow
def test_tables_and_sentences_report_the_findings() -> None:
    both = merged([*findings("SYJ203.1"), *findings("SYJ203.2")])
    presets, terms = [each for each in both if each.weight is None], [each for each in both if each.weight is not None]
    whole = of_presets(presets, {(each.name, each.counters): 13 for each in presets}, GAMMA)
    assert [row[:2] for row in whole.rows] == [(name, told) for name in ("all", "seed") for told in ("none", "trained")]
    assert whole.rows[1][-1] == "13" and "not known whether a best move is on no shortest proof" in whole.note
    seed, sound, shaped = tables_of_terms(terms, GAMMA)
    assert {row[3:9] for row in shaped.rows} == {("0",) * 6}  # no potential changes a best move, fresh or trained
    assert {row[0] for row in seed.rows} == {*[*TERMS][1:]}
    assert next(row for row in sound.rows if row[0] == "P")[3:9] == ("0",) * 6
    assert next(row for row in seed.rows if row[0] == "K_pre")[8:] == ("2", "(100 %)")
    said = sentences(terms)
    assert all(f"{name} (sound)" in said[0] for name in POTENTIALS) and "K_c (sound)" not in said[0]
    assert any(
        each.startswith(
            "H (seed, weight 1), proof lost: imply4 H1, after which there is no proof, returns -2.78; intro"
        )
        for each in said
    )
    assert [share(0, 5), share(5, 5), share(1, 9999), share(9999, 10000)] == ["0", "100 %", "< 0.1 %", "> 99.9 %"]


# The search, and what it must find again.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("weights", "is_trained", "moves"),
    [("all:belief=even", False, 38), ("all", True, 13), ("elegant", False, 0), ("shaped", True, 0)],
)
def test_chains_are_given_up_from_some_length_on(weights: str, is_trained: bool, moves: int) -> None:
    assert gives_up_at(weights_of(weights), GAMMA, is_trained) == moves


@pytest.mark.slow
def test_a_search_finds_what_is_not_safe_makes_it_smaller_and_says_the_same_again() -> None:
    for weights, length, counters in (("all", 12, "trained"), ("correct:N_BNG=0.01", 24, "none")):
        said = []
        for _ in range(2):
            search = Search(weights_of(weights), GAMMA, begin=[chain(length)])
            assert [*islice(search, 60)][-1] == search.tried == 60
            lemma = search.found[counters].examples["lost"].lemma
            assert resolve_lemma(lemma).formula.size <= chain(length).size
            said.append(of_search(weights, search))
        assert said[0] == said[1] and f"{weights} is not safe on {lemma}" in " ".join(said[0])
    safe = Search(weights_of("elegant"), GAMMA, seed=1)
    assert [*islice(safe, 60)] and not safe.found and "was found safe" in of_search("elegant", safe)[0]


def test_a_margin_is_told_in_units_of_what_the_proof_is_worth() -> None:
    for weights, margin in (("correct", 1.0), ("correct:K_pre=-0.5", 1.0), ("correct:C=0", 0.0)):
        lemma = "Z \\/ (A -> B -> A)"
        found = margins(judged(paid(weights, lemma)), keeping(graph(lemma)))
        assert found.most.min() == pytest.approx(margin) and found.is_wrong.any() == (not margin)


# The log

OR, AND = (resolve(text).lemmas[0] for text in ("A -> B \\/ A", "textbook/and_comm"))


def logged(settings: Settings, lemma: Lemma = OR) -> list[dict[str, str]]:
    stream = StringIO()
    assert list(log(settings, [lemma], stream)) == list(range(1, settings.episodes + 1))
    stream.seek(0)
    return list(csv.DictReader(stream))


@pytest.mark.parametrize(
    ("weights", "lemma", "max_steps", "how"),
    [
        ("all:round=3", OR, 9, {"proved", "stuck"}),
        ("seed:round=3", OR, 9, {"proved", "stuck"}),
        ("correct:P=0.1", AND, 5, {"proved", "cut short"}),
    ],
)
def test_the_rewards_are_those_that_a_student_of_the_same_seed_is_paid(
    weights: str, lemma: Lemma, max_steps: int, how: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(learner="q-learning", reward=f"dagger:{weights}", episodes=40, seed=5, max_steps=max_steps)
    lines = logged(settings, lemma)
    paid: list[Any] = []
    step = ProofEnvironment.step

    def watched(self: ProofEnvironment, action: Any) -> Any:
        answer = step(self, action)
        paid.append((str(action), len(answer[0]), answer[1]))
        return answer

    monkeypatch.setattr(ProofEnvironment, "step", watched)
    PlainStudent(settings).practise(lemma.formula, settings.episodes)
    steps = [line for line in lines if line["step"] != "end"]
    assert [(line["move"], int(line["goals"])) for line in steps] == [each[:2] for each in paid]
    ends = {place for place, line in enumerate(lines) if line["step"] == "end"}
    assert {lines[place]["move"] for place in ends} == how
    with_end = [
        float(line["reward"]) + (float(lines[place + 1]["reward"]) if place + 1 in ends else 0.0)
        for place, line in enumerate(lines)
        if place not in ends
    ]
    assert with_end == pytest.approx([each[2] for each in paid], abs=1e-12)
    assert sum(float(lines[place]["total"]) for place in ends) == pytest.approx(sum(with_end))


def test_a_reward_without_terms_is_refused() -> None:
    with pytest.raises(InputError, match="terminating has none"):
        logged(Settings(episodes=1))
