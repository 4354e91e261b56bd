"""What a reward makes of every state of a lemma: the largest returns of the episodes that begin in it.

Values are those of a student that looks at nothing but returns: a best move is the first of an episode with the largest
discounted return, episodes have no limit of steps, and moves are legal. Amounts come from the reward itself, whatever
its terms. Returns are exact, by backward induction over all states, unless a proof is paid for what it is as a whole;
then they are listed (`oasis.audit.listed`) or known within bounds.
"""

from __future__ import annotations

from functools import cached_property
from itertools import count
from math import inf
from typing import Final, NamedTuple

import numpy as np

from oasis.dagger.reward import RewardDagger
from oasis.dagger.rows import Part
from oasis.dagger.term import OfBelief, OfProof, OfState, OfStep, OfTries, Packed, Reading
from oasis.ground.names import TERMS
from oasis.rewards.seam import Rows
from oasis.teacher.exact.states import PROVED, Floats, Integers, StateGraph
from tactics.formula import Formula
from tactics.unnamed import NONE

_FIELDS: Final = 2**12
"""More than a state has goals."""
_GRAPH: Final = 2
"""Bytes for a step in the sound description of a proof as a graph."""
_TEXT: Final = 64
"""The same, at most, in any other description."""
_OVERHEAD: Final = 24
"""Bytes by which packing makes a short description longer, at most."""


class Ends(NamedTuple):
    """What an episode is paid at its end beside the mean over its steps, at least and at most."""

    proved: tuple[float, float]
    stuck: tuple[float, float]


class Paid:
    """What a reward pays on a lemma.

    Args:
        graph: of the lemma.
        lemma: its formula.
        reward: with what it has counted.
        gamma: the discount.

    Attributes:
        rows: the edges as the reward sees them; shape (edges,).
        at_once: what each edge is paid; shape (edges,).
        mean: what is paid at the end of an episode, as the mean over its edges; shape (edges,), or None for nothing.
        ends: what is paid there beside it.
        clipped: by how much the clip of the total lowers, and raises, what episodes through each edge return, at most.
        is_exact: whether there is nothing between the bounds.
        is_of_lemma: whether an end cannot be told for an episode that begins with several goals.
    """

    def __init__(self, graph: StateGraph, lemma: Formula, reward: RewardDagger, gamma: float) -> None:
        self.graph, self.reward, self.gamma = graph, reward, gamma
        reward.begin(lemma)
        chosen, place = _representatives(graph, all(map(_is_of_focus, reward.parts)))
        rows = np.array([reward.row(*graph.edge(number)) for number in chosen.tolist()], reward.row_type)
        self.rows = rows[place]
        self.at_once: Floats = reward.pay(rows)[place]
        best, longest = reward.counters.best.get(lemma.digest), max(1, int(graph.most[graph.root]))
        proofs, tries = (
            np.array([_range(reward, part, longest, best) for part in reward.parts if isinstance(part.form, form)])
            .reshape(-1, 2)
            .sum(axis=0)
            for form in (OfProof, OfTries)
        )
        self._looks_at_wholes = any(isinstance(part.form, OfProof | OfTries) for part in reward.parts)
        ends, clip, reading = np.array([proofs + tries, tries]), reward.weights.clip, reward.weights.reading
        mean = np.array([rows["mean"].min(initial=0.0), rows["mean"].max(initial=0.0)])
        may_bite = reading is Reading.SOUND and np.abs(ends).max() + np.abs(mean).max() > clip
        self.mean = self.rows["mean"] if mean.any() and self._pays_for_proofs_alone and not may_bite else None
        if self.mean is None:
            ends, mean = ends + mean, np.zeros(2)
        if reading is Reading.SOUND:
            ends = np.clip(ends, -clip, clip)
        self.ends = Ends(*map(tuple, ends.tolist()))
        self.clipped = np.zeros_like(self.at_once), np.zeros_like(self.at_once)
        if reading is Reading.SEED:
            under, over = (
                sign * graph.best(sign * self.at_once, 1.0, proved=0.0, stuck=0.0)[1] + end + each
                for sign, end, each in zip((-1, 1), (ends.min(), ends.max()), mean, strict=True)
            )
            self.clipped = np.maximum(over - clip, 0.0), np.maximum(-under - clip, 0.0)
        self.is_of_lemma = self._looks_at_wholes and (self.mean is not None or bool(np.any(self.clipped)))
        self.is_exact = all(least == most for least, most in self.ends) and not np.any(self.clipped)

    @property
    def _pays_for_proofs_alone(self) -> bool:
        """Whether no step is paid at once but those that end in a proof, which are paid alike."""
        proves = self.graph.after == PROVED
        return not self.at_once[~proves].any() and len(np.unique(self.at_once[proves])) <= 1

    @cached_property
    def _came_by(self) -> Integers:
        """For each state but the lemma's own an edge that leads to it."""
        found = np.full(len(self.graph), NONE)
        found[self.graph.after] = np.arange(len(self.graph.after))
        return found

    def replayed(self, episode: list[int]) -> float:
        """What the reward itself pays for the episode that these edges make, discounted.

        An end that looks at a proof as a whole is of one that began with a single goal, the lemma's, if need be.
        """
        graph, way = self.graph, [*episode]
        while self._looks_at_wholes and graph.size[graph.before[way[0]]] > 1:
            way.insert(0, int(self._came_by[graph.before[way[0]]]))
        rows = np.array([self.reward.row(*graph.edge(edge)) for edge in way], self.reward.row_type)
        return self.worth(rows, bool(graph.after[way[-1]] == PROVED), len(way) - len(episode))

    def worth(self, rows: Rows, proved: bool, first: int = 0) -> float:
        """The return of an episode of these rows, discounted from the one of this place on."""
        discounts = self.gamma ** np.arange(len(rows) - first)
        return float(discounts @ self.reward.pay(rows[first:]) + discounts[-1] * self.reward.finish(rows, proved))


def _is_of_focus(part: Part) -> bool:
    """Whether a term looks at no more of a step than its move, the goals in focus, and how many goals there are."""
    form = part.form
    if isinstance(form, OfState):
        return form.of_focus
    return part.name in TERMS if isinstance(form, OfStep) else not isinstance(form, OfBelief)


def _representatives(graph: StateGraph, of_focus: bool) -> tuple[Integers, Integers]:
    """Some edges, and for each edge which of these pays the same: the same move, and the same goal in focus after it.

    The number of goals before and after is also the same. Where more is looked at each edge stands for itself.
    """
    if not of_focus:
        return np.arange(len(graph.before)), np.arange(len(graph.before))
    after = (graph.head[graph.after] + 1) * _FIELDS + graph.size[graph.after]
    key = (graph.move * _FIELDS + graph.size[graph.before]) * (len(graph.goals) + 1) * _FIELDS + after
    _, chosen, place = np.unique(key, return_index=True, return_inverse=True)
    return chosen, place


def _range(reward: RewardDagger, part: Part, longest: int, best: int | None) -> tuple[float, float]:
    """What a term of whole episodes pays at least and at most.

    A term of proofs that is ours only grows, or only falls, with each size; of tries, it pays what variances lose, of
    which none is above 1/12.
    """
    if part.name not in TERMS:
        version = TERMS.find(part.name, "dagger").version(reward.weights.reading)
        values = [version.least, version.most]
    elif isinstance(part.form, OfProof):
        is_graph = reward.weights.reading is not Reading.SEED and reward.weights.options.compression == "graph"
        raws = [_GRAPH, (_GRAPH if is_graph else _TEXT) * longest]
        sizes = [Packed(raw, packed, best) for raw in raws for packed in (1, raw + raw // 100 + _OVERHEAD)]
        values = [part.form.value(reward.context, size) for size in sizes]
    else:
        values = [-longest / 12, longest / 12]
    return min(part.weight * value for value in values), max(part.weight * value for value in values)


class Returns(NamedTuple):
    """The largest returns through the edges of a graph; -inf where no such episode is; shape (edges,) each.

    Attributes:
        proof: of episodes that end in a proof.
        shortest: of those that end in a proof with as few moves as there can be; through edges that are on one.
        stuck: of episodes that get stuck.
    """

    proof: Floats
    shortest: Floats
    stuck: Floats

    @property
    def through(self) -> Floats:
        """Of all episodes."""
        return np.maximum(self.proof, self.stuck)


class Bounds:
    """The largest returns, at least and at most, which are one and the same if they are known exactly."""

    def __init__(self, graph: StateGraph, gamma: float, least: Returns, most: Returns) -> None:
        self.graph, self.gamma, self.least, self.most = graph, gamma, least, most

    @cached_property
    def scale(self) -> float:
        """The largest return, or 1; sums of floats that large are wrong by some 1e-16 of it for each step."""
        through = self.most.through
        return float(np.abs(through[np.isfinite(through)]).max(initial=1.0))


def largest(graph: StateGraph, through: Floats) -> Floats:
    """The largest number of the edges of each state; -inf without edges; shape (states,)."""
    found = np.full(len(graph), -inf)
    np.maximum.at(found, graph.before, through)
    return found


def returns(paid: Paid) -> Bounds:
    """What a reward makes of each edge, by induction alone."""
    least, most = (_returns(paid, proved, stuck) for proved, stuck in zip(*paid.ends, strict=True))
    lower, higher = paid.clipped
    return Bounds(
        paid.graph,
        paid.gamma,
        Returns(*(each - lower for each in least)),
        Returns(*(each + higher for each in most)),
    )


def _returns(paid: Paid, proved: float, stuck: float) -> Returns:
    on_shortest = np.where(paid.graph.is_shortest, paid.at_once, -inf)
    proved, stuck = proved / paid.gamma, stuck / paid.gamma  # it comes with the last step, and not after it
    return Returns(
        _through(paid, paid.at_once, proved, -inf),
        _through(paid, on_shortest, proved, -inf),
        _through(paid, paid.at_once, -inf, stuck),
    )


def _through(paid: Paid, amounts: Floats, proved: float, stuck: float) -> Floats:
    """The largest return through each edge: r + γ max r′ …, as `StateGraph.best`.

    A mean over the episode needs the largest sum of so many steps for every number of steps: γ^(n-1) (r + sum/n).
    """
    graph, gamma = paid.graph, paid.gamma
    if paid.mean is None:
        return graph.best(amounts, gamma, proved=proved, stuck=stuck)[1]
    found, value = np.full(len(amounts), -inf), np.where(graph.stuck, 0.0 if stuck > -inf else -inf, -inf)
    value[PROVED] = 0.0 if proved > -inf else -inf
    pays = float(paid.at_once[graph.after == PROVED][:1].sum())
    last = pays + gamma * proved if proved > -inf else gamma * stuck
    for steps in count(1):
        sums = np.where(amounts > -inf, paid.mean + value[graph.after], -inf)
        if not np.isfinite(sums).any():
            break
        np.maximum(found, gamma ** (steps - 1) * (last + sums / steps), out=found)
        value = largest(graph, sums)
    return found
