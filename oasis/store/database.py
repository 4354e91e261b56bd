"""One SQLite file: opening and claiming it, transactions, and what is wrong with it in plain words.

What is in its tables is not known here.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final, Self

from oasis.store import schema

APPLICATION_ID: Final = 0x0A515
"""Marks a SQLite file as ours (`PRAGMA application_id`)."""

PATIENCE: Final = 5.0
"""Seconds for which a lock is waited for, unless told otherwise."""

_IN_MEMORY: Final = ":memory:"
"""What SQLite takes for a database that is no file."""
_SMALLEST_DATABASE: Final = 512
"""Bytes in SQLite's smallest page."""

Row = dict[str, Any]


class StoreError(Exception):
    """A database that cannot be used; the text is one plain sentence with what to do now."""


class NoRoom(StoreError):
    """What cannot be stored because the disk is full or fails, and may be as soon as there is room."""


class StudentErased(StoreError):
    """Work that can never be stored, because it is that of a student who was erased."""


class DatabaseFile:
    """One open database file; a context manager that closes it. It belongs to the thread that opened it.

    Raises StoreError when the file cannot be created, opened or written, is locked by another process for longer than
    `patience` seconds, or holds something else. A file that is not ours is never changed.
    """

    def __init__(self, path: Path, *, create: bool = True, patience: float = PATIENCE) -> None:
        self.path = path
        self._patience = patience
        if not create and not path.exists():
            raise StoreError(
                f"There is no database {path} yet; train or open the classroom first, or name one with --db."
            )
        self._check_owner()
        if create and str(path) != _IN_MEMORY:
            # SQLite gives the files beside it the same rights.
            with suppress(OSError):  # that it is there, or cannot be made, is SQLite's to say
                os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
        with self._plain_errors():
            self._connection = sqlite3.connect(path, timeout=patience, isolation_level=None)
            try:
                self._claim()
            except BaseException:
                self._connection.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was committed is in it."""
        self._connection.close()

    def copy(self, path: Path) -> None:
        """Write all of it as it is at one moment into an empty file, while others go on writing to this one."""
        with self._plain_errors():
            self._connection.execute("VACUUM INTO ?", (str(path),))

    def _check_owner(self) -> None:
        """Raises StoreError for a file that cannot be used here, before SQLite may write to it.

        SQLite takes a file of one byte for an empty database, and by opening and closing it may bring the log beside a
        database of another program into it. The file is read through SQLite alone: closing it otherwise would give up
        the locks that this process has on it.
        """
        try:
            size = self.path.stat().st_size if self.path.is_file() else 0
        except OSError:
            size = 0
        if size == 0:
            return  # there is nothing to keep, or SQLite says what is wrong
        if size < _SMALLEST_DATABASE:
            raise StoreError(f"{self.path} is not a database; name another file with --db.")
        with self._plain_errors():
            # An immutable file is read without its log, and nothing is made beside it; what another process changes
            # meanwhile reads as damaged.
            with suppress(sqlite3.DatabaseError):
                if self._steps_as_opened("immutable=1") or not Path(f"{self.path}-wal").exists():
                    return
            self._steps_as_opened("mode=ro")

    def _steps_as_opened(self, mode: str) -> int:
        """What `_steps` says of the file as SQLite opens it in this mode."""
        address = f"{self.path.absolute().as_uri()}?{mode}"
        with closing(sqlite3.connect(address, uri=True, timeout=self._patience)) as connection:
            return self._steps(connection)

    def _steps(self, connection: sqlite3.Connection) -> int:
        """How many steps of the schema the database has been through, 0 if it is empty.

        Raises StoreError if it is another program's, a trial's, or from the future. Another program's is also one with
        a view, of which we make none: a made-up one need not come to an end.
        """
        ((mark, steps, has_tables, has_views),) = connection.execute(
            "SELECT application_id, user_version, EXISTS (SELECT 1 FROM sqlite_master), "
            "EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'view') FROM pragma_application_id, pragma_user_version"
        )
        if has_views or (mark != APPLICATION_ID and any((mark, steps, has_tables))):
            raise StoreError(f"{self.path} is a database of another program; name another file with --db.")
        if mark and steps < 1:
            raise StoreError(
                f"{self.path} was made by a trial version before 0.1.0 and cannot be read; keep it, and name another "
                "file with --db."
            )
        if steps > len(schema.STEPS):
            raise StoreError(f"{self.path} was written by a newer version of Oasis; update Oasis to read it.")
        return int(steps)

    def _claim(self) -> None:
        """Make sure that the file is ours or empty, and bring its tables up to date.

        Any number of processes may be at it at once: each looks at one moment of the file, and changes what it saw
        only while it alone may write.
        """
        with self._transaction("DEFERRED"):
            steps = self._steps(self._connection)
        # Without the log, which some file systems do not allow, less than FULL might damage the file when power fails.
        self._connection.execute(f"PRAGMA synchronous = {'NORMAL' if self._write_ahead() else 'FULL'}")
        self._connection.execute("PRAGMA foreign_keys = ON")
        for name, function in schema.FUNCTIONS.items():
            self._connection.create_function(name, -1, function, deterministic=True)
        if steps < len(schema.STEPS):
            with self._transaction():
                for statement in chain.from_iterable(schema.STEPS[self._steps(self._connection) :]):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                self._connection.execute(f"PRAGMA user_version = {len(schema.STEPS)}")

    def _write_ahead(self) -> bool:
        """Turn the write-ahead log on; whether it is on, which some file systems do not allow.

        Whoever else has the file open makes SQLite give up on that without waiting.
        """
        deadline = monotonic() + self._patience
        while True:
            try:
                (mode,) = self._connection.execute("PRAGMA journal_mode = WAL").fetchone()
            except sqlite3.OperationalError as error:
                if not _is_lock(error) or monotonic() > deadline:
                    raise
                sleep(0.01)
            else:
                return bool(mode == "wal")

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            text = str(error)
            if isinstance(error, sqlite3.IntegrityError):
                reason = (
                    "already holds what was to be stored: another process is training the same run, or is at the same "
                    "work; let it finish"
                )
            elif _is_lock(error):
                reason = "is in use by another process; wait for it, or name another file with --db"
            elif "not a database" in text:
                reason = "is not a database; name another file with --db"
            elif "readonly" in text or "unable to open" in text:
                reason = "cannot be written here; name another file with --db or OASIS_DB"
            elif "full" in text:
                raise NoRoom(
                    f"{self.path} cannot grow because the disk is full; make room and go on, a training with --resume."
                ) from error
            elif "disk I/O" in text:
                raise NoRoom(
                    f"{self.path} cannot be written or read because the disk fails or the room you may use on it is "
                    "full; make room and go on, a training with --resume."
                ) from error
            elif "malformed" in text or "decode" in text:
                raise self.damaged(text) from error
            else:
                reason = f"cannot be used ({text}); name another file with --db"
            raise StoreError(f"{self.path} {reason}.") from error
        except UnicodeDecodeError as error:
            raise self.damaged(str(error)) from error
        except OverflowError:
            raise StoreError(f"{self.path} has nothing under so large a number; see `oasis runs list`.") from None

    def damaged(self, what: str) -> StoreError:
        """The error for content that nobody can have stored, such as text that is no JSON."""
        return StoreError(f"{self.path} is damaged ({what}); put back a copy of it, or name another file with --db.")

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything that is stored inside is stored in one transaction: all of it or nothing."""
        with self._transaction():
            yield

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Everything that is read inside is read as it was at one moment; nothing can be stored inside."""
        with self._transaction("DEFERRED"):
            yield

    @contextmanager
    def _transaction(self, kind: str = "IMMEDIATE") -> Iterator[sqlite3.Connection]:
        if self._connection.in_transaction:
            yield self._connection
            return
        with self._plain_errors():
            self._connection.execute(f"BEGIN {kind}")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # On a full disk SQLite has done it by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def _decoded(self, row: Row, **columns: type) -> Row:
        """The row, which holds no bytes, with the JSON of some columns read, each of them a value of its type."""
        read = {}
        if any(isinstance(value, bytes) for value in row.values()):
            raise self.damaged(f"number {row['id']} has bytes where text was")
        for column, kind in columns.items():
            try:
                read[column] = json.loads(row[column])
            except (TypeError, ValueError, RecursionError):
                raise self.damaged(f"the {column} of number {row['id']} cannot be read") from None
            if not isinstance(read[column], kind):
                raise self.damaged(f"the {column} of number {row['id']} cannot be read")
        return {**row, **read}

    def _insert(self, table: str, **values: Any) -> int:
        """Store a row, mappings as JSON, and give its number."""
        columns = ", ".join(f"[{column}]" for column in values)
        stored = [json.dumps(dict(value)) if isinstance(value, Mapping) else value for value in values.values()]
        with self._transaction() as connection:
            marks = ", ".join("?" * len(stored))
            number = connection.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", stored).lastrowid
        assert number is not None
        return number

    def _change(self, sql: str, *values: object) -> int:
        """Run a statement that changes rows; how many it changed."""
        with self._transaction() as connection:
            return connection.execute(sql, values).rowcount

    def _change_each(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run a statement that changes rows with each of some rows of values, all or none."""
        with self._transaction() as connection:
            connection.executemany(sql, rows)

    def _rows(self, sql: str, *values: object) -> list[Row]:
        with self._plain_errors():
            cursor = self._connection.execute(sql, values)
            columns = [name for name, *_ in cursor.description]
            return [dict(zip(columns, row, strict=True)) for row in cursor]


def _is_lock(error: sqlite3.Error) -> bool:
    return any(word in str(error) for word in ("locked", "busy", "locking protocol"))


def now() -> str:
    """The time, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")
