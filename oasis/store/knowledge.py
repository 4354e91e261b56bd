"""What was found out or learned beside runs: goals, what was fitted, files of networks, and the journal of maxims."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, StoreError, now

GoalRow = tuple[bytes, str | None, int | None, int | None]
"""The key of a goal; the rule of its first move and the place of the hypothesis that it takes, and the moves of the
proof; no rule and no moves for a goal without a proof."""


class KnownGoals(DatabaseFile):
    """The part of the store that keeps what searches found out about goals, for searches to come."""

    def add_goals(self, layout: int, goals: Iterable[GoalRow]) -> None:
        """Store goals, all or none; of two proofs of one goal the shorter is kept.

        Args:
            layout: what keys and places mean; goals of one are not seen under another.
            goals: what is known of each.
        """
        with self._transaction() as connection:
            connection.executemany(
                "INSERT INTO goals (layout, key, rule, place, moves) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (layout, key) DO UPDATE SET rule = excluded.rule, place = excluded.place, "
                "moves = excluded.moves, change = (SELECT max(change) + 1 FROM goals) "
                "WHERE excluded.moves < goals.moves",
                ((layout, *goal) for goal in goals),
            )

    def goals(self, layout: int, since: int = 0) -> tuple[list[GoalRow], int]:
        """The goals that were stored or changed since then, and what to ask with the next time."""
        with self._plain_errors():
            rows = self._connection.execute(
                "SELECT change, key, rule, place, moves FROM goals WHERE layout = ? AND change > ? ORDER BY change",
                (layout, since),
            ).fetchall()
        return [(key, rule, place, moves) for _, key, rule, place, moves in rows], rows[-1][0] if rows else since


class FittedKnowledge(DatabaseFile):
    """The part of the store that keeps what was fitted to episodes, under names: whole or not at all."""

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


class Checkpoints(DatabaseFile):
    """The part of the store that knows which files trainings of networks wrote, and where."""

    def add_checkpoint(
        self,
        path: str,
        *,
        version: str,
        commit: str | None,
        training: str,
        settings: Mapping[str, Any],
        network: Mapping[str, Any],
        parameters: int,
        step: int,
        data: str,
        solved: float | None,
        digest: str,
    ) -> None:
        """Store that a training has written its file; what the same training wrote there before is replaced.

        Args:
            path: of the file.
            version: of Oasis.
            commit: of its sources, if known.
            training: its kind.
            settings: what the training depends on, as JSON can hold it; with its kind they say which one it is.
            network: what it is built of, likewise.
            parameters: of the network.
            step: how many steps it has been trained.
            data: stands for what it learned from.
            solved: share of some theorems that it proves.
            digest: of the file.
        """
        which = {"path": path, "training": training, "settings": json.dumps(dict(settings))}
        found: dict[str, Any] = {
            "written": now(),
            "version": version,
            "commit": commit,
            "network": json.dumps(dict(network)),
        }
        found |= {"parameters": parameters, "step": step, "data": data, "solved": solved, "digest": digest}
        changes = ", ".join(f"[{column}] = ?" for column in found)
        with self._transaction() as connection:
            cursor = connection.execute(
                f"UPDATE checkpoints SET {changes} WHERE path = ? AND training = ? AND settings = ?",
                (*found.values(), *which.values()),
            )
            if not cursor.rowcount:
                self._insert("checkpoints", started=now(), **found, **which)

    def checkpoints(self) -> list[Row]:
        """Every file that was written, in the order in which their trainings began."""
        rows = self._rows("SELECT * FROM checkpoints ORDER BY id")
        return [self._decoded(row, settings=dict, network=dict) for row in rows]


class MaximJournal(DatabaseFile):
    """The part of the store that keeps the journal of maxims: lines are added, and none is changed or taken out."""

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
