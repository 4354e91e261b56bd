"""The exam: what a policy proves when it plays a lemma many times, ties by lot, and nothing is learned from it.

One exam for everybody. Whoever chooses among equals by an order may look as if they knew a proof that the order happens
to hold; whoever plays once may be lucky. So there are many plays, each with chance of its own, and beside them belongs
the exam of the uniform policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isinf
from statistics import median
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oasis.ground.plugins import foreign
from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import LEGAL, ActionSpace, attempt
from oasis.play.policy import Floats, Policy, called, draw
from tactics.errors import InputError
from tactics.formula import Atom, Formula, Implies
from tactics.goal import Goal, Move, State, initial
from tactics.script import Script

PLAYS: Final = 100
"""Plays in an exam, unless somebody asks for another number."""
MAX_STEPS: Final = 200
"""Steps after which a play is cut short, unless somebody asks for another number."""
SMALL: Final[State] = initial(Implies(Atom("p"), Atom("p")))
"""What a policy is asked about to see whether it answers."""
_INEXACT: Final = 1e-3
"""By which the sum of the probabilities of a state may differ from 1."""


@dataclass(frozen=True)
class Exam:
    """What came of an exam.

    Attributes:
        plays: their number.
        lengths: the number of moves of each play that ended in a proof.
        script: the shortest of these proofs, the first if there are several; None if there is none.
    """

    plays: int
    lengths: tuple[int, ...]
    script: Script | None

    @property
    def proved(self) -> int:
        """The number of plays that ended in a proof."""
        return len(self.lengths)

    @property
    def share(self) -> float:
        """The share of plays that ended in a proof, in [0, 1]."""
        return self.proved / self.plays if self.plays else 0.0

    @property
    def median(self) -> float | None:
        """The median number of moves of the proofs; None if there is none."""
        return float(median(self.lengths)) if self.lengths else None

    @property
    def of_median_play(self) -> float | None:
        """The number of moves of the median play, one without a proof being longer than any; None if it has none."""
        middle = sorted([*self.lengths, *[inf] * (self.plays - self.proved)])
        found = median(middle) if middle else inf
        return None if isinf(found) else float(found)

    @property
    def best(self) -> int | None:
        """The number of moves of the shortest proof; None if there is none."""
        return None if self.script is None else len(self.script)

    def __repr__(self) -> str:
        said = f"proved in {self.proved:,} of {self.plays:,} plays"
        return (
            said if self.best is None else f"{said}, in the median by {self.median:g} moves, at best by {self.best:,}"
        )

    def _repr_html_(self) -> str:
        from oasis.ground.table import Table, html

        numbers = (f"{self.share:.0%}", *("–" if each is None else f"{each:g}" for each in (self.median, self.best)))
        return html(Table("", ("plays", "proved", "median", "best"), ((f"{self.plays:,}", *numbers),), words=0))

    def to_json(self) -> dict[str, Any]:
        """`plays`, `proved` (a number of plays), `median`, `best` and `script`; null where there is no proof."""
        from tactics.json_form import script_to_json

        return {
            "plays": self.plays,
            "proved": self.proved,
            "median": self.median,
            "best": self.best,
            "script": None if self.script is None else script_to_json(self.script),
        }


def examine(
    policy: Policy,
    lemma: Formula,
    *,
    plays: int = PLAYS,
    seed: int = 0,
    max_steps: int = MAX_STEPS,
    space: ActionSpace = LEGAL,
) -> Exam:
    """Let a policy play a lemma many times in the embedded calculus, and see what came of it; as `played` otherwise."""
    games = played(policy, lemma, plays=plays, seed=seed, max_steps=max_steps, space=space)
    return graded(plays, [script for script, proved in games if proved])


class Play(NamedTuple):
    """The moves that a play made, and whether they are a proof."""

    script: Script
    proved: bool


def played(
    policy: Policy,
    lemma: Formula,
    *,
    plays: int = PLAYS,
    seed: int = 0,
    max_steps: int = MAX_STEPS,
    space: ActionSpace = LEGAL,
) -> list[Play]:
    """The plays of a policy on a lemma in the embedded calculus.

    Args:
        policy: who plays; its probabilities are those of the actions of `space`.
        lemma: to be proved.
        plays: their number.
        seed: of the plays' chance; each play has a stream of its own (`stream`).
        max_steps: actions after which a play is cut short.
        space: the actions on offer; one that does not apply costs a step.

    Raises InputError if the policy gives something else than a probability for each action.
    """
    return played_together(policy, [lemma], plays=plays, seed=seed, max_steps=max_steps, space=space)[0]


def played_together(
    policy: Policy,
    lemmas: Sequence[Formula],
    *,
    plays: int = PLAYS,
    seed: int = 0,
    max_steps: int = MAX_STEPS,
    space: ActionSpace = LEGAL,
) -> list[list[Play]]:
    """Return the plays of a policy on each of some lemmas, the same as if each were `played` alone.

    All go on side by side, so a policy is asked about each state of a step once, however many plays are in it.
    """
    everybody = [
        [Player(initial(lemma), stream(seed, number), max_steps) for number in range(plays)] for lemma in lemmas
    ]
    for _ in playing(policy, [player for of_lemma in everybody for player in of_lemma], space):
        pass
    return [[Play(tuple(player.script), not player.state) for player in of_lemma] for of_lemma in everybody]


class Player:
    """One play: where it stands, and how it came there.

    Args:
        state: in which it begins.
        rng: its random numbers.
        steps: actions after which it is cut short.
    """

    def __init__(self, state: State, rng: SplitMix64, steps: int) -> None:
        self.state, self.rng, self._left = state, rng, steps
        self.script: list[Move] = []

    @property
    def goes_on(self) -> bool:
        """Whether it is neither proved, nor given up, nor cut short."""
        return bool(self.state) and self._left > 0

    def perform(self, space: ActionSpace, shares: Floats) -> None:
        """Do one of the actions of a space, drawn by their shares; give up if all of these are 0."""
        chosen = draw(shares, self.rng)
        self._left = 0 if chosen is None else self._left - 1
        if chosen is not None:
            self.state, moves = space.perform(self.state, space.actions(self.state)[chosen], attempt)
            self.script += moves


def playing(
    policy: Policy,
    players: Sequence[Player],
    space: ActionSpace = LEGAL,
    cut: Callable[[Floats], Floats] = lambda shares: shares,
) -> Iterator[None]:
    """Let a policy play on from where some players stand, side by side, until none of them goes on.

    Yields after an action of each player, so that they can be stopped there.

    Args:
        policy: who plays.
        players: any number of them.
        space: the actions on offer.
        cut: turns the policy's probabilities into the shares by which actions are drawn.
    """
    running = players
    while running := [player for player in running if player.goes_on]:
        choices = proposed(policy, tuple(dict.fromkeys(player.state for player in running)), space)
        for player in running:
            player.perform(space, cut(choices[player.state]))
        yield


def graded(plays: int, proofs: Sequence[Script]) -> Exam:
    """The exam of so many plays, of which these proofs came."""
    return Exam(plays, tuple(map(len, proofs)), min(proofs, key=len, default=None))


def stream(seed: int, play: int) -> SplitMix64:
    """The chance of one play of an exam, independent of how the others went; no two exams share one."""
    return SplitMix64.seeded(SplitMix64.seeded(seed).state + play)


def proposed(policy: Policy, states: Sequence[State], space: ActionSpace) -> dict[State, Floats]:
    """The probabilities of a policy for each state, checked: among what is no number, chance would be an order.

    Raises InputError if the policy gives something else than a probability for each action, which are 1 together, or 0
    where it has given up every action, or fails.
    """
    if isinstance(policy, type):
        raise InputError(f"{policy.__name__} is a class and not a policy; make one with {policy.__name__}().")
    with foreign(called(policy)):
        answers = [np.asarray(shares) for shares in policy.probabilities(states)]
    if len(answers) != len(states):
        raise InputError(f"{called(policy)} is asked about {len(states)} states and answers about {len(answers)}.")
    for state, shares in zip(states, answers, strict=True):
        actions = len(space.actions(state))
        is_fit = shares.shape == (actions,) and shares.dtype.kind in "fiub"
        if not is_fit or not (np.isfinite(shares) & (shares >= 0)).all():
            raise InputError(
                f"{called(policy)} has to give {actions} probabilities, one for each action, not {_brief(shares)}."
            )
        if shares.any() and abs(shares.sum() - 1) > _INEXACT:
            raise InputError(
                f"The probabilities of {called(policy, 'the')} are {shares.sum():g} together, and not 1; "
                "divide them by their sum."
            )
    return {state: shares.astype(np.float64) for state, shares in zip(states, answers, strict=True)}


def valued(policy: Policy, goals: Sequence[Goal]) -> Floats:
    """The values of a policy for each goal, checked. Raises InputError as `values_of` does, and if it has none."""
    values = values_of(policy, goals)
    if values is None:
        raise InputError(
            f"{called(policy)} has no values of goals, so it cannot judge what a move leaves; the policy look can, "
            "without having learned anything."
        )
    return values


def values_of(policy: Policy, goals: Sequence[Goal]) -> Floats | None:
    """The values of a policy for each goal, checked; None if it has none.

    Raises InputError if it gives something else than a number from 0 to 1 for each goal, or fails.
    """
    with foreign(called(policy)):
        answer = policy.values(goals)
    if answer is None:
        return None
    values = np.asarray(answer)
    if values.shape != (len(goals),) or values.dtype.kind not in "fiub" or not ((values >= 0) & (values <= 1)).all():
        raise InputError(
            f"{called(policy)} has to give {len(goals)} values from 0 to 1, one for each goal, not {_brief(values)}."
        )
    return values.astype(np.float64)


def has_values(policy: Policy) -> bool:
    """Whether a policy has values of goals. Raises InputError as `values_of` does."""
    return values_of(policy, SMALL) is not None


def _brief(numbers: NDArray[Any]) -> str:
    return np.array2string(numbers, threshold=8, edgeitems=3)
