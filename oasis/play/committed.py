"""Committed choice: a policy plays lemmas and never takes back a move, so one wrong choice loses the lemma.

What a policy is worth by itself, without a search that makes up for it. The goals that are open are independent of each
other, so each is shown to the policy as the state in which nothing else is open, and asked about once however often it
comes up: many lemmas are played side by side, and who answers many questions at once is asked that way.

Only `left`, `right` and `imply4` can lose: if a goal has a proof, what any other move leaves of it has one too
(Dyckhoff 1992). So those others may as well be made eagerly, without asking.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import inf
from time import monotonic
from typing import Any, ClassVar, Final

import numpy as np

from oasis.ground.splitmix import SplitMix64
from oasis.play.actions import LEGAL
from oasis.play.exam import proposed, valued
from oasis.play.judging import judged, questions
from oasis.play.policy import Floats, Policy, Writer, draw, tempered
from oasis.play.solving import LONGEST, OPEN, PROVED, STOPPED, Attempt, Budget, Cost, OneByOne
from tactics.errors import InputError, check_choice
from tactics.formula import Formula
from tactics.goal import Goal, Move, initial
from tactics.rules import CAN_LOSE, first_safe, legal_moves, premises
from tactics.script import Script

INVERTIBLE: Final = ("eager", "free")
"""Whether moves that cannot lose are made without asking, or are choices like any others."""
WRITING: Final = ("masked", "tactics", "free")
"""Whether a policy chooses among the legal moves, or writes a tactic, or anything, and the calculus judges."""
TOGETHER: Final = 1_000
"""Lemmas that are played side by side, likewise."""

UNCHOSEN: Final = 64
"""Moves that are made before a goal is judged, likewise."""

_MOST_ANSWERS: Final = 100_000


@dataclass(frozen=True)
class Committed:
    """How a lemma was played.

    Attributes:
        proved: whether the moves are a proof.
        is_cut: whether they are not because there would have been too many of them, or there was no more time.
        script: the moves that were made.
        calls: different goals about which the policy was asked.
        trials: moves that were tried to judge what they leave, the one that was made among them.
        is_illegal: whether the policy wrote something that is no legal move, which ended it.
    """

    proved: bool
    is_cut: bool
    script: Script
    calls: int
    trials: int
    is_illegal: bool = False


@dataclass(frozen=True)
class Choosing:
    """How a move is chosen.

    Attributes:
        judge: False for the most probable move; True for the move whose worst premise has the highest value, one that
            leaves nothing being the best. Equal ones are drawn by lot.
        invertible: `eager` or `free`; eagerly, of several moves of a rule that on the oldest hypothesis comes first.
        writing: `masked`, `tactics` or `free`; in the last two the move is the one that the policy writes
            (`oasis.play.policy.Writer`), even where only one is legal, and what is no legal move ends the play as lost.
            As `tactics` it writes one of the twelve rules and a hypothesis that is there, `free` whatever it likes.
        temperature: 0 for the best move; above, moves are drawn by their probabilities to the power of 1/temperature.

    Raises:
        InputError: `invertible` or `writing` is something else, what is written is to be judged, the temperature is
            below 0, or moves that are judged or written are to be drawn.
    """

    judge: bool = False
    invertible: str = "eager"
    writing: str = "masked"
    temperature: float = 0.0

    def __post_init__(self) -> None:
        check_choice("invertible", self.invertible, INVERTIBLE)
        check_choice("writing", self.writing, WRITING)
        if self.judge and self.is_written:
            raise InputError("Who judges tries every legal move and writes none; leave out --judge or --writing.")
        if not 0 <= self.temperature < inf:
            raise InputError(f"The temperature is {self.temperature:g}; give a number from 0 on.")
        if self.temperature and (self.judge or self.is_written):
            raise InputError(
                "Moves are drawn by their probabilities, not by what is judged or written; leave out --judge and "
                "--writing, or --samples."
            )

    @property
    def is_written(self) -> bool:
        """Whether moves are written, and not chosen among the legal ones."""
        return self.writing != "masked"

    def to_json(self) -> dict[str, Any]:
        """`mode`, `policy` or `judge`, `invertible`, `writing` and `temperature`."""
        mode = "judge" if self.judge else "policy"
        how = {"invertible": self.invertible, "writing": self.writing, "temperature": self.temperature}
        return {"mode": mode, **how}

    def shares(self, scores: Floats) -> Floats:
        """How often each move is made in proportion, by how good each is; shape (moves,)."""
        return tempered(scores, self.temperature)

    def candidates(self, goal: Goal) -> tuple[Move, ...]:
        """The moves to choose from: all legal ones, or one that is made without asking."""
        moves = legal_moves(goal)
        if self.invertible == "free":
            return moves
        certain = first_safe(moves)
        return moves if certain is None else (certain,)

    def has_to_be_written(self, only: Move) -> bool:
        """Whether the policy has to write a move though it is the only one to choose from."""
        return self.is_written and not (self.invertible == "eager" and only.rule not in CAN_LOSE)


EAGER: Final = Choosing()
"""The usual way."""


def committed(
    policy: Policy,
    lemmas: Iterable[Formula],
    choosing: Choosing | None = None,
    *,
    seed: int = 0,
    max_moves: int = LONGEST,
    together: int = TOGETHER,
    is_over: Callable[[], bool] = lambda: False,
) -> Iterator[Committed]:
    """How a policy plays each of some lemmas, in their order.

    What becomes of a lemma depends on nothing but the lemma, the policy and the seed: not on what is played beside it.

    Args:
        policy: over legal moves; who judges has values of goals, and who writes is a `Writer`.
        lemmas: to be proved.
        choosing: how a move is chosen; None for the usual way.
        seed: of the lots.
        max_moves: moves after which a lemma is given up.
        together: lemmas that are played side by side.
        is_over: asked before each move; once it is true, it stays so, and all lemmas are given up as they are.

    Raises InputError if the policy gives something else than it has to, or cannot judge or write.
    """
    choosing = choosing or EAGER
    answers = _answers(policy, choosing)
    remaining = iter(lemmas)
    while batch := [_Play(lemma, seed) for lemma in islice(remaining, together)]:
        running = batch
        while running := [play for play in running if play.goes_on(choosing, max_moves, is_over)]:
            if is_over():
                break
            answers.ask(question for play in running for question in answers.questions(play.goal))
            for play in running:
                play.choose(choosing, answers)
        for play in batch:
            is_cut = bool(play.open) and (len(play.script) >= max_moves or play in running)
            yield Committed(not play.open, is_cut, tuple(play.script), len(play.asked), play.trials, play.is_illegal)


@dataclass(kw_only=True)
class Playing(OneByOne):
    """A policy that plays each lemma once and takes no move back, as a solver.

    Attributes:
        policy: plays.
        choosing: how it chooses moves.
        seed: of the lots.
        max_moves: moves after which a lemma is given up.
        name: what a person types.
    """

    counts: ClassVar = ("expansions", "calls", "trials", "seconds")
    policy: Policy
    choosing: Choosing = EAGER
    seed: int = 0
    max_moves: int = LONGEST
    name: str = "committed"

    def trying_one(self, lemma: Formula, budget: Budget) -> Generator[Attempt, None, None]:
        """Play a lemma to its end, or until its time is over."""
        began, most = monotonic(), inf if budget.seconds is None else budget.seconds
        is_late = partial(_is_later, began + most)
        plays = committed(
            self.policy, [lemma], self.choosing, seed=self.seed, max_moves=self.max_moves, is_over=is_late
        )
        try:
            (play,) = plays
        except KeyboardInterrupt:
            yield Attempt(lemma=lemma, by=self.name, cost=Cost(seconds=monotonic() - began), reason=STOPPED)
            return
        moves, reason = len(play.script), ""
        if not play.proved:
            reason = (
                f"what was written after {moves:,} moves is no legal move"
                if play.is_illegal
                else f"no move applies after {moves:,} moves"
                if not play.is_cut
                else f"{moves:,} moves were not enough"
                if moves >= self.max_moves
                else f"{most:g} s were not enough"
            )
        yield Attempt(
            lemma=lemma,
            by=self.name,
            status=PROVED if play.proved else OPEN,
            script=play.script if play.proved else None,
            cost=Cost(plays=1, expansions=moves, calls=play.calls, trials=play.trials, seconds=monotonic() - began),
            reason=reason,
        )


def _is_later(than: float) -> bool:
    return monotonic() >= than


def choices(goal: Goal, most: int = UNCHOSEN) -> list[Goal] | None:
    """The goals at which there is a choice of moves, when the moves have been made that nobody has to choose.

    A goal is provable if and only if all of these are, so who judges goals has to judge no others.

    Args:
        goal: to begin with.
        most: moves that are made; what is left then counts as it is, for there may be exponentially many. Which goals
            are left then, and whether one without moves was among those that were met, depends on the order of
            hypotheses.

    Returns:
        None if one of them has no moves, so that the goal is not provable; no goals if it is proved.
    """
    pending, found = deque([goal]), []
    while pending:
        each = pending.popleft()  # the first of all, so that none is left as it was
        moves = EAGER.candidates(each)
        if not moves:
            return None
        if len(moves) > 1 or not most:
            found.append(each)
        else:
            most -= 1
            pending += premises(each, moves[0])
    return found


class _Preferences:
    """Moves by their probability; answers are kept for when a goal comes up again."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._known: dict[Goal, Floats] = {}

    def questions(self, goal: Goal) -> Sequence[Goal]:
        """The goals that have to be asked about to choose a move of one."""
        return (goal,)

    def ask(self, goals: Iterable[Goal]) -> None:
        """Ask about all these goals at once, as far as the answers are not known."""
        states = [(goal,) for goal in _unknown(goals, self._known)]
        self._known |= {goal: shares for (goal,), shares in proposed(self._policy, states, LEGAL).items()}

    def scores(self, goal: Goal) -> Floats:
        """For each legal move how good it is; the questions must have been asked."""
        return self._known[goal]


class _Judgements:
    """Moves by the worst goal that they leave; the like of `_Preferences`."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._known: dict[Goal, float] = {}

    def questions(self, goal: Goal) -> Sequence[Goal]:
        return questions(goal)

    def ask(self, goals: Iterable[Goal]) -> None:
        unknown = _unknown(goals, self._known)
        self._known |= zip(unknown, valued(self._policy, unknown).tolist(), strict=True)

    def scores(self, goal: Goal) -> Floats:
        return judged(goal, self._known, closed=inf)


class _Writings:
    """The moves that are written; the like of `_Preferences`."""

    def __init__(self, policy: Policy, tactics: bool) -> None:
        if not isinstance(policy, Writer):
            raise InputError(
                "This policy chooses among the legal moves and writes none; leave out --writing, or name a network "
                "that writes (oasis policy sft --network decoder)."
            )
        self._policy: Writer = policy
        self._tactics = tactics
        self._known: dict[Goal, Move | None] = {}

    def questions(self, goal: Goal) -> Sequence[Goal]:
        return (goal,)

    def ask(self, goals: Iterable[Goal]) -> None:
        unknown = _unknown(goals, self._known)
        self._known |= zip(unknown, self._policy.written(unknown, tactics=self._tactics), strict=True)

    def scores(self, goal: Goal) -> Floats:
        """1 for the move that is written, and 0 for all others; so only 0 where it is no legal one."""
        return np.array([float(move == self._known[goal]) for move in legal_moves(goal)])


_Answers = _Preferences | _Judgements | _Writings


def _answers(policy: Policy, choosing: Choosing) -> _Answers:
    """Who says how good moves are, as they are to be chosen."""
    if choosing.judge:
        return _Judgements(policy)
    return _Writings(policy, choosing.writing == "tactics") if choosing.is_written else _Preferences(policy)


def _unknown(goals: Iterable[Goal], known: dict[Goal, Any]) -> list[Goal]:
    """Those of some goals that are not known; all of them once too many are, which are forgotten then."""
    if len(known) > _MOST_ANSWERS:
        known.clear()
    return [goal for goal in dict.fromkeys(goals) if goal not in known]


class _Play:
    """A lemma under way."""

    def __init__(self, lemma: Formula, seed: int) -> None:
        self.open = list(initial(lemma))  # the goal in focus last
        self.script: list[Move] = []
        self.asked: set[Goal] = set()
        self.trials = 0
        self.is_illegal = False
        self._rng = SplitMix64.seeded(SplitMix64.seeded(seed).state + int.from_bytes(lemma.digest[:8]))

    @property
    def goal(self) -> Goal:
        """The goal in focus."""
        return self.open[-1]

    def goes_on(self, choosing: Choosing, max_moves: int, is_over: Callable[[], bool]) -> bool:
        """Make the moves that nobody has to choose; whether there is a choice then, or it is over before."""
        while self.open and len(self.script) < max_moves and not self.is_illegal:
            if is_over():
                return True
            moves = choosing.candidates(self.goal)
            if len(moves) != 1 or choosing.has_to_be_written(moves[0]):
                return bool(moves)
            self._make(moves[0])
        return False

    def choose(self, choosing: Choosing, answers: _Answers) -> None:
        """Make a move, by lot if there are several to make; nothing if what was written is none."""
        scores = answers.scores(self.goal)
        self.asked.update(answers.questions(self.goal))
        if choosing.is_written and not scores.any():
            self.is_illegal = True
            return
        if choosing.judge:
            self.trials += len(scores)
        drawn = draw(choosing.shares(scores), self._rng)
        assert drawn is not None
        self._make(legal_moves(self.goal)[drawn])

    def _make(self, move: Move) -> None:
        self.script.append(move)
        self.open += reversed(premises(self.open.pop(), move))
