"""Advantages within groups, and what learning by them comes to: every play of a bandit enumerated."""

from __future__ import annotations

from itertools import product
from math import prod, sqrt

import numpy as np
import pytest

from oasis.neural.reinforcement.advantages import Floats, generalized, mixed, relative

ONE_GROUP = {size: np.zeros(size, np.int64) for size in (2, 3, 4, 8)}


def expected_gradient(probabilities: Floats, rewards: Floats, size: int, kind: str) -> Floats:
    """The mean over all groups of plays of a bandit of (1/G) Σ A ∇log π, with respect to the scores of a softmax."""
    total = np.zeros(len(rewards))
    for arms in product(range(len(rewards)), repeat=size):
        advantages = relative(rewards[list(arms)], ONE_GROUP[size], kind)
        gradients = np.eye(len(rewards))[list(arms)] - probabilities
        total += prod(probabilities[list(arms)]) * (advantages @ gradients) / size
    return total


def true_gradient(probabilities: Floats, rewards: Floats) -> Floats:
    """That of the expected reward."""
    return np.asarray(probabilities * (rewards - probabilities @ rewards))


SHARES, REWARDS = np.array([0.2, 0.5, 0.3]), np.array([1.0, -0.4, 0.3])


@pytest.mark.parametrize(("size", "share"), [(2, 0.5), (3, 2 / 3), (4, 0.75)])
def test_the_mean_of_the_group_shortens_the_expected_gradient_and_leaving_one_out_does_not(
    size: int, share: float
) -> None:
    wanted = true_gradient(SHARES, REWARDS)
    np.testing.assert_allclose(expected_gradient(SHARES, REWARDS, size, "mean"), share * wanted, atol=1e-12)
    np.testing.assert_allclose(expected_gradient(SHARES, REWARDS, size, "leave-one-out"), wanted, atol=1e-12)


@pytest.mark.parametrize(("size", "factor"), [(2, 0.34), (4, 0.67), (8, 0.86)])
def test_divided_by_the_deviation_coins_are_learned_in_another_measure(size: int, factor: float) -> None:
    """The expected gradient is along ∇p/√(p(1-p)): that of the arcsine of √p, and not of p."""
    p = 0.355
    found = expected_gradient(np.array([p, 1 - p]), np.array([1.0, 0.0]), size, "std")
    ratio = found / (true_gradient(np.array([p, 1 - p]), np.array([1.0, 0.0])) / sqrt(p * (1 - p)))
    assert ratio[0] == pytest.approx(ratio[1])
    assert ratio[0] == pytest.approx(factor, abs=0.006)


def test_advantages_by_hand() -> None:
    returns, group = np.array([1.0, 0.0, 0.0, 5.0, 5.0, -1.0]), np.array([0, 0, 0, 1, 1, 2])
    np.testing.assert_allclose(relative(returns, group), [2 / 3, -1 / 3, -1 / 3, 0, 0, 0])
    np.testing.assert_allclose(relative(returns, group, "leave-one-out"), [1, -0.5, -0.5, 0, 0, 0])
    np.testing.assert_allclose(relative(returns, group, "std"), np.array([2, -1, -1, 0, 0, 0]) / sqrt(3))
    assert mixed(returns, group).tolist() == [True, False, False]


@pytest.mark.parametrize("kind", ["mean", "std", "leave-one-out"])
def test_sums_that_differ_in_their_order_alone_are_equal_returns(kind: str) -> None:
    returns = np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1])
    assert returns[0] != returns[1]
    assert not mixed(returns, ONE_GROUP[2]).any()
    assert not relative(returns, ONE_GROUP[2], kind).any()


def test_generalized_advantages_by_hand() -> None:
    rewards, values = np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.25, 1.0])
    errors = np.array([0 + 0.9 * 0.25 - 0.5, 1 + 0.9 * 1 - 0.25, 2 - 1])
    by_hand = [errors[0] + 0.45 * (errors[1] + 0.45 * errors[2]), errors[1] + 0.45 * errors[2], errors[2]]
    np.testing.assert_allclose(generalized(rewards, values, 0.9, 0.5), by_hand)
    np.testing.assert_allclose(generalized(rewards, values, 0.9, 0.0), errors)
    to_go = np.array([0 + 0.9 * (1 + 0.9 * 2), 1 + 0.9 * 2, 2])
    np.testing.assert_allclose(generalized(rewards, values, 0.9, 1.0), to_go - values)
