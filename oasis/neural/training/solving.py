"""How many theorems a policy proves without taking a move back, while it is in training."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from oasis.play.policy import Policy
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.rules import apply, legal_moves


def solve_rate(policy: Policy, theorems: Sequence[Formula]) -> float:
    """The share of theorems that a policy proves by always playing its likeliest move, the first one of several."""
    waiting: list[State] = [initial(theorem) for theorem in theorems]
    proved = 0
    while waiting:
        after = [
            apply(state, legal_moves(state[0])[int(np.argmax(shares))])
            for state, shares in zip(waiting, policy.probabilities(waiting), strict=True)
            if len(shares)
        ]
        waiting = [state for state in after if state]
        proved += len(after) - len(waiting)
    return proved / len(theorems)
