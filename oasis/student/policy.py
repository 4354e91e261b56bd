"""How a student with a table chooses: ε-greedily while it practises, and as a policy that others can hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import ActionSpace
from oasis.play.policy import Floats, equal_shares
from tactics.goal import Goal, Move, State

if TYPE_CHECKING:
    from oasis.experience.prior import Prior
    from oasis.student.memory import Action, Memory, Observation

Choose = Callable[["Observation"], "Action"]
"""Chooses from A(s), which is not empty."""


def epsilon_greedy(memory: Memory, epsilon: float, rng: SplitMix64, prior: Prior | None = None) -> Choose:
    """With probability `epsilon` uniform over A(s), else uniform over the actions of the largest Q (thesis, 4.2.1).

    Where a prior gives odds to the actions of the largest Q, these are as likely as the odds say. All else stays as it
    is: whatever the odds, the policy is ε-soft and greedy, so its values are those that they are without a prior
    (Sutton & Barto 2018, 5.4), and one value that is larger than the others outweighs any odds.

    Args:
        memory: whose values they are.
        epsilon: the share of random actions.
        rng: where chance comes from.
        prior: over the legal moves, which are then the actions on offer.
    """

    def choose(observation: Observation) -> Action:
        actions = observation.actions
        if rng.random() < epsilon:
            return actions[rng.below(len(actions))]
        best = greedy_actions(memory, observation)
        if len(best) == 1:
            return best[0]
        odds = None if prior is None else prior.odds(observation.state[0])
        if odds is None:
            return best[rng.below(len(best))]
        of = dict(zip(observation.offered, odds.tolist(), strict=True))
        return best[_lot([of[action.move] for action in best], rng)]

    return choose


def _lot(odds: list[float], rng: SplitMix64) -> int:
    """A place with the probability that its odds say; where all are equal, the lot that is drawn without odds."""
    if min(odds) == max(odds):
        return rng.below(len(odds))
    total = 0.0
    for each in odds:  # in this order, so that a compiled student rounds alike
        total += each
    point = rng.random() * total
    for place, each in enumerate(odds):
        point -= each
        if point < 0:
            return place
    return len(odds) - 1


def greedy_actions(memory: Memory, observation: Observation) -> list[Action]:
    """The actions of the largest Q."""
    largest = memory.best(observation)
    return [action for action in observation.actions if memory.values[action.pair] == largest]


class ActionValues(Protocol):
    """Whoever has a table of values and can be asked without learning from it, such as a student."""

    def q_values(self, state: State) -> dict[Move, float]:
        """Q(s, a) for each of A(s)."""
        ...


class Tabular:
    """The policy of a table of values: greedy, ε-greedy, or softmax.

    Where nothing is known all values are equal, so nothing is preferred there; ties are never broken by an order.

    Args:
        table: whose values they are, as they are when a probability is asked for.
        space: the actions on offer.
        epsilon: the share of actions chosen at random, in [0, 1]; 0 is greedy.
        temperature: of the softmax over values, above 0; None for none, and the largest values share what ε leaves.
        of_goals: whether values are those of single goals, in [0, 1], and can be told.
    """

    def __init__(
        self,
        table: ActionValues,
        space: ActionSpace,
        *,
        epsilon: float = 0.0,
        temperature: float | None = None,
        of_goals: bool = False,
    ) -> None:
        self._table, self._space, self._of_goals = table, space, of_goals
        self._epsilon, self._temperature = epsilon, temperature

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """For each state an array over the actions on offer; 0 for what was given up."""
        return [self._shares(state) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """For each goal the largest Q, 0 without moves; None if the values are not those of goals."""
        if not self._of_goals:
            return None
        best = (max(self._table.q_values((goal,)).values(), default=0.0) for goal in goals)
        return np.clip(np.fromiter(best, np.float64, len(goals)), 0, 1)

    def _shares(self, state: State) -> Floats:
        known = self._table.q_values(state) if state else {}
        offered = self._space.actions(state)
        shares = np.zeros(len(offered))
        if known:
            open_to_it = np.array([move in known for move in offered])
            q = np.array([known[move] for move in offered if move in known])
            shares[open_to_it] = (1 - self._epsilon) * self._preferred(q) + self._epsilon * equal_shares(len(q))
        return shares

    def _preferred(self, q: Floats) -> Floats:
        if self._temperature is None:
            best = q == q.max()
            return np.asarray(best / best.sum(), np.float64)
        weights = np.exp((q - q.max()) / self._temperature)
        return np.asarray(weights / weights.sum(), np.float64)
