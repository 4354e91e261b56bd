"""The work of a class: students, every event of their attempts, and passphrases with how often they were wrong.

An attempt is a row that says what has come of it so far, and a row for each event. Both are written in one transaction,
so a process that is killed leaves them in agreement. What events mean, and what hashes are made of, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from secrets import token_bytes
from typing import Final, NamedTuple

from oasis.store.database import DatabaseFile, Row, StoreError, StudentErased, now


class Secret(NamedTuple):
    """What is kept of a passphrase."""

    salt: bytes
    hash: bytes

    def __repr__(self) -> str:
        """Nothing that a log or a message should have."""
        return "Secret()"


class Details(NamedTuple):
    """What else a class may know of a student; empty where it does not.

    Attributes:
        surname: theirs.
        first_name: theirs.
        canvas: their number in Canvas.
        number: by which their school knows them.
        login: the name by which they sign in at their school.
        email: their address.
        group: of the class, in which they are.
    """

    surname: str = ""
    first_name: str = ""
    canvas: str = ""
    number: str = ""
    login: str = ""
    email: str = ""
    group: str = ""


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
        details: what else is known of them.
    """

    id: int
    name: str
    key: str
    account: str | None
    secret: Secret | None
    created: str
    left: str | None
    letters: str
    details: Details = Details()


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


class KeptTab(NamedTuple):
    """A tab of a browser, or a terminal, in which somebody is signed in, or was when it was closed.

    Attributes:
        id: what it is known by.
        browser: what its browser is known by, empty for a terminal.
        student: the number of who is signed in, None for the teacher.
        opened: when, as ISO 8601 has it, like the next two.
        key: when one was pressed last.
        seen: when it was open last.
        closed: 1 if it was closed then, else 0.
        room: where the person is.
        attempt: the uuid of the attempt before them, empty for none.
    """

    id: str
    browser: str
    student: int | None
    opened: str
    key: str
    seen: str
    closed: int = 0
    room: str = ""
    attempt: str = ""


class KeptNote(NamedTuple):
    """A note of the teacher for one student.

    Attributes:
        student: the number of whose it is.
        at: when it was written, as ISO 8601 has it.
        text: of it; may be empty if a lemma is sent.
        lemma: the name of a lemma that is sent as an exercise, empty for none.
        formula: the text of that lemma.
        attempt: the uuid of the attempt at which it was left, empty for none.
        moment: the number of the event in that attempt, 0 for its beginning.
        exam: 1 if an exam was given then, else 0.
        read: when the student had read it, None if that is still to come.
        id: its number; 0 for one that is not stored yet.
    """

    student: int
    at: str
    text: str
    lemma: str = ""
    formula: str = ""
    attempt: str = ""
    moment: int = 0
    exam: int = 0
    read: str | None = None
    id: int = 0


class Change(NamedTuple):
    """A line of the log of a class.

    Attributes:
        at: when, as ISO 8601 has it.
        by: who made the change.
        student: the name of whom it is about, as it is now; empty if it is about nobody alone.
        what: was done.
        more: such as the name of before; may be empty.
    """

    at: str
    by: str
    student: str
    what: str
    more: str


class Happened(NamedTuple):
    """How often a kind of event occurs in an attempt: `what` was claimed of a claim, else the kind alone counts."""

    attempt: int
    kind: str
    what: str
    times: int


_NEXT_STUDENT: Final = (
    "(SELECT 1 + max(coalesce((SELECT max(id) FROM students), 0), coalesce((SELECT max(student) FROM erased), 0)))"
)
_BROWSERS: Final = 10
"""With which somebody may come in and be known by them."""
_COLUMNS: Final = [f"[{name}]" for name in KeptAttempt._fields]
_INSERT: Final = f"INSERT INTO attempts (student, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)})"
_NOTE: Final = f"INSERT INTO notes ({', '.join(KeptNote._fields[:-1])}) VALUES (?{', ?' * (len(KeptNote._fields) - 2)})"
_CHANGED: Final = ", ".join(f"{name} = ?" for name in _COLUMNS[:-2])
_UPDATE: Final = (
    f"UPDATE attempts SET {_CHANGED}, imported = coalesce(imported, ?), vouched = max(vouched, ?) WHERE id = ?"
)


class ClassTables(DatabaseFile):
    """The part of the store that a class uses."""

    # People.

    def add_student(
        self, *, name: str, key: str, account: str | None, salt: bytes | None, digest: bytes | None
    ) -> bool:
        """Store a new student; False, and nothing is changed, if there is one with this key."""
        added = self._change(
            "INSERT OR IGNORE INTO students (id, name, [key], account, salt, hash, created) "
            f"VALUES ({_NEXT_STUDENT}, ?, ?, ?, ?, ?, ?)",
            *(name, key, account, salt, digest, now()),
        )
        return added == 1

    def student(self, key: str) -> Student | None:
        """The student with this key, if there is one."""
        return next(map(_student, self._rows("SELECT * FROM students WHERE [key] = ?", key)), None)

    def students(self) -> list[Student]:
        """Everybody, by key."""
        return [*map(_student, self._rows("SELECT * FROM students ORDER BY [key]"))]

    def set_student_passphrase(self, student_id: int, salt: bytes, digest: bytes) -> None:
        """Replace the passphrase of a student."""
        self._change("UPDATE students SET salt = ?, hash = ? WHERE id = ?", salt, digest, student_id)

    def rename_student(self, student_id: int, *, name: str, key: str) -> bool:
        """Give a student another name; False, and nothing is changed, if somebody else has this key.

        The first name of all is kept as `letters`, for what is drawn by it.
        """
        renamed = self._change(
            "UPDATE OR IGNORE students SET name = ?, [key] = ?, letters = coalesce(letters, name) WHERE id = ?",
            *(name, key, student_id),
        )
        return renamed == 1

    def set_left(self, student_id: int, when: str | None) -> None:
        """Since when a student is no longer in the class, None to have them back; their work stays."""
        self._change("UPDATE students SET [left] = ? WHERE id = ?", when, student_id)

    def set_details(self, student_id: int, details: Details) -> None:
        """Store what else is known of a student."""
        columns = ", ".join(f"[{field}] = ?" for field in Details._fields)
        self._change(f"UPDATE students SET {columns} WHERE id = ?", *details, student_id)

    def teacher(self) -> Secret | None:
        """The teacher's passphrase, if one is set."""
        return next((Secret(**row) for row in self._rows("SELECT salt, hash FROM teacher WHERE id = 1")), None)

    def set_teacher_passphrase(self, salt: bytes, digest: bytes) -> None:
        """Set or replace the teacher's passphrase."""
        self._change("INSERT OR REPLACE INTO teacher (id, salt, hash) VALUES (1, ?, ?)", salt, digest)

    # The log.

    def log_change(self, by: str, student_id: int | None, what: str, more: str = "") -> None:
        """Add a line to the log of the class."""
        self._change(
            "INSERT INTO changes (at, by, student, what, more) VALUES (?, ?, ?, ?, ?)",
            now(),
            by,
            student_id,
            what,
            more,
        )

    def changes(self) -> list[Change]:
        """The log of the class, oldest first."""
        rows = self._rows(
            "SELECT at, by, coalesce(name, '') AS student, what, more FROM changes "
            "LEFT JOIN students ON students.id = student ORDER BY changes.id"
        )
        return [Change(**row) for row in rows]

    # Where somebody is signed in.

    def open_tab(self, tab: KeptTab) -> None:
        """Store that somebody is signed in in a tab; if they were there before, since when is kept."""
        self._change(
            f"INSERT INTO tabs VALUES ({', '.join('?' * len(tab))}) ON CONFLICT (id) DO UPDATE SET "
            "opened = iif(student IS excluded.student, opened, excluded.opened), student = excluded.student, "
            "browser = excluded.browser, [key] = excluded.[key], seen = excluded.seen, closed = 0",
            *tab,
        )

    def renew_tab(self, tab: KeptTab) -> None:
        """Store how a tab stands now, unless its session was ended."""
        self._change(
            "UPDATE tabs SET [key] = ?, seen = ?, closed = ?, room = ?, attempt = ? "
            "WHERE id = ? AND student IS ? AND NOT closed",
            *(tab.key, tab.seen, tab.closed, tab.room, tab.attempt, tab.id, tab.student),
        )

    def tabs(self, student: int | None) -> list[KeptTab]:
        """The tabs in which a student is signed in, or if None the teacher."""
        return self._tabs("student IS ?", student)

    def tabs_of_students(self) -> list[KeptTab]:
        """The tabs in which any student is signed in."""
        return self._tabs("student IS NOT NULL")

    def tabs_of_browser(self, browser: str) -> list[KeptTab]:
        """The tabs of a browser in which somebody is signed in, the one that was open last first."""
        return self._tabs("browser = ? ORDER BY seen DESC", browser)

    def _tabs(self, which: str, *values: object) -> list[KeptTab]:
        return [KeptTab(**row) for row in self._rows(f"SELECT * FROM tabs WHERE {which}", *values)]

    def end_tabs(self, student: int | None, browser: str | None = None) -> int:
        """Sign a student, or if None the teacher, out of all tabs, or those of one browser; how many there were.

        Such a tab stays as one of no browser, so that it is known when somebody was there.
        """
        which = "student IS ?1 AND (?2 IS NULL OR browser = ?2)"
        return self._change(f"UPDATE tabs SET browser = '', closed = 1 WHERE {which}", student, browser)

    def end_tab(self, tab: KeptTab) -> None:
        """Sign somebody out of one tab."""
        self._change("UPDATE tabs SET browser = '', closed = 1 WHERE id = ? AND student IS ?", tab.id, tab.student)

    def forget_tabs(self, before: str, teacher_before: str) -> None:
        """Forget the tabs of students, and those of the teacher, that were open before these times."""
        old = "seen < iif(student IS NULL, ?2, ?1)"
        if self._rows(f"SELECT 1 FROM tabs WHERE {old} LIMIT 1", before, teacher_before):
            self._change(f"DELETE FROM tabs WHERE {old}", before, teacher_before)

    # What the teacher writes to students.

    def write_notes(self, notes: Sequence[KeptNote]) -> None:
        """Store notes, all of them or none."""
        with self._transaction() as connection:
            connection.executemany(_NOTE, (note[:-1] for note in notes))

    def notes(self, student: int | None = None) -> list[KeptNote]:
        """The notes for one student or for all, oldest first."""
        rows = self._rows("SELECT * FROM notes WHERE ?1 IS NULL OR student = ?1 ORDER BY id", student)
        return [KeptNote(**row) for row in rows]

    def read_notes(self, student: int, last: int, at: str) -> None:
        """Store that a student had read the notes up to one, by its number, at a time."""
        self._change("UPDATE notes SET read = ? WHERE student = ? AND id <= ? AND read IS NULL", at, student, last)

    # The secret of the file.

    def secret(self) -> bytes:
        """32 bytes that no other file has."""
        # Read first: it must be there for those, too, who cannot write at the moment.
        while not (rows := self._rows("SELECT [key] FROM seal WHERE id = 1")):
            self._change("INSERT OR IGNORE INTO seal (id, [key]) VALUES (1, ?)", token_bytes(32))
        key: bytes = rows[0]["key"]
        return key

    # Wrong passphrases.

    def refusals(self, key: str) -> tuple[int, str] | None:
        """How many wrong passphrases in a row there were under a key, and when the last was; None if none."""
        rows = self._rows("SELECT count, last FROM refusals WHERE [key] = ?", key)
        return (rows[0]["count"], rows[0]["last"]) if rows else None

    def refused(self, start: str) -> set[str]:
        """The keys that begin like this under which wrong passphrases are counted."""
        return {row["key"] for row in self._rows("SELECT [key] FROM refusals WHERE [key] GLOB ?", f"{start}*")}

    def forgive(self, person: str) -> None:
        """Forget the wrong passphrases for somebody, wherever they were typed, and the browsers they came in with."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM refusals WHERE [key] = ?1 OR [key] GLOB ?1 || ' *'", (person,))
            connection.execute("DELETE FROM browsers WHERE person = ?", (person,))

    def forget_refusals(self, before: str) -> None:
        """Forget the wrong passphrases of which the last was before a time."""
        if self._rows("SELECT 1 FROM refusals WHERE last < ? LIMIT 1", before):
            self._change("DELETE FROM refusals WHERE last < ?", before)

    def knows_browser(self, person: str, browser: str) -> bool:
        """Whether somebody has come in with a browser before."""
        return bool(self._rows("SELECT 1 FROM browsers WHERE person = ? AND browser = ?", person, browser))

    def know_browser(self, person: str, browser: str, at: str) -> None:
        """Remember that somebody has come in with a browser; of many, the last ones."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO browsers VALUES (?, ?, ?)", (person, browser, at))
            connection.execute(
                "DELETE FROM browsers WHERE person = ?1 AND browser NOT IN "
                "(SELECT browser FROM browsers WHERE person = ?1 ORDER BY at DESC LIMIT ?2)",
                (person, _BROWSERS),
            )

    def settle(self, key: str, *, right: bool, at: str, wait: Callable[[int, str], float]) -> float:
        """Count a passphrase: a right one ends the row of wrong ones, a wrong one makes it longer.

        Nothing is counted while `wait`, of what `refusals` gives, is above 0; that is returned, else 0. One process
        at a time gets past this point, so asking in many at once tells no more than asking in one.
        """
        with self._transaction() as connection:
            row = connection.execute("SELECT count, last FROM refusals WHERE [key] = ?", (key,)).fetchone()
            seconds = wait(*row) if row else 0.0
            if seconds <= 0:
                if right:
                    connection.execute("DELETE FROM refusals WHERE [key] = ?", (key,))
                else:
                    count = row[0] + 1 if row else 1
                    connection.execute("INSERT OR REPLACE INTO refusals VALUES (?, ?, ?)", (key, count, at))
        return max(seconds, 0.0)

    # Which lemma of a pool somebody has.

    def draws(self, place: str) -> dict[tuple[str, int], bytes]:
        """Return the keys of the lemmas that were drawn in a place, by exercise and number of the student."""
        rows = self._rows("SELECT student, name, [key] FROM draws WHERE place = ?", place)
        return {(row["name"], row["student"]): row["key"] for row in rows}

    def set_draw(self, student_id: int, place: str, name: str, key: bytes) -> None:
        """Store which lemma of a pool a student has, instead of the one until now."""
        self._change("INSERT OR REPLACE INTO draws VALUES (?, ?, ?, ?)", student_id, place, name, key)

    # Exams.

    def exam_journal(self) -> list[tuple[str, str, str, str]]:
        """What exams were given: when, the name of the lesson, what happened to it, and its content; oldest first."""
        rows = self._rows("SELECT at, place, kind, content FROM exams ORDER BY id")
        return [(row["at"], row["place"], row["kind"], row["content"]) for row in rows]

    def note_exam(self, at: str, place: str, kind: str, content: str) -> None:
        """Add a line to that journal."""
        self._insert("exams", at=at, place=place, kind=kind, content=content)

    # What is done.

    def keep(self, student_id: int, attempt: KeptAttempt, stored: int, events: Sequence[KeptEvent]) -> bool:
        """Store an attempt as it is now, and the events after the first `stored` ones, which are there already.

        That it was imported stays, since when it was, and that the teacher answers for it. False, and nothing is
        changed, if there are more or fewer by now, or if it is another student's. Raises StudentErased.
        """
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM erased WHERE student = ?", (student_id,)).fetchone():
                raise StudentErased(
                    "You and your work were deleted from this class; ask your teacher to be added again."
                )
            row = connection.execute(
                "SELECT id, student, (SELECT coalesce(max(number), 0) FROM events WHERE attempt = attempts.id) "
                "FROM attempts WHERE uuid = ?",
                (attempt.uuid,),
            ).fetchone()
            number, *found = row or (None, student_id, 0)
            if found != [student_id, stored]:
                return False
            if number is None:
                number = connection.execute(_INSERT, (student_id, *attempt)).lastrowid
            else:
                connection.execute(_UPDATE, (*attempt, number))
            connection.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
                ((number, place, *event) for place, event in enumerate(events, stored + 1)),
            )
        return True

    def attempts(self, student_id: int | None = None) -> list[StoredAttempt]:
        """The attempts of one student or of all, oldest first."""
        return self._attempts("?1 IS NULL OR student = ?1 ORDER BY started, id", student_id)

    def attempt(self, uuid: str) -> StoredAttempt | None:
        """One attempt, if it is there."""
        return next(iter(self._attempts("uuid = ?", uuid)), None)

    def unfinished(self, student_id: int, place: str, name: str, formula: str) -> StoredAttempt | None:
        """Of a student's attempts at an exercise that came to nothing yet, the one last worked at."""
        found = self._attempts(
            "student = ? AND place = ? AND name = ? AND formula = ? AND outcome = '' "
            "ORDER BY changed DESC, id DESC LIMIT 1",
            *(student_id, place, name, formula),
        )
        return found[0] if found else None

    def _attempts(self, which: str, *values: object) -> list[StoredAttempt]:
        rows = self._rows(
            "SELECT *, (SELECT coalesce(max(number), 0) FROM events WHERE attempt = attempts.id) AS events "
            f"FROM attempts WHERE {which}",
            *values,
        )
        return [
            StoredAttempt(
                row["id"], row["student"], row["events"], KeptAttempt(*(row[name] for name in KeptAttempt._fields))
            )
            for row in rows
        ]

    def events(self, uuid: str, after: int = 0) -> list[KeptEvent]:
        """What was done in an attempt after so many events, in order; nothing if it is not there."""
        rows = self._rows(
            "SELECT at, kind, what FROM events JOIN attempts ON attempts.id = attempt "
            "WHERE uuid = ? AND number > ? ORDER BY number",
            *(uuid, after),
        )
        return [KeptEvent(**row) for row in rows]

    def kinds_of_events(self) -> list[Happened]:
        """How often each kind of event occurs in each attempt."""
        rows = self._rows(
            "SELECT attempt, kind, CASE kind WHEN 'claim' THEN what ELSE '' END AS what, count(*) AS times "
            "FROM events GROUP BY 1, 2, 3"
        )
        return [Happened(**row) for row in rows]


def _student(row: Row) -> Student:
    """The student whom a row is about."""
    return Student(
        id=row["id"],
        name=row["name"],
        key=row["key"],
        account=row["account"],
        secret=None if row["hash"] is None else Secret(row["salt"], row["hash"]),
        created=row["created"],
        left=row["left"],
        letters=row["letters"] or row["name"],
        details=Details(*(row[field] for field in Details._fields)),
    )


class Erasing(DatabaseFile):
    """The part of the store that deletes a student for good, and every trace in the file and in the log beside it.

    SQLite leaves what is deleted in free pages, in the rest of pages and in its write-ahead log; here they are
    overwritten, and the file is rewritten without them. What a file system or a backup keeps of an older file is beyond
    its reach.
    """

    def erase_student(self, student_id: int, *people: str) -> None:
        """Delete a student, their attempts, what is counted under these names for people, and their lines of the log.

        `sweep` is to follow.

        The number of the student is kept, so that nobody gets it and their work could come back by nobody's hand.
        """
        self._overwrite_deleted()
        with self._transaction() as connection:
            connection.execute(
                "DELETE FROM events WHERE attempt IN (SELECT id FROM attempts WHERE student = ?)", (student_id,)
            )
            connection.execute("DELETE FROM attempts WHERE student = ?", (student_id,))
            connection.execute("DELETE FROM tabs WHERE student = ?", (student_id,))
            connection.execute("DELETE FROM notes WHERE student = ?", (student_id,))
            connection.execute("DELETE FROM draws WHERE student = ?", (student_id,))
            connection.execute("INSERT OR IGNORE INTO erased VALUES (?)", (student_id,))
            connection.execute("DELETE FROM changes WHERE student = ?", (student_id,))
            for person in people:
                connection.execute("DELETE FROM refusals WHERE [key] = ?1 OR [key] GLOB ?1 || ' *'", (person,))
                connection.execute("DELETE FROM browsers WHERE person = ?", (person,))
            connection.execute("DELETE FROM students WHERE id = ?", (student_id,))

    def sweep(self) -> None:
        """Rewrite the file without anything that was deleted, and empty the log beside it.

        It needs as much room on the disk again for a moment. Raises StoreError if others are reading all the time.
        """
        self._overwrite_deleted()
        with self._plain_errors():
            self._connection.execute("VACUUM")
            # Waits as long as any lock is waited for.
            busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise StoreError(f"{self.path} is being read by another process; close the classroom, and try again.")

    def _overwrite_deleted(self) -> None:
        with self._plain_errors():
            self._connection.execute("PRAGMA secure_delete = ON")
