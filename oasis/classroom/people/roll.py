"""The list of a class: who is on it, changed by the teacher. What the students do is not known here.

Who leaves is no longer let in nor shown, and all of their work is there when they come back. Who is erased is gone with
all of their work, and cannot be had back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from shlex import quote
from typing import Final, NamedTuple

from oasis.classroom.clock import now
from oasis.classroom.people.names import alphabetical, look_alike, name_key, nearest, new_name, proper_name, quoted
from oasis.classroom.people.passphrases import hashed, made_up, tries_of
from oasis.classroom.people.tabs import is_open
from oasis.classroom.spreadsheet import csv_text
from oasis.store import Store, StoreError, Student
from tactics.errors import InputError

_SWEEP: Final = "oasis classroom students sweep."
_TOLD: Final = 3
"""Names that are told of those which cannot be added."""
_TWICE: Final = "is named twice"


class Listed(NamedTuple):
    """A student as the list has them.

    Attributes:
        name: theirs.
        joined: when.
        left: when they left the class, None if they are in it.
        account: the user of this machine who they are, None if they came in otherwise.
        has_passphrase: whether they need one to come in.
    """

    name: str
    joined: str
    left: str | None
    account: str | None
    has_passphrase: bool


class Ticket(NamedTuple):
    """What a student has to be told; the passphrase is kept nowhere and cannot be looked up again."""

    name: str
    passphrase: str


class Roll:
    """The list of the class in a store, to which it belongs; whoever has this has given the teacher's passphrase.

    Every change is stored at once. Names are found whatever their capitals and spaces. Raises InputError for a name
    that is not on the list, and StoreError.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def students(self) -> list[Listed]:
        """Everybody by name, also those who left."""
        listed = (
            Listed(row.name, row.created, row.left, row.account, row.secret is not None)
            for row in self._store.students()
        )
        return sorted(listed, key=lambda each: alphabetical(each.name))

    def add(self, names: Sequence[str]) -> list[Ticket]:
        """Put students on the list, each with a passphrase that opens from everywhere.

        All or nobody: raises InputError if there are no names, if one will not do, or if one is on the list, also if
        that student has left.
        """
        if not names:
            raise InputError("There are no names yet; type at least one.")
        tickets = [Ticket(_numbered(name, number), made_up()) for number, name in enumerate(names, 1)]
        self._check_free(tickets)
        hashes = [hashed(ticket.passphrase) for ticket in tickets]  # slow, and nobody should have to wait for it
        with self._store.together():
            self._check_free(tickets)
            for (name, _), (salt, digest) in zip(tickets, hashes, strict=True):
                self._store.add_student(name=name, key=name_key(name), account=None, salt=salt, digest=digest)
        return tickets

    def new_ones(self, names: Sequence[str]) -> list[str]:
        """The names that are not on the list, neither as they are nor with other capitals; who left is on it, too.

        Names that are there twice are given back, for `add` to ask who is meant.
        """
        keys = [name_key(" ".join(name.split())) for name in names]
        known = {row.key for row in self._store.students()}
        return [name for name, key in zip(names, keys, strict=True) if key not in known or keys.count(key) > 1]

    def reset(self, name: str) -> Ticket:
        """Give a student another passphrase instead of one that is forgotten; wrong ones are forgotten as well.

        From then on it is asked for everywhere, also at the student's own account and in tabs that are open. Raises
        InputError for who left.
        """
        student = self.find(name)
        if student.left:
            raise InputError(
                f"{student.name} left the class and comes in with no passphrase; first: {_readmit(student)}"
            )
        ticket = Ticket(student.name, made_up())
        salt, digest = hashed(ticket.passphrase)
        with self._store.together():
            self._store.set_student_passphrase(student.id, salt, digest)
            self._store.forgive(tries_of(student.id))
            self._store.end_tabs(student.id)
        return ticket

    def sign_out(self, name: str) -> tuple[str, int]:
        """End all sessions of a student, who has to sign in anew; the name on the list, and how many tabs were open."""
        student = self.find(name)
        with self._store.together():
            tabs = sum(map(is_open, self._store.tabs(student.id)))
            self._store.end_tabs(student.id)
        return student.name, tabs

    def rename(self, name: str, new: str) -> str:
        """Correct a name, which is returned as it is then. Raises InputError if another student has it.

        All work stays with the student, and so do letters of their own in a lesson, which are drawn by the first name.
        """
        student, new = self.find(name), new_name(new)
        others = (row.name for row in self._store.students() if row.id != student.id and row.key != name_key(new))
        if alike := look_alike(new, others):
            raise InputError(f"{new} looks like {alike}, who is another student; choose another name.")
        if not self._store.rename_student(student.id, name=new, key=name_key(new)):
            raise InputError(f"Another student is called {new}, or was before leaving; choose another name.")
        return new

    def dismiss(self, name: str) -> str:
        """Take a student off the list; the name as it stood there. Raises InputError for who left before.

        Who is in at the moment is signed out, with all work stored.
        """
        student = self.find(name)
        if student.left:
            raise InputError(
                f"{student.name} is off the list since {student.left[:10]}; to take them back: {_readmit(student)}"
            )
        with self._store.together():
            self._store.set_left(student.id, now())
            self._store.end_tabs(student.id)
        return student.name

    def readmit(self, name: str) -> str:
        """Have a student back, with all their work and their passphrase; the name as it stands on the list.

        Raises InputError for who has not left.
        """
        student = self.find(name)
        if not student.left:
            raise InputError(f"{student.name} is on the list and has not left; there is nothing to do.")
        self._store.set_left(student.id, None)
        return student.name

    def erase(self, name: str) -> str:
        """Delete a student and all of their work for good; the name as it stood on the list.

        Nothing of it is left in the file of the class. Raises StoreError if they are deleted, but traces may be left.
        """
        student = self.find(name)
        self._store.erase_student(student.id, tries_of(student.id))
        try:
            self._store.sweep()
        except StoreError as error:
            raise StoreError(
                f"{student.name} is deleted, but the file could not be rewritten and may hold traces "
                f"({str(error).rstrip('.')}); remove them with {_SWEEP}"
            ) from None
        return student.name

    def sweep(self) -> None:
        """Remove traces of who was erased while others were reading. Raises StoreError if they still are."""
        self._store.sweep()

    def find(self, name: str) -> Student:
        """The student of this name, as the store has them."""
        name = proper_name(name)
        student = self._store.student(name_key(name))
        student = next((row for row in self._store.students() if row.name == name), student)
        if student is None:
            advice = nearest(name, [row.name for row in self._store.students()])
            raise InputError(f"There is no student {name} in this class; {advice}")
        return student

    def _check_free(self, tickets: Iterable[Ticket]) -> None:
        """Raises InputError for names that are on the list, or here twice."""
        why = {
            row.key: "left and can be had back" if row.left else "is on the list already"
            for row in self._store.students()
        }
        names = [row.name for row in self._store.students()]
        reasons, twice = [], ""
        for name, _ in tickets:
            if name_key(name) not in why and (alike := look_alike(name, names)):
                reasons.append(f"{name} looks like {alike}")
            names.append(name)
            if name_key(name) in why:
                if why[name_key(name)] == _TWICE:
                    twice = f", or tell two students of one name apart, as in {name} 2"
                reasons.append(f"{name} {why[name_key(name)]}")
            why.setdefault(name_key(name), _TWICE)
        if reasons:
            more = f", and {len(reasons) - _TOLD} more like these" if len(reasons) > _TOLD else ""
            raise InputError(
                f"Nobody was added: {', '.join(reasons[:_TOLD])}{more}; add the others without them{twice}."
            )


def tickets_csv(tickets: Iterable[Ticket]) -> str:
    """Names and passphrases, to be handed out."""
    return csv_text(Ticket._fields, (ticket._asdict() for ticket in tickets))


def _numbered(name: str, number: int) -> str:
    """A proper name. Raises InputError that says which of many is none."""
    try:
        return new_name(name)
    except InputError as error:
        raise InputError(f"Name {number}, {quoted(name)}: {error}") from None


def _readmit(student: Student) -> str:
    """How to have a student back."""
    return f"oasis classroom students readmit {quote(student.name)}."
