"""What was found out or learned beside runs: experiments, goals, fits, files of networks, and the journal of maxims."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, StoreError, now

GoalRow = tuple[bytes, str | None, int | None, int | None]
"""The key of a goal; the rule of its first move and the place of the hypothesis that it takes, and the moves of the
proof; no rule and no moves for a goal without a proof."""


class Experiments(DatabaseFile):
    """The part of the store that keeps experiments: what is to be done, and the result of each trial as bytes."""

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

    def newest_experiment(self, command: str = "", *, unfinished_first: bool = False) -> int:
        """Return the number of a command's newest experiment, or of its newest unfinished one if there is any.

        Without a command, it may be that of any.

        Raises StoreError if there is none.
        """
        order = "finished IS NULL DESC, id DESC" if unfinished_first else "id DESC"
        rows = self._rows(f"SELECT id FROM experiments WHERE ? IN (command, '') ORDER BY {order} LIMIT 1", command)
        if not rows:
            raise StoreError(
                f"There is no experiment of `oasis {command}` in {self.path} yet; start one with it."
                if command
                else f"There is no experiment in {self.path} yet; start one with oasis compare."
            )
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


class Certificates(DatabaseFile):
    """The part of the store that keeps what provers said of proofs, whoever found them."""

    def add_certificates(self, certificates: Iterable[tuple[str, str, str, str, bool, str]]) -> None:
        """Store formula, script, prover, version, accepted, reason; a prover's last word is kept."""
        self._change_each(
            "INSERT OR REPLACE INTO certificates VALUES (?1, ?2, ?3, ?4, ?5, ?6, digest(?1, ?2, ?3, ?4, ?5, ?6))",
            certificates,
        )

    def certificates(self, formula: str) -> list[Row]:
        """What provers said of proofs of a formula; `holds` is 0 if it was changed since. Raises StoreError."""
        rows = self._rows(
            "SELECT formula AS id, script, prover, version, accepted, reason, "
            "digest = digest(formula, script, prover, version, accepted, reason) AS holds "
            "FROM certificates WHERE formula = ? ORDER BY script, prover",
            formula,
        )
        return [self._decoded(row) for row in rows]


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
