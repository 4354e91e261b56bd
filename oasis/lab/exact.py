"""What students know of a lemma, exactly, as far as its states can all be looked at: exams without plays.

The graphs of states and what rewards pay there are worked out once a lemma for all students.
"""

from __future__ import annotations

from functools import lru_cache
from math import isfinite, nan
from typing import Final, NamedTuple

from oasis.ground.limits import LimitReached
from oasis.play.actions import ACTION_SPACES
from oasis.play.policy import Floats
from oasis.play.states import YARDSTICK, States
from oasis.rewards.named import reward
from oasis.student.settings import Settings
from oasis.student.student import Student
from oasis.teacher.exact import policies
from oasis.teacher.exact.values import lengths
from tactics.formula import Formula
from tactics.goal import initial

_LEMMAS: Final = 256
"""Lemmas whose states are kept; a course has fewer, and those of SYJ203.3 take 10 MiB, of blind students 30 MiB."""


class Known(NamedTuple):
    """What the greedy policy of a student comes to on a lemma, ties by lot, without a step limit.

    Attributes:
        chance: the probability that a play proves, in [0, 1].
        missing: 1 - V/V*, in [0, 1], for the reward of 0.9^(n-1) for a proof of n moves of the calculus: 0 is a
            shortest proof for certain, 1 no proof. It can be compared between rewards, discounts and action spaces. 0
            if the lemma has no proof.
        regret: V* - V, at least 0, for the student's own reward; NaN if that depends on history or on whole episodes,
            or if no policy has a finite value.
        actions: the expected number of actions until a play proves or gets nowhere any more.
    """

    chance: float
    missing: float
    regret: float
    actions: float


def known(student: Student, lemma: Formula) -> Known | None:
    """What a student knows of a lemma; None if it has too many states (`states`), so that an exam has to do."""
    graph, settings = states(lemma, student.settings.actions), student.settings
    if graph is None:
        return None
    amounts = _amounts(lemma, settings.actions, settings.reward, settings.gamma, settings.forget_errors)
    try:
        found = student.worth(graph, amounts)
    except LimitReached:
        return None
    shortest = _shortest(lemma)
    most = 0.0 if shortest is None else YARDSTICK ** (shortest - 1)
    optimum = best(lemma, settings)
    regret = nan if optimum is None or not isfinite(found.paid) else max(0.0, optimum - found.paid)
    missing = min(1.0, max(0.0, 1 - found.proof / most)) if most else 0.0
    return Known(min(1.0, found.chance), missing, regret, found.actions)


def best(lemma: Formula, settings: Settings, epsilon: float = 0.0) -> float | None:
    """The value of the best ε-soft policy under the settings' reward, V* for ε = 0; None if that is not known."""
    paying = settings.actions, settings.reward, settings.gamma, settings.forget_errors
    return _best(lemma, *paying, epsilon)


@lru_cache(_LEMMAS)
def states(lemma: Formula, actions: str) -> States | None:
    """The states that a lemma leads to; None if there are more than `oasis.play.states.MAX_STATES`."""
    try:
        return States(lemma, ACTION_SPACES[actions])
    except LimitReached:
        return None


@lru_cache(_LEMMAS)
def _amounts(lemma: Formula, actions: str, paid: str, gamma: float, forgets: bool) -> Floats | None:
    graph = states(lemma, actions)
    return None if graph is None else policies.amounts(graph, reward(paid, gamma=gamma), forgets=forgets)


@lru_cache(_LEMMAS)
def _best(lemma: Formula, actions: str, paid: str, gamma: float, forgets: bool, epsilon: float) -> float | None:
    graph, amounts = states(lemma, actions), _amounts(lemma, actions, paid, gamma, forgets)
    if graph is None or amounts is None:
        return None
    value = float(policies.best(graph, amounts, gamma, epsilon)[graph.root])
    return value if isfinite(value) else None


@lru_cache(_LEMMAS)
def _shortest(lemma: Formula) -> int | None:
    return lengths(lemma).shortest_proof(initial(lemma))
