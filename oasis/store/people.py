"""What the store has of a class, as plain records: students, passphrases, attempts and their events.

What any of it means is not known here.
"""

from __future__ import annotations

from typing import NamedTuple


class Secret(NamedTuple):
    """What is kept of a passphrase."""

    salt: bytes
    hash: bytes

    def __repr__(self) -> str:
        """Nothing that a log or a message should have."""
        return "Secret()"


class Student(NamedTuple):
    """A student, as a class has them.

    Attributes:
        id: their number in this file, which nobody else gets.
        name: theirs.
        key: the same for names that differ in capitals and spaces alone.
        account: the user of this machine who they are, None if they came in otherwise.
        secret: what is kept of their passphrase, None if they have none.
        created: when they joined.
        left: when they left the class, None if they are in it.
        letters: the name by which letters of their own are drawn: the first that they had.
    """

    id: int
    name: str
    key: str
    account: str | None
    secret: Secret | None
    created: str
    left: str | None
    letters: str


class KeptEvent(NamedTuple):
    """Something that a student did, and when, as ISO 8601 has it."""

    at: str
    kind: str
    what: str


class KeptAttempt(NamedTuple):
    """One attempt as its row has it; times as ISO 8601 has them.

    Attributes:
        uuid: the same in every database.
        place: of the exercise.
        name: of the exercise.
        formula: its text.
        key: the same for formulas that differ in their letters alone.
        terms: JSON.
        started: when it was begun.
        changed: when it was last worked at.
        done: when it was over for the first time, or None.
        outcome: what it came to, empty while it has come to nothing.
        moves: of the shortest proof in it, 0 if there is none.
        helped: how much help was taken.
        points: what it is worth.
        seconds: how long it was worked at.
        slips: how many there were.
        listed: 1 if the list of moves was asked for, else 0.
        imported: when it was brought from where nobody here saw it done, or None.
        vouched: 1 if the teacher answers for what was brought, else 0.
    """

    uuid: str
    place: str
    name: str
    formula: str
    key: bytes
    terms: str
    started: str
    changed: str
    done: str | None
    outcome: str
    moves: int
    helped: int
    points: int
    seconds: float
    slips: int = 0
    listed: int = 0
    imported: str | None = None
    vouched: int = 0


class StoredAttempt(NamedTuple):
    """An attempt as it is found in the store.

    Attributes:
        id: of its row.
        student_id: the number of whose it is.
        events: how many it has.
        kept: the attempt.
    """

    id: int
    student_id: int
    events: int
    kept: KeptAttempt


class Happened(NamedTuple):
    """How often a kind of event occurs in an attempt: `what` was claimed of a claim, else the kind alone counts."""

    attempt: int
    kind: str
    what: str
    times: int
