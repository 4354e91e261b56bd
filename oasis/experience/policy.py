"""Maxims at work: a prior over moves that any policy can be multiplied with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from oasis.experience.prior import Prior
from oasis.play.policy import Floats, Policy
from tactics.goal import Goal, State


class ExperiencedPolicy:
    """A policy over legal moves, each probability multiplied by the odds that a prior gives to the move.

    Where the prior says nothing, the policy is as it was; a move that it never makes stays so. What is retrieved or
    proved is not looked at.

    Args:
        policy: whose moves they are, and whose values are given.
        prior: from maxims.
    """

    def __init__(self, policy: Policy, prior: Prior) -> None:
        self._policy, self._prior = policy, prior

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """Those of the policy times the odds, divided by their sum."""
        return [
            self._weighed(state, shares)
            for state, shares in zip(states, self._policy.probabilities(states), strict=True)
        ]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Those of the policy."""
        return self._policy.values(goals)

    def _weighed(self, state: State, shares: Floats) -> Floats:
        odds = self._prior.odds(state[0]) if state else None
        if odds is None or len(odds) != len(shares):  # which is for whoever asked to say
            return shares
        product: Floats = np.asarray(shares, np.float64) * odds
        return product / product.sum() if product.sum() > 0 else shares
