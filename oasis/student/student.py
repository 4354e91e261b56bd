"""What a student is for those who teach and compare: someone who practises lemmas and can be asked what came of it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from oasis.student.learners import ON_POLICY
from oasis.student.settings import Settings
from tactics.formula import Formula


class Practice(NamedTuple):
    """Some episodes of practice on a lemma; every array has shape (episodes,).

    Attributes:
        proved: whether each ended in a proof.
        steps: the actions taken in each.
        states: the number of states in memory after each.
    """

    proved: NDArray[np.bool_]
    steps: NDArray[np.int32]
    states: NDArray[np.int32]


class Student(Protocol):
    """One memory, which goes through all lemmas that are practised; what it does depends on settings and seed alone."""

    settings: Settings

    @property
    def states(self) -> int:
        """The number of states in memory; the proved one is none."""
        ...

    def practise(self, lemma: Formula, episodes: int) -> Practice:
        """More episodes on a lemma; schedules go on where the last practice of this lemma ended."""
        ...

    def greedy(self, lemma: Formula) -> int:
        """The length of a proof by the greedy policy, in actions; 0 if it finds none. Nothing is learned from it.

        Among equal values it chooses by chance of its own, so that what looks like knowledge is none of the order of
        the actions; where the student has never been all are equal.
        """
        ...

    def value(self, lemma: Formula) -> float:
        """What it believes the closed lemma to be worth under the policy that its values are about.

        max Q(s0, a) where that is the greedy policy, (1-ε) max + ε mean where it is the ε-soft one; Sutton & Barto
        (2018), 5.4. Zero for a lemma without moves.
        """
        ...


def believed(settings: Settings, values: list[float], epsilon: float) -> float:
    """The value of a state from those of its actions, of which there may be none."""
    if not values or settings.learner == "uniform":
        return 0.0
    share = epsilon if settings.learner in ON_POLICY else 0.0
    return (1 - share) * max(values) + share * (sum(values) / len(values))
