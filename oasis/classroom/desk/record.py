"""An attempt as it is kept: its events with their times, and what they come to.

Everything here follows from the exercise, the beginning and the events, so an attempt that is read again, or comes from
another machine, is worth what it was. Where records are kept is not known here.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import takewhile
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4, uuid5

from oasis.classroom.proving.attempt import Attempt, Event
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.store import KeptAttempt, KeptEvent, Row
from state_spaces import Name
from state_spaces.canonical import TooSymmetric
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import initial
from tactics.printer import show

PAUSE: Final = 120.0
"""Seconds without an event that still count as work; whatever is more was a break."""
PROVED: Final = "proved"
REFUTED: Final = "refuted"


ProblemKey = tuple[str, str, bytes]
"""Place, name, and formula up to letters."""


class Result(NamedTuple):
    """What a student has made of an exercise in all attempts together.

    Attributes:
        outcome: `proved`, `refuted` (rightly said to have no proof), or empty while it is not done.
        moves: of the shortest proof, 0 if there is none.
        helped: how much help was taken in all attempts.
        points: of the best attempt, less what help cost in those before it as well; 0 if none is done.
        attempts: how many have at least one event.
        seconds: how long it took, without breaks.
    """

    outcome: str
    moves: int
    helped: int
    points: int
    attempts: int
    seconds: float


def result(rows: Sequence[Row]) -> Result:
    """What the attempts of one student at one exercise come to; rows of the store, oldest first."""
    helped = points = 0
    for row in rows:
        helped += row["helped"]
        if row["outcome"]:
            # What was learned by help in one attempt is known in the next.
            points = max(points, kept_terms(row).points(helped))
    outcomes = {row["outcome"] for row in rows}
    return Result(
        outcome=next((outcome for outcome in (PROVED, REFUTED) if outcome in outcomes), ""),
        moves=min((row["moves"] for row in rows if row["moves"]), default=0),
        helped=helped,
        points=points,
        attempts=sum(row["events"] > 0 for row in rows),
        seconds=sum(row["seconds"] for row in rows),
    )


@dataclass(eq=False)
class Record:
    """One attempt at an exercise and all that happened in it.

    What has been reached stays reached, also if the student goes back to look at it.

    Attributes:
        exercise: the formula in the letters of this student, and the terms as they are now.
        started: when.
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
        seconds: of work.
        imported: when it was brought from where nobody here saw it done, None if it was not.
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
    seconds: float = 0.0
    imported: str | None = None

    def __post_init__(self) -> None:
        self._formula, self._key = formula_text(self.exercise.formula), formula_key(self.exercise.formula)
        self.attempt = Attempt(self.exercise.formula, terms=self.exercise.terms)
        happened, self.events = self.events, []
        for event in happened:
            try:
                self.attempt.happen([Event(event.kind, event.what)])
            except ValueError as error:
                raise InputError(f"Event {len(self.events) + 1} ({event.kind} {event.what}): {error}") from None
            self.note(event)

    def note(self, event: KeptEvent) -> None:
        """Something has happened in the attempt."""
        gap = _seconds(self.events[-1].at if self.events else self.started, event.at)
        self.seconds += min(max(gap, 0.0), PAUSE)
        self.events.append(event)
        if not self.attempt.is_over:
            self.helped = self.helped if self.outcome else self.attempt.helped
            return
        if not self.outcome:
            self.outcome, self.done = (PROVED if self.attempt.proved else REFUTED), event.at
        if self.attempt.proved:
            self.moves = min(self.moves or len(self.attempt.made), len(self.attempt.made))
        if self.attempt.points > self.points:
            self.points, self.helped = self.attempt.points, self.attempt.helped

    def kept(self) -> KeptAttempt:
        """The row of this attempt."""
        last = self.events[-1].at if self.events else self.started
        return KeptAttempt(
            uuid=self.uuid,
            place=self.exercise.place,
            name=self.exercise.name,
            formula=self._formula,
            key=self._key,
            terms=json.dumps(terms_to_json(self.exercise.terms)),
            started=self.started,
            changed=max(last, self.opened),
            done=self.done,
            outcome=self.outcome,
            moves=self.moves,
            helped=self.helped,
            points=self.points,
            seconds=self.seconds,
            imported=self.imported,
        )

    def fit(self, stored: Sequence[KeptEvent]) -> bool:
        """Make it go on after what is stored under its uuid by now; whether there is anything left to store.

        Where something else was stored, it becomes an attempt of its own, so both are kept. Its uuid follows from the
        two, so the same attempt branches off as the same one wherever and however often that is found out.
        """
        common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self.events, stored, strict=False)))
        if common < min(len(self.events), len(stored)):
            self.uuid = branch(self.uuid, self.events[common])
            common = 0
        self.stored = common
        return self.stored < len(self.events)


def branch(uuid: str, event: KeptEvent) -> str:
    """The uuid of what branches off from an attempt with an event."""
    return str(uuid5(UUID(uuid), json.dumps(event)))


def formula_text(formula: Formula) -> str:
    """A formula as it is kept."""
    return show(formula, quantified=True)


def formula_key(formula: Formula) -> bytes:
    """16 bytes, the same for formulas that differ in their letters alone."""
    space = Name()
    try:
        return space.digest(space.view(initial(formula)).key)
    except TooSymmetric:
        return formula.digest  # in other letters it counts as another one


def problem_key(exercise: Exercise) -> ProblemKey:
    """By which the results at an exercise are found: another formula under the same name is another problem."""
    return exercise.place, exercise.name, formula_key(exercise.formula)


def terms_to_json(terms: Terms) -> dict[str, Any]:
    """What `terms_from_json` reads."""
    return {**asdict(terms), "due": None if terms.due is None else terms.due.isoformat()}


def terms_from_json(content: object) -> Terms:
    """Terms as they were kept; what an older version did not know has its default. Raises InputError."""
    if not isinstance(content, dict) or not set(content) <= set(_TERMS):
        raise InputError(f"terms have {', '.join(_TERMS)}.")
    for name, value in content.items():
        if type(value) not in _TERMS[name]:
            raise InputError(f"{name} cannot be {value!r}.")
    values = dict(content)
    if "rules" in values:
        if not all(isinstance(rule, str) for rule in values["rules"]):
            raise InputError("rules are names of tactics.")
        values["rules"] = tuple(values["rules"])
    if values.get("due") is not None:
        values["due"] = read_due(values["due"])
    return Terms(**values)


def kept_terms(row: Row) -> Terms:
    """The terms of an attempt in the store. Raises InputError for a damaged one."""
    return terms_from_json(json.loads(row["terms"]))


_TERMS: Final[dict[str, tuple[type, ...]]] = {
    "rules": (list, tuple),
    "hints": (int,),
    "hint_cost": (int,),
    "light": (bool,),
    "agent": (str,),
    "due": (str, type(None)),
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
