"""What a policy is, and those that know nothing of their own: the uniform one, an order of moves, a mixture of others.

Whatever proposes moves is a policy: a table of values, the teacher, a network. Search, exam, lab and classroom hold
policies and do not know which kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import LEGAL, ActionSpace
from tactics.goal import Goal, Move, State

Floats = NDArray[np.float64]


class Policy(Protocol):
    """A probability for each move, and optionally a value for each goal."""

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """For each state the probabilities of its moves.

        Args:
            states: any number of them.

        Returns:
            For each an array over `legal_moves` of its focused goal, in that order, which sums to 1; an empty one where
            there are none. A policy of another action space, such as a blind student's, has it over the actions of that
            space; all zeros where it has given up every action.
        """
        ...

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """For each goal, taken as the state in which nothing else is open, a value in [0, 1]; None if it has none."""
        ...


@runtime_checkable
class Writer(Protocol):
    """A policy that can also write a move by itself, which nobody keeps from being illegal."""

    def written(self, goals: Sequence[Goal], *, tactics: bool = False) -> list[Move | None]:
        """For each goal the move that is written; None where what is written is no move at all.

        Args:
            goals: any number of them.
            tactics: whether nothing may be written but the name of a rule and, if it takes one, of a hypothesis that
                the goal has; False for anything.
        """
        ...


class Wrapping:
    """Passes questions on to another policy, and is called by its name.

    Args:
        policy: answers.
    """

    def __init__(self, policy: Policy) -> None:
        self.policy = policy


class Greedy(Wrapping):
    """Another policy's likeliest moves, of which one is as likely as another."""

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """Equal shares of the largest probabilities; all zeros where there is none above 0."""
        answers = [np.asarray(shares) for shares in self.policy.probabilities(states)]
        best = [(each == each.max(initial=0.0)) & (each > 0) for each in answers]
        return [each / max(1, each.sum()) for each in best]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Those of the other policy."""
        return self.policy.values(goals)


def called(policy: object, the: str = "The") -> str:
    """What a policy is called in a sentence: by its class, or that of the one to which it passes questions on."""
    while isinstance(policy, Wrapping):
        policy = policy.policy
    return f"{the} policy {type(policy).__name__}"


class Uniform:
    """Every action is as likely as any other: what everybody who claims to know something has to beat."""

    def __init__(self, space: ActionSpace = LEGAL) -> None:
        self._space = space

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """1/n for each of n actions."""
        return [equal_shares(len(self._space.actions(state))) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """None: it takes no goal to be better than another."""
        return None


class Ordered:
    """The first or the last of the actions, always: what a tie that an order breaks comes to, and knows nothing either.

    Args:
        place: 0 or -1.
    """

    def __init__(self, place: int) -> None:
        self._place = place

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """1 for one of the actions."""
        shares = [np.zeros(len(LEGAL.actions(state))) for state in states]
        for each in filter(len, shares):
            each[self._place] = 1.0
        return shares

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """None: it takes no goal to be better than another."""
        return None


FIRST: Final = Ordered(0)
LAST: Final = Ordered(-1)


def equal_shares(number: int) -> Floats:
    """The same probability for each of so many, of which there may be none."""
    return np.full(number, 1 / number) if number else np.zeros(0)


def tempered(scores: Floats, temperature: float) -> Floats:
    """Return scores to the power of 1/temperature, the best scaled to 1; at temperature 0 the best alone, as 1."""
    if not temperature or not scores.max() > 0:
        best: Floats = (scores == scores.max()).astype(np.float64)
        return best
    likely: Floats = (scores / scores.max()) ** (1 / temperature)
    return likely


def draw(probabilities: Floats, rng: SplitMix64) -> int | None:
    """The place of what chance chooses; None if everything has probability 0.

    Among equal probabilities a lot is drawn, and none where one thing is left: so a compiled player that draws lots
    among the best draws the same ones.
    """
    support = np.flatnonzero(probabilities)
    if len(support) <= 1:
        return int(support[0]) if len(support) else None
    likely = probabilities[support]
    if (likely == likely[0]).all():
        return int(support[rng.below(len(support))])
    reached = np.searchsorted(np.cumsum(likely), rng.random() * likely.sum(), side="right")
    return int(support[min(reached, len(support) - 1)])
