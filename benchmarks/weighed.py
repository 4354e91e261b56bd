"""Prior times value, for `benchmarks.learned_order`: shares of a policy weighed by the values of what moves leave."""

from __future__ import annotations

from collections.abc import Sequence

from oasis.neural.files import tiny
from oasis.play.judging import Judging
from oasis.play.policy import Floats, Policy
from tactics.goal import Goal, State


class Weighed:
    """The policy whose shares are in proportion to those of another one times the worst value of what a move leaves.

    Args:
        policy: has values of goals.
        power: of the values; 0 is the policy itself.
    """

    def __init__(self, policy: Policy, power: float) -> None:
        self._policy, self._judging, self._power = policy, Judging(policy), power

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """The product, divided by its sum; what the policy says where that is 0."""
        both = zip(self._policy.probabilities(states), self._judging.probabilities(states), strict=True)
        return [_shares(prior, judged**self._power) for prior, judged in both]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Those of the policy."""
        return self._policy.values(goals)


def once() -> Weighed:
    """The network that comes along, prior times value."""
    return Weighed(tiny(), 1.0)


def four() -> Weighed:
    """The same with the fourth power of the value, which tells more of goals that are nearly sure."""
    return Weighed(tiny(), 4.0)


def _shares(prior: Floats, weight: Floats) -> Floats:
    product = prior * weight
    return product / product.sum() if product.sum() > 0 else prior
