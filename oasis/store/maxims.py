"""The journal of what was distilled from rollouts: lines are added, and none is ever changed or taken out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, now


class MaximJournal(DatabaseFile):
    """The part of the store that keeps the journal of maxims."""

    def add_maxim_entry(
        self,
        operation: str,
        *,
        maxim: int | None,
        by: str,
        reason: str,
        content: Mapping[str, Any],
        at: str | None = None,
    ) -> int:
        """Add a line to the journal, and return the number of the maxim that it is about.

        Args:
            operation: what was done.
            maxim: its number; None for a number that no maxim ever had.
            by: what made somebody do it.
            reason: why, in words.
            content: what is said of the maxim, as JSON can hold it.
            at: when; None for now.
        """
        with self._transaction() as connection:
            if maxim is None:
                (maxim,) = connection.execute("SELECT coalesce(max(maxim), 0) + 1 FROM maxims").fetchone()
            self._insert(
                "maxims", maxim=maxim, at=at or now(), operation=operation, by=by, reason=reason, content=content
            )
        assert maxim is not None
        return maxim

    def maxim_entries(self) -> list[Row]:
        """Every line of the journal, oldest first. Raises StoreError if one is damaged."""
        rows = self._rows("SELECT id, maxim, at, operation, by, reason, content FROM maxims ORDER BY id")
        return [self._decoded(row, content=dict) for row in rows]
