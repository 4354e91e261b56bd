"""An attempt as it is kept: its events with their times, and what they come to.

Everything here follows from the exercise, the beginning and the events, so an attempt that is read again, or comes from
another machine, is worth what it was. Where records are kept is not known here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import InitVar, dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from itertools import takewhile
from time import monotonic
from typing import Final
from uuid import uuid4

from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import LISTED, Exercise, Terms, terms_to_json
from oasis.store import KeptAttempt, KeptEvent, StoredAttempt
from state_spaces.name import formula_key
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import parse
from tactics.printer import show

PAUSE: Final = 120.0
"""Seconds without an event that still count as work; whatever is more was a break."""
PROVED: Final = "proved"
REFUTED: Final = "refuted"


ProblemKey = tuple[str, str, bytes]
"""Place, name, and formula up to letters."""


class TooLong(InputError):
    """An attempt that could not be made again in time."""


@dataclass(eq=False)
class Record:
    """One attempt at an exercise and all that happened in it.

    What has been reached stays reached, also if the student goes back to look at it.

    Args:
        deadline: until when it has to be made again, on the clock of `monotonic`; else InputError is raised.
        begun: the terms on which it was begun, if it goes on.

    Attributes:
        exercise: the formula in the letters of this student, and the terms as they are now.
        terms: likewise, but an attempt that was begun with the moves listed goes on so.
        started: when it was begun: looked at first.
        uuid: the same in every database.
        attempt: what the events make.
        events: all of them.
        stored: how many of them are known to be stored.
        opened: when it was last taken up.
        outcome: `proved`, `refuted` or empty.
        done: when it was over for the first time.
        moves: of the shortest proof, 0 if there is none.
        helped: how much help was taken until the best end, or until now.
        points: of the best end, 0 if there is none.
        slips: how many there were until then.
        listed: whether the list of moves was asked for until then.
        seconds: of work.
        imported: when a file brought some of it, None if none did.
        vouched: whether the teacher answers for what a file brought.
        is_seen: whether the student has looked at it since it was taken up.
    """

    exercise: Exercise
    started: str
    uuid: str = field(default_factory=lambda: str(uuid4()))
    events: list[KeptEvent] = field(default_factory=list)
    stored: int = 0
    opened: str = ""
    outcome: str = ""
    done: str | None = None
    moves: int = 0
    helped: int = 0
    points: int = 0
    slips: int = 0
    listed: bool = False
    seconds: float = 0.0
    imported: str | None = None
    vouched: bool = False
    is_seen: bool = False
    deadline: InitVar[float] = math.inf
    begun: InitVar[Terms | None] = None

    def __post_init__(self, deadline: float, begun: Terms | None) -> None:
        self._formula, self._key = formula_text(self.exercise.formula), formula_key(self.exercise.formula)
        self.terms = self.exercise.terms
        if begun is not None and begun.lists_moves:
            self.terms = replace(self.terms, moves=LISTED)
        self._terms = json.dumps(terms_to_json(self.terms))
        self.attempt = Attempt(self.exercise.formula, terms=self.terms)
        happened, self.events = self.events, []
        for event in happened:
            if monotonic() > deadline:
                raise TooLong("making it again takes too long.")
            try:
                self.attempt.happen([Event(event.kind, event.what)])
            except ValueError as error:
                raise InputError(f"Event {len(self.events) + 1} ({event.kind} {event.what}): {error}") from None
            self.note(event)

    def note(self, event: KeptEvent) -> None:
        """Count what has happened in the attempt."""
        gap = _seconds(self.events[-1].at if self.events else self.started, event.at)
        self.seconds += min(max(gap, 0.0), PAUSE)
        self.events.append(event)
        if not self.attempt.is_over:
            if not self.outcome:
                self._count_costs()
            return
        if not self.outcome:
            self.outcome, self.done = (PROVED if self.attempt.proved else REFUTED), event.at
        if self.attempt.proved:
            self.moves = min(self.moves or len(self.attempt.made), len(self.attempt.made))
        if self.attempt.points > self.points:
            self.points = self.attempt.points
            self._count_costs()

    def _count_costs(self) -> None:
        attempt = self.attempt
        self.helped, self.slips, self.listed = attempt.helped, attempt.slips, attempt.listed

    def kept(self) -> KeptAttempt:
        """The row of this attempt."""
        last = self.events[-1].at if self.events else self.started
        return KeptAttempt(
            uuid=self.uuid,
            place=self.exercise.place,
            name=self.exercise.name,
            formula=self._formula,
            key=self._key,
            terms=self._terms,
            started=self.started,
            changed=max(last, self.opened),
            done=self.done,
            outcome=self.outcome,
            moves=self.moves,
            helped=self.helped,
            points=self.points,
            seconds=self.seconds,
            slips=self.slips,
            listed=int(self.listed),
            imported=self.imported,
            vouched=int(self.vouched),
        )

    def goes_on_from(self, stored: Sequence[KeptEvent]) -> bool:
        """Whether these events are its beginning, and there are more."""
        return len(stored) < len(self.events) and self.events[: len(stored)] == stored

    def fitted(self, stored: Sequence[KeptEvent]) -> Record:
        """Go on after what is stored under its uuid by now; the record that does.

        Where something else was stored, because the student went on in another terminal, that is another one, of an
        attempt of its own: it begins where the two parted, and help that was taken before counts in the other alone.
        """
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.events, stored, strict=False)))
        if common == min(len(self.events), len(stored)):
            self.stored = common
            return self
        return self.parted(common)

    def parted(self, number: int) -> Record:
        """Return what follows the first so many events as an attempt of its own, without the help taken in these."""
        before = Attempt(self.exercise.formula, terms=self.terms)
        before.happen(Event(kind, what) for _, kind, what in self.events[:number])
        at = self.events[number].at
        beginning = [KeptEvent(at, *event) for event in _in_short(before)]
        events = [*beginning, *self.events[number:]]
        return Record(
            self.exercise,
            at,
            events=events,
            opened=self.opened,
            imported=self.imported,
            vouched=self.vouched,
            begun=self.terms,
        )


def _in_short(attempt: Attempt) -> Iterator[Event]:
    """The fewest events that lead to where an attempt stands, without the help that was taken on the way."""
    for move in (*attempt.made, *reversed(attempt.undone)):
        yield Event("move", str(move))
    if attempt.undone:
        yield Event("jump", str(len(attempt.made)))
    if attempt.refuted:
        yield Event("claim", "right")


def formula_text(formula: Formula) -> str:
    """A formula as it is kept."""
    return show(formula, quantified=True)


def is_unvouched(kept: KeptAttempt) -> bool:
    """Return True if a file brought some of an attempt, and the teacher does not answer for it."""
    return kept.imported is not None and not kept.vouched


def done_at(kept: KeptAttempt) -> str | None:
    """Return when an attempt counts as done, None if it is not: what a student brought is not done before that."""
    return max(kept.done, kept.imported) if kept.done and kept.imported and is_unvouched(kept) else kept.done


def problem_key(exercise: Exercise) -> ProblemKey:
    """By which the results at an exercise are found: another formula under the same name is another problem."""
    return exercise.place, exercise.name, formula_key(exercise.formula)


def terms_from_json(content: object) -> Terms:
    """The terms that `oasis.classroom.proving.exercise.terms_to_json` wrote. Raises InputError."""
    if not isinstance(content, dict) or set(content) != set(_TERMS):
        raise InputError(f"terms have {', '.join(_TERMS)}.")
    for name, value in content.items():
        if type(value) not in _TERMS[name]:
            raise InputError(f"{name} cannot be {value!r:.40}.")
    if not all(isinstance(rule, str) for rule in content["rules"]):
        raise InputError("rules are names of tactics.")
    due = None if content["due"] is None else read_due(content["due"])
    return Terms(**{**content, "rules": tuple(content["rules"]), "due": due})


def until(attempt: StoredAttempt, events: Sequence[KeptEvent], when: str) -> StoredAttempt:
    """An attempt as it stood at a time; as it is if it cannot be made again."""
    kept, earlier = attempt.kept, [event for event in events if event.at <= when]
    try:
        exercise = Exercise(kept.name, parse(kept.formula), kept.place, kept_terms(kept))
        record = Record(exercise, kept.started, kept.uuid, earlier)
    except InputError:
        return attempt
    return attempt._replace(events=len(earlier), kept=record.kept())


def kept_terms(kept: KeptAttempt) -> Terms:
    """The terms of an attempt in the store. Raises InputError for a damaged one."""
    return _terms(kept.terms)


@lru_cache(1024)
def _terms(text: str) -> Terms:
    """Terms from their JSON; a class has few, and reads them with every attempt."""
    return terms_from_json(json.loads(text))


_TERMS: Final[dict[str, tuple[type, ...]]] = {
    "rules": (list, tuple),
    "hints": (int,),
    "hint_cost": (int,),
    "light": (bool,),
    "agent": (str,),
    "due": (str, type(None)),
    "moves": (str,),
}


def read_due(text: str) -> datetime:
    """A time with a zone. Raises InputError."""
    try:
        due = datetime.fromisoformat(text)
    except ValueError:
        due = None
    if due is None or due.tzinfo is None:
        raise InputError(f"due is a time with its zone, as in 2026-05-04T12:00:00+00:00, not {text!r}.")
    return due


def _seconds(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
