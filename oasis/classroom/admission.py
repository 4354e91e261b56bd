"""Who may come in, and as whom: students, the teacher, and patience with those who do not know their passphrase.

Wrong ones are counted in the store, so starting again, or asking in many processes at once, does not make guessing
faster. What is behind the door is not known here.
"""

from __future__ import annotations

import hmac
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from oasis.classroom.clock import now
from oasis.classroom.desk.desk import Desk
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.names import name_key, proper_name
from oasis.classroom.people.passphrases import SHORTEST, check_new, hashed, is_right, is_same, tries_of
from oasis.classroom.register.register import Register
from oasis.store import Row, Store
from tactics.errors import InputError

PATIENCE: Final = 30.0
"""Seconds that a class waits for its file: all may store something at the same moment."""

_FREE_TRIES: Final = 3
_LONGEST_WAIT: Final = 60.0
_TEACHER: Final = "teacher"
_CLASS_CODE: Final = "class code"


class NotAdmitted(InputError):
    """Somebody who may not come in, or not yet; the text says what to do."""


class MustWait(NotAdmitted):
    """Too many wrong passphrases; `seconds` says for how long none is looked at."""

    def __init__(self, seconds: float) -> None:
        self.seconds = max(1, round(seconds))
        unit = "second" if self.seconds == 1 else "seconds"
        super().__init__(f"There were too many wrong tries; wait {self.seconds} {unit}, and try again.")


def open_classroom(path: Path, *, create: bool = True) -> Store:
    """The file of a class, which many have open at the same time. Raises StoreError."""
    return Store(path, create=create, patience=PATIENCE)


def admit(
    store: Store, name: str, *, passphrase: str | None = None, account: str | None = None, create: bool = True
) -> Desk:
    """The desk of a student; a name that nobody has makes a new one.

    Args:
        store: of the class.
        name: as typed; neither spaces around it nor capitals make another student.
        passphrase: theirs, if they have one, or the one that a new student chooses.
        account: the user of this machine who asks, and who needs no passphrase for a student made here that has none;
            None for those who come over a network, who always need one.
        create: whether there may be a new student.

    Raises NotAdmitted, InputError for a name or a new passphrase that will not do, and StoreError.
    """
    name = proper_name(name)
    student = store.student(name_key(name))
    if student is None:
        if not create:
            where = "this class" if account is None else store.path  # which says nothing to who comes from elsewhere
            raise NotAdmitted(f"There is no student {name} in {where}; check the name, or ask your teacher.")
        student = _enrol(store, name, passphrase, account)
    if not _is_own(student, account):
        _check_student(store, student, passphrase, account)
    return _seated(store, student)


def admit_listed(store: Store, name: str, *, passphrase: str | None = None, account: str | None = None) -> Desk:
    """The desk of a student who is on the list of the class; the arguments are those of `admit`.

    Whether a name is on the list is told only to who knows its passphrase: what is said otherwise, how much work is
    done before, and how guessing is slowed, is the same for all names. Raises NotAdmitted, InputError, StoreError.
    """
    name = proper_name(name)
    student = store.student(name_key(name))
    if student is None or not _is_own(student, account):
        key, kept = _nobody(store, name)  # asked for in any case, because that takes time
        if student is not None and student["hash"] is not None:
            key, kept = tries_of(student["id"]), student
        if not passphrase:
            raise NotAdmitted("Type your name, as it is on the list of the class, and your passphrase.")
        otherwise = "That name and that passphrase do not go together; check both, or ask your teacher"
        _check(store, key, passphrase, kept, otherwise)
        assert student is not None
    return _seated(store, student)


def own_name(store: Store, account: str) -> str:
    """The name by which a user of this machine is a student, which a teacher may have corrected."""
    if store.student(name_key(account)) is None:
        names = [student["name"] for student in store.students() if student["account"] == account]
        if len(names) == 1:
            return str(names[0])
    return account


def is_known(store: Store, name: str) -> bool:
    """Whether there is a student of this name. Raises InputError for what is no name, and StoreError."""
    return store.student(name_key(proper_name(name))) is not None


def needs_passphrase(store: Store, name: str, account: str | None = None) -> bool:
    """Whether a student has to type a passphrase to be admitted; a new one over a network has to choose it."""
    student = store.student(name_key(proper_name(name)))
    return account is None if student is None else student["hash"] is not None


def set_passphrase(desk: Desk, new: str, *, old: str | None = None) -> None:
    """Give a student a passphrase, or another one if they know the old. Raises NotAdmitted, InputError."""
    check_new(new)
    student = next(row for row in desk.store.students() if row["id"] == desk.student)
    if student["hash"] is not None:
        _check_student(desk.store, student, old, None)
    desk.store.set_student_passphrase(desk.student, *hashed(new))


def set_teacher_passphrase(store: Store, new: str, *, old: str | None = None) -> None:
    """Set the teacher's passphrase, or another one for somebody who knows the old. Raises NotAdmitted, InputError.

    For somebody who has the file itself; screens must not offer the first one to whoever comes.
    """
    check_new(new)
    teacher = store.teacher()
    if teacher is not None:
        _check_teacher(store, "", old, teacher)
    store.set_teacher_passphrase(*hashed(new))


def open_register(store: Store, passphrase: str, seat: str = "", lesson: Lesson | None = None) -> Register:
    """What the teacher sees of the class, opened from a seat; whoever guesses is slowed there. Raises NotAdmitted."""
    teacher = store.teacher()
    if teacher is None:
        raise NotAdmitted("The teacher has no passphrase yet; set one with `oasis classroom passphrase`.")
    _check_teacher(store, seat, passphrase, teacher)
    return Register(store, lesson)


def check_class_code(store: Store, typed: str, code: str, seat: str = "") -> None:
    """Raises NotAdmitted unless the code of the class was typed; whoever guesses is slowed at this seat."""
    key = f"{_CLASS_CODE} {seat}".rstrip()
    _settle(store, key, is_same(typed, code), "That is not the code of this class; try again")


def _enrol(store: Store, name: str, passphrase: str | None, account: str | None) -> Row:
    """A new student; if another process was faster, that one's."""
    if account is None and not passphrase:
        raise NotAdmitted(
            f"{name} is not in this class yet; choose a passphrase of at least {SHORTEST} characters to join, and "
            "remember it."
        )
    salt = digest = None
    if passphrase:
        check_new(passphrase)
        salt, digest = hashed(passphrase)
    key = name_key(name)
    store.add_student(name=name, key=key, account=account, salt=salt, digest=digest)
    student = store.student(key)
    assert student is not None
    return student


def _is_own(student: Row, account: str | None) -> bool:
    """Whether this student needs no passphrase at this account, which is theirs."""
    return account is not None and student["account"] == account and student["hash"] is None


def _seated(store: Store, student: Row) -> Desk:
    """The desk of somebody who has shown who they are; there is none for who left the class."""
    if student["left"] is not None:
        raise NotAdmitted(f"{student['name']} is no longer in this class; ask your teacher to be taken back.")
    return Desk(store, student["id"], student["name"], student["letters"])


def _nobody(store: Store, name: str) -> tuple[str, Row]:
    """The key under which wrong passphrases for a name that is not on the list are counted, and a hash of none.

    Keys are a few, so that strange names do not fill the store, and say nothing about a name, which may be a passphrase
    that was typed in the wrong line.
    """
    lot = hmac.digest(store.seal(), name_key(name).encode(), "sha256")
    return f"nobody {lot[:2].hex()}", {"salt": lot[:16], "hash": bytes(64)}


def _check_student(store: Store, student: Row, passphrase: str | None, account: str | None) -> None:
    name = student["name"]
    if student["hash"] is None and account is None:
        raise NotAdmitted(f"{name} has no passphrase yet; ask your teacher for one.")
    if student["hash"] is None:
        raise NotAdmitted(
            f"{name} works under another account of this machine and has no passphrase; choose another name, or set "
            "one there first."
        )
    if not passphrase:
        raise NotAdmitted(f"{name} has a passphrase; type it.")
    _check(store, tries_of(student["id"]), passphrase, student, f"That is not the passphrase of {name}; try again")


def _check_teacher(store: Store, seat: str, passphrase: str | None, teacher: Row) -> None:
    if not passphrase:
        raise NotAdmitted("The teacher's passphrase is needed; type it.")
    key = f"{_TEACHER} {seat}".rstrip()
    _check(store, key, passphrase, teacher, "That is not the teacher's passphrase; try again")


def _check(store: Store, key: str, passphrase: str, kept: Row, otherwise: str) -> None:
    """Raises NotAdmitted unless a passphrase is the one whose salt and hash are kept."""
    _wait(store, key)  # so that guessing does not keep the machine busy either
    _settle(store, key, is_right(passphrase, kept["salt"], kept["hash"]), otherwise)


def _settle(store: Store, key: str, right: bool, otherwise: str) -> None:
    """Count an answer and raise NotAdmitted if it is wrong, or if none may be given yet, right or wrong."""
    seconds = store.settle(key, right=right, at=now(), wait=_seconds_left)
    if seconds > 0:
        raise MustWait(seconds)
    if not right:
        raise NotAdmitted(f"{otherwise}.")


def _wait(store: Store, key: str) -> None:
    refusals = store.refusals(key)
    if refusals is not None and (seconds := _seconds_left(*refusals)) > 0:
        raise MustWait(seconds)


def _seconds_left(wrong: int, last: str) -> float:
    """How long no passphrase is looked at after so many wrong ones in a row: 1, 2, 4, … seconds from the third on."""
    if wrong < _FREE_TRIES:
        return 0.0
    wait = min(2.0 ** min(wrong - _FREE_TRIES, 16), _LONGEST_WAIT)
    elapsed = (datetime.now(UTC) - datetime.fromisoformat(last)).total_seconds()
    return wait - elapsed if elapsed >= 0 else 0.0  # a clock that was put back keeps nobody out
