"""The list of a class: who is on it, changed by the teacher. What the students do is not known here.

Who leaves is no longer let in nor shown, and all of their work is there when they come back. Who is erased is gone with
all of their work, and cannot be had back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from shlex import quote
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from oasis.classroom.clock import now
from oasis.classroom.people.guessing import TEACHER
from oasis.classroom.people.names import (
    LONGEST_NAME,
    alphabetical,
    look_alike,
    name_key,
    nearest,
    new_name,
    proper_name,
    quoted,
)
from oasis.classroom.people.passphrases import hashed, made_up, tries_of
from oasis.classroom.people.tables import IDENTIFIERS, Entry
from oasis.classroom.people.tabs import is_open
from oasis.classroom.spreadsheet import csv_text
from oasis.ground.plural import conjunction, counted, listed
from oasis.store import Change, Details, Store, StoreError, Student
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
        details: what else is known of them.
    """

    name: str
    joined: str
    left: str | None
    account: str | None
    has_passphrase: bool
    details: Details

    def as_row(self) -> dict[str, Any]:
        """The same as columns of a table."""
        row = self._asdict()
        del row["details"]
        return row | self.details._asdict()


class Ticket(NamedTuple):
    """What a student has to be told; the passphrase is kept nowhere and cannot be looked up again."""

    name: str
    passphrase: str


class Plan(NamedTuple):
    """What a table of students would change in the list.

    Attributes:
        new: who would be added, by the names that they would get.
        known: how many are on the list already.
        noted: of whom of these something else would be noted, by number, and what would be known of them then.
        remarks: sentences about names that would not be as in the table.
        clashes: sentences about names that cannot be added, so that nobody is.
    """

    new: tuple[Entry, ...]
    known: int = 0
    noted: Mapping[int, Details] = MappingProxyType({})
    remarks: tuple[str, ...] = ()
    clashes: tuple[str, ...] = ()

    def sentences(self) -> list[str]:
        """Say what would be done."""
        noted = f", and of {counted(len(self.noted), 'student')} of these something is noted" if self.noted else ""
        new = f": {listed([entry.name for entry in self.new])}" if self.new else ""
        return [
            f"{counted(len(self.new), 'student')} would be new{new}; {self.known:,} on the list already{noted}.",
            *self.remarks,
            *self.clashes,
        ]

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        new = [{"name": entry.name, **entry.details._asdict()} for entry in self.new]
        return {
            "new": new,
            "known": self.known,
            "noted": len(self.noted),
            "remarks": self.remarks,
            "clashes": self.clashes,
        }


class Roll:
    """The list of the class in a store, to which it belongs; whoever has this has given the teacher's passphrase.

    Every change is stored at once, with a line in the log of the class that says who made it. Names are found whatever
    their capitals and spaces. Raises InputError for a name that is not on the list, and StoreError.
    """

    def __init__(self, store: Store, by: str = TEACHER) -> None:
        self._store, self.by = store, by

    def students(self) -> list[Listed]:
        """Everybody by name, also those who left."""
        listed = (
            Listed(row.name, row.created, row.left, row.account, row.secret is not None, row.details)
            for row in self._store.students()
        )
        return sorted(listed, key=lambda each: alphabetical(each.name))

    def add(self, names: Sequence[str]) -> list[Ticket]:
        """Put students on the list, each with a passphrase that opens from everywhere.

        All or nobody: raises InputError if there are no names, if one will not do, or if one is on the list, also if
        that student has left.
        """
        return self.enter(Plan(tuple(map(Entry, names))))

    def enter(self, plan: Plan) -> list[Ticket]:
        """Do what a plan says; raises InputError as `add` does, and then nothing is changed."""
        if not plan.new and not plan.noted:
            raise InputError("There are no names yet; type at least one.")
        names = [_numbered(entry.name, number, proper_name) for number, entry in enumerate(plan.new, 1)]
        self._check_free(names)  # before their alphabets: who looks like whom says more
        names = [_numbered(name, number, new_name) for number, name in enumerate(names, 1)]
        tickets = [Ticket(name, made_up()) for name in names]
        hashes = [hashed(ticket.passphrase) for ticket in tickets]  # slow, and nobody should have to wait for it
        with self._store.together():
            self._check_free(names)
            for name, entry, (salt, digest) in zip(names, plan.new, hashes, strict=True):
                self._store.add_student(name=name, key=name_key(name), account=None, salt=salt, digest=digest)
                student = self.find(name).id
                self._store.set_details(student, entry.details)
                self.log("added", student)
            for student, details in plan.noted.items():
                self._store.set_details(student, details)
                self.log("details", student)
        return tickets

    def plan(self, entries: Sequence[Entry], names: Sequence[str] = ()) -> Plan:
        """Return what a table would change, and names that were typed beside it.

        A student is found by the surest identifier that is known here and there, and else by name; who left is on the
        list, too. Of two of one name whom an identifier tells apart the second one gets a number. Names that are there
        twice otherwise are left as they are, for `enter` to ask who is meant. Raises InputError for an entry that is
        about two students of the list.
        """
        rows = self._store.students()
        taken = {row.key: row.details for row in rows}
        new, noted, remarks = list(map(Entry, names)), dict[int, Details](), list[str]()
        known, seen = set[int](), list[Details]()
        for entry in entries:
            key = name_key(" ".join(entry.name.split()))
            if any(_are_same(entry.details, before) for before in seen):
                remarks.append(f"{entry.name} stands in the table twice, and counts once.")
                continue
            seen.append(entry.details)
            student = _on_list(entry, key, rows)
            if student is not None and student.id not in known:
                known.add(student.id)
                details = Details(
                    *(told or before for told, before in zip(entry.details, student.details, strict=True))
                )
                if details != student.details:
                    noted[student.id] = details
                if key != student.key:
                    remarks.append(f"{entry.name} is on the list as {student.name}.")
                continue
            name, number = entry.name, 2
            while _are_same(entry.details, taken.get(name_key(name), Details())) is False:
                name, number = f"{entry.name} {number}", number + 1
            if name != entry.name:
                remarks.append(f"Another {entry.name} is on the list as {name}.")
            taken[name_key(name)] = entry.details
            new.append(entry._replace(name=name))
        clashes = (f"{name} {why}." for name, why in self._reasons(entry.name for entry in new))
        return Plan(tuple(new), len(known), noted, tuple(remarks), tuple(clashes))

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
            self.log("passphrase", student.id)
        return ticket

    def sign_out(self, name: str) -> tuple[str, int]:
        """End all sessions of a student, who has to sign in anew; the name on the list, and how many tabs were open."""
        student = self.find(name)
        with self._store.together():
            tabs = sum(map(is_open, self._store.tabs(student.id)))
            self._store.end_tabs(student.id)
            self.log("signed out", student.id)
        return student.name, tabs

    def rename(self, name: str, new: str) -> str:
        """Correct a name, which is returned as it is then. Raises InputError if another student has it.

        All work stays with the student, and so do letters of their own in a lesson, which are drawn by the first name.
        """
        student, new = self.find(name), proper_name(new)
        others = (row.name for row in self._store.students() if row.id != student.id and row.key != name_key(new))
        if alike := look_alike(new, others):
            raise InputError(f"{new} looks like {alike}, who is another student; choose another name.")
        new = new_name(new)
        with self._store.together():
            if not self._store.rename_student(student.id, name=new, key=name_key(new)):
                raise InputError(f"Another student is called {new}, or was before leaving; choose another name.")
            self.log("renamed", student.id, f"{student.name} before")
        return new

    def set_group(self, name: str, group: str) -> str:
        """Put a student into a group of the class, or if it is empty into none; the name as it stands on the list."""
        student, group = self.find(name), " ".join(group.split())
        if group and (len(group) > LONGEST_NAME or not group.isprintable()):
            raise InputError(f"A group has a name of at most {LONGEST_NAME} letters, digits, signs and spaces.")
        with self._store.together():
            self._store.set_details(student.id, student.details._replace(group=group))
            self.log("group", student.id, group)
        return student.name

    def groups(self) -> list[str]:
        """The groups of those who are in the class, in order."""
        found = {row.details.group for row in self._store.students() if row.left is None}
        return sorted(found - {""}, key=alphabetical)

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
            self.log("dismissed", student.id)
        return student.name

    def readmit(self, name: str) -> str:
        """Have a student back, with all their work and their passphrase; the name as it stands on the list.

        Raises InputError for who has not left.
        """
        student = self.find(name)
        if not student.left:
            raise InputError(f"{student.name} is on the list and has not left; there is nothing to do.")
        with self._store.together():
            self._store.set_left(student.id, None)
            self.log("readmitted", student.id)
        return student.name

    def erase(self, name: str) -> str:
        """Delete a student and all of their work for good; the name as it stood on the list.

        Nothing of it is left in the file of the class. Raises StoreError if they are deleted, but traces may be left.
        """
        student = self.find(name)
        self._store.erase_student(student.id, tries_of(student.id))
        self.log("erased")
        try:
            self._store.sweep()
        except StoreError as error:
            raise StoreError(
                f"{student.name} is deleted, but the file could not be rewritten and may hold traces "
                f"({str(error).rstrip('.')}); remove them with {_SWEEP}"
            ) from None
        return student.name

    def log(self, what: str, student: int | None = None, more: str = "") -> None:
        """Add to the log of the class what was done here, and to which student by number if to one."""
        self._store.log_change(self.by, student, what, more)

    def changes(self) -> list[Change]:
        """The log of the class, oldest first."""
        return self._store.changes()

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

    def _check_free(self, wanted: Iterable[str]) -> None:
        """Raises InputError for names that are on the list, or here twice."""
        reasons = self._reasons(wanted)
        if reasons:
            more = f", and {len(reasons) - _TOLD} more like these" if len(reasons) > _TOLD else ""
            told = ", ".join(f"{name} {why}" for name, why in reasons[:_TOLD])
            named_twice = [name for name, why in reasons if why == _TWICE]
            twice = f", or tell two students of one name apart, as in {named_twice[-1]} 2" if named_twice else ""
            raise InputError(f"Nobody was added: {told}{more}; add the others without them{twice}.")

    def _reasons(self, wanted: Iterable[str]) -> list[tuple[str, str]]:
        """Return the names that cannot be added, each with what keeps it off the list."""
        rows = self._store.students()
        why = {row.key: "left and can be had back" if row.left else "is on the list already" for row in rows}
        names, reasons = [row.name for row in rows], []
        for name in wanted:
            key = name_key(name)
            if key not in why and (alike := look_alike(name, names)):
                reasons.append((name, f"looks like {alike}"))
            names.append(name)
            if key in why:
                reasons.append((name, why[key]))
            why.setdefault(key, _TWICE)
        return reasons


def tickets_csv(tickets: Iterable[Ticket]) -> str:
    """Names and passphrases, to be handed out."""
    return csv_text(Ticket._fields, (ticket._asdict() for ticket in tickets))


def _are_same(one: Details, other: Details) -> bool | None:
    """Whether two students are one, as the surest says that is known of both; None if nothing is."""
    ones, others = one._asdict(), other._asdict()
    both = ((ones[field], others[field]) for field in IDENTIFIERS if ones[field] and others[field])
    return next((known.casefold() == its.casefold() for known, its in both), None)


def _on_list(entry: Entry, key: str, rows: Iterable[Student]) -> Student | None:
    """Return the student of these whom an entry of a table is about. Raises InputError if it is about two."""
    same = {row: _are_same(entry.details, row.details) for row in rows}
    found = [row for row in same if same[row]]
    if len(found) > 1:
        both = conjunction(row.name for row in found)
        raise InputError(f"{entry.name} of the table is both {both} of the list; nobody was added.")
    named = (row for row in same if row.key == key and same[row] is None)
    return next(iter(found), None) or next(named, None)


def _numbered(name: str, number: int, checked: Callable[[str], str]) -> str:
    """A name as it is when it was checked. Raises InputError that says which of many will not do."""
    try:
        return checked(name)
    except InputError as error:
        raise InputError(f"Name {number}, {quoted(name)}: {error}") from None


def _readmit(student: Student) -> str:
    """How to have a student back."""
    return f"oasis classroom students readmit {quote(student.name)}."
