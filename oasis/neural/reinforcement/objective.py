"""What reinforcement makes larger and smaller, as functions of the log-probabilities of the choices that were made.

The policy that chose is the old one, that which learns the present one. Pure functions of tensors: nothing here knows
what a choice is.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from oasis.neural.reinforcement.settings import LOWER, UPPER


def surrogate(present: Tensor, old: Tensor, advantages: Tensor, lower: float = LOWER, upper: float = UPPER) -> Tensor:
    """The clipped surrogate of each choice (PPO: Schulman et al. 2017, arXiv 1707.06347, equation 7); to be raised.

    min(ρ A, clip(ρ, 1 - lower, 1 + upper) A), where ρ is how much likelier the choice is than it was. So a choice that
    was good counts no more once it is likelier by the factor 1 + upper, and a bad one once it is rarer by 1 - lower.

    Args:
        present: log-probabilities, which are differentiated; shape (choices,).
        old: those of the policy that chose; shape (choices,).
        advantages: shape (choices,).
        lower: below 1.
        upper: above 0.
    """
    ratio = (present - old).exp()
    return torch.minimum(ratio * advantages, ratio.clamp(1 - lower, 1 + upper) * advantages)


def clipped(present: Tensor, old: Tensor, advantages: Tensor, lower: float = LOWER, upper: float = UPPER) -> Tensor:
    """Which choices the clip keeps from contributing to the gradient of `surrogate`; shape (choices,)."""
    ratio = (present - old).exp()
    return ((advantages > 0) & (ratio > 1 + upper)) | ((advantages < 0) & (ratio < 1 - lower))


def shares(play: Tensor, plays: int, aggregation: str = "constant", constant: float = 1.0) -> Tensor:
    """The weight of each choice in the sum that is made larger.

    - `constant`: 1/(constant · plays), however many choices of its play there are (Dr. GRPO: Liu et al. 2025);
    - `sequence`: 1/(length · plays), so that all plays weigh the same (GRPO: Shao et al. 2024);
    - `token`: 1/choices, so that all choices of all plays weigh the same (DAPO: Yu et al. 2025).

    Only the choices that are learned from are given, so the length of a play is how many of these it has: as many as it
    made, unless goals are paid by themselves, of which some tell nothing.

    Args:
        play: the number of the play of each choice; shape (choices,).
        plays: how many there are to divide by.
        aggregation: one of `settings.AGGREGATIONS`.
        constant: a usual number of choices in a play.
    """
    if aggregation == "token":
        return torch.full(play.shape, 1 / max(len(play), 1), device=play.device)
    if aggregation == "sequence":
        return 1.0 / (torch.bincount(play, minlength=plays)[play] * plays)
    return torch.full(play.shape, 1 / (constant * plays), device=play.device)


def divergence(present: Tensor, old: Tensor, reference: Tensor) -> Tensor:
    """An estimate of KL(π‖π_ref) for each choice, whose gradient estimates that of KL(π‖π_ref) too.

    Schulman's k3 = r - log r - 1 with r = π_ref/π, which is never below 0, times the ratio of present to old
    probability. The value of k3 is right without the factor; its gradient is not, it is that of KL(π_ref‖π)
    (arXiv 2506.09477).

    Args:
        present: log-probabilities of choices that the old policy made, which are differentiated; shape (choices,).
        old: those of the policy that chose; shape (choices,).
        reference: those of the policy that is to be kept to; shape (choices,).
    """
    above = reference - present
    return (present - old).exp() * (above.exp() - above - 1)


def entropy(scores: Tensor, goal: Tensor, goals: int) -> Tensor:
    """The entropy of the policy at each goal, in nats; shape (goals,).

    Args:
        scores: log-probabilities of all moves of all goals; shape (moves,).
        goal: of each move; shape (moves,).
        goals: how many there are.
    """
    return torch.zeros(goals, dtype=scores.dtype, device=scores.device).index_add(0, goal, -scores.exp() * scores)


def value_loss(log_odds: Tensor, proved: Tensor) -> Tensor:
    """How far a critic is from what became of each goal: the cross-entropy of whether it was proved; shape (choices,).

    A return that is one of two amounts is a coin, so this takes the place of PPO's squared error.

    Args:
        log_odds: of the goal at which a choice was made being proved; shape (choices,).
        proved: whether it was; shape (choices,).
    """
    return functional.binary_cross_entropy_with_logits(log_odds, proved.to(log_odds.dtype), reduction="none")
