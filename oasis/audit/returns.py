"""What a term of R† beside C makes of the moves of every state, exactly: by backward induction over all of them.

Values are those of a student that looks at nothing but returns: the best move is the first of an episode with the
largest discounted return, episodes have no limit of steps, and moves are legal. Amounts come from the reward itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Final

import numpy as np

from oasis.dagger.reward import RewardDagger
from oasis.dagger.term import OfState, OfStep
from oasis.teacher.exact.states import PROVED, Floats, Integers, StateGraph, Truths

TOLERANCE: Final = 1e-9
"""Returns that differ by no more are equal; sums of floats in different orders differ by some 1e-14."""
_OF_WHOLES: Final = frozenset({"S_KL"})
"""Terms of a step that look at more of a state than the goal in focus and the number of goals."""
_FIELDS: Final = 2**12
"""More than a state has goals."""


class Amounts:
    """What one term pays for each edge of a graph, as its reward says.

    Args:
        graph: of a lemma.
        reward: of one term alone, with weight 1.

    Attributes:
        at_once: what it pays for the step; shape (edges,).
        averaged: the number that it averages over an episode and pays at its end; None if it does no such thing.
    """

    def __init__(self, graph: StateGraph, reward: RewardDagger) -> None:
        (part,) = reward.parts
        whole = part.name in _OF_WHOLES or (isinstance(part.form, OfState) and not part.form.of_focus)
        chosen, place = _representatives(graph, whole)
        rows = np.array([reward.row(*graph.edge(number)) for number in chosen.tolist()], reward.row_type)
        self.at_once: Floats = reward.pay(rows)[place]
        is_averaged = isinstance(part.form, OfStep) and part.form.averaged
        self.averaged: Floats | None = rows["mean"][place] if is_averaged else None


def _representatives(graph: StateGraph, whole: bool) -> tuple[Integers, Integers]:
    """Some edges, and for each edge which of these pays the same: the same move, and the same goal in focus after it.

    The number of goals before and after is also the same, as terms look at it.
    """
    if whole:
        return np.arange(len(graph.before)), np.arange(len(graph.before))
    after = (graph.head[graph.after] + 1) * _FIELDS + graph.size[graph.after]
    key = (graph.move * _FIELDS + graph.size[graph.before]) * (len(graph.goals) + 1) * _FIELDS + after
    _, chosen, place = np.unique(key, return_index=True, return_inverse=True)
    return chosen, place


@dataclass(frozen=True, eq=False)
class Returns:
    """The largest returns through the edges of a graph; -inf where no such episode is.

    Attributes:
        graph: whose edges.
        proof: of episodes that end in a proof; shape (edges,).
        shortest: of those that end in a proof with as few moves as there can be; through edges that are on one.
        stuck: of episodes that get stuck.
    """

    graph: StateGraph
    proof: Floats
    shortest: Floats
    stuck: Floats

    @cached_property
    def is_best(self) -> Truths:
        """Whether an edge is a best move of its state; shape (edges,)."""
        through = np.maximum(self.proof, self.stuck)
        return np.asarray(through >= self.of_states(through)[self.graph.before] - TOLERANCE)

    def of_states(self, through: Floats) -> Floats:
        """The largest of the edges of each state; -inf without edges; shape (states,)."""
        return largest(self.graph, through)


def largest(graph: StateGraph, through: Floats) -> Floats:
    """The largest number of the edges of each state; -inf without edges; shape (states,)."""
    found = np.full(len(graph), -inf)
    np.maximum.at(found, graph.before, through)
    return found


def returns(graph: StateGraph, amounts: Amounts | None, weight: float, gamma: float, clip: float = inf) -> Returns:
    """What C, and a term with a weight, make of each edge; of C alone if there are no amounts."""
    proves = (graph.after == PROVED).astype(np.float64)
    if amounts is not None and amounts.averaged is not None:
        return _averaged(graph, amounts.averaged, weight, gamma, clip)
    paid = proves if amounts is None else np.clip(proves + weight * amounts.at_once, -clip, clip)
    return Returns(
        graph,
        graph.best(paid, gamma, proved=0.0, stuck=-inf)[1],
        graph.best(np.where(graph.is_shortest, paid, -inf), gamma, proved=0.0, stuck=-inf)[1],
        graph.best(paid, gamma, proved=-inf, stuck=0.0)[1],
    )


def _averaged(graph: StateGraph, numbers: Floats, weight: float, gamma: float, clip: float) -> Returns:
    """The same where an episode that begins in the state pays at its end the mean of its steps' numbers.

    So the largest sum of so many steps is needed, for each number of steps: γ^(n-1) (C + weight · sum/n).
    """
    with_proof, sums_proof = np.full(len(graph), -inf), np.full(len(numbers), -inf)
    with_proof[PROVED] = 0.0
    with_stuck, sums_stuck = np.where(graph.stuck, 0.0, -inf), np.full(len(numbers), -inf)
    shortest = np.full(len(numbers), -inf)
    steps = 0
    while np.isfinite(with_proof).any() or np.isfinite(with_stuck).any():
        steps += 1
        discount = gamma ** (steps - 1)
        found = []
        for ends, known, goal in ((with_proof, sums_proof, 1.0), (with_stuck, sums_stuck, 0.0)):
            sums = numbers + ends[graph.after]
            paid = discount * (goal + np.clip(weight * sums / steps, -clip, clip))
            paid[np.isneginf(sums)] = -inf
            np.maximum(known, paid, out=known)
            found.append((sums, paid))
        in_time = graph.is_shortest & (graph.length[graph.before] == steps)
        shortest[in_time] = found[0][1][in_time]
        with_proof, with_stuck = (largest(graph, sums) for sums, _ in found)
    return Returns(graph, sums_proof, shortest, sums_stuck)
