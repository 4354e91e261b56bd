"""Maxims at work: a prior over moves that any policy can be multiplied with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Final

import numpy as np

from oasis.experience.maxims import PREFER, Maxim
from oasis.experience.scope import Scope, scopes
from oasis.policy import Floats, Policy
from tactics.goal import Goal, Move, State
from tactics.rules import legal_moves

_MOST_ANSWERS: Final = 100_000


class ExperiencedPolicy:
    """A policy over legal moves, each probability multiplied by the odds that maxims give to the move.

    Of the maxims that apply to a move the most special ones count, and of several the geometric mean of their odds. No
    maxim acts against its words, whatever its evidence is. Where none applies, the policy is as it was; a move that it
    never makes stays so. What is retrieved or proved is not looked at.

    Args:
        policy: whose moves they are, and whose values are given.
        maxims: to follow.
    """

    def __init__(self, policy: Policy, maxims: Iterable[Maxim]) -> None:
        self._policy = policy
        self._logs: dict[Scope, float] = {}
        for scope, found in _by_scope(maxims).items():
            self._logs[scope] = sum(map(_log_odds, found)) / len(found)
        self._known: dict[Goal, Floats | None] = {}

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
        weights = self._weights(state[0]) if state and self._logs else None
        if weights is None or len(weights) != len(shares):  # which is for whoever asked to say
            return shares
        product: Floats = np.asarray(shares, np.float64) * weights
        return product / product.sum() if product.sum() > 0 else shares

    def _weights(self, goal: Goal) -> Floats | None:
        """The odds of each legal move; None where no maxim applies."""
        if goal not in self._known:
            if len(self._known) >= _MOST_ANSWERS:
                self._known.clear()
            found = [self._log(goal, move) for move in legal_moves(goal)]
            self._known[goal] = np.exp(found) if any(found) else None
        return self._known[goal]

    def _log(self, goal: Goal, move: Move) -> float:
        """The logarithm of the odds of a move; 0 where nothing is said of it."""
        applying = [scope for scope in scopes(goal, move) if scope in self._logs]
        depth = max((scope.depth for scope in applying), default=0)
        chosen = [self._logs[scope] for scope in applying if scope.depth == depth]
        return sum(chosen) / len(chosen) if chosen else 0.0


def _by_scope(maxims: Iterable[Maxim]) -> dict[Scope, list[Maxim]]:
    found: dict[Scope, list[Maxim]] = {}
    for maxim in maxims:
        found.setdefault(maxim.scope, []).append(maxim)
    return found


def _log_odds(maxim: Maxim) -> float:
    found = log(maxim.evidence.odds)
    return max(found, 0.0) if maxim.category == PREFER else min(found, 0.0)
