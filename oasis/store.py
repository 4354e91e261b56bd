"""Runs, per-lemma results, episodes, scripts and what a student remembers, in one SQLite file.

Imports nothing of ours: rows come and go as plain values, and what they mean is known to the rooms above. Whatever
belongs together is written in one transaction, in WAL mode, so a process killed at any moment leaves the last
checkpoint whole.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database, Migrations

APPLICATION_ID: Final = 0x0A515
"""Marks a SQLite file as ours (`PRAGMA application_id`)."""

Row = dict[str, Any]

_migrations = Migrations("oasis")


@_migrations()
def runs_and_memory(db: Database) -> None:
    """The tables of a training run."""
    db.table("runs").create(
        {
            "id": int,
            "started": str,
            "finished": str,
            "version": str,
            "commit": str,
            "curriculum": str,
            "settings": str,
            "rng": str,
        },
        pk="id",
        not_null={"started", "version", "curriculum", "settings", "rng"},
    )
    db.table("lemmas").create(
        {
            "run": int,
            "position": int,
            "name": str,
            "formula": str,
            "status": str,
            "level": int,
            "seconds": float,
            "finished": int,
            "greedy_proved": int,
            "greedy_length": int,
            "greedy_script": str,
        },
        pk=("run", "position"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"name", "formula", "seconds", "finished"},
        defaults={"seconds": 0.0, "finished": 0},
    )
    db.table("episodes").create(
        {
            "run": int,
            "lemma": int,
            "episode": int,
            "steps": int,
            "proved": int,
            "length": int,
            "script": str,
        },
        pk=("run", "lemma", "episode"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"steps", "proved", "length"},
    )
    db.table("states").create(
        {"run": int, "state": bytes, "lemma": int},
        pk=("run", "state"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"lemma"},
    )
    db.table("pairs").create(
        {"run": int, "state": bytes, "slot": str, "value": float, "visits": int, "forgotten": int},
        pk=("run", "state", "slot"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"value", "visits", "forgotten"},
    )


@_migrations()
def certificates(db: Database) -> None:
    """What provers said of the proofs that a run reports."""
    db.table("certificates").create(
        {"run": int, "lemma": int, "script": str, "prover": str, "version": str, "accepted": int, "reason": str},
        pk=("run", "lemma", "script", "prover"),
        foreign_keys=[("run", "runs", "id")],
        not_null={"version", "accepted", "reason"},
    )


class StoreError(Exception):
    """A database that cannot be used; the text is one plain sentence with what to do now."""


class Store:
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

    def __enter__(self) -> Store:
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
            known = {migration.name for migration in _migrations.pending(empty)}
        if any(applied.name not in known for applied in _migrations.applied(self._db)):
            raise StoreError(f"{self.path} was written by a newer version of Oasis; update Oasis to read it.")
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute("PRAGMA foreign_keys = ON")
        _migrations.apply(self._db)

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

    # Writing a run.

    def start_run(
        self,
        *,
        curriculum: str,
        settings: Mapping[str, Any],
        version: str,
        commit: str | None,
        rng: object,
        lemmas: Iterable[Mapping[str, Any]],
    ) -> int:
        """Store a new run and its lemmas (`name`, `formula`, `status`, `level`), all still to be done; its number."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO runs (started, version, [commit], curriculum, settings, rng) VALUES (?, ?, ?, ?, ?, ?)",
                (_now(), version, commit, curriculum, json.dumps(dict(settings)), json.dumps(rng)),
            )
            run = cursor.lastrowid
            assert run is not None
            connection.executemany(
                "INSERT INTO lemmas (run, position, name, formula, status, level) VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (run, position, lemma["name"], lemma["formula"], lemma["status"], lemma["level"])
                    for position, lemma in enumerate(lemmas)
                ],
            )
        return run

    def checkpoint(
        self,
        run: int,
        lemma: int,
        *,
        seconds: float,
        rng: object,
        episodes: Iterable[tuple[int, int, bool, int, str | None]],
        states: Iterable[bytes],
        pairs: Iterable[tuple[bytes, str, float, int, bool]],
        greedy: tuple[bool, int, str] | None = None,
    ) -> None:
        """Store what happened since the last checkpoint, in one transaction.

        Args:
            run: its number.
            lemma: position of the lemma in the run, from 0.
            seconds: time spent on the lemma so far.
            rng: state of the random numbers behind the last episode, as JSON can hold it.
            episodes: number from 1, steps, proved, number of moves, and script of a proof.
            states: digests of states met for the first time.
            pairs: digest, slot, value, visits, given up.
            greedy: proved, number of moves and script of the greedy policy; given once, when the lemma is finished.
        """
        with self._transaction() as connection:
            connection.execute("UPDATE runs SET rng = ? WHERE id = ?", (json.dumps(rng), run))
            connection.execute(
                "UPDATE lemmas SET seconds = ? WHERE run = ? AND position = ?",
                (seconds, run, lemma),
            )
            if greedy is not None:
                connection.execute(
                    "UPDATE lemmas SET finished = 1, greedy_proved = ?, greedy_length = ?, greedy_script = ? "
                    "WHERE run = ? AND position = ?",
                    (*greedy, run, lemma),
                )
            connection.executemany(
                "INSERT INTO episodes VALUES (?, ?, ?, ?, ?, ?, ?)", ((run, lemma, *episode) for episode in episodes)
            )
            connection.executemany("INSERT INTO states VALUES (?, ?, ?)", ((run, state, lemma) for state in states))
            connection.executemany(
                "INSERT OR REPLACE INTO pairs VALUES (?, ?, ?, ?, ?, ?)", ((run, *pair) for pair in pairs)
            )

    def finish_run(self, run: int) -> None:
        """Mark a run as done."""
        with self._transaction() as connection:
            connection.execute("UPDATE runs SET finished = ? WHERE id = ?", (_now(), run))

    def add_certificates(self, run: int, certificates: Iterable[tuple[int, str, str, str, bool, str]]) -> None:
        """Store lemma position, script, prover, version, accepted, reason; a prover's last word is kept."""
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO certificates VALUES (?, ?, ?, ?, ?, ?, ?)",
                ((run, *certificate) for certificate in certificates),
            )

    # Reading runs.

    def runs(self) -> list[Row]:
        """Every run, oldest first, with the number of its lemmas, of those finished, and of its episodes."""
        rows = self._rows(
            "SELECT runs.*, (SELECT count(*) FROM lemmas WHERE run = runs.id) AS lemmas, "
            "(SELECT count(*) FROM lemmas WHERE run = runs.id AND finished) AS lemmas_finished, "
            "(SELECT count(*) FROM episodes WHERE run = runs.id) AS episodes FROM runs ORDER BY id"
        )
        return [_decoded(row) for row in rows]

    def run(self, run: int) -> Row:
        """One run. Raises StoreError if there is none of that number."""
        rows = self._rows("SELECT * FROM runs WHERE id = ?", run)
        if not rows:
            raise StoreError(f"There is no run {run} in {self.path}; see `oasis runs list`.")
        return _decoded(rows[0])

    def newest_run(self, *, unfinished_first: bool = False) -> int:
        """The number of the newest run, or of the newest unfinished one if there is any. Raises StoreError if none."""
        order = "finished IS NULL DESC, id DESC" if unfinished_first else "id DESC"
        rows = self._rows(f"SELECT id FROM runs ORDER BY {order} LIMIT 1")
        if not rows:
            raise StoreError(f"There is no run in {self.path} yet; start one with `oasis train`.")
        return int(rows[0]["id"])

    def lemmas(self, run: int) -> list[Row]:
        """The lemmas of a run in their order, each with what its episodes add up to.

        Beside the stored columns: `episodes`, `proved_episodes`, `steps`, `first_proof_episode`, `best_length`,
        `best_script` (None where there was no proof) and `states`, the number met for the first time in this lemma.
        """
        return self._rows(
            "SELECT lemmas.*, count(episode) AS episodes, coalesce(sum(proved), 0) AS proved_episodes, "
            "coalesce(sum(steps), 0) AS steps, min(CASE WHEN proved THEN episode END) AS first_proof_episode, "
            "min(CASE WHEN proved THEN length END) AS best_length, "
            "(SELECT script FROM episodes WHERE run = lemmas.run AND lemma = position AND proved "
            " ORDER BY length, episode LIMIT 1) AS best_script, "
            "(SELECT count(*) FROM states WHERE run = lemmas.run AND lemma = position) AS states "
            "FROM lemmas LEFT JOIN episodes ON episodes.run = lemmas.run AND lemma = position "
            "WHERE lemmas.run = ? GROUP BY lemmas.run, position ORDER BY position",
            run,
        )

    def episodes(self, run: int) -> list[Row]:
        """Every episode of a run, in order, with the name of its lemma."""
        return self._rows(
            "SELECT lemmas.name AS lemma, episode, steps, proved, length, script FROM episodes "
            "JOIN lemmas ON lemmas.run = episodes.run AND position = lemma WHERE episodes.run = ? "
            "ORDER BY position, episode",
            run,
        )

    def certificates(self, run: int) -> list[Row]:
        """What provers said of the proofs of a run, in the order of its lemmas."""
        return self._rows("SELECT * FROM certificates WHERE run = ? ORDER BY lemma, script, prover", run)

    def best_proof(self, formula: str) -> str | None:
        """The shortest proof of a formula in any run, given as its text is stored; None if there is none."""
        rows = self._rows(
            "SELECT script, length FROM episodes JOIN lemmas ON lemmas.run = episodes.run AND position = lemma "
            "WHERE formula = ? AND proved UNION ALL "
            "SELECT greedy_script, greedy_length FROM lemmas WHERE formula = ? AND greedy_proved "
            "ORDER BY length LIMIT 1",
            formula,
            formula,
        )
        return rows[0]["script"] if rows else None

    def recall(self, run: int, state: bytes) -> list[tuple[str, float, int, bool]] | None:
        """Slot, value, visits and given up of a state's pairs; None if the student of this run never met it."""
        with self._plain_errors():
            if not self._connection.execute(
                "SELECT 1 FROM states WHERE run = ? AND state = ?", (run, state)
            ).fetchone():
                return None
            return self._connection.execute(
                "SELECT slot, value, visits, forgotten FROM pairs WHERE run = ? AND state = ?", (run, state)
            ).fetchall()


def _decoded(row: Row) -> Row:
    return {**row, "settings": json.loads(row["settings"]), "rng": json.loads(row["rng"])}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
