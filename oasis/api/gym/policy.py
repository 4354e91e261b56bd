"""Agents of the environment `oasis/Dyckhoff-v0` as policies, which the one exam examines."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from oasis.api.gym.environment import DyckhoffEnv
from oasis.api.gym.numbers import Observed
from oasis.play.policy import Floats, equal_shares
from tactics.goal import Goal, State
from tactics.rules import legal_moves


class AgentPolicy:
    """An agent of this environment as a policy, which can be examined (`oasis.play.exam`) and searched with.

    Args:
        environment: whose observations and actions the agent knows; with `actions="legal"`.
        likely: for an observation and its mask the probability of each action; shape (actions,).
    """

    def __init__(self, environment: DyckhoffEnv, likely: Callable[[Observed, NDArray[np.bool_]], Floats]) -> None:
        self._environment, self._likely = environment, likely

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """What the agent gives to each legal move; moves that are none are left out, and the rest sums to 1."""
        return [self._shares(state) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """None: what an agent believes of a goal is not asked."""
        return None

    def _shares(self, state: State) -> Floats:
        mask = self._environment.mask(state)
        likely = np.asarray(self._likely(self._environment.observation(state), mask), np.float64)
        of_move = {self._environment.move(action, state): likely[action] for action in np.flatnonzero(mask).tolist()}
        shares = np.array([of_move[move] for move in (legal_moves(state[0]) if state else ())])
        return shares / shares.sum() if shares.any() else equal_shares(len(shares))
