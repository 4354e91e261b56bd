"""A student's work as a text to take along: written, and read again with nothing lost and nothing twice.

What is read was in other hands. It is made again move by move before anything of it is stored, so it may be invented,
but never nonsense; and whatever a file has brought that was not here is marked as having come from one, for good.
"""

from __future__ import annotations

import json
from time import monotonic
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from curricula.lemma import LONGEST_NAME
from oasis.classroom.clock import is_stamp, now
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.notes import LONGEST
from oasis.classroom.desk.record import Record, TooLong, is_unvouched, terms_from_json
from oasis.classroom.lessons import lesson
from oasis.classroom.lessons.exams import check_doors, hidden_places
from oasis.classroom.people.names import plain_key, proper_name
from oasis.classroom.proving.adviser import Adviser
from oasis.classroom.proving.exercise import Exercise
from oasis.ground.version import version
from oasis.store import KeptAttempt, KeptEvent, KeptNote
from oasis.teacher.hints import LEVELS
from tactics.errors import InputError, check_choice
from tactics.parser import parse
from tactics.printer import brief
from tactics.script import parse_script, show_script

FORMAT: Final = 2
"""The newest form of a work: 1, and 2 where the teacher has left notes at attempts."""
LARGEST: Final = 64 * 2**20
"""Characters of a work that is read."""
MOST: Final = 5_000
"""Attempts in a work that is read: more than anybody makes, and few enough to be stored while others wait."""
EVENTS: Final = 10_000
"""Events in an attempt that is read."""
ALIKE: Final = 20
"""Attempts of one student at one exercise that were begun in the same millisecond: more are no honest work."""
SECONDS: Final = 30.0
"""How long it may take to see whether a lemma really has no proof, as it was said."""
IN_ALL: Final = 60.0
"""Seconds for a whole work; that of a person is made again in a moment."""


UNVOUCHED: Final = "What is new counts as done now, and in an exam only if your teacher answers for it."
"""What a student is told who has brought work in."""


class Work(NamedTuple):
    """A work that was read: whose it is by name, the attempts, made again, and notes that were left at these."""

    name: str
    records: list[Record]
    notes: list[KeptNote]


class Imported(NamedTuple):
    """What an import has brought: how many attempts are new, went on or are answered for, and how many were here."""

    new: int
    known: int

    def __str__(self) -> str:
        return f"{self.new:,}; here already: {self.known:,}"


class WorkError(InputError):
    """A work that cannot be read; nothing of it was stored."""


def export_work(desk: Desk, *, by_teacher: bool = False) -> str:
    """Everything that a student has done, as JSON; the same text for the same work. Raises StoreError.

    A student gets nothing while an exam is open to them, which raises InputError, and later without exams of which the
    results are not shown yet.
    """
    if not by_teacher:
        check_doors(desk.store, desk.student.id)
    hidden = frozenset() if by_teacher else hidden_places(desk.store)
    notes: dict[str, list[list[object]]] = {}
    for note in desk.store.notes(desk.student.id):
        if note.attempt:
            notes.setdefault(note.attempt, []).append([note.at, note.moment, note.text])
    attempts = [
        {
            "uuid": attempt.uuid,
            "place": attempt.place,
            "name": attempt.name,
            "formula": attempt.formula,
            "terms": json.loads(attempt.terms),
            "started": attempt.started,
            "events": events,
            **({"notes": notes[attempt.uuid]} if attempt.uuid in notes else {}),
        }
        for attempt, events in desk.work()
        if attempt.place not in hidden
    ]
    content = {"format": FORMAT if notes else 1, "version": version(), "student": desk.name, "attempts": attempts}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_work(text: str, name: str | None = None) -> Work:
    """The attempts in an exported text, made again. Raises WorkError, also if it is another student's than this one's.

    An event is read in the words in which this version writes it, so that nothing else of it is ever shown.
    """
    content = _content(text)
    try:
        _, _, whose, attempts = _fields(content, _WORK)
        whose = proper_name(whose)
    except ValueError as error:
        raise _damaged(str(error).rstrip(".")) from None
    if name is not None and plain_key(whose) != plain_key(name):
        raise WorkError(
            f"This is the work of {whose}, not of {name}; come in as {whose} to bring it back, or ask your teacher to."
        )
    if len(attempts) > MOST:
        raise WorkError(
            f"This work has {len(attempts):,} attempts, and at most {MOST:,} are read at once; bring it back in parts."
        )
    adviser, deadline = Adviser(SECONDS), monotonic() + IN_ALL
    records: list[Record] = []
    notes: list[KeptNote] = []
    for number, attempt in enumerate(attempts, 1):
        try:
            left = attempt.pop("notes", []) if isinstance(attempt, dict) else []
            records.append(_record(attempt, adviser, deadline))
            notes += _notes(left, records[-1].uuid)
        except TooLong:
            raise WorkError(
                f"It takes more than {IN_ALL:.0f} seconds to make this work again; bring it back in parts of fewer "
                "attempts."
            ) from None
        except ValueError as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise _damaged(f"attempt {number} cannot be made again ({reason})") from None
    return Work(whose, records, notes)


def import_work(desk: Desk, work: Work, *, vouched: bool = False, by_teacher: bool = False) -> Imported:
    """Store for a student what is in a work and not here yet, all of it or nothing.

    An attempt that went on elsewhere is gone on with; one that went on here and there in different ways becomes two.
    What is new is marked as having come from a file, and counts as done when it was brought; in an exam it is worth
    nothing. What the teacher answers for (`vouched`) counts as if it had been done here, also if it was brought before.
    What nobody answers for changes nothing of an attempt that was done here or answered for. The teacher's notes come
    back only where the teacher answers for the work, as anybody may write a file. A student brings nothing while an
    exam is open to them. Raises WorkError, InputError for that, and StoreError.
    """
    if not by_teacher:
        check_doors(desk.store, desk.student.id)
    uuids = [record.uuid for record in work.records]
    with desk.store.together():
        here = _Here(desk, vouched=vouched)
        new = sum(here.take_in(record) for record in work.records)
        if vouched:
            stored = {each: record.uuid for each, record in zip(uuids, work.records, strict=True)}
            known = {(note.at, note.text) for note in desk.store.notes(desk.student.id)}
            notes = (note for note in work.notes if (note.at, note.text) not in known)
            desk.store.write_notes(
                [note._replace(student=desk.student.id, attempt=stored[note.attempt]) for note in notes]
            )
    return Imported(new, len(work.records) - new)


def from_files(desk: Desk) -> int:
    """How many of the attempts in which something was done have come from a file, all or in part."""
    return sum(bool(stored.events and stored.kept.imported) for stored in desk.store.attempts(desk.student.id))


class _Here:
    """What a student has in the class, to which a work is added."""

    def __init__(self, desk: Desk, *, vouched: bool) -> None:
        self._store, self._student_id, self._when, self._vouched = desk.store, desk.student.id, now(), vouched
        self._events: dict[str, list[KeptEvent]] = {}
        self._alike: dict[tuple[str, ...], list[KeptAttempt]] = {}
        for _, _, _, kept in self._store.attempts(self._student_id):
            self._alike.setdefault(_beginning(kept), []).append(kept)

    def take_in(self, record: Record) -> bool:
        """Store what is new of an attempt; whether any of it is. The record has the number of that attempt then.

        It is known by its exercise, its beginning and its events, whatever its number: the same attempt has another one
        where it had to become an attempt of its own.
        """
        alike = self._alike.setdefault(_beginning(record.kept()), [])
        for number, kept in enumerate(alike):
            known = self._events_of(kept.uuid)
            if known[: len(record.events)] == record.events:
                record.uuid = kept.uuid
                return self._answers_for(alike, number)
            if record.goes_on_from(known):
                if not self._vouched and (kept.vouched or (kept.outcome and not kept.imported)):
                    return self.take_in(record.parted(len(known)))
                record.uuid, record.stored = kept.uuid, len(known)
                del alike[number]
                break
        else:
            if len(alike) == ALIKE:
                raise _damaged(
                    f"more than {ALIKE} attempts at {record.exercise.name} were begun in the same millisecond"
                )
            if self._store.attempt(record.uuid) is not None:
                record.uuid = str(uuid4())
        record.imported, record.vouched = self._when, self._vouched
        alike.append(record.kept())
        self._store.keep(self._student_id, record.kept(), record.stored, record.events[record.stored :])
        self._events[record.uuid] = record.events
        return True

    def _answers_for(self, alike: list[KeptAttempt], number: int) -> bool:
        """Store that the teacher answers for an attempt that was here; whether that is new."""
        kept = alike[number]
        if not (self._vouched and is_unvouched(kept)):
            return False
        alike[number] = kept._replace(vouched=1)
        self._store.keep(self._student_id, alike[number], len(self._events_of(kept.uuid)), [])
        return True

    def _events_of(self, uuid: str) -> list[KeptEvent]:
        if uuid not in self._events:
            self._events[uuid] = self._store.events(uuid)
        return self._events[uuid]


def _beginning(kept: KeptAttempt) -> tuple[str, ...]:
    """Return by what an attempt is known again, whatever its number."""
    return kept.place, kept.name, kept.formula, kept.started


def _content(text: str) -> dict[str, Any]:
    """The JSON of a work. Raises WorkError."""
    if len(text) > LARGEST:
        raise WorkError(f"This work has more than {LARGEST:,} characters; export it again.")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise _damaged("it is not the JSON that `oasis classroom export` writes") from None
    form = content.get("format") if isinstance(content, dict) else None
    if type(form) is int and form > FORMAT:
        raise WorkError(
            "This work was exported by a newer version of Oasis; update Oasis to read it, unless a trial version "
            "before 0.1.0 exported it, for what that wrote cannot be read."
        )
    if type(form) is not int or form < 1:
        raise _damaged("it is not what `oasis classroom export` writes")
    assert isinstance(content, dict)
    return content


def _record(content: object, adviser: Adviser, deadline: float) -> Record:
    """An attempt, made again. Raises ValueError."""
    uuid, place, name, formula, terms, started, events = _fields(content, _ATTEMPT)
    if str(UUID(uuid)) != uuid:
        raise InputError(f"{uuid} is no number of an attempt")
    _check_line("the name of a lesson", place, lesson.LONGEST_NAME)
    _check_line("the name of a lemma", name, LONGEST_NAME)
    if len(events) > EVENTS:
        raise InputError(f"it has {len(events):,} events, and at most {EVENTS:,} are read")
    exercise = Exercise(name, parse(formula), place, terms_from_json(terms))
    happened = [_event(event) for event in events]
    if not all(is_stamp(time) for time in [started, *(event.at for event in happened)]):
        raise InputError("a time in it is none between 1970 and tomorrow")
    record = Record(exercise, started, uuid, happened, deadline=deadline)
    if monotonic() > deadline:
        raise TooLong("it takes too long.")
    if record.attempt.refuted and adviser.has_proof(record.attempt) is not False:
        raise InputError(f"that {brief(exercise.formula)} has no proof could not be confirmed")
    return record


_WORK: Final[dict[str, type]] = {"format": int, "version": str, "student": str, "attempts": list}
_ATTEMPT: Final[dict[str, type]] = {
    "uuid": str,
    "place": str,
    "name": str,
    "formula": str,
    "terms": dict,
    "started": str,
    "events": list,
}


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


def _notes(content: object, uuid: str) -> list[KeptNote]:
    """The notes that were left at an attempt. Raises ValueError for what is none."""
    if not isinstance(content, list):
        raise InputError("its notes are no list")
    notes = []
    for each in content:
        if not isinstance(each, list) or list(map(type, each)) != [str, int, str] or not is_stamp(each[0]):
            raise InputError("a note is its time, the number of a moment, and a text")
        at, moment, text = each
        _check_line("a note", text, LONGEST)
        notes.append(KeptNote(0, at, text, attempt=uuid, moment=moment, read=at))
    return notes


def _check_line(what: str, text: str, most: int) -> None:
    """Raises InputError for a text that would do harm on a terminal or in a table."""
    if len(text) > most or not text.isprintable():
        raise InputError(f"{what} is one line of at most {most:,} characters")


def _event(content: object) -> KeptEvent:
    """An event, in the words in which a classroom writes it. Raises ValueError for one that no classroom writes."""
    if not isinstance(content, list) or list(map(type, content)) != [str, str, str]:
        raise InputError("an event is its time, its kind, and what it is about")
    at, kind, what = content
    match kind:
        case "move" | "refused":
            (move,) = parse_script(what)
            what = str(move)
        case "given":
            what = show_script(parse_script(what))
        case "jump":
            what = str(int(what))
        case "hint":
            check_choice("a hint", what, map(str, LEVELS))
        case "claim":
            check_choice("a claim", what, ("right", "wrong"))
        case "undo" | "redo" | "asked" | "listed":
            check_choice(f"what is said of {kind}", what, ("",))
        case _:
            raise InputError(f"{kind!r:.40} is nothing that happens in an attempt")
    return KeptEvent(at, kind, what)


def _damaged(how: str) -> WorkError:
    return WorkError(f"This work is damaged: {how}; nothing was imported, so export it once more.")
