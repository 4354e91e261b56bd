"""Strengths from rankings: against draws from the model, sampling by weights, and a maximum-likelihood fit."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.policy import Floats
from oasis.search.evolution.rating import PRIOR, Prior, Ranking, elo, posterior, race
from tests.thorough import examples


def played(strengths: Floats, matches: int, size: int, rng: np.random.Generator) -> list[Ranking]:
    """Matches between competitors that are drawn, as the model has them end."""
    results: list[Ranking] = []
    for _ in range(matches):
        chosen = rng.permutation(len(strengths))[:size]
        results.append(tuple((int(each),) for each in chosen[race(strengths[chosen], rng)]))
    return results


def tied(ranking: Ranking, rng: np.random.Generator) -> Ranking:
    """The same ranking, in which some neighbours are not told apart."""
    tiers: list[tuple[int, ...]] = []
    for tier in ranking:
        if tiers and rng.random() < 0.4:
            tiers[-1] += tier
        else:
            tiers.append(tier)
    return tuple(tiers)


def test_intervals_contain_strengths_that_come_from_the_prior_as_often_as_they_should() -> None:
    rng = np.random.default_rng(3)
    experiments, competitors, inside, places = 80, 6, 0, []
    for _ in range(experiments):
        strengths = PRIOR.draw(rng, (competitors,))
        rankings = [tied(ranking, rng) for ranking in played(strengths, 10, 4, rng)]
        drawn = posterior(competitors, rankings, rng, samples=300, burn_in=60)
        low, high = np.quantile(drawn, [0.05, 0.95], axis=0)
        inside += int(((low <= strengths) & (strengths <= high)).sum())
        places.append((drawn < strengths).mean())
    # 480 strengths, six at a time nearly independent: four standard errors of 0.9 are 0.055, of the mean place 0.05.
    assert abs(inside / (experiments * competitors) - 0.9) < 0.055
    assert abs(np.mean(places) - 0.5) < 0.05


def test_in_the_limit_of_many_matches_it_is_the_maximum_likelihood_fit() -> None:
    rng = np.random.default_rng(4)
    strengths = np.exp(rng.normal(0, 1, 7))
    rankings = played(strengths, 1000, 5, rng)
    fitted = choix.ilsr_rankings(7, [tuple(tier[0] for tier in ranking) for ranking in rankings])
    drawn = np.log(posterior(7, rankings, rng, samples=300, burn_in=100))
    drawn -= drawn.mean(axis=1, keepdims=True)  # what rankings say nothing of
    assert np.abs(drawn.mean(axis=0) - fitted).max() < 0.03
    truth = np.log(strengths) - np.log(strengths).mean()
    assert (np.abs(drawn.mean(axis=0) - truth) < 5 * drawn.std(axis=0)).all()


@pytest.mark.parametrize(
    "ranking", [((0, 1), (2, 3)), ((0,), (1, 2, 3)), ((0, 1, 2), (3,)), ((0,), (1, 2), (3,)), ((0, 1, 2, 3),)]
)
def test_a_tie_leaves_the_order_open(ranking: Ranking) -> None:
    """Against weights: draws from the prior count as often as a race of theirs ends in one of the orders."""
    rng = np.random.default_rng(5)
    mild = Prior(shape=2.0, tail=6.0)  # so that few draws have all the weight
    strengths = mild.draw(rng, (100_000, 4))
    weights = np.zeros(len(strengths))
    for orders in all_orders(ranking):
        chance = np.ones(len(strengths))
        for place in range(4):
            chance *= strengths[:, orders[place]] / strengths[:, orders[place:]].sum(axis=1)
        weights += chance
    expected = (np.log(strengths) * weights[:, None]).sum(axis=0) / weights.sum()
    drawn = posterior(4, [ranking], rng, samples=6000, burn_in=100, prior=mild)
    assert np.abs(np.log(drawn).mean(axis=0) - expected).max() < 0.07


def all_orders(ranking: Ranking) -> list[list[int]]:
    """The orders that a ranking leaves open."""
    orders: list[list[int]] = [[]]
    for tier in ranking:
        orders = [order + list(more) for order in orders for more in permutations(tier)]
    return orders


def test_the_scale_of_elo_is_that_of_chess() -> None:
    strengths = np.array([[1.0, 10.0, 100.0, 0.0]]) + np.array([[0.0, 0.0, 0.0, 0.1]])
    assert elo(strengths).tolist() == [1200, 1600, 2000, 800]


def test_who_has_not_played_has_the_prior() -> None:
    drawn = posterior(3, [((0,), (1,))], np.random.default_rng(6), samples=8000)
    free = PRIOR.draw(np.random.default_rng(7), (8000,))
    assert np.allclose(np.quantile(drawn[:, 2], [0.1, 0.5, 0.9]), np.quantile(free, [0.1, 0.5, 0.9]), rtol=0.15)
    assert drawn[:, 0].mean() > drawn[:, 2].mean() > drawn[:, 1].mean()
    assert 1150 < elo(drawn)[2] < 1250
    for rankings in ([], [((0,),)]):  # no match at all
        assert abs(np.log(posterior(2, rankings, np.random.default_rng(9), samples=8000) / free[:, None]).mean()) < 0.1


def test_who_always_wins_is_ahead_and_a_longer_series_puts_more_between_them() -> None:
    ahead = []
    for matches in (1, 4, 16):
        numbers = elo(posterior(3, [((2,), (0,), (1,))] * matches, np.random.default_rng(8)))
        assert numbers[2] > numbers[0] > numbers[1]
        ahead.append(numbers[2] - numbers[1])
    assert all(one < other for one, other in pairwise(ahead))


@st.composite
def rankings(draw: st.DrawFn, competitors: int = 6) -> Ranking:
    order = draw(st.lists(st.integers(0, competitors - 1), unique=True, min_size=1))
    cuts = sorted(draw(st.sets(st.integers(1, len(order)), max_size=len(order))) | {len(order)})
    return tuple(tuple(order[low:high]) for low, high in pairwise([0, *cuts]))


@settings(max_examples=examples(60))
@given(results=st.lists(rankings(), max_size=8), seed=st.integers(0, 2**32), data=st.data())
def test_strengths_are_positive_and_the_same_for_the_same_seed(
    results: list[Ranking], seed: int, data: st.DataObject
) -> None:
    def drawn() -> Floats:
        return posterior(6, results, np.random.default_rng(seed), samples=20, burn_in=5)

    strengths: Any = drawn()
    assert strengths.shape == (20, 6)
    assert (strengths > 0).all() and np.isfinite(strengths).all()
    assert (strengths == drawn()).all()
