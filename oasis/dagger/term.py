"""What a term of R† is: a name, and three readings of one idea, each with its formula and what it depends on.

A reading takes one of seven forms, and the form says all that a reward needs to know to pay it, plain or compiled: what
a step is worth, how much it changes p(QED), what a state is worth, what it is worth to use a tactic, to settle a goal,
to have tried goals, or to have found a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from math import isinf
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.ground.settings import Setting, check
from oasis.play.actions import ACTION_SPACES, SIMPLIFY, attempt
from tactics.errors import InputError
from tactics.goal import Move, State

if TYPE_CHECKING:
    from oasis.dagger.beliefs.belief import Remembered
    from oasis.dagger.knowledge import Knowledge

Floats = NDArray[np.float64]
MOST: Final = 1_000_000
"""The most that a weight or an option may be."""


class Reading(StrEnum):
    """How the terms are read."""

    SEED = "seed"
    """By the formula as the design document prints it."""
    SOUND = "sound"
    """By one that does what its prose asks."""
    SHAPED = "shaped"
    """By the nearest one that leaves the best moves what they are: all but C pay differences of a potential."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What terms can be told beside their weights; raises InputError for a value out of range."""

    depth: Annotated[
        int, Setting("k of E: from this depth on a formula is not elegant.", within=f"[1, {MOST}]", hidden=True)
    ] = 4
    prior: Annotated[
        float,
        Setting(
            "α of the counters: uses that each tactic is taken to have had.", within=f"[1e-9, {MOST}]", hidden=True
        ),
    ] = 1.0
    hops: Annotated[
        int, Setting("Distances in the graph of knowledge are capped at this.", within=f"[1, {MOST}]", hidden=True)
    ] = 6
    signed: Annotated[bool, Setting("Whether surprise at a worse state is a loss (sound reading).", hidden=True)] = True
    compression: Annotated[str, Setting("What C_beta packs.", choices=("graph", "ast"), hidden=True)] = "graph"
    embedding: Annotated[str, Setting("What A_gamma measures.", choices=("subformulas", "sentence"), hidden=True)] = (
        "subformulas"
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class Context:
    """What terms may look up beside the step itself; it stands still.

    Attributes:
        knowledge: the graph of rules and shapes, and the frequencies of formulas.
        belief: how likely a state is to be proved.
        gamma: the discount of whoever is paid, in [0, 1].
        options: what else they are told.
    """

    knowledge: Knowledge
    belief: Remembered
    gamma: float = 0.9
    options: Options = field(default_factory=Options)


class Step(NamedTuple):
    """A step of an episode as terms see it.

    Attributes:
        before: the state before it.
        move: what was done.
        after: the state after it, `before` if the move does not apply, empty if it completes the proof.
        ended: whether nothing more can be done.
        moves: of the calculus that it made; 0 if it does not apply, more than 1 for `simplify`.
    """

    before: State
    move: Move
    after: State
    ended: bool
    moves: int

    @classmethod
    def of(cls, before: State, move: Move, after: State, ended: bool) -> Step:
        """Return the step of an action, with its moves counted."""
        moves = int(after != before)
        if moves and move == SIMPLIFY:
            moves = len(ACTION_SPACES[SIMPLIFY.rule].perform(before, move, attempt)[1])
        return cls(before, move, after, ended, moves)


@dataclass(frozen=True)
class OfStep:
    """A number for each step, a function of the step alone.

    Attributes:
        value: what it is.
        averaged: whether nothing is paid until the episode ends, and then the mean over its steps.
        of_kind: whether it depends on the kind of a step alone, as a reward may (`oasis.rewards.Dependence`).
    """

    value: Callable[[Context, Step], float]
    averaged: bool = False
    of_kind: bool = False


@dataclass(frozen=True)
class OfBelief:
    """A number for each step, a function of p(QED) alone, which is known where nothing more can be done.

    Attributes:
        value: what it is, from p(QED) after the step and before it, each in [0, 1].
    """

    value: Callable[[Context, float, float], float]


@dataclass(frozen=True)
class OfState:
    """A number for each state, worth 0 where nothing is left to prove.

    Attributes:
        value: what it is, of a state with goals.
        differenced: whether a step pays γΦ(after) - Φ(before), with Φ = 0 where the episode ends, and so leaves the
            best moves what they are (Ng, Harada and Russell 1999); else it pays the value of the state after it.
        of_focus: whether it looks at the goal in focus alone.
        of_belief: whether it is a potential that asks for p(QED), which may change between rounds.
    """

    value: Callable[[Context, State], float]
    differenced: bool = True
    of_focus: bool = True
    of_belief: bool = False


def asks_belief(form: Form) -> bool:
    """Return True if what a form pays changes when the belief learns."""
    return isinstance(form, OfBelief) or (isinstance(form, OfState) and form.of_belief)


class Used(NamedTuple):
    """How often tactics were used.

    Attributes:
        times: of each; shape (tactics,).
        closed: how often the goal that it was used on was closed in the same episode; shape (tactics,).
        centrality: K_c of each one's rule; shape (tactics,).
        total: all uses, of any tactic.
        kinds: how many tactics are known, at least 1.
    """

    times: Floats
    closed: Floats
    centrality: Floats
    total: float
    kinds: int


@dataclass(frozen=True)
class OfUse:
    """A number for each use of a tactic, that is of a rule on a formula of some shape.

    Attributes:
        value: what it is for each tactic; shape (tactics,).
        differenced: whether a step pays γΦ(after) - Φ(before), where Φ is the most that a tactic is worth of those that
            the goal in focus offers; the potential stands still as long as the counters do, and may change between
            rounds (Devlin and Kudenko 2012). Else a step pays for the tactic that it uses.
    """

    value: Callable[[Context, Used], Floats]
    differenced: bool = False


@dataclass(frozen=True)
class OfGoal:
    """A number for each step that settles the goal in focus: that closes it, or after which it is stuck.

    Attributes:
        value: what it is, from how often each goal was closed and was not, two arrays of shape (goals,); (goals,).
        differenced: whether it is the potential of the goal in focus instead, and every step pays the difference.
    """

    value: Callable[[Context, Floats, Floats], Floats]
    differenced: bool = False


@dataclass(frozen=True)
class OfTries:
    """A number for each goal that an episode tried, paid when it ends.

    Attributes:
        value: what it is, from how often each goal was closed before and was not, and how often it was in the episode
            and was not, four arrays of shape (goals,); (goals,).
    """

    value: Callable[[Context, Floats, Floats, Floats, Floats], Floats]


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


Form = OfStep | OfBelief | OfState | OfUse | OfGoal | OfTries | OfProof


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
    def is_potential(self) -> bool:
        """Whether steps pay γΦ(after) - Φ(before), so that every episode that ends pays -Φ(first state), discounted."""
        return isinstance(self.form, OfState | OfUse | OfGoal) and self.form.differenced

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
        shaped: the third; None for a term of somebody's own that has none.
        loses: what the third reading does not say any more of what the term is for; empty if it is the second one.
        is_subtracted: whether R† subtracts it.
        is_mean: whether its number for an episode is the mean over the steps; else it is their sum.
    """

    name: str
    title: str
    asks: str
    differs: str
    seed: Version
    sound: Version
    shaped: Version | None = None
    loses: str = ""
    is_subtracted: bool = False
    is_mean: bool = False

    def version(self, reading: Reading) -> Version:
        """The term in a reading. Raises InputError for one of somebody's own that has no third reading."""
        version = {Reading.SEED: self.seed, Reading.SOUND: self.sound, Reading.SHAPED: self.shaped}[reading]
        if version is None:
            raise InputError(f"The term {self.name} has no reading {reading}; leave it out, or give it one.")
        return version
