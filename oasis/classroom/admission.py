"""Who may come in, and as whom: names, passphrases, and patience with those who do not know theirs.

A passphrase is kept as a salted scrypt hash (RFC 7914). Wrong ones are counted in the store, so starting again, or
asking in many processes at once, does not make guessing faster. What is behind the door is not known here.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from oasis.classroom.desk import Desk
from oasis.classroom.record import now
from oasis.classroom.register import Register
from oasis.store import Row, Store
from tactics.errors import InputError

LONGEST_NAME: Final = 40
SHORTEST_PASSPHRASE: Final = 8
PATIENCE: Final = 30.0
"""Seconds that a class waits for its file: all may store something at the same moment."""

_COST: Final = 2**15
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
        super().__init__(f"There were too many wrong passphrases; wait {self.seconds} {unit}, and try again.")


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
            raise NotAdmitted(f"There is no student {name} in {store.path}; check the name, or open the classroom.")
        student = _enrol(store, name, passphrase, account)
    if student["hash"] is not None or account is None or student["account"] != account:
        _check_student(store, student, passphrase)
    return Desk(store, student["id"], student["name"])


def is_known(store: Store, name: str) -> bool:
    """Whether there is a student of this name. Raises InputError for what is no name, and StoreError."""
    return store.student(name_key(proper_name(name))) is not None


def needs_passphrase(store: Store, name: str, account: str | None = None) -> bool:
    """Whether a student has to type a passphrase to be admitted; a new one over a network has to choose it."""
    student = store.student(name_key(proper_name(name)))
    return account is None if student is None else student["hash"] is not None


def proper_name(name: str) -> str:
    """A student's name without spaces that say nothing. Raises InputError."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise InputError(f"A name has 1 to {LONGEST_NAME} letters, digits, signs and spaces; type another one.")
    return name


def name_key(name: str) -> str:
    """The same for names that nobody tells apart."""
    return unicodedata.normalize("NFKC", name).casefold()


def set_passphrase(desk: Desk, new: str, *, old: str | None = None) -> None:
    """Give a student a passphrase, or another one if they know the old. Raises NotAdmitted, InputError."""
    _check_new(new)
    student = next(row for row in desk.store.students() if row["id"] == desk.student)
    if student["hash"] is not None:
        _check_student(desk.store, student, old)
    desk.store.set_student_passphrase(desk.student, *_hashed(new))


def set_teacher_passphrase(store: Store, new: str, *, old: str | None = None) -> None:
    """Set the teacher's passphrase, or another one for somebody who knows the old. Raises NotAdmitted, InputError.

    For somebody who has the file itself; screens must not offer the first one to whoever comes.
    """
    _check_new(new)
    teacher = store.teacher()
    if teacher is not None:
        _check(store, _TEACHER, old, teacher, "teacher's passphrase")
    store.set_teacher_passphrase(*_hashed(new))


def open_register(store: Store, passphrase: str, seat: str = "") -> Register:
    """What the teacher sees of the class, opened from a seat; whoever guesses is slowed there. Raises NotAdmitted."""
    teacher = store.teacher()
    if teacher is None:
        raise NotAdmitted("The teacher has no passphrase yet; set one with `oasis classroom passphrase`.")
    _check(store, f"{_TEACHER} {seat}".rstrip(), passphrase, teacher, "teacher's passphrase")
    return Register(store)


def check_class_code(store: Store, typed: str, code: str) -> None:
    """Raises NotAdmitted unless the code of the class was typed."""
    _settle(store, _CLASS_CODE, _same(_normal(typed), _normal(code)), "That is not the code of this class")


def _enrol(store: Store, name: str, passphrase: str | None, account: str | None) -> Row:
    """A new student; if another process was faster, that one's."""
    if account is None and not passphrase:
        raise NotAdmitted(
            f"{name} is not in this class yet; choose a passphrase of at least {SHORTEST_PASSPHRASE} characters to "
            "join, and remember it."
        )
    salt = digest = None
    if passphrase:
        _check_new(passphrase)
        salt, digest = _hashed(passphrase)
    key = name_key(name)
    store.add_student(name=name, key=key, account=account, salt=salt, digest=digest)
    student = store.student(key)
    assert student is not None
    return student


def _check_student(store: Store, student: Row, passphrase: str | None) -> None:
    name = student["name"]
    if student["hash"] is None:
        raise NotAdmitted(
            f"{name} works under another account of this machine and has no passphrase; choose another name, or set "
            "one there first."
        )
    if not passphrase:
        raise NotAdmitted(f"{name} has a passphrase; type it.")
    _check(store, f"student {student['id']}", passphrase, student, f"passphrase of {name}")


def _check(store: Store, key: str, passphrase: str | None, hashed: Row, what: str) -> None:
    """Raises NotAdmitted unless a passphrase is the one whose salt and hash are given."""
    if not passphrase:
        raise NotAdmitted(f"The {what} is needed; type it.")
    _wait(store, key)  # so that guessing does not keep the machine busy either
    digest = _scrypt(passphrase, hashed["salt"])
    _settle(store, key, _same(digest, hashed["hash"]), f"That is not the {what}")


def _settle(store: Store, key: str, right: bool, otherwise: str) -> None:
    """Count an answer and raise NotAdmitted if it is wrong, or if none may be given yet, right or wrong."""
    seconds = store.settle(key, right=right, at=now(), wait=_seconds_left)
    if seconds > 0:
        raise MustWait(seconds)
    if not right:
        raise NotAdmitted(f"{otherwise}; try again.")


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


def _check_new(passphrase: str) -> None:
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise InputError(f"A passphrase has at least {SHORTEST_PASSPHRASE} characters; choose a longer one.")


def _hashed(passphrase: str) -> tuple[bytes, bytes]:
    """Salt and hash."""
    salt = os.urandom(16)
    return salt, _scrypt(passphrase, salt)


def _scrypt(passphrase: str, salt: bytes) -> bytes:
    """RFC 7914, with 32 MiB of memory."""
    return hashlib.scrypt(_normal(passphrase), salt=salt, n=_COST, r=8, p=1, maxmem=2**26)


def _same(one: bytes, other: bytes) -> bool:
    return hmac.compare_digest(one, other)


def _normal(text: str) -> bytes:
    """However the keyboard composes accents."""
    return unicodedata.normalize("NFKC", text).encode(errors="surrogatepass")
