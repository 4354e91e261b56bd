"""The commonest wrong moves at a problem: those that lost the proof, and those that did not apply.

Moves count as one if they do the same to the same goal up to letters, names and order of hypotheses, so it does not
matter who had which letters. What the teacher could not decide in time is not wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from datetime import datetime
from time import monotonic
from typing import Final, NamedTuple

from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.words import attempts, moves
from oasis.classroom.register.failing import Failing, Here, failing
from oasis.store import KeptEvent
from state_spaces import Match
from state_spaces.canonical import TooSymmetric
from tactics.errors import InputError
from tactics.formula import Formula, atoms
from tactics.goal import Goal, Move, State
from tactics.printer import COQ, Notation, show
from tactics.rules import RULES, spoken
from tactics.script import parse_script
from tactics.sequent import show_goal

SECONDS: Final = 1.0
"""How long it may take to find out whether one move lost the proof."""


class Work(NamedTuple):
    """An attempt as it is looked at here.

    Attributes:
        student_id: the number of whose it is.
        formula: in their letters.
        rules: that may be used.
        events: that happened.
        shown: the same formula in the letters in which wrong moves are shown.
    """

    student_id: int
    formula: Formula
    rules: tuple[str, ...]
    events: Sequence[KeptEvent]
    shown: Formula


class Mistake(NamedTuple):
    """A wrong move.

    Attributes:
        move: as the first who made it did.
        goal: where that was, in the letters of the lesson, whatever letters they had.
        lost: whether the lemma could no longer be proved after it; else it did not apply.
        times: how often it was made.
        students: how many made it.
    """

    move: Move
    goal: Goal
    lost: bool
    times: int
    students: int

    @property
    def about(self) -> Formula | None:
        """The hypothesis that the move names, or the conclusion; None if there is no such hypothesis."""
        if self.move.hypothesis is None:
            return self.goal.conclusion
        return dict(self.goal.hypotheses).get(self.move.hypothesis)

    def sentence(self, notation: Notation = COQ) -> str:
        """The move, where it was made, and what was wrong with it."""
        on = "" if self.about is None or self.move.hypothesis is None else f" ({show(self.about, notation)})"
        wrong = "loses the proof" if self.lost else "does not apply"
        return f"{spoken(self.move)}{on} {wrong} at {show_goal(self.goal, notation)}"


class Mistakes(NamedTuple):
    """What was found: the wrong moves, commonest first, in how many attempts of how many, and how much is unknown.

    Attributes:
        moves: the wrong moves, the commonest first.
        seen: how many attempts could be looked at before the time was up.
        attempts: how many there are.
        unknown: moves of which it was not found out in time whether they lost the proof.
    """

    moves: tuple[Mistake, ...]
    seen: int
    attempts: int
    unknown: int

    def sentences(self, most: int = 3) -> list[str]:
        """The commonest wrong moves, and how much of the attempts was looked at if not all."""
        said = [f"{each.students} × {each.sentence()}" for each in self.moves[:most]]
        if self.seen < self.attempts or self.unknown:
            undecided = f"; {moves(self.unknown)} undecided" if self.unknown else ""
            said.append(f"looked at {self.seen} of {attempts(self.attempts)}{undecided}")
        return said


class _Wrong(NamedTuple):
    """A move in an attempt, in a state: whether it lost the proof, did not apply (False), or nobody knows (None)."""

    work: Work
    state: State
    move: Move
    lost: bool | None


class Examiner:
    """Looks for wrong moves; what is found out about a goal is kept for the next attempt. For one thread at a time."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._advisers: dict[frozenset[str], Adviser] = {}
        self._space = Match()

    def mistakes(self, works: Sequence[Work], seconds: float) -> Mistakes:
        """The wrong moves in attempts at one problem, in as many of them as can be looked at in so many seconds.

        An attempt that cannot be made again is none that was looked at.
        """
        deadline = monotonic() + seconds
        alike: dict[Hashable, list[_Wrong]] = {}
        seen = unknown = 0
        for work in works:
            if monotonic() > deadline:
                break
            try:
                found = list(self._wrong_moves(work, deadline))
            except InputError:
                continue
            seen += 1
            for wrong in found:
                if wrong.lost is None:
                    unknown += 1
                else:
                    alike.setdefault(self._kind(wrong), []).append(wrong)
        moves = [_together(made) for made in alike.values()]
        moves.sort(key=lambda mistake: (-mistake.students, -mistake.times))
        return Mistakes(tuple(moves), seen, len(works), unknown)

    def failing(self, students: Sequence[Here], now: datetime, seconds: float) -> list[Failing]:
        """The states at which students are failing, as far as it is found out in so many seconds what is lost."""
        deadline = monotonic() + seconds

        def provable(state: State, rules: tuple[str, ...]) -> bool | None:
            return self._adviser(rules).provable(state) if monotonic() < deadline else None

        return failing(students, provable, now)

    def _wrong_moves(self, work: Work, deadline: float) -> Iterator[_Wrong]:
        """The moves that were wrong, or of which that is not known, because the time was up."""
        adviser = self._adviser(work.rules)
        attempt = Attempt(work.formula)
        for _, kind, what in work.events:
            state, on_track = attempt.state, None
            if kind == "move" and monotonic() < deadline:
                on_track = adviser.on_track(attempt)
            attempt.happen([Event(kind, what)])
            if kind == "refused" and state:
                (move,) = parse_script(what)
                yield _Wrong(work, state, move, False)
            elif kind == "move" and on_track is not False:
                still = adviser.on_track(attempt) if on_track else None
                if not still:
                    yield _Wrong(work, state, attempt.made[-1], None if still is None else True)

    def _adviser(self, rules: Collection[str]) -> Adviser:
        key = frozenset(rules)
        if key not in self._advisers:
            self._advisers[key] = Adviser(self._seconds, None if key == frozenset(RULES) else rules)
        return self._advisers[key]

    def _kind(self, wrong: _Wrong) -> Hashable:
        """Equal for moves that do the same to the same goal."""
        goal, move = wrong.state[0], wrong.move
        try:
            view = self._space.view(wrong.state)
        except TooSymmetric:
            return wrong.lost, goal.digest, move
        known = move.hypothesis is None or move.hypothesis in view.positions
        return wrong.lost, view.key, view.slot(move) if known else move


def _together(made: Sequence[_Wrong]) -> Mistake:
    """Moves that are alike, as one mistake."""
    first = made[0]
    students = {wrong.work.student_id for wrong in made}
    return Mistake(first.move, _in_letters_of(first), bool(first.lost), len(made), len(students))


def _in_letters_of(wrong: _Wrong) -> Goal:
    """The goal of a wrong move in the letters in which it is shown."""
    goal, theirs, shown = wrong.state[0], atoms(wrong.work.formula), atoms(wrong.work.shown)
    letters = {each.name: other.name for each, other in zip(theirs, shown, strict=True)}
    return goal.renamed(letters)
