"""Experiments: the plan of a comparison, and the result of each of its trials as bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, StoreError, now


class Experiments(DatabaseFile):
    """The part of the store that comparisons use."""

    def start_experiment(self, *, name: str, plan: Mapping[str, Any], version: str, commit: str | None) -> int:
        """Store a new experiment without trials; its number. The plan is what JSON can hold."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO experiments (started, version, [commit], name, plan) VALUES (?, ?, ?, ?, ?)",
                (now(), version, commit, name, json.dumps(dict(plan))),
            )
        number = cursor.lastrowid
        assert number is not None
        return number

    def add_trials(self, experiment: int, trials: Iterable[tuple[str, int, bytes]]) -> None:
        """Store variant, seed and result of trials that are done, all of them or none; one that is there stays."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO trials VALUES (?, ?, ?, ?)", ((experiment, *trial) for trial in trials)
            )

    def finish_experiment(self, experiment: int) -> None:
        """Mark an experiment as done."""
        with self._transaction() as connection:
            connection.execute("UPDATE experiments SET finished = ? WHERE id = ?", (now(), experiment))

    def experiments(self) -> list[Row]:
        """Every experiment, oldest first, with the number of its `trials` that are done."""
        rows = self._rows(
            "SELECT experiments.*, (SELECT count(*) FROM trials WHERE experiment = experiments.id) AS trials "
            "FROM experiments ORDER BY id"
        )
        return [self._decoded(row, plan=dict) for row in rows]

    def experiment(self, number: int) -> Row:
        """One experiment. Raises StoreError if there is none of that number."""
        rows = self._rows("SELECT * FROM experiments WHERE id = ?", number)
        if not rows:
            raise StoreError(f"There is no experiment {number} in {self.path}; leave the number out for the newest.")
        return self._decoded(rows[0], plan=dict)

    def newest_experiment(self, *, unfinished_first: bool = False) -> int:
        """The number of the newest experiment, or of the newest unfinished one if there is any.

        Raises StoreError if there is none.
        """
        order = "finished IS NULL DESC, id DESC" if unfinished_first else "id DESC"
        rows = self._rows(f"SELECT id FROM experiments ORDER BY {order} LIMIT 1")
        if not rows:
            raise StoreError(f"There is no experiment in {self.path} yet; start one with `oasis compare`.")
        return int(rows[0]["id"])

    def done(self, experiment: int) -> set[tuple[str, int]]:
        """Variant and seed of the trials that are done."""
        rows = self._rows("SELECT variant, seed FROM trials WHERE experiment = ?", experiment)
        return {(row["variant"], row["seed"]) for row in rows}

    def trials(self, experiment: int, variant: str) -> Iterator[tuple[int, bytes]]:
        """Seed and result of the trials of a variant, by seed."""
        with self._plain_errors():
            yield from self._connection.execute(
                "SELECT seed, result FROM trials WHERE experiment = ? AND variant = ? ORDER BY seed",
                (experiment, variant),
            )
