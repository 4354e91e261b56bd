"""One SQLite file: opening and claiming it, its migrations, transactions, and what is wrong with it in plain words.

What is in its tables is not known here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from sqlite_utils import Database

from oasis.store.schema import migrations

APPLICATION_ID: Final = 0x0A515
"""Marks a SQLite file as ours (`PRAGMA application_id`)."""

Row = dict[str, Any]


class StoreError(Exception):
    """A database that cannot be used; the text is one plain sentence with what to do now."""


class DatabaseFile:
    """One open database file; a context manager that closes it.

    Raises StoreError when the file cannot be created, opened or written, is locked by another process for longer than
    five seconds, or holds something else. A file that is not ours is never changed.
    """

    def __init__(self, path: Path, *, create: bool = True) -> None:
        self.path = path
        if not create and not path.exists():
            raise StoreError(f"There is no database {path} yet; train a student first, or name one with --db.")
        with self._plain_errors():
            self._connection = sqlite3.connect(path, timeout=5.0, isolation_level=None)
            self._db = Database(self._connection)
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

    def _claim(self) -> None:
        """Make sure that the file is ours or empty, and bring its tables up to date."""
        application = self._connection.execute("PRAGMA application_id").fetchone()[0]
        if application != APPLICATION_ID:
            if application or self._connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise StoreError(f"{self.path} is a database of another program; name another file with --db.")
            self._connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        with Database(memory=True) as empty:
            known = {migration.name for migration in migrations.pending(empty)}
        if any(applied.name not in known for applied in migrations.applied(self._db)):
            raise StoreError(f"{self.path} was written by a newer version of Oasis; update Oasis to read it.")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        migrations.apply(self._db)

    @contextmanager
    def _plain_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            text = str(error)
            if isinstance(error, sqlite3.IntegrityError):
                reason = "already holds what was to be stored: another process is training the same run; let it finish"
            elif "locked" in text or "busy" in text:
                reason = "is in use by another process; wait for it, or name another file with --db"
            elif "not a database" in text:
                reason = "is not a database; name another file with --db"
            elif "readonly" in text or "unable to open" in text:
                reason = "cannot be written here; name another file with --db or OASIS_DB"
            elif "full" in text:
                reason = "cannot grow because the disk is full; make room and continue with --resume"
            else:
                reason = f"cannot be used ({text}); name another file with --db"
            raise StoreError(f"{self.path} {reason}.") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._plain_errors():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                # On a full disk SQLite has done it by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def _rows(self, sql: str, *values: object) -> list[Row]:
        with self._plain_errors():
            return list(self._db.query(sql, values))


def now() -> str:
    """The time, as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")
