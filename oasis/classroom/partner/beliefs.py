"""What the agent makes of one state: for every action a value, how often it was tried, and how likely it is chosen.

Plain values that can be sent elsewhere; how they are worked out is the agent's own business.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tactics.goal import Move


class Belief(NamedTuple):
    """What the agent makes of one action.

    Attributes:
        move: a move of the calculus, or `simplify`.
        value: Q; of the goal in focus for and-or-q, of the whole state for the others.
        visits: the number of updates that the value has had.
        share: the probability that it is chosen, in [0, 1]; those of a state sum to 1.
        is_greedy: whether no value is larger.
    """

    move: Move
    value: float
    visits: int
    share: float
    is_greedy: bool


class Beliefs(NamedTuple):
    """What the agent makes of one state.

    Attributes:
        met: whether it knows the state, or one that is the same to it; if not, its values are those it was born with.
        actions: A(s), in the order in which they are offered; none if the state is proved or stuck.
    """

    met: bool
    actions: tuple[Belief, ...]

    @property
    def choice(self) -> Move | None:
        """What it takes to be best; None where there is nothing, or where it would have to draw lots."""
        best = [belief.move for belief in self.actions if belief.is_greedy]
        return best[0] if len(best) == 1 else None


def epsilon_soft_shares(values: Sequence[float], epsilon: float) -> list[tuple[float, bool]]:
    """For each action its probability, and whether it is greedy: ε/|A(s)|, and (1-ε)/|argmax| more if it is.

    Sutton & Barto (2018), 5.4; ties are broken by lot, as `oasis.student.policy.epsilon_greedy` does it.
    """
    largest = max(values, default=0.0)
    best = sum(value == largest for value in values)
    return [(epsilon / len(values) + (1 - epsilon) / best * (value == largest), value == largest) for value in values]
