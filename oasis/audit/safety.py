"""Whether a reward is safe: whether who follows the largest returns ever gives up what can be proved.

A reward is *safe* on a lemma for a discount if in every state with a proof that the lemma leads to every best move
leaves a state with a proof; and, which is asked separately, if every best move is the first of a shortest proof. What
refutes it are two episodes, and the reward itself is asked what it pays for them.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import Any, Final, NamedTuple

import numpy as np

from oasis.audit.listed import with_listed
from oasis.audit.returns import Bounds, Paid, largest, returns
from oasis.dagger.making import described, made
from oasis.dagger.reward import RewardDagger
from oasis.dagger.weights import Weights
from oasis.rewards import Dependence
from oasis.student.settings import Settings
from oasis.student.student import School
from oasis.teacher.exact.states import Floats, StateGraph, Truths
from tactics.formula import Atom, Formula, Implies, nested

GAMMA: Final = 0.9
TOLERANCE: Final = 1e-9
"""Returns that differ by no more are equal."""
EPISODES: Final = 1000
"""Of the training after which counters are looked at: one-step Q-learning by Name, seed 0."""
ROUND: Final = 100
"""Episodes of a round of that training."""
LONGEST: Final = 64
"""Moves of the longest chain that is looked at."""
_ROUNDING: Final = 1e-14
"""Sums of floats in different orders differ by no more, as a share of the largest return."""
_TRIED: Final = 2000
"""Steps, after which an episode that returns so much is no longer looked for."""


class Margins(NamedTuple):
    """By how much the best of the right moves of each state exceeds the best of its others; shape (states,) each.

    The unit is what C alone pays for a shortest proof of the state. States without a proof, and those without a move
    that is wrong, have infinity.

    Attributes:
        least, most: between which it is.
        blur: up to which it is nothing but rounding.
        slack: the same as a difference of returns.
    """

    least: Floats
    most: Floats
    blur: Floats
    slack: Floats

    @property
    def is_wrong(self) -> Truths:
        """Where some best move is surely wrong; one that is as good as the right ones is among the best."""
        return np.asarray(self.most <= np.where(self.blur < 1e-3, self.blur, -self.blur))

    @property
    def is_open(self) -> Truths:
        """Where it is not known whether some best move is wrong."""
        return np.asarray((self.least <= self.blur) & ~self.is_wrong)


def margins(bounds: Bounds, right: Truths) -> Margins:
    """The margins of moves that are right over those that are not; shape (edges,)."""
    graph = bounds.graph
    asked = graph.provable & graph.has_moves
    unit = np.where(asked, bounds.gamma ** (graph.length - 1), 1.0)

    def margin(one: Floats, other: Floats) -> Floats:
        rights, wrongs = (largest(graph, np.where(*each, -inf)) for each in ((right, one), (~right, other)))
        return (np.where(asked, rights, inf) - np.where(asked, wrongs, -inf)) / unit

    least, most = bounds.least.through, bounds.most.through
    slack = TOLERANCE * unit + _ROUNDING * bounds.scale
    return Margins(margin(least, most), margin(most, least), slack / unit, slack)


def keeping(graph: StateGraph) -> Truths:
    """The edges that leave a state with a proof."""
    return np.asarray(graph.provable[graph.after])


def judged(paid: Paid) -> Bounds:
    """What a reward makes of each edge, as exactly as it can be had."""
    found = returns(paid)
    return found if paid.is_exact else with_listed(paid, found)


def witness(paid: Paid, edges: Truths, through: Floats, least: float) -> tuple[int, float] | None:
    """The first edge of an episode that returns so much, and what the reward pays for that when it is replayed.

    Args:
        paid: what pays it.
        edges: of one state, with which it may begin.
        through: the largest returns of such episodes, by which it is looked for; -inf where there is none.
        least: what it has to return.
    """
    graph = paid.graph

    def by_return(some: Any) -> list[int]:
        return sorted((edge for edge in some.tolist() if through[edge] > -inf), key=lambda edge: through[edge])

    pending = [[edge] for edge in by_return(np.flatnonzero(edges))]
    if pending and paid.is_of_lemma and graph.size[graph.before[pending[0][0]]] > 1:
        return None
    for _ in range(_TRIED):
        if not pending:
            break
        episode = pending.pop()
        after = graph.after[episode[-1]]
        if graph.has_moves[after]:
            low, high = np.searchsorted(graph.before, [after, after + 1])
            pending += [[*episode, edge] for edge in by_return(np.arange(low, high))]
        elif (paid_for := paid.replayed(episode)) >= least:
            return episode[0], paid_for
    return None


def trained(lemma: Formula, weights: Weights, gamma: float) -> Any:
    """What is counted while a student practises a lemma, paid by a reward of these weights."""
    name = described(replace(weights, round=ROUND))
    student = School(Settings(reward=name, state_space="name", gamma=gamma, episodes=EPISODES)).student(0)
    student.practise(lemma, EPISODES)
    assert isinstance(student.reward, RewardDagger)
    return student.reward.state()


def reward_of(weights: Weights, gamma: float, counters: Any = None) -> RewardDagger:
    """The reward of these weights, which has counted nothing yet, or what another one had."""
    reward = made(weights, gamma)
    if counters is not None:
        reward.restore({**counters, "version": reward.version})
    return reward


def counts(weights: Weights, gamma: float) -> bool:
    """Whether a reward of these weights depends on what was counted."""
    return made(weights, gamma).dependence is Dependence.HISTORY


def chain(length: int) -> Formula:
    r"""`Z \/ (A1 -> … -> An -> A1)`: the only proof has n + 2 moves, and to give up takes one."""
    atoms = [Atom(f"A{number}") for number in range(1, length + 1)]
    return Atom("Z") | nested(Implies, [*atoms, atoms[0]])


def gives_up_at(weights: Weights, gamma: float, is_trained: bool) -> int:
    """The moves of the shortest proof of a chain on which a reward is not safe; 0 if there is none up to `LONGEST`."""
    for length in range(1, LONGEST - 1):
        lemma = chain(length)
        graph = StateGraph(lemma)
        counters = trained(lemma, weights, gamma) if is_trained else None
        paid = Paid(graph, lemma, reward_of(weights, gamma, counters), gamma)
        if margins(judged(paid), keeping(graph)).is_wrong.any():
            return length + 2
    return 0
