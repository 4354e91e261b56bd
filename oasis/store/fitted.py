"""What was fitted to episodes, under names: whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, StoreError, now


class FittedKnowledge(DatabaseFile):
    """The part of the store that keeps what was fitted."""

    def add_fitted(self, name: str, *, version: str, origin: Mapping[str, Any], content: bytes) -> None:
        """Store something under a name.

        Args:
            name: under which nothing is stored yet.
            version: stands for the content.
            origin: what it was made from, as JSON can hold it.
            content: what it is.

        Raises StoreError if something has this name.
        """
        with self._transaction() as connection:
            if connection.execute("SELECT 1 FROM fitted WHERE name = ?", (name,)).fetchone():
                raise StoreError(f"{self.path} has something fitted called {name} already; give another --name.")
            self._insert("fitted", name=name, made=now(), version=version, origin=origin, content=content)

    def fitted(self, name: str) -> Row:
        """What is stored under a name, with all its columns. Raises StoreError if there is nothing."""
        with self._plain_errors():
            row = self._connection.execute("SELECT content FROM fitted WHERE name = ?", (name,)).fetchone()
        described = [each for each in self.fitted_list() if each["name"] == name]
        if row is None or not described:
            raise StoreError(f"Nothing fitted is called {name} in {self.path}; see `oasis dagger list`.")
        if not isinstance(row[0], bytes):
            raise self.damaged(f"the content of {name} cannot be read")
        return {**described[0], "content": row[0]}

    def fitted_list(self) -> list[Row]:
        """Everything that was fitted, oldest first, without its content."""
        rows = self._rows("SELECT name AS id, name, made, version, origin FROM fitted ORDER BY rowid")
        return [self._decoded(row, origin=dict) for row in rows]
