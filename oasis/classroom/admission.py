"""Who may come in, and as whom: students, and the teacher. What is behind the door is not known here."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from oasis.classroom.desk.desk import Desk
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.people.guessing import (
    TEACHER,
    UNKNOWN,
    MustWait,
    NotAdmitted,
    Origin,
    check,
    know,
    nobody,
    wait_after,
)
from oasis.classroom.people.names import look_alike, name_key, new_name, plain_key, proper_name
from oasis.classroom.people.passphrases import SHORTEST, check_new, hashed, tries_of
from oasis.classroom.people.tabs import sign_out_elsewhere, who_comes_back
from oasis.classroom.register.register import Register
from oasis.store import KeptTab, Secret, Store, Student
from tactics.errors import InputError

__all__ = (
    "UNKNOWN",
    "MustWait",
    "NotAdmitted",
    "Origin",
    "admit",
    "admit_again",
    "admit_listed",
    "check_joining",
    "is_known",
    "needs_passphrase",
    "open_classroom",
    "open_register",
    "own_name",
    "set_passphrase",
    "set_teacher_passphrase",
    "wait_after",
)

PATIENCE: Final = 30.0
"""Seconds that a class waits for its file: all may store something at the same moment."""


def open_classroom(path: Path, *, create: bool = True) -> Store:
    """The file of a class, which many have open at the same time. Raises StoreError."""
    return Store(path, create=create, patience=PATIENCE)


def admit(
    store: Store,
    name: str,
    *,
    passphrase: str | None = None,
    account: str | None = None,
    create: bool = True,
    origin: Origin | None = None,
) -> Desk:
    """The desk of a student; a name that nobody has makes a new one.

    Args:
        store: of the class.
        name: as typed; neither spaces around it nor capitals make another student, nor accents unless two are told
            apart by them.
        passphrase: theirs, if they have one, or the one that a new student chooses.
        account: the user of this machine who asks, and who needs no passphrase for a student made here that has none;
            None for those who come over a network, who always need one.
        create: whether there may be a new student.
        origin: from where they come; the account if left out.

    Raises NotAdmitted, InputError for a name or a new passphrase that will not do, and StoreError.
    """
    name = proper_name(name)
    student = _called(store, name)
    if student is None:
        if not create:
            where = "this class" if account is None else store.path  # which says nothing to who comes from elsewhere
            raise NotAdmitted(f"There is no student {name} in {where}; check the name, or ask your teacher.")
        student = _enrol(store, name, passphrase, account)
    if not _is_own(student, account):
        _check_student(store, student._replace(name=name), passphrase, account, origin or Origin.of_account(account))
    return _seated(store, student)


def admit_listed(
    store: Store,
    name: str,
    *,
    passphrase: str | None = None,
    account: str | None = None,
    origin: Origin | None = None,
) -> Desk:
    """The desk of a student who is on the list of the class; the arguments are those of `admit`.

    Whether a name is on the list is told only to who knows its passphrase: what is said otherwise, how much work is
    done before, and how guessing is slowed, is the same for all names. Raises NotAdmitted, InputError, StoreError.
    """
    name = proper_name(name)
    student = _called(store, name)
    if student is None or not _is_own(student, account):
        key, kept = nobody(store, name)  # asked for in any case, because that takes time
        if student is not None and student.secret is not None:
            key, kept = tries_of(student.id), student.secret
        if not passphrase:
            raise NotAdmitted("Type your name, as it is on the list of the class, and your passphrase.")
        otherwise = "That name and that passphrase do not go together; check both, or ask your teacher"
        check(store, key, origin or Origin.of_account(account), passphrase, kept, otherwise)
        assert student is not None
    return _seated(store, student)


def admit_again(store: Store, origin: Origin) -> tuple[Student | None, KeptTab] | None:
    """Return who is let in from there without being asked, and the tab in which they were; None for nobody.

    The student is None where it is the teacher, for whom `open_register` opens the class. Raises StoreError.
    """
    tab = who_comes_back(store, origin)
    if tab is None or tab.student is None:
        return None if tab is None else (None, tab)
    student = next((each for each in store.students() if each.id == tab.student and each.left is None), None)
    return None if student is None else (student, tab)


def own_name(store: Store, account: str) -> str:
    """The name by which a user of this machine is a student, which a teacher may have corrected."""
    if store.student(name_key(account)) is None:
        names = [student.name for student in store.students() if student.account == account]
        if len(names) == 1:
            return str(names[0])
    return account


def is_known(store: Store, name: str) -> bool:
    """Whether there is a student of this name. Raises InputError for what is no name, and StoreError."""
    return _called(store, proper_name(name)) is not None


def check_joining(name: str, passphrase: str) -> None:
    """Raises InputError for a name or a passphrase with which nobody could join, before it is typed once more."""
    new_name(name)
    check_new(passphrase)


def needs_passphrase(store: Store, name: str, account: str | None = None) -> bool:
    """Whether a student has to type a passphrase to be admitted; a new one over a network has to choose it."""
    student = _called(store, proper_name(name))
    return account is None if student is None else student.secret is not None


def set_passphrase(desk: Desk, new: str, *, old: str | None = None, origin: Origin = UNKNOWN) -> None:
    """Give a student a passphrase, or another one if they know the old. Raises NotAdmitted, InputError."""
    check_new(new)
    student = next((each for each in desk.store.students() if each.id == desk.student.id), None)
    if student is None:
        raise NotAdmitted("You are no longer in this class; ask your teacher to be added again.")
    if student.secret is not None:
        _check_student(desk.store, student, old, None, origin)
    desk.store.set_student_passphrase(desk.student.id, *hashed(new))
    sign_out_elsewhere(desk.store, desk.student.id, origin)


def set_teacher_passphrase(store: Store, new: str, *, old: str | None = None, origin: Origin = UNKNOWN) -> None:
    """Set the teacher's passphrase, or another one for somebody who knows the old. Raises NotAdmitted, InputError.

    Whoever sets it is not kept waiting from there by wrong ones of others. For somebody who has the file itself;
    screens must not offer the first one to whoever comes.
    """
    check_new(new)
    teacher = store.teacher()
    if teacher is not None:
        _check_teacher(store, origin, old, teacher)
    store.set_teacher_passphrase(*hashed(new))
    store.end_tabs(None)
    store.log_change(_teacher(origin), None, "passphrase of the teacher")
    know(store, TEACHER, origin)


def who_worked_before(store: Store, path: Path) -> str:
    """Say who are students of a class that is begun in a file with work in it, and what to do if they should not be."""
    there = [each.name for each in store.students() if each.account is not None and each.secret is None]
    if not there:
        return ""
    who = f"{there[0]} has" if len(there) == 1 else f"{len(there):,} people have"
    is_student = "is a student of this class" if len(there) == 1 else "are students of this class"
    return (
        f"{who} worked in {path} before and {is_student}. If that is not meant, begin the class in a folder of its "
        "own, or name another file with --db."
    )


def open_register(
    store: Store, passphrase: str | None, origin: Origin = UNKNOWN, lessons: Iterable[Lesson] = ()
) -> Register:
    """What the teacher sees of the class; without a passphrase in a tab to which the teacher comes back.

    Raises NotAdmitted.
    """
    teacher = store.teacher()
    if teacher is None:
        raise NotAdmitted("The teacher has no passphrase yet; set one with `oasis classroom passphrase`.")
    back = who_comes_back(store, origin) if passphrase is None else None
    if back is None or back.student is not None:
        _check_teacher(store, origin, passphrase, teacher)
    return Register(store, lessons, by=_teacher(origin))


def _teacher(origin: Origin) -> str:
    """What the log of the class calls the teacher who comes from there; addresses of browsers are not kept."""
    return f"{TEACHER} in a browser" if origin.session else " ".join(filter(None, (TEACHER, origin.address)))


def _called(store: Store, name: str) -> Student | None:
    """The student of this name, or else the only one whose name differs from it in accents alone.

    All names are gone through for each, so that the time it takes tells nothing about them.
    """
    students = store.students()
    exactly = [student for student in students if student.key == name_key(name)]
    exactly = [student for student in students if student.name == name] or exactly
    alike = [student for student in students if plain_key(student.name) == plain_key(name)]
    return next(iter(exactly or (alike if len(alike) == 1 else ())), None)


def _enrol(store: Store, name: str, passphrase: str | None, account: str | None) -> Student:
    """A new student; if another process was faster, that one's."""
    key = name_key(name)
    if alike := look_alike(name, (student.name for student in store.students() if student.key != key)):
        raise InputError(f"{name} looks like {alike}, who is in this class; type another name, or ask your teacher.")
    name = new_name(name)
    if account is None and not passphrase:
        raise NotAdmitted(
            f"{name} is not in this class yet; choose a passphrase of at least {SHORTEST} characters to join, and "
            "remember it."
        )
    salt = digest = None
    if passphrase:
        check_new(passphrase)
        salt, digest = hashed(passphrase)
    store.add_student(name=name, key=key, account=account, salt=salt, digest=digest)
    student = store.student(key)
    assert student is not None
    return student


def _is_own(student: Student, account: str | None) -> bool:
    """Whether this student needs no passphrase at this account, which is theirs."""
    return account is not None and student.account == account and student.secret is None


def _seated(store: Store, student: Student) -> Desk:
    """The desk of somebody who has shown who they are; there is none for who left the class."""
    if student.left is not None:
        raise NotAdmitted(f"{student.name} is no longer in this class; ask your teacher to be taken back.")
    return Desk(store, student)


def _check_student(store: Store, student: Student, passphrase: str | None, account: str | None, origin: Origin) -> None:
    name = student.name
    if student.secret is None and account is None:
        raise NotAdmitted(f"{name} has no passphrase yet; ask your teacher for one.")
    if student.secret is None:
        raise NotAdmitted(
            f"{name} works under another account of this machine and has no passphrase; choose another name, or set "
            "one there first."
        )
    if not passphrase:
        raise NotAdmitted(f"{name} has a passphrase; type it.")
    otherwise = f"That is not the passphrase of {name}; try again"
    check(store, tries_of(student.id), origin, passphrase, student.secret, otherwise)


def _check_teacher(store: Store, origin: Origin, passphrase: str | None, teacher: Secret) -> None:
    if not passphrase:
        raise NotAdmitted("The teacher's passphrase is needed; type it.")
    check(store, TEACHER, origin, passphrase, teacher, "That is not the teacher's passphrase; try again")


def names_on_list(database: Path) -> list[str] | None:
    """Return the names of those who are in a class; None if there is no such file. Raises StoreError."""
    if not database.exists():
        return None
    with open_classroom(database, create=False) as store:
        return [student.name for student in store.students() if student.left is None]


def check_list(database: Path) -> None:
    """Raises InputError for a class that nobody could come into who is on its list."""
    with open_classroom(database, create=False) as store:
        has_teacher = store.teacher() is not None
        has_list = any(student.left is None and student.secret is not None for student in store.students())
    if not has_teacher:
        raise InputError(
            f"The class in {database} has no teacher yet to have a list; set a passphrase with `oasis classroom "
            "passphrase`, and add students with `oasis classroom students add`."
        )
    if not has_list:
        raise InputError(
            f"Nobody on the list of {database} has a passphrase to come in with; add students with `oasis classroom "
            "students add`, or leave out --listed-only."
        )
