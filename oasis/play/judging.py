"""Judging: a move is worth what the least of the goals that it leaves is worth, and a policy may choose by that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from oasis.play.exam import valued
from oasis.play.policy import Floats, Policy, equal_shares
from tactics.goal import Goal, State
from tactics.rules import legal_moves, premises


def questions(goal: Goal) -> list[Goal]:
    """What the legal moves of a goal leave: the goals whose values are needed to judge them."""
    return [premise for move in legal_moves(goal) for premise in premises(goal, move)]


def judged(goal: Goal, values: Mapping[Goal, float], closed: float = 1.0) -> Floats:
    """The least value of what each legal move leaves, or `closed` where it leaves nothing; shape (moves,)."""
    return np.array(
        [min((values[each] for each in premises(goal, move)), default=closed) for move in legal_moves(goal)]
    )


class Judging:
    """The policy that makes moves as likely, in proportion, as the worst of what they leave is good.

    So a search that follows probabilities is guided by values.

    Args:
        policy: has values of goals, whose probabilities are not asked for.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """The least value of what each move leaves, divided by their sum; equal shares where all are 0.

        Raises InputError if the policy has no values, or they are none.
        """
        goals = list(dict.fromkeys(each for state in states if state for each in questions(state[0])))
        values = dict(zip(goals, valued(self._policy, goals).tolist(), strict=True)) if goals else {}
        return [_shares(judged(state[0], values)) if state else equal_shares(0) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Those of the policy."""
        return self._policy.values(goals)

    @property
    def forwards(self) -> int:
        """Goals that went through the network of the policy so far; 0 if it has none."""
        forwards: int = getattr(self._policy, "forwards", 0)
        return forwards

    @property
    def gpu_seconds(self) -> float | None:
        """Wall time of its forward passes so far, if they are on a GPU; None on the CPU."""
        seconds: float | None = getattr(self._policy, "gpu_seconds", None)
        return seconds

    def forget(self) -> None:
        """Have the policy forget what it keeps of what it was asked, if it keeps anything."""
        forget: Callable[[], None] = getattr(self._policy, "forget", lambda: None)
        forget()


def _shares(worth: Floats) -> Floats:
    total = worth.sum()
    return worth / total if total > 0 else equal_shares(len(worth))
