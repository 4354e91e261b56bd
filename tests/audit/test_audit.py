"""The audit of R† against an enumeration of all episodes, and the log of what it pays."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from io import StringIO
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import pytest

from curricula import resolve, resolve_lemma
from curricula.lemma import Lemma
from oasis.audit.listed import listed
from oasis.audit.logged import log
from oasis.audit.returns import Amounts, Returns, returns
from oasis.audit.tables import merged, sentences, share, tables
from oasis.audit.terms import KINDS, Finding, audited
from oasis.dagger.making import made
from oasis.dagger.reward import RewardDagger
from oasis.dagger.term import OfProof, Packed, Reading
from oasis.dagger.weights import Weights
from oasis.ground.limits import LimitReached
from oasis.ground.names import TERMS
from oasis.student.environment import ProofEnvironment
from oasis.student.plain import PlainStudent
from oasis.student.settings import Settings
from oasis.teacher.exact.states import PROVED, StateGraph
from tactics.errors import InputError
from tactics.rules import legal_moves

GAMMA = 0.9
POTENTIALS = ["P", "E", "N_fit", "A_gamma", "H", "G"]


@cache
def graph(lemma: str) -> StateGraph:
    return StateGraph(resolve_lemma(lemma).formula)


def alone(name: str, reading: str = "sound", gamma: float = GAMMA) -> RewardDagger:
    return made(Weights(Reading(reading), {name: 1.0}, clip=1e6), gamma)


def with_term(
    name: str, lemma: str, reading: str = "sound", weight: float = 1.0, gamma: float = GAMMA
) -> tuple[Returns, Returns]:
    """Return the returns of the moves under C alone, and under C with a term."""
    of = graph(lemma)
    return returns(of, None, 0.0, gamma), returns(of, Amounts(of, alone(name, reading, gamma)), weight, gamma)


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
def test_one_step_stands_for_all_that_pay_the_same(name: str, reading: str) -> None:
    of = graph("SYJ203.2")
    amounts, reward = Amounts(of, alone(name, reading)), alone(name, reading)
    rows = np.array([reward.row(*of.edge(edge)) for edge in range(len(of.before))], reward.row_type)
    assert np.allclose(amounts.at_once, reward.pay(rows), atol=1e-12)
    assert amounts.averaged is None or (amounts.averaged == rows["mean"]).all()


@pytest.mark.parametrize(("name", "reading"), [("K_c", "seed"), ("S_KL", "sound"), ("E", "seed"), ("F_DR", "seed")])
@pytest.mark.parametrize("lemma", ["SYJ203.1", "textbook/or_comm"])
def test_returns_are_the_largest_of_all_episodes(name: str, reading: str, lemma: str) -> None:
    of, clip = graph(lemma), 2.0
    amounts = Amounts(of, alone(name, reading))
    found = returns(of, amounts, 0.7, GAMMA, clip)
    best = {kind: np.full(len(of.before), -inf) for kind in ("proof", "shortest", "stuck")}
    for state in range(1, len(of)):
        for episode in episodes(of, state):
            if not episode:
                continue
            last = len(episode) - 1
            proves = of.after[episode[-1]] == PROVED
            paid = [0.7 * amounts.at_once[edge] + (proves and place == last) for place, edge in enumerate(episode)]
            paid = [min(max(pay, -clip), clip) for pay in paid]
            if amounts.averaged is not None:
                paid[last] += min(max(0.7 * float(amounts.averaged[episode].mean()), -clip), clip)
            value = sum(GAMMA**place * pay for place, pay in enumerate(paid))
            kinds = ["proof", "shortest"][: 1 + (len(episode) == of.length[state])] if proves else ["stuck"]
            for kind in kinds:
                best[kind][episode[0]] = max(best[kind][episode[0]], value)
    for kind, expected in best.items():
        assert np.allclose(getattr(found, kind), expected), kind


def test_under_c_alone_the_best_moves_are_those_of_shortest_proofs() -> None:
    of = graph("SYJ203.3")
    plain = returns(of, None, 0.0, GAMMA)
    provable = of.provable[of.before]
    assert (plain.is_best == np.where(provable, of.is_shortest, True)).all()


# What potentials promise (Ng, Harada and Russell 1999), in every state.


@pytest.mark.slow
@pytest.mark.parametrize("lemma", ["SYJ203.1", "SYJ203.2", "SYJ203.3", "textbook/scott"])
@pytest.mark.parametrize("name", POTENTIALS)
def test_a_potential_leaves_the_best_moves_of_every_state_what_they_are(name: str, lemma: str) -> None:
    for weight in (0.05, 1.0):
        plain, shaped = with_term(name, lemma, weight=weight)
        assert (plain.is_best == shaped.is_best).all()


@pytest.mark.slow
def test_terms_that_are_no_potential_pay_for_length_and_without_a_proof() -> None:
    plain, shaped = with_term("K_pre", "SYJ203.1", "seed")
    assert (plain.is_best != shaped.is_best).any()
    of = graph("SYJ203.1")
    assert shaped.of_states(shaped.proof)[of.root] > shaped.of_states(shaped.shortest)[of.root] + 1
    peirce = of_term(findings("textbook/peirce"), "K_pre", "seed")
    assert peirce.states - peirce.provable == peirce.counts["paid"] == 3
    assert "has no proof" in peirce.examples["paid"].says


def test_listed_proofs_are_all_there_are() -> None:
    of, reward = graph("SYJ203.2"), alone("C_beta", "seed")
    (part,) = reward.parts
    assert isinstance(part.form, OfProof)
    found = {each.goal: each for each in listed(of, reward, 0.5, GAMMA, knows_best=False)}
    single = [state for state in range(1, len(of)) if of.size[state] == 1 and of.state(state)[0] in found]
    assert len(single) > 5
    for state in single:
        each, best = found[of.state(state)[0]], -inf
        for episode in episodes(of, state):
            if of.after[episode[-1]] == PROVED:
                rows = np.array([reward.row(*of.edge(edge)) for edge in episode], reward.row_type)
                raw, packed, _ = reward.proof(rows)
                value = part.form.value(reward.context, Packed(raw, packed, None))
                best = max(best, GAMMA ** (len(episode) - 1) * (1 + 0.5 * value))
        assert max(each.returns) == pytest.approx(best) and min(each.shortest) == of.length[state]


@cache
def findings(lemma: str) -> list[Finding]:
    return [each for reading in Reading for each in audited(resolve_lemma(lemma), graph(lemma), reading)]


def of_term(found: list[Finding], name: str, reading: str, weight: float = 1.0, counters: str = "none") -> Finding:
    (one,) = (f for f in found if (f.term, f.reading, f.weight, f.counters) == (name, reading, weight, counters))
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
def test_counters_that_counted_nothing_pay_nothing_for_reuse() -> None:
    found = findings("SYJ203.2")
    assert not any(of_term(found, "R_alpha", "sound").counts.values())
    assert of_term(found, "R_alpha", "sound", counters="trained").counts["dead"] > 0


@pytest.mark.slow
def test_tables_and_sentences_report_the_findings() -> None:
    both = merged([*findings("SYJ203.1"), *findings("SYJ203.2")])
    seed, sound, shaped = tables(both, GAMMA)
    assert {row[3:9] for row in shaped.rows} == {("0",) * 6}  # no potential changes a best move, fresh or trained
    assert {row[0] for row in seed.rows} == {*[*TERMS][1:]} - {"C_beta"} | {"C_beta *"}
    assert next(row for row in sound.rows if row[0] == "P")[3:9] == ("0",) * 6
    assert next(row for row in seed.rows if row[0] == "K_pre")[8:] == ("2", "(100 %)")
    said = sentences(both)
    assert all(f"{name} (sound)" in said[0] for name in POTENTIALS) and "K_c (sound)" not in said[0]
    assert any(each.startswith("H (seed, weight 1), dead end: to get stuck by imply3 H") for each in said)
    assert [share(0, 5), share(5, 5), share(1, 9999), share(9999, 10000)] == ["0", "100 %", "< 0.1 %", "> 99.9 %"]


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


def test_a_reward_without_terms_is_refused() -> None:
    with pytest.raises(InputError, match="terminating has none"):
        logged(Settings(episodes=1))
