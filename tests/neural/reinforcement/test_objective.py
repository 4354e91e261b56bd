"""What reinforcement makes larger, on bandits: by hand, by enumeration, and by what autograd makes of it."""

from __future__ import annotations

from math import log

import pytest

from tests.neural.modules import objective, torch

SCORES = (0.3, -0.5, 1.1)


def policy() -> tuple[torch.Tensor, torch.Tensor]:
    """Return scores of the three arms of a bandit, which are differentiated, and their log-probabilities."""
    scores = torch.tensor(SCORES, dtype=torch.float64, requires_grad=True)
    return scores, scores.log_softmax(0)


def reference() -> torch.Tensor:
    """Return the log-probabilities of another policy."""
    return torch.tensor([0.1, 0.4, -0.7]).double().log_softmax(0)


def gradient(value: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
    (found,) = torch.autograd.grad(value, scores)
    return found


def test_the_gradient_of_a_bandit_is_that_by_hand() -> None:
    """Arms 0, 2 and 1 were drawn, by a policy a little off: ρ A (1[a] - π), but nothing for what is clipped."""
    scores, present = policy()
    arms, advantages = torch.tensor([0, 2, 1]), torch.tensor([1.0, -0.5, 0.7], dtype=torch.float64)
    old = present.detach()[arms] + torch.tensor([0.05, -0.1, -log(1.69)], dtype=torch.float64)
    found = gradient(objective.surrogate(present[arms], old, advantages).sum(), scores)
    probabilities = present.detach().exp()
    by_hand = torch.zeros(3, dtype=torch.float64)
    for arm, advantage, before in zip(arms[:2], advantages[:2], old[:2], strict=True):  # the third one's ratio is 1.69
        ratio = probabilities[arm] / before.exp()
        for other in range(3):
            by_hand[other] += ratio * advantage * (float(other == arm) - probabilities[other])
    torch.testing.assert_close(found, by_hand, atol=1e-6, rtol=0)


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
    found = gradient(objective.surrogate(present, old, advantages).sum(), present)
    assert (found.item() == 0) == is_clipped == objective.clipped(present, old, advantages).item()
    assert found.item() == pytest.approx(0 if is_clipped else ratio * advantage, rel=1e-5)


def test_the_expected_divergence_and_its_gradient_are_those_of_the_reverse_kl() -> None:
    scores, present = policy()
    probabilities = present.detach().exp()
    k3 = objective.divergence(present, present.detach(), reference())
    reverse = (present.exp() * (present - reference())).sum()
    assert (probabilities * k3).sum().item() == pytest.approx(reverse.item(), rel=1e-9)
    (found,) = torch.autograd.grad((probabilities * k3).sum(), scores, retain_graph=True)
    torch.testing.assert_close(found, torch.autograd.grad(reverse, scores, retain_graph=True)[0])
    assert (k3 >= 0).all()
    older = torch.tensor([0.5, 0.1, 0.2]).double().log_softmax(0)  # choices of an older policy
    found = (older.exp() * objective.divergence(present, older, reference())).sum()
    assert found.item() == pytest.approx(reverse.item(), rel=1e-9)


def test_entropy_by_hand() -> None:
    scores = torch.tensor([0.5, 0.5, 1.0, 0.25, 0.75]).log()
    found = objective.entropy(scores, torch.tensor([0, 0, 1, 2, 2]), 3)
    assert found.tolist() == pytest.approx([log(2), 0, -0.25 * log(0.25) - 0.75 * log(0.75)], abs=1e-6)


def test_a_critic_learns_how_often_a_goal_is_proved() -> None:
    """Its gradient is how much likelier it holds a proof than there was one: 0 on average where it is right."""
    log_odds = torch.tensor([log(3.0)] * 4, requires_grad=True)
    proved = torch.tensor([True, True, True, False])
    loss = objective.value_loss(log_odds, proved)
    assert loss.tolist() == pytest.approx([-log(0.75)] * 3 + [-log(0.25)], abs=1e-6)
    found = gradient(loss.sum(), log_odds)
    assert found.tolist() == pytest.approx([-0.25] * 3 + [0.75], abs=1e-6)
    assert found.sum().item() == pytest.approx(0, abs=1e-6)
