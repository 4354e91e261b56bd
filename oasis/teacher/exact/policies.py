"""The best that can be done in the states of a lemma, in any action space, under any reward of transitions.

Backward induction over states (`oasis.play.states`), for what the closed form over goals (`oasis.teacher.exact.values`)
cannot say: rewards that look at a transition, and actions that do not apply or make several moves. What is asked of a
lemma again and again, for many students, is worked out once (`states_of` and what follows).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from math import isfinite
from typing import Final

import numpy as np

from oasis.ground.limits import LimitReached
from oasis.play.actions import ACTION_SPACES
from oasis.play.policy import Floats
from oasis.play.states import PROVED, States, forever
from oasis.rewards import Dependence, Reward, asked, paid
from oasis.rewards.named import reward as reward_named
from oasis.rewards.paying import Pay
from oasis.teacher.exact.values import lengths
from tactics.formula import Formula
from tactics.goal import initial

_LEMMAS: Final = 256
"""Lemmas whose states are kept; a course has fewer, and those of SYJ203.3 take 10 MiB, of blind students 30 MiB."""


def amounts(states: States, reward: Reward, *, forgets: bool = False) -> Floats | None:
    """What a reward pays for each edge; None if it depends on history or on whole episodes, and so on no edge alone.

    Args:
        states: where.
        reward: is asked about each edge once, or about the five kinds of steps if that is enough.
        forgets: whether what does not apply is given up, so that an episode ends where nothing applies.

    Returns:
        shape (edges,).

    Raises InputError as `oasis.rewards.paid` does.
    """
    if reward.dependence == Dependence.HISTORY or reward.pays_at_end:
        return None
    goes_on = states.goes_on if forgets else np.diff(states.first) > 0
    ended = ~goes_on[states.after]
    if reward.dependence == Dependence.KIND:
        pay = Pay.of(reward)
        changed = np.where(states.after == PROVED, pay.proved, np.where(ended, pay.stuck, pay.step))
        found = np.where(states.applies, changed, pay.error)
    else:
        asked(reward, reward.begin, states.lemma)
        goals, actions = states.states, chain.from_iterable(map(states.space.actions, states.states))
        steps = zip(states.before.tolist(), actions, states.after.tolist(), ended.tolist(), strict=True)
        pays = (paid(reward, goals[before], action, goals[after], over) for before, action, after, over in steps)
        found = np.fromiter(pays, np.float64, len(ended))
    return np.asarray(np.where(goes_on[states.before], found, 0.0))


def best(states: States, amounts: Floats, gamma: float, epsilon: float = 0.0) -> Floats:
    """The value of each state under the best ε-soft policy, which is the best of all for ε = 0; shape (states,).

    v = (1-ε) max q + ε mean q, Sutton & Barto (2018), 5.4, with q = r + γ v for an action that does not apply: solved
    for v by each action in turn, of which the best is taken. To do for ever what does not apply is a policy, too.

    Args:
        states: where.
        amounts: what each edge pays; shape (edges,).
        gamma: the discount, from 0 to 1.
        epsilon: from 0 to 1.
    """
    value = np.zeros(len(states))
    for low, high in zip(states.layers[:-1].tolist(), states.layers[1:].tolist(), strict=True):
        has_edges = np.flatnonzero(np.diff(states.first[low : high + 1])) + low
        if not len(has_edges):
            continue
        edges = slice(int(states.first[low]), int(states.first[high]))
        starts = states.first[has_edges] - edges.start
        count = states.first[has_edges + 1] - states.first[has_edges]
        stays = np.where(states.applies[edges], 0.0, 1.0)
        q = amounts[edges] + gamma * (1 - stays) * value[states.after[edges]]
        if epsilon:  # which times an infinite value would be no number if it were 0
            often = [np.repeat(np.add.reduceat(each, starts) / count, count) for each in (q, stays)]
            q, stays = ((1 - epsilon) * each + epsilon * mean for each, mean in zip((q, stays), often, strict=True))
        value[has_edges] = np.maximum.reduceat(forever(q, 1 - gamma * stays), starts)
    return value


@lru_cache(_LEMMAS)
def states_of(lemma: Formula, actions: str) -> States | None:
    """The states that a lemma leads to; None if there are more than `oasis.play.states.MAX_STATES`."""
    try:
        return States(lemma, ACTION_SPACES[actions])
    except LimitReached:
        return None


@lru_cache(_LEMMAS)
def amounts_of(lemma: Formula, actions: str, reward: str, gamma: float, forgets: bool) -> Floats | None:
    """What a reward, by its name, pays for each edge of a lemma's states; None if that is not known."""
    states = states_of(lemma, actions)
    return None if states is None else amounts(states, reward_named(reward, gamma=gamma), forgets=forgets)


@lru_cache(_LEMMAS)
def best_of(
    lemma: Formula, actions: str, reward: str, gamma: float, forgets: bool, epsilon: float = 0.0
) -> float | None:
    """The value of a lemma under the best ε-soft policy, V* for ε = 0; None if that is not known, or not finite."""
    states, paid = states_of(lemma, actions), amounts_of(lemma, actions, reward, gamma, forgets)
    if states is None or paid is None:
        return None
    value = float(best(states, paid, gamma, epsilon)[states.root])
    return value if isfinite(value) else None


@lru_cache(_LEMMAS)
def shortest_of(lemma: Formula) -> int | None:
    """The moves of a lemma's shortest proof; None if it has none. Raises LimitReached."""
    return lengths(lemma).shortest_proof(initial(lemma))
