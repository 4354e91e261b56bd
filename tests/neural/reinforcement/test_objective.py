"""What reinforcement makes larger, on bandits: by hand, by enumeration, and by what autograd makes of it."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pytest

from oasis.neural.reinforcement.advantages import generalized, mixed, relative
from tests.neural.modules import objective, torch


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ratio", "advantage", "is_clipped"),
    [
        *((1.69, 1, True), (1.27, 1, False), (1.29, 1, True), (0.5, 1, False)),
        *((0.79, -1, True), (0.81, -1, False), (3, -1, False)),
    ],
)
def test_a_choice_that_has_moved_far_enough_contributes_no_gradient(
    ratio: float, advantage: float, is_clipped: bool
) -> None:
    present = torch.tensor([log(0.4)], requires_grad=True)
    old, advantages = torch.tensor([log(0.4 / ratio)]), torch.tensor([float(advantage)])
    (found,) = torch.autograd.grad(objective.surrogate(present, old, advantages).sum(), present)
    assert (found.item() == 0) == is_clipped == objective.clipped(present, old, advantages).item()
    assert found.item() == pytest.approx(0 if is_clipped else ratio * advantage, rel=1e-5)


@pytest.mark.slow
def test_the_expected_divergence_and_its_gradient_are_those_of_the_reverse_kl() -> None:
    scores = torch.tensor([0.3, -0.5, 1.1], dtype=torch.float64, requires_grad=True)
    present, reference = scores.log_softmax(0), torch.tensor([0.1, 0.4, -0.7]).double().log_softmax(0)
    probabilities = present.detach().exp()
    k3 = objective.divergence(present, present.detach(), reference)
    reverse = (present.exp() * (present - reference)).sum()
    assert (probabilities * k3).sum().item() == pytest.approx(reverse.item(), rel=1e-9)
    (found,) = torch.autograd.grad((probabilities * k3).sum(), scores, retain_graph=True)
    torch.testing.assert_close(found, torch.autograd.grad(reverse, scores, retain_graph=True)[0])
    assert (k3 >= 0).all()
    older = torch.tensor([0.5, 0.1, 0.2]).double().log_softmax(0)  # choices of an older policy
    found = (older.exp() * objective.divergence(present, older, reference)).sum()
    assert found.item() == pytest.approx(reverse.item(), rel=1e-9)


def test_advantages_by_hand() -> None:
    returns, group = np.array([1.0, 0.0, 0.0, 5.0, 5.0, -1.0]), np.array([0, 0, 0, 1, 1, 2])
    np.testing.assert_allclose(relative(returns, group), [2 / 3, -1 / 3, -1 / 3, 0, 0, 0])
    np.testing.assert_allclose(relative(returns, group, "leave-one-out"), [1, -0.5, -0.5, 0, 0, 0])
    np.testing.assert_allclose(relative(returns, group, "std"), np.array([2, -1, -1, 0, 0, 0]) / sqrt(3))
    assert mixed(returns, group).tolist() == [True, False, False]


@pytest.mark.parametrize("kind", ["mean", "std", "leave-one-out"])
def test_sums_that_differ_in_their_order_alone_are_equal_returns(kind: str) -> None:
    returns = np.array([0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1])
    group = np.zeros(2, np.int64)
    assert returns[0] != returns[1]
    assert not mixed(returns, group).any()
    assert not relative(returns, group, kind).any()


def test_generalized_advantages_by_hand() -> None:
    rewards, values = np.array([0.0, 1.0, 2.0]), np.array([0.5, 0.25, 1.0])
    errors = np.array([0 + 0.9 * 0.25 - 0.5, 1 + 0.9 * 1 - 0.25, 2 - 1])
    by_hand = [errors[0] + 0.45 * (errors[1] + 0.45 * errors[2]), errors[1] + 0.45 * errors[2], errors[2]]
    np.testing.assert_allclose(generalized(rewards, values, 0.9, 0.5), by_hand)
    np.testing.assert_allclose(generalized(rewards, values, 0.9, 0.0), errors)
    to_go = np.array([0 + 0.9 * (1 + 0.9 * 2), 1 + 0.9 * 2, 2])
    np.testing.assert_allclose(generalized(rewards, values, 0.9, 1.0), to_go - values)
