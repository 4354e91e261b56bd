"""A student's work as a text to take along: written, and read again with nothing lost and nothing twice.

What is read was in other hands. It is made again move by move before anything of it is stored, so it may be invented,
but never nonsense. What was done in this class and not changed since is known by its seal; everything else is taken
just as well and marked as done elsewhere, for good: what goes on from it is marked, too, and goes out without a seal.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Set
from typing import Any, Final, NamedTuple
from uuid import UUID

from curricula.lemma import LONGEST_NAME
from oasis.classroom.clock import is_stamp, now
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import Record, branch, terms_from_json
from oasis.classroom.desk.seal import is_sealed, seal
from oasis.classroom.lessons import lesson
from oasis.classroom.people import names
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.exercise import Exercise
from oasis.store import KeptEvent, StoreError
from oasis.teacher.hints import LEVELS
from oasis.version import version
from tactics.errors import InputError, check_choice
from tactics.parser import parse
from tactics.printer import brief
from tactics.script import parse_script

FORMAT: Final = 2
"""The first one had no seals."""
LARGEST: Final = 64 * 2**20
"""Characters of a work that is read."""
MOST: Final = 5_000
"""Attempts in a work that is read: more than anybody makes, and few enough to be stored while others wait."""
SECONDS: Final = 30.0
"""How long it may take to see whether a lemma really has no proof, as it was said."""
FORKS: Final = 100_000
"""How often all attempts of a work together may turn out to be others than those here, before it is no honest work."""
_BRANCHED: Final = 5
"""The version of a uuid that follows from another one, as RFC 9562 has it."""


class Imported(NamedTuple):
    """What an import has brought.

    Attributes:
        new: how many attempts were stored because of it, as they are or as they went on.
        known: how many were here already.
        elsewhere: how many of the new ones are marked as done elsewhere.
    """

    new: int
    known: int
    elsewhere: int

    def __str__(self) -> str:
        some = "" if self.elsewhere == self.new else f"{self.elsewhere:,} of them "
        elsewhere = f", {some}done elsewhere" if self.elsewhere else ""
        return f"{self.new:,}{elsewhere}; here already: {self.known:,}"


class Brought(NamedTuple):
    """An attempt in an exported text: made again, as it is told there, and the seal on that, empty if there is none."""

    record: Record
    told: dict[str, Any]
    tag: str


class WorkError(InputError):
    """A work that cannot be read; nothing of it was stored."""


def export_work(desk: Desk) -> str:
    """Everything that a student has done, as JSON; the same text for the same work.

    What was done here is sealed, unless the key for that cannot be had, for example because there is none yet and the
    disk is full: it is better to have the work without seals than not at all. Raises StoreError.
    """
    work = desk.work()
    # Asked for after the events, so that what was brought in while they were read is known to be marked.
    marked = {row["uuid"] for row in desk.store.attempts(desk.student) if row["imported"]}
    try:
        key = desk.store.seal()
    except StoreError:
        key = None
    attempts = []
    for attempt, events in work:
        told = {
            "uuid": attempt.uuid,
            "place": attempt.place,
            "name": attempt.name,
            "formula": attempt.formula,
            "terms": json.loads(attempt.terms),
            "started": attempt.started,
            "events": events,
        }
        is_from_here = not attempt.imported and attempt.uuid not in marked
        tag = seal(key, desk.student, told) if key is not None and is_from_here else ""
        attempts.append({**told, "seal": tag})
    content = {"format": FORMAT, "version": version(), "student": desk.name, "attempts": attempts}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def import_work(desk: Desk, text: str) -> Imported:
    """Store what is in an exported text and not here yet, all of it or nothing.

    It takes time in proportion to what is in the text and what the student has here; others wait only while it is
    stored.
    An attempt that went on elsewhere is gone on with; one that went on here and there in different ways becomes two.
    Where that is new and has no right seal, the attempt is marked. Raises WorkError if the text is damaged or another
    student's, and StoreError.
    """
    brought = read_work(text, desk.name)
    key, when = desk.store.seal(), now()
    marks = [None if is_sealed(key, desk.student, told, tag) else when for _, told, tag in brought]
    new = None
    while new is None:
        new = _store(desk, brought, marks)
    return Imported(len(new), len(brought) - len(new), sum(record.imported is not None for record in new))


def done_elsewhere(desk: Desk) -> int:
    """How many of the attempts in which something was done are marked as done elsewhere."""
    return sum(bool(row["events"] and row["imported"]) for row in desk.store.attempts(desk.student))


def _store(desk: Desk, brought: Collection[Brought], marks: Collection[str | None]) -> list[Record] | None:
    """Those of the attempts of which something was new, which is stored, with these marks unless there are any already.

    None, and nothing is stored, if the student has done something in the meantime. Nobody is kept from writing while
    it is found out what is new.
    """
    here = _Here(desk, {record.started for record, told, _ in brought if UUID(told["uuid"]).version == _BRANCHED})
    new = [each.record for each, mark in zip(brought, marks, strict=True) if here.take_in(each, mark)]
    if not new:
        return new
    with desk.store.together():
        if desk.store.attempts(desk.student) != here.rows:
            return None
        for record in new:
            if not desk.store.keep(desk.student, record.kept(), record.stored, record.events[record.stored :]):
                raise WorkError(
                    "There is an attempt of another student of this class in this work; nothing was imported."
                )
    return new


class _Here:
    """What a student has in the class, and what an import is to add to it.

    Events are read once at most, and never more of them than there were in the beginning.

    Attributes:
        rows: of the attempts as they were in the beginning.
    """

    def __init__(self, desk: Desk, starts: Set[str]) -> None:
        """Attempts with one of these starts may be known by another uuid elsewhere, because they branched off there."""
        self.rows = desk.store.attempts(desk.student)
        self._store, self._starts, self._forks = desk.store, starts, 0
        self._attempts = {row["uuid"]: row for row in self.rows}
        self._events: dict[str, list[KeptEvent]] = {}
        # What would branch off from an attempt, with which of its events.
        self._branches: dict[str, tuple[str, int]] = {}
        for row in self.rows:
            self._note_branches(row["uuid"], row["started"])

    def take_in(self, brought: Brought, mark: str | None) -> bool:
        """Make an attempt fit what is here, with this mark unless there is one; whether anything in it is new."""
        record = brought.record
        record.uuid, record.stored, record.imported = brought.told["uuid"], 0, mark
        record.uuid = self._name(record)
        kept = record.kept()
        while (row := self._attempts.get(record.uuid)) is not None:
            if any(row[name] != getattr(kept, name) for name in ("place", "name", "formula", "started")):
                raise _damaged(f"attempt {record.uuid} is here already, at another exercise")
            if not record.fit(self._events_of(record.uuid)):
                return False
            if record.uuid == row["uuid"]:
                record.imported = row["imported"] or mark
                break
            self._forks += 1
            if self._forks > FORKS:
                raise _damaged("its attempts branch off from one another without end")
        self._attempts[record.uuid] = record.kept()._asdict()
        self._events[record.uuid] = record.events
        self._note_branches(record.uuid, record.started, record.stored)
        return True

    def _name(self, record: Record) -> str:
        """The uuid of an attempt, or the one that it has here if elsewhere it had to branch off from another."""
        uuid, place = self._branches.get(record.uuid, ("", 0))
        if uuid and self._attempts[uuid]["started"] == record.started and place < len(record.events):
            events = self._events_of(uuid)
            if all(record.events[number] == events[number] for number in range(place + 1)):
                return uuid
        return record.uuid

    def _note_branches(self, uuid: str, started: str, first: int = 0) -> None:
        if started in self._starts:
            for place, event in enumerate(self._events_of(uuid)[first:], first):
                self._branches.setdefault(branch(uuid, event), (uuid, place))

    def _events_of(self, uuid: str) -> list[KeptEvent]:
        if uuid not in self._events:
            self._events[uuid] = self._store.events(uuid)[: self._attempts[uuid]["events"]]
        return self._events[uuid]


def read_work(text: str, student: str) -> list[Brought]:
    """The attempts in an exported text of this student's, made again, whatever their seals. Raises WorkError."""
    if len(text) > LARGEST:
        raise WorkError(f"This work has more than {LARGEST:,} characters; export it again.")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise _damaged("it is not the JSON that `oasis classroom export` writes") from None
    form = content.get("format") if isinstance(content, dict) else None
    if type(form) is int and form > FORMAT:
        raise WorkError("This work was exported by a newer version of Oasis; update Oasis to read it.")
    if type(form) is not int or form not in _ATTEMPT:
        raise _damaged("it is not what `oasis classroom export` writes")
    try:
        _, _, whose, attempts = _fields(content, {"format": int, "version": str, "student": str, "attempts": list})
        _check_line("the name of a student", whose, names.LONGEST_NAME)
    except ValueError as error:
        raise _damaged(str(error)) from None
    if names.name_key(whose) != names.name_key(student):
        raise WorkError(f"This is the work of {whose}, not of {student}; come in as {whose} to bring it back.")
    if len(attempts) > MOST:
        raise WorkError(
            f"This work has {len(attempts):,} attempts, and at most {MOST:,} are read at once; bring it back in parts."
        )
    adviser = Adviser(SECONDS)
    brought = []
    for number, attempt in enumerate(attempts, 1):
        try:
            brought.append(_brought(attempt, _ATTEMPT[form], adviser))
        except ValueError as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise _damaged(f"attempt {number} cannot be made again ({reason})") from None
    if len({each.record.uuid for each in brought}) < len(brought):
        raise _damaged("an attempt is in it twice")
    return brought


def _brought(content: object, types: dict[str, type], adviser: Adviser) -> Brought:
    """An attempt with these fields, made again. Raises ValueError."""
    told = dict(zip(types, _fields(content, types), strict=True))
    tag = told.pop("seal", "")
    uuid, place, name, formula, terms, started, events = told.values()
    if str(UUID(uuid)) != uuid:
        raise InputError(f"{uuid} is no number of an attempt")
    _check_line("the name of a lesson", place, lesson.LONGEST_NAME)
    _check_line("the name of a lemma", name, LONGEST_NAME)
    for event in events:
        if not isinstance(event, list) or list(map(type, event)) != [str, str, str]:
            raise InputError("an event is its time, its kind, and what it is about")
        _check_event(*event)
    exercise = Exercise(name, parse(formula), place, terms_from_json(terms))
    if not all(is_stamp(time) for time in [started, *(event[0] for event in events)]):
        raise InputError("a time in it is none")
    record = Record(exercise, started, uuid, [KeptEvent(*event) for event in events])
    if record.attempt.refuted and adviser.has_proof(record.attempt) is not False:
        raise InputError(f"that {brief(exercise.formula)} has no proof could not be confirmed")
    return Brought(record, told, tag)


_UNSEALED: Final[dict[str, type]] = {
    "uuid": str,
    "place": str,
    "name": str,
    "formula": str,
    "terms": dict,
    "started": str,
    "events": list,
}
_ATTEMPT: Final = {1: _UNSEALED, FORMAT: _UNSEALED | {"seal": str}}
"""The fields of an attempt in each format."""


def _fields(content: object, types: dict[str, type]) -> list[Any]:
    """The values of an object with just these fields, in this order. Raises InputError."""
    if not isinstance(content, dict) or set(content) != set(types):
        raise InputError(f"it needs {', '.join(types)}")
    for name, kind in types.items():
        if type(content[name]) is not kind:
            raise InputError(f"{name} cannot be {content[name]!r:.40}")
        if kind is str:
            content[name].encode()  # half a character cannot be stored; the error is a ValueError, too
    return [content[name] for name in types]


def _check_line(what: str, text: str, most: int) -> None:
    """Raises InputError for a text that would do harm on a terminal or in a table."""
    if len(text) > most or not text.isprintable():
        raise InputError(f"{what} is one line of at most {most:,} characters")


def _check_event(at: str, kind: str, what: str) -> None:
    """Raises ValueError for an event that no classroom writes, though an attempt might shrug it off."""
    match kind:
        case "move" | "refused":
            (_,) = parse_script(what)
        case "hint":
            check_choice("a hint", what, map(str, LEVELS))
        case "claim":
            check_choice("a claim", what, ("right", "wrong"))
        case "undo" | "redo" | "asked":
            check_choice(f"what is said of {kind}", what, ("",))


def _damaged(how: str) -> WorkError:
    return WorkError(f"This work is damaged: {how}; nothing was imported, so export it once more.")
