"""A companion: it knows what one person has shown it or put right, and nothing else.

Three layers, each of which can be seen and named, say how likely it makes each legal move:

- *Memory*: the learner and-or-q, with keys of the state space Name, follows each proof that is shown. What was shown
  once is remembered, whatever atoms are called.
- *Habits*: weights of kinds of moves at kinds of goals (`oasis.classroom.partner.looks`).
- *Looks*: weights of answers to questions about what lies on the table. Each question is asked only once somebody has
  pointed at it, and its weight comes from moves that were put right, not from proofs that were shown.

Habits and looks are the features of one conditional logit (McFadden 1974): the probability of a move is proportional to
the exponential of the sum of its features' weights. The weights make the taught moves likeliest, with a quadratic
penalty, so they depend on what was taught and not on its order. Where memory has met the goal, it decides with `SURE`.
A companion is its lessons: who keeps those keeps all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from oasis.classroom.partner.looks import LOOKS, habits
from oasis.play.policy import Floats, equal_shares
from oasis.student.plain import PlainStudent
from oasis.student.schedules import Rate
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, Move, State
from tactics.rules import legal_moves
from tactics.script import Script, replay

SURE: Final = 0.9
"""The share of a decision that memory has where it has met the goal."""
PENALTY: Final = 0.3
"""Half of it times the square of each weight is taken off the log-likelihood."""
CORRECTED: Final = 2.0
"""As many shown moves one that was put right counts for."""
_STEPS: Final = 50
_CLOSE: Final = 1e-9
_AT_ONCE: Final = Rate(1.0, 0.0)
_TOLD: Final = 0.01
"""What a move is worth at least that a person made: less than a move of any proof of up to 40 moves."""

Features = dict[str, float]
"""What speaks for a move by name: 1 for a habit, 1 or −1 for the answer to a look."""


class Shown(NamedTuple):
    """A lesson: a proof that a person found."""

    lemma: Formula
    proof: Script


class Corrected(NamedTuple):
    """A lesson: a move that a person made in place of one that lost, and what they pointed at.

    Attributes:
        goal: where.
        lost: the companion's move.
        move: the person's.
        look: the name of what they pointed at; empty for nothing.
    """

    goal: Goal
    lost: Move
    move: Move
    look: str = ""


class Struck(NamedTuple):
    """A lesson: what the companion is not to look at any more."""

    look: str


Lesson = Shown | Corrected | Struck


class Companion:
    """A policy that one person raises.

    Args:
        lessons: what it was taught before, in its order.

    Attributes:
        lessons: all that it was taught.
        looks: the names of what it looks at.
    """

    def __init__(self, lessons: Iterable[Lesson] = ()) -> None:
        self.lessons: list[Lesson] = []
        self.looks: set[str] = set()
        self._student = PlainStudent(Settings(learner="and-or-q", state_space="name", alpha=0.7))
        self._shown: dict[tuple[Goal, Move], None] = {}
        self._corrected: list[tuple[Goal, Move]] = []
        self._weights: Features | None = None
        for lesson in lessons:
            self.learn(lesson)

    def learn(self, lesson: Lesson) -> None:
        """Learn from a lesson. Raises InputError for what is no proof, no move of the goal, or no look."""
        match lesson:
            case Shown(lemma, proof):
                states = tuple(replay(lemma, proof))
                if states[-1]:
                    raise InputError("Only a whole proof can be shown, and this one leaves goals: finish it first.")
                self._student.follow(lemma, proof)
                self._shown |= {(state[0], move): None for state, move in zip(states, proof, strict=False)}
            case Corrected(goal, lost, move, look):
                looks = {_known(look)} if look else set()
                self._put_right(goal, lost, move)
                self._corrected.append((goal, move))
                self.looks |= looks
            case Struck(look):
                self.looks.discard(_known(look))
        self.lessons.append(lesson)
        self._weights = None

    @property
    def weights(self) -> Features:
        """The weight of each habit and look by its name: above 0 for what it likes."""
        if self._weights is None:
            taught = [
                *((goal, move, frozenset[str](), 1.0) for goal, move in self._shown),
                *((goal, move, self.looks, CORRECTED) for goal, move in self._corrected),
            ]
            self._weights = fitted(
                [
                    Choice(_features(goal, looks), legal_moves(goal).index(move), counts)
                    for goal, move, looks, counts in taught
                ]
            )
        return self._weights

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        """Return for each state a probability for each legal move of the goal in focus."""
        return [self._probabilities(state[0]) if state else equal_shares(0) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        """Return None: it does not judge goals."""
        return None

    @property
    def states(self) -> int:
        """The number of goals that it remembers."""
        return self._student.states

    def speaking_for(self, goal: Goal, move: Move) -> list[tuple[str, float]]:
        """Return what speaks for a move rather than for others: names of habits and looks with their values.

        The strongest comes first: how much more it adds to the score of the move than to the mean of all moves.
        """
        offers = _features(goal, self.looks)
        own = offers[legal_moves(goal).index(move)]
        more = {
            name: self.weights.get(name, 0.0) * (value - sum(of.get(name, 0.0) for of in offers) / len(offers))
            for name, value in own.items()
        }
        return [(name, own[name]) for name in sorted(own, key=lambda name: -more[name]) if more[name] > 0]

    def remembers(self, goal: Goal) -> bool:
        """Return whether it was shown, or told, what to do at this goal or one that is the same up to renaming."""
        return any(value > 0 for value in self._student.q_values((goal,)).values())

    def _probabilities(self, goal: Goal) -> Floats:
        if not legal_moves(goal):
            return equal_shares(0)
        scores = [
            sum(self.weights.get(name, 0.0) * each for name, each in of.items()) for of in _features(goal, self.looks)
        ]
        likely = np.exp(np.array(scores) - max(scores))
        habitual: Floats = likely / likely.sum()
        known = self._student.q_values((goal,))
        worth = np.array([known[move] for move in legal_moves(goal)])
        if not worth.max() > 0:
            return habitual
        best = worth > worth.max() - _CLOSE
        mixed: Floats = SURE * best / best.sum() + (1 - SURE) * habitual
        return mixed

    def _put_right(self, goal: Goal, lost: Move, move: Move) -> None:
        """Remember that one move of a goal is worth nothing, and another as much as any. Raises InputError."""
        memory = self._student.memory
        known = memory.observe((goal,))
        pairs = {action.move: action.pair for action in known.actions}
        for each in (lost, move):
            if each not in pairs:
                raise InputError(f"{each} is no move of this goal; name another one.")
        memory.update(pairs[lost], 0.0, _AT_ONCE)
        memory.update(pairs[move], max(memory.best(known), _TOLD), _AT_ONCE)


def _known(look: str) -> str:
    if look not in LOOKS:
        raise InputError(f"{look} is nothing to look at; what there is: {', '.join(LOOKS)}.")
    return look


def _features(goal: Goal, looks: Iterable[str]) -> list[Features]:
    """Return for each legal move its features, of looks those named alone."""
    asked = frozenset(looks)
    return [of_habits | {n: x for n, x in answers.items() if n in asked} for of_habits, answers in _described(goal)]


@lru_cache(maxsize=4096)
def _described(goal: Goal) -> list[tuple[Features, Features]]:
    """Return for each legal move its habits, and what all looks would answer."""
    found = []
    for move in legal_moves(goal):
        answers = {look.name: look.answer(goal, move) for look in LOOKS.values()}
        of_looks = {name: 1.0 if each else -1.0 for name, each in answers.items() if each is not None}
        found.append((dict.fromkeys(habits(goal, move), 1.0), of_looks))
    return found


class Choice(NamedTuple):
    """One of several things on offer was chosen.

    Attributes:
        offers: the features of each.
        place: of what was chosen among them.
        counts: how often it counts.
    """

    offers: Sequence[Features]
    place: int
    counts: float


def fitted(choices: Sequence[Choice]) -> Features:
    """Return the weights of a conditional logit by feature, with the penalty `PENALTY`, by Newton's method."""
    names = {name: n for n, name in enumerate(dict.fromkeys(n for each in choices for of in each.offers for n in of))}
    if not names:
        return {}
    offered = np.zeros((sum(len(each.offers) for each in choices), len(names)))
    for row, of in zip(offered, (of for each in choices for of in each.offers), strict=True):
        row[[names[name] for name in of]] = [*of.values()]
    sizes = np.array([len(each.offers) for each in choices])
    starts = np.cumsum(sizes) - sizes
    chosen = offered[starts + np.array([each.place for each in choices])]
    counts = np.array([each.counts for each in choices])[:, None]
    weights = np.zeros(len(names))
    for _ in range(_STEPS):
        scores = offered @ weights
        likely = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), sizes))
        shares = (likely / np.repeat(np.add.reduceat(likely, starts), sizes))[:, None]
        expected = np.add.reduceat(offered * shares, starts)
        slope = (counts * (chosen - expected)).sum(0) - PENALTY * weights
        spread = offered.T @ (np.repeat(counts, sizes, 0) * shares * offered) - expected.T @ (counts * expected)
        step = np.linalg.solve(spread + PENALTY * np.eye(len(names)), slope)
        weights += step
        if np.abs(step).max() < _CLOSE:
            break
    return dict(zip(names, weights.tolist(), strict=True))
