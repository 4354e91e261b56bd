"""The work of a class: students, every event of their attempts, and passphrases with how often they were wrong.

An attempt is a row that says what has come of it so far, and a row for each event. Both are written in one transaction,
so a process that is killed leaves them in agreement. What events mean, and what hashes are made of, is not known here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from secrets import token_bytes
from typing import Final, NamedTuple

from oasis.store.database import DatabaseFile, Row, now


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
        imported: when it was brought from where nobody here saw it done, or None.
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
    imported: str | None = None

    @classmethod
    def of(cls, row: Row) -> KeptAttempt:
        """The attempt that a row of the store has."""
        return cls(*(row[name] for name in cls._fields))


_COLUMNS: Final = [f"[{name}]" for name in KeptAttempt._fields]
_INSERT: Final = f"INSERT INTO attempts (student, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)})"
_CHANGED: Final = ", ".join(f"{name} = ?" for name in _COLUMNS[:-1])
_UPDATE: Final = f"UPDATE attempts SET {_CHANGED}, imported = coalesce(imported, ?) WHERE id = ?"


class Classroom(DatabaseFile):
    """The part of the store that a class uses."""

    # People.

    def add_student(
        self, *, name: str, key: str, account: str | None, salt: bytes | None, digest: bytes | None
    ) -> bool:
        """Store a new student; False, and nothing is changed, if there is one with this key."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT OR IGNORE INTO students (name, [key], account, salt, hash, created) VALUES (?, ?, ?, ?, ?, ?)",
                (name, key, account, salt, digest, now()),
            )
        return cursor.rowcount == 1

    def student(self, key: str) -> Row | None:
        """The student with this key, if there is one."""
        return next(iter(self._rows("SELECT * FROM students WHERE [key] = ?", key)), None)

    def students(self) -> list[Row]:
        """Everybody, by key."""
        return self._rows("SELECT * FROM students ORDER BY [key]")

    def set_student_passphrase(self, student: int, salt: bytes, digest: bytes) -> None:
        """Replace the passphrase of a student."""
        with self._transaction() as connection:
            connection.execute("UPDATE students SET salt = ?, hash = ? WHERE id = ?", (salt, digest, student))

    def rename_student(self, student: int, *, name: str, key: str) -> bool:
        """Give a student another name; False, and nothing is changed, if somebody else has this key.

        The first name of all is kept as `letters`, for what is drawn by it.
        """
        with self._transaction() as connection:
            cursor = connection.execute(
                "UPDATE OR IGNORE students SET name = ?, [key] = ?, letters = coalesce(letters, name) WHERE id = ?",
                (name, key, student),
            )
        return cursor.rowcount == 1

    def set_left(self, student: int, when: str | None) -> None:
        """Since when a student is no longer in the class, None to have them back; their work stays."""
        with self._transaction() as connection:
            connection.execute("UPDATE students SET [left] = ? WHERE id = ?", (when, student))

    def teacher(self) -> Row | None:
        """The teacher's passphrase, if one is set."""
        return next(iter(self._rows("SELECT * FROM teacher WHERE id = 1")), None)

    def set_teacher_passphrase(self, salt: bytes, digest: bytes) -> None:
        """Set or replace the teacher's passphrase."""
        with self._transaction() as connection:
            connection.execute("INSERT OR REPLACE INTO teacher (id, salt, hash) VALUES (1, ?, ?)", (salt, digest))

    # Seals.

    def seal(self) -> bytes:
        """The key of this file, 32 bytes that no other has."""
        # Read first: it must be there for those, too, who cannot write at the moment.
        while not (rows := self._rows("SELECT [key] FROM seal WHERE id = 1")):
            with self._transaction() as connection:
                connection.execute("INSERT OR IGNORE INTO seal (id, [key]) VALUES (1, ?)", (token_bytes(32),))
        key: bytes = rows[0]["key"]
        return key

    # Wrong passphrases.

    def refusals(self, key: str) -> tuple[int, str] | None:
        """How many wrong passphrases in a row there were under a key, and when the last was; None if none."""
        rows = self._rows("SELECT count, last FROM refusals WHERE [key] = ?", key)
        return (rows[0]["count"], rows[0]["last"]) if rows else None

    def forgive(self, key: str) -> None:
        """Forget the wrong passphrases under a key."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM refusals WHERE [key] = ?", (key,))

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

    # What is done.

    def keep(self, student: int, attempt: KeptAttempt, stored: int, events: Sequence[KeptEvent]) -> bool:
        """Store an attempt as it is now, and the events after the first `stored` ones, which are there already.

        That it was imported stays, since when it was. False, and nothing is changed, if there are more or fewer by now,
        or if it is another student's.
        """
        with self._transaction() as connection:
            row = connection.execute(
                "SELECT id, student, (SELECT coalesce(max(number), 0) FROM events WHERE attempt = attempts.id) "
                "FROM attempts WHERE uuid = ?",
                (attempt.uuid,),
            ).fetchone()
            number, *found = row or (None, student, 0)
            if found != [student, stored]:
                return False
            if number is None:
                number = connection.execute(_INSERT, (student, *attempt)).lastrowid
            else:
                connection.execute(_UPDATE, (*attempt, number))
            connection.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
                ((number, place, *event) for place, event in enumerate(events, stored + 1)),
            )
        return True

    def attempts(self, student: int | None = None) -> list[Row]:
        """The attempts of one student or of all, oldest first, each with the number of its `events`."""
        return self._rows(
            "SELECT *, (SELECT coalesce(max(number), 0) FROM events WHERE attempt = attempts.id) AS events "
            "FROM attempts WHERE ?1 IS NULL OR student = ?1 ORDER BY started, id",
            student,
        )

    def attempt(self, uuid: str) -> Row | None:
        """One attempt, if it is there."""
        return next(iter(self._rows("SELECT * FROM attempts WHERE uuid = ?", uuid)), None)

    def unfinished(self, student: int, place: str, name: str, formula: str) -> Row | None:
        """Of a student's attempts at an exercise that came to nothing yet, the one last worked at."""
        rows = self._rows(
            "SELECT * FROM attempts WHERE student = ? AND place = ? AND name = ? AND formula = ? AND outcome = '' "
            "ORDER BY changed DESC, id DESC LIMIT 1",
            *(student, place, name, formula),
        )
        return rows[0] if rows else None

    def events(self, uuid: str) -> list[KeptEvent]:
        """What was done in an attempt, in order; nothing if it is not there."""
        rows = self._rows(
            "SELECT at, kind, what FROM events JOIN attempts ON attempts.id = attempt WHERE uuid = ? ORDER BY number",
            uuid,
        )
        return [KeptEvent(**row) for row in rows]

    def kinds_of_events(self) -> list[Row]:
        """How often each `kind` of event occurs in each `attempt` (its row), claims also by `what` was claimed."""
        return self._rows(
            "SELECT attempt, kind, CASE kind WHEN 'claim' THEN what ELSE '' END AS what, count(*) AS times "
            "FROM events GROUP BY 1, 2, 3"
        )
