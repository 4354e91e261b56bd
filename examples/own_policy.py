"""A policy of your own, for every search: it likes to close a goal, and dislikes moves that may lose.

Run, in this folder:
    oasis prove SYJ203.4 --search best-first --policy own_policy:Cautious
    oasis compare SYJ203 --levels 2-4 --search best-first,rmaxts --policy uniform,own_policy:Cautious --seeds 3

A policy is an object with the two methods below, or a class of which one is made. It is given states, which are tuples
of goals; a goal has named `hypotheses` and a `conclusion`, and the first goal of a state is the one to move on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tactics.goal import Goal, State
from tactics.rules import legal_moves

CLOSES = ("assumption", "contradiction")
MAY_LOSE = ("left", "right", "imply4")


class Cautious:
    """Weighs a move by its rule, and a goal by how much is written in it."""

    def probabilities(self, states: Sequence[State]) -> list[NDArray[np.float64]]:
        """For each state a probability for each of `legal_moves` of its first goal, in that order."""
        shares = []
        for state in states:
            moves = legal_moves(state[0]) if state else ()
            weights = np.array([30.0 if m.rule in CLOSES else 1.0 if m.rule in MAY_LOSE else 10.0 for m in moves])
            shares.append(weights / weights.sum() if len(weights) else weights)
        return shares

    def values(self, goals: Sequence[Goal]) -> NDArray[np.float64]:
        """For each goal how likely it is provable, from 0 to 1; None instead of an array if the policy cannot say."""
        written = [sum(formula.size for _, formula in goal.hypotheses) + goal.conclusion.size for goal in goals]
        return 1 / (1 + np.array(written, dtype=float))
