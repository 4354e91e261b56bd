"""Sampling: plain rollouts that prove as often as chance does, and the estimate of pass@k."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.actions import ACTION_SPACES
from oasis.search.cache import GoalCache
from oasis.search.graph import OPEN, PROVED, REFUTED
from oasis.search.sampling import Sampling, pass_at_k
from oasis.search.search import Budget, Event
from tactics.formula import And, Formula
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import replay
from tests.search.chances import by_chance
from tests.search.players import Asked

LEMMA = resolve_lemma("SYJ203.2").formula


def finished(found: Sampling, expansions: int = 50_000) -> Event:
    *_, last = found.run(Budget(expansions=expansions))
    return last


def sampling(formula: Formula, seed: int = 0, workers: int = 1) -> Sampling:
    return Sampling(initial(formula)[0], seed=seed, workers=workers)


@pytest.mark.parametrize("workers", [1, 5])
def test_proofs_come_as_often_as_chance_has_them(workers: int) -> None:
    share = by_chance(initial(LEMMA)[0])
    rounds = []
    for seed in range(400):
        found = sampling(LEMMA, seed, workers)
        assert finished(found).status is PROVED
        script = found.script()
        assert script is not None and replay(LEMMA, script)[-1] == ()
        rounds.append(found.rollouts / workers)
    in_a_round = 1 - (1 - share) ** workers
    deviation = sqrt((1 - in_a_round) / in_a_round**2 / len(rounds))  # of the mean of geometric numbers
    assert 0.05 < share < 0.95
    assert abs(sum(rounds) / len(rounds) - 1 / in_a_round) < 4 * deviation


def test_what_has_no_proof_stays_open_unless_nothing_can_be_done() -> None:
    assert finished(sampling(parse("p -> q")), 1_000).status is OPEN
    last = finished(sampling(parse("p")))
    assert (last.status, last.expansions) == (REFUTED, 0)


def test_plays_stand_side_by_side_and_share_answers() -> None:
    policy = Asked()
    found = Sampling(initial(LEMMA)[0], policy, workers=6, max_steps=3)
    finished(found, 90)
    assert len(policy.batches[0]) == 1
    assert found.calls == sum(map(len, policy.batches)) < found.expansions


def test_a_blind_play_ends_with_what_does_not_apply() -> None:
    space = ACTION_SPACES["blind"]
    found = Sampling(initial(parse("p -> p"))[0], Asked(space), space=space)
    assert finished(found).status is PROVED
    assert found.expansions > found.length == 2  # type: ignore[operator]


def test_known_goals_are_not_played_again() -> None:
    cache = GoalCache()
    goal = initial(LEMMA)[0]
    assert finished(Sampling(goal, cache=cache)).status is PROVED
    both = And(LEMMA, LEMMA)
    found = Sampling(initial(both)[0], cache=cache)
    assert finished(found).expansions == 1
    script = found.script()
    assert script is not None and replay(both, script)[-1] == ()


# pass@k


def test_pass_at_k_of_a_published_size() -> None:
    assert round(pass_at_k(32, 4, 8), 4) == 0.7045


@given(st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))))
def test_pass_at_k_is_the_share_of_choices_of_k_plays_that_hold_a_proof(
    numbers: tuple[int, int, int],
) -> None:
    plays, proved, k = numbers
    choices = list(combinations(range(plays), k))
    share = Fraction(sum(any(play < proved for play in chosen) for chosen in choices), len(choices))
    assert pass_at_k(plays, proved, k) == float(share)


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 10))
def test_pass_at_k_is_without_bias(extra: int, k: int, tenths: int) -> None:
    plays, chance = k + extra, tenths / 10
    expected = sum(
        comb(plays, proved) * chance**proved * (1 - chance) ** (plays - proved) * pass_at_k(plays, proved, k)
        for proved in range(plays + 1)
    )
    assert expected == pytest.approx(1 - (1 - chance) ** k)


def test_pass_at_k_loses_no_digits() -> None:
    assert pass_at_k(10**5, 1, 1) == 1e-5
    assert pass_at_k(10**5, 1, 3) == pytest.approx(3e-5, rel=1e-15)
    assert pass_at_k(10_000, 9_999, 2) == 1.0


@pytest.mark.parametrize("numbers", [(3, 4, 1), (3, -1, 1), (3, 1, 4), (3, 1, 0)])
def test_numbers_out_of_range_are_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="pass@k needs"):
        pass_at_k(*numbers)
