"""What a term of R† is: a name, and two readings of one idea, each with its formula and what it depends on.

A reading takes one of five forms, and the form says all that a reward needs to know to pay it, plain or compiled:
what a step is worth, what a state is worth, what it is worth to use a tactic, to settle a goal, or to end an episode.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import isinf
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.dagger.options import Options
from oasis.dagger.steps import Step
from tactics.goal import State

if TYPE_CHECKING:
    from oasis.dagger.beliefs.belief import Belief
    from oasis.dagger.knowledge import Knowledge

Floats = NDArray[np.float64]


class Reading(StrEnum):
    """How the terms are read."""

    SEED = "seed"
    """By the formula as the design document prints it."""
    SOUND = "sound"
    """By one that does what its prose asks."""


@dataclass(frozen=True)
class Context(Options):
    """What terms may look up beside the step itself; it stands still.

    Attributes:
        knowledge: the graph of rules and shapes, and the frequencies of formulas.
        belief: how likely a state is to be proved.
        gamma: the discount of whoever is paid, in [0, 1].
    """

    knowledge: Knowledge
    belief: Belief
    gamma: float = 0.9


@dataclass(frozen=True)
class OfStep:
    """A number for each step, a function of the step alone.

    Attributes:
        value: what it is.
        averaged: whether nothing is paid until the episode ends, and then the mean over its steps.
        by_counts: whether it looks at no more of the states than how many goals they have, and at the formula that the
            move works on; then it is worked out once for all steps that have these in common.
        by_chances: the same number from p(QED) after the step and before it, if it looks at nothing else.
    """

    value: Callable[[Context, Step], float]
    averaged: bool = False
    by_counts: bool = False
    by_chances: Callable[[Context, float, float], float] | None = None


@dataclass(frozen=True)
class OfState:
    """A number for each state, worth 0 where nothing is left to prove.

    Attributes:
        value: what it is, of a state with goals.
        differenced: whether a step pays γΦ(after) - Φ(before), with Φ = 0 where the episode ends, and so leaves the
            best moves what they are (Ng, Harada and Russell 1999); else it pays the value of the state after it.
        of_focus: whether it looks at the goal in focus alone.
    """

    value: Callable[[Context, State], float]
    differenced: bool = True
    of_focus: bool = True


@dataclass(frozen=True)
class OfUse:
    """A number for each use of a tactic, that is of a rule on a formula of some shape.

    Attributes:
        table: from how often each tactic was used and how often the goal it was used on was closed in the same
            episode, two arrays of shape (tactics,), and their centralities K_c, likewise, the numbers; (tactics,).
            The first tactic is one that was never used.
    """

    table: Callable[[Context, Floats, Floats, Floats], Floats]


@dataclass(frozen=True)
class OfGoal:
    """A number for each step that settles the goal in focus: that closes it, or after which it is stuck.

    Attributes:
        table: from how often each goal was closed and was not, two arrays of shape (goals,) that count from 0, what
            to close it pays and what to leave it stuck pays, together an array of shape (goals, 2).
    """

    table: Callable[[Context, Floats, Floats], Floats]


class Packed(NamedTuple):
    """The proof of an episode, packed.

    Attributes:
        raw: bytes of its description.
        packed: bytes of the description when it is compressed, at least 1.
        best: the fewest to which a proof of the lemma was compressed before; None if there was none.
    """

    raw: int
    packed: int
    best: int | None


@dataclass(frozen=True)
class OfProof:
    """A number for each episode that ends in a proof, and nothing for one that does not.

    Attributes:
        value: what it is.
    """

    value: Callable[[Context, Packed], float]


Form = OfStep | OfState | OfUse | OfGoal | OfProof


@dataclass(frozen=True)
class Version:
    """One reading of a term.

    Attributes:
        formula: for people.
        least, most: what its numbers lie between, ends included; infinite where there is no bound.
        form: how it comes about.
    """

    formula: str
    least: float
    most: float
    form: Form

    @property
    def interval(self) -> str:
        """What its numbers lie between, in standard notation."""
        low, high = (f"{bound:.3g}".replace("-", "−") for bound in (self.least, self.most))
        return f"{'(−∞' if isinf(self.least) else f'[{low}'}, {'∞)' if isinf(self.most) else f'{high}]'}"


@dataclass(frozen=True)
class Term:
    """One of the sixteen, or one of somebody's own.

    Attributes:
        name: as in `C` or `U_sigma`.
        title: a word or two.
        asks: what the design document wants of it, in one sentence.
        differs: what the seed's formula does otherwise; empty where both readings are the same.
        seed, sound: the two readings.
        is_subtracted: whether R† subtracts it.
        is_mean: whether its number for an episode is the mean over the steps; else it is their sum.
        of_kind: whether it depends on the kind of a step alone, as a reward may (`oasis.rewards.Dependence`).
    """

    name: str
    title: str
    asks: str
    differs: str
    seed: Version
    sound: Version
    is_subtracted: bool = False
    is_mean: bool = False
    of_kind: bool = False

    def version(self, reading: Reading) -> Version:
        """The term in a reading."""
        return self.seed if reading is Reading.SEED else self.sound
