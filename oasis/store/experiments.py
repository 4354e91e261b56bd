"""Experiments: what is to be done, and the result of each of its trials as bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, StoreError, now


class Experiments(DatabaseFile):
    """The part of the store that comparisons use."""

    def start_experiment(
        self, *, command: str, name: str, plan: Mapping[str, Any], version: str, commit: str | None
    ) -> int:
        """Store a new experiment without trials, and return its number.

        Args:
            command: that began it, such as `compare`.
            name: for people.
            plan: what JSON can hold.
            version: of the program.
            commit: of the program, if known.
        """
        told = {"name": name, "plan": plan, "version": version, "commit": commit}
        return self._insert("experiments", started=now(), command=command, **told)

    def add_trials(
        self, experiment: int, trials: Iterable[tuple[str, int, bytes]], *, version: str, commit: str | None
    ) -> None:
        """Store variant, seed and result of trials that are done, all of them or none; one that is there stays."""
        self._change_each(
            "INSERT OR IGNORE INTO trials (experiment, variant, seed, result, version, [commit]) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            ((experiment, *trial, version, commit) for trial in trials),
        )

    def finish_experiment(self, experiment: int) -> None:
        """Mark an experiment as done."""
        self._change("UPDATE experiments SET finished = ? WHERE id = ?", now(), experiment)

    def experiments(self) -> list[Row]:
        """Return every experiment, oldest first, with the number of its `trials` that are done."""
        rows = self._rows(
            "SELECT experiments.*, (SELECT count(*) FROM trials WHERE experiment = experiments.id) AS trials "
            "FROM experiments ORDER BY id"
        )
        return [self._decoded(row, plan=dict) for row in rows]

    def experiment(self, number: int) -> Row:
        """Return one experiment. Raises StoreError if there is none of that number."""
        rows = self._rows("SELECT * FROM experiments WHERE id = ?", number)
        if not rows:
            raise StoreError(f"There is no experiment {number} in {self.path}; leave the number out for the newest.")
        return self._decoded(rows[0], plan=dict)

    def newest_experiment(self, command: str, *, unfinished_first: bool = False) -> int:
        """Return the number of a command's newest experiment, or of its newest unfinished one if there is any.

        Raises StoreError if there is none.
        """
        order = "finished IS NULL DESC, id DESC" if unfinished_first else "id DESC"
        rows = self._rows(f"SELECT id FROM experiments WHERE command = ? ORDER BY {order} LIMIT 1", command)
        if not rows:
            raise StoreError(f"There is no experiment of `oasis {command}` in {self.path} yet; start one with it.")
        return int(rows[0]["id"])

    def done(self, experiment: int) -> set[tuple[str, int]]:
        """Return variant and seed of the trials that are done."""
        rows = self._rows("SELECT variant, seed FROM trials WHERE experiment = ?", experiment)
        return {(row["variant"], row["seed"]) for row in rows}

    def makers(self, experiment: int) -> list[Row]:
        """Return each `version` and `commit` of the program that made trials, with the number of its `trials`."""
        return self._rows(
            "SELECT version, [commit], count(*) AS trials FROM trials WHERE experiment = ? GROUP BY 1, 2 "
            "ORDER BY min(rowid)",
            experiment,
        )

    def trials(self, experiment: int, variant: str) -> Iterator[tuple[int, bytes]]:
        """Yield seed and result of the trials of a variant, by seed."""
        with self._plain_errors():
            yield from self._connection.execute(
                "SELECT seed, result FROM trials WHERE experiment = ? AND variant = ? ORDER BY seed",
                (experiment, variant),
            )

    def add_verdicts(self, experiment: int, verdicts: Iterable[tuple[str, str, str, str, bool, str]]) -> None:
        """Store formula, script, prover, version, accepted, reason; a prover's last word is kept."""
        self._change_each(
            "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((experiment, *verdict) for verdict in verdicts),
        )

    def verdicts(self, experiment: int) -> list[Row]:
        """Return what provers said of the proofs of an experiment."""
        return self._rows("SELECT * FROM verdicts WHERE experiment = ? ORDER BY formula, script, prover", experiment)
