"""Where students of a class are failing now: the states at which they stand and do not get on, whoever's letters.

States count as one if their goals in focus are the same up to names of atoms and hypotheses. A pure function of what is
known of each student who is here; where that comes from is the business of the register.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from oasis.classroom.desk.record import kept_terms
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.store import KeptAttempt, KeptEvent
from state_spaces import Match
from state_spaces.base import View
from state_spaces.canonical import TooSymmetric
from tactics.goal import Goal, Move, State
from tactics.parser import parse
from tactics.script import parse_script

LONG: Final = 120.0
"""Seconds after which who stands at one state has stood there for long."""
REFUSED: Final = "does not apply"
LOST: Final = "loses the proof"
TAKEN_BACK: Final = "was taken back"

Provable = Callable[[State, tuple[str, ...]], bool | None]
"""Tells whether a state can be proved by some rules; None if that is not known."""


class Step(NamedTuple):
    """A move that was tried in a state, and the state that it led to; None if it did not apply."""

    move: Move
    after: State | None


class Here(NamedTuple):
    """A student who has a tab open, at an attempt that is not done.

    Attributes:
        name: of the student.
        place: the lesson or world.
        lemma: by name.
        rules: that may be used.
        path: the states from the beginning to the one where the student stands.
        tries: for each of these states what was tried in it, in order.
        since: when the student came to the last of them, as ISO 8601 has it.
    """

    name: str
    place: str
    lemma: str
    rules: tuple[str, ...]
    path: tuple[State, ...]
    tries: tuple[tuple[Step, ...], ...]
    since: str


class Tried(NamedTuple):
    """A move that was tried at a state: what came of it, how often, and by how many students."""

    move: Move
    came: str
    times: int
    students: int


class Failing(NamedTuple):
    """A state at which somebody is failing.

    Attributes:
        key: tells it from every other state, whatever the names.
        goal: the one in focus there, in the letters and names of the first of the students.
        students: who is there, the one who came first at the beginning.
        tried: what they tried there, what most of them did first; moves as they are called in `goal`.
    """

    key: str
    goal: Goal
    students: tuple[Here, ...]
    tried: tuple[Tried, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the students."""
        return tuple(each.name for each in self.students)

    @property
    def tries(self) -> int:
        """How often anything was tried there in vain."""
        return sum(each.times for each in self.tried)


class Trail:
    """An attempt that is followed: each event is looked at once, however often it is asked where the student stands.

    Raises InputError for an attempt that is damaged.

    Args:
        kept: the attempt, of which no event was looked at yet.

    Attributes:
        number: of the events that were looked at.
    """

    def __init__(self, kept: KeptAttempt) -> None:
        self.number = 0
        self._attempt = Attempt(parse(kept.formula), terms=kept_terms(kept))
        self._since = self._last = kept.started
        self._tries: dict[State, list[Step]] = {}

    def follow(self, events: Iterable[KeptEvent]) -> None:
        """Look at what has happened since. Raises InputError for what cannot have happened."""
        attempt = self._attempt
        for at, kind, what in events:
            before = attempt.state
            attempt.happen([Event(kind, what)])
            self.number, self._last = self.number + 1, at
            if attempt.state != before:
                self._since = at
            if kind == "move":
                self._tries.setdefault(before, []).append(Step(attempt.made[-1], attempt.state))
            elif kind == "refused":
                (move,) = parse_script(what)
                self._tries.setdefault(before, []).append(Step(move, None))

    def here(self, name: str, kept: KeptAttempt, opened: str) -> Here:
        """The student of this name at the attempt as it is kept now, in a tab that was opened then."""
        attempt, taken_up = self._attempt, kept.changed if kept.changed > self._last else ""
        tries = tuple(tuple(self._tries.get(state, ())) for state in attempt.states)
        since = max(self._since, opened, taken_up)
        return Here(name, kept.place, kept.name, attempt.terms.rules, tuple(attempt.states), tries, since)


def failing(students: Iterable[Here], provable: Provable, now: datetime) -> list[Failing]:
    """The states at which students are failing: those of most students first, then those of most tries.

    A student whose proof is lost fails where it was lost; any other one where they stand, if the last that they tried
    there did not apply or was taken back, or if they have stood there for long. It is not known of a lemma without a
    proof where that was lost, so whoever tries to prove it fails where they stand.
    """
    alike: dict[str, list[_Stand]] = {}
    for here in students:
        stand = _stand(here, provable)
        if stand.tried or _seconds(here.since, now) >= LONG:
            alike.setdefault(stand.key, []).append(stand)
    found = [_together(stands) for stands in alike.values()]
    return sorted(found, key=lambda each: (-len(each.students), -each.tries))


class _Stand(NamedTuple):
    """A student at a state: what they tried there in vain, each with what came of it, and the state's view, if any."""

    here: Here
    state: State
    tried: Sequence[tuple[Move, str]]
    view: View | None

    @property
    def key(self) -> str:
        """Equal for states that are the same up to names."""
        key = self.state[0].digest if self.view is None else Match().digest(self.view.key)
        return key.hex()

    def slot(self, move: Move) -> Hashable:
        """Equal for moves that do the same at states that are the same."""
        is_known = self.view is not None and (move.hypothesis is None or move.hypothesis in self.view.positions)
        return self.view.slot(move) if is_known and self.view is not None else move


def _stand(here: Here, provable: Provable) -> _Stand:
    """Where a student is failing, if they are: where the proof was lost, or else where they stand."""
    at = last = len(here.path) - 1
    while at >= 0 and provable(here.path[at], here.rules) is False:
        at -= 1
    at = last if at < 0 else at
    state, is_sound = here.path[at], provable(here.path[at], here.rules) is not False

    def came(step: Step) -> str:
        if step.after is None:
            return REFUSED
        return LOST if is_sound and provable(step.after, here.rules) is False else TAKEN_BACK

    tried = [(step.move, came(step)) for step in here.tries[at]]
    try:
        view = Match().view(state)
    except TooSymmetric:
        view = None
    return _Stand(here, state, tried, view)


def _together(stands: Sequence[_Stand]) -> Failing:
    """One state at which these students are failing."""
    stands = sorted(stands, key=lambda stand: stand.here.since)
    first = stands[0]
    goal, view = first.state[0], first.view
    names: dict[str | int, str] = {}
    if view is not None:
        names = {view.positions[name]: name for name, _ in reversed(goal.hypotheses)}
    called: dict[Hashable, Move] = {}
    times: Counter[tuple[Hashable, str]] = Counter()
    students: Counter[tuple[Hashable, str]] = Counter()
    for stand in stands:
        kinds = Counter((stand.slot(move), came) for move, came in stand.tried)
        for move, _ in stand.tried:
            called.setdefault(stand.slot(move), _renamed(move, stand.view, names))
        times.update(kinds)
        students.update(kinds.keys())
    tried = [Tried(called[slot], came, times[slot, came], students[slot, came]) for slot, came in times]
    tried.sort(key=lambda each: (-each.students, -each.times))
    return Failing(first.key, goal, tuple(stand.here for stand in stands), tuple(tried))


def _renamed(move: Move, view: View | None, names: Mapping[str | int, str]) -> Move:
    """A move as it is called where hypotheses at these positions have these names."""
    position = None if view is None or move.hypothesis is None else view.positions.get(move.hypothesis)
    return move if position is None else Move(move.rule, names[position])


def _seconds(since: str, now: datetime) -> float:
    return (now - datetime.fromisoformat(since)).total_seconds()
