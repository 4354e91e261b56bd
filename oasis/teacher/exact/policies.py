"""The best that can be done in the states of a lemma, in any action space, under any reward of transitions.

Backward induction over states (`oasis.play.states`), for what the closed form over goals (`oasis.teacher.exact.values`)
cannot say: rewards that look at a transition, and actions that do not apply or make several moves.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from oasis.play.policy import Floats
from oasis.play.states import PROVED, States, forever
from oasis.rewards import Dependence, Reward, asked, paid
from oasis.rewards.paying import Pay


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
