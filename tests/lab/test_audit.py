"""The audit of R†: what it says of every state is what an enumeration of all episodes says."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import inf

import numpy as np
import pytest

from curricula import resolve_lemma
from oasis.dagger.making import made
from oasis.dagger.reward import RewardDagger
from oasis.dagger.term import OfProof, OfState, Packed, Reading
from oasis.dagger.terms import TERMS
from oasis.dagger.weights import NAMES, Weights
from oasis.lab.rewarding.audit import KINDS, Finding, audited
from oasis.lab.rewarding.audit_tables import merged, sentences, share, tables
from oasis.lab.rewarding.listed import listed
from oasis.lab.rewarding.returns import Amounts, Returns, returns
from oasis.lab.rewarding.states import PROVED, StateGraph
from oasis.limits import LimitReached
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
    """What C alone makes of the moves, and what it makes of them with a term."""
    of = graph(lemma)
    return returns(of, None, 0.0, gamma), returns(of, Amounts(of, alone(name, reading, gamma)), weight, gamma)


def episodes(of: StateGraph, state: int) -> Iterator[list[int]]:
    """Every episode from a state, as the numbers of its edges."""
    if not of.has_moves[state]:
        yield []
    for edge in np.flatnonzero(of.before == state).tolist():
        for rest in episodes(of, int(of.after[edge])):
            yield [edge, *rest]


# The graph.


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


# Returns.


@pytest.mark.parametrize("reading", Reading)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("C", "C_beta")])
def test_one_step_stands_for_all_that_pay_the_same(name: str, reading: str) -> None:
    of = graph("SYJ203.2")
    amounts, reward = Amounts(of, alone(name, reading)), alone(name, reading)
    rows = np.array([reward.row(*of.edge(edge)) for edge in range(len(of.before))], reward.row_type)
    assert np.allclose(amounts.at_once, reward.pay(rows), atol=1e-12)
    assert amounts.averaged is None or (amounts.averaged == rows["mean"]).all()


@pytest.mark.parametrize(("name", "reading"), [("K_c", "seed"), ("S_KL", "sound"), ("E", "seed"), ("F_DR", "seed")])
@pytest.mark.parametrize("lemma", ["SYJ203.1", "textbook/or_comm", "textbook/iff_comm"])
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


def test_the_potentials_are_these() -> None:
    forms = {term.name: term.sound.form for term in TERMS}
    assert [n for n, form in forms.items() if isinstance(form, OfState) and form.differenced] == POTENTIALS[1:]


@pytest.mark.parametrize("lemma", ["SYJ203.1", "SYJ203.2", "SYJ203.3", "textbook/scott"])
@pytest.mark.parametrize("name", POTENTIALS)
def test_a_potential_leaves_the_best_moves_of_every_state_what_they_are(name: str, lemma: str) -> None:
    for weight in (0.05, 1.0):
        plain, shaped = with_term(name, lemma, weight=weight)
        assert (plain.is_best == shaped.is_best).all()


@pytest.mark.thorough
@pytest.mark.slow
def test_so_do_those_of_the_goal_in_focus_in_the_315_962_states_of_level_4() -> None:
    for name in POTENTIALS:
        if name != "N_fit":  # which takes most of a minute: `oasis dagger audit SYJ203.4`
            plain, shaped = with_term(name, "SYJ203.4")
            assert len(plain.graph) - 1 == 315_962 and (plain.is_best == shaped.is_best).all()


@pytest.mark.parametrize("lemma", ["SYJ203.1", "SYJ203.2", "SYJ203.3"])
def test_utility_is_a_potential_for_a_student_that_does_not_discount(lemma: str) -> None:
    plain, shaped = with_term("U", lemma, gamma=1.0)
    assert (plain.is_best == shaped.is_best).all()
    if lemma == "SYJ203.2":
        plain, shaped = with_term("U", lemma)
        assert (plain.is_best != shaped.is_best).any()


def test_terms_that_are_no_potential_pay_for_length_and_without_a_proof() -> None:
    plain, shaped = with_term("K_pre", "SYJ203.1", "seed")
    assert (plain.is_best != shaped.is_best).any()
    of = graph("SYJ203.1")
    assert shaped.of_states(shaped.proof)[of.root] > shaped.of_states(shaped.shortest)[of.root] + 1
    assert of_term(findings("SYJ203.1"), "K_pre", "seed").first["longer"] == ["SYJ203.1"]
    peirce = of_term(findings("textbook/peirce"), "K_pre", "seed")
    assert peirce.states - peirce.provable == peirce.counts["paid"] == 3
    assert "has no proof" in peirce.examples["paid"].says


# Terms of whole proofs.


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


# Findings.


@cache
def findings(lemma: str) -> list[Finding]:
    return [each for reading in Reading for each in audited(resolve_lemma(lemma), graph(lemma), reading)]


def of_term(found: list[Finding], name: str, reading: str, weight: float = 1.0, counters: str = "none") -> Finding:
    (one,) = (f for f in found if (f.term, f.reading, f.weight, f.counters) == (name, reading, weight, counters))
    return one


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


def test_counters_that_counted_nothing_pay_nothing_for_reuse() -> None:
    found = findings("SYJ203.2")
    assert not any(of_term(found, "R_alpha", "sound").counts.values())
    assert of_term(found, "R_alpha", "sound", counters="trained").counts["dead"] > 0


def test_tables_and_sentences_say_it() -> None:
    both = merged([*findings("SYJ203.1"), *findings("SYJ203.2")])
    seed, sound = tables(both, GAMMA)
    assert {row[0] for row in seed.rows} == {*NAMES[1:]} - {"C_beta"} | {"C_beta *"}
    assert next(row for row in sound.rows if row[0] == "P")[3:9] == ("0",) * 6
    assert next(row for row in seed.rows if row[0] == "K_pre")[8] == "2"
    said = sentences(both)
    assert all(f"{name} (sound)" in said[0] for name in POTENTIALS) and "K_c" not in said[0]
    assert any(each.startswith("H (seed, weight 1), dead end: to get stuck by imply3 H") for each in said)


@pytest.mark.parametrize(
    ("count", "total", "shown"), [(0, 5, "0"), (5, 5, "100 %"), (1, 9999, "< 0.1 %"), (9999, 10000, "> 99.9 %")]
)
def test_a_share_is_0_or_100_only_if_it_is(count: int, total: int, shown: str) -> None:
    assert share(count, total) == shown
