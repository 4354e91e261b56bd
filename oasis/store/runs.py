"""Training runs: lemmas, episodes, certificates, what students remember, and how far each lemma has climbed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, StoreError, now


class Runs(DatabaseFile):
    """The part of the store that training uses."""

    # Writing a run.

    def start_run(
        self,
        *,
        curriculum: str,
        settings: Mapping[str, Any],
        version: str,
        commit: str | None,
        rng: int,
        student: str,
        lemmas: Iterable[Mapping[str, Any]],
        taught_by: int | None = None,
        cohort: int | None = None,
    ) -> int:
        """Store a new run with all its lemmas still to be done, and give its number.

        Args:
            curriculum: its name.
            settings: of the student, as JSON can hold them.
            version: of Oasis.
            commit: of its sources, if known.
            rng: state of the random numbers.
            student: of which kind it is, `plain` or `compiled`.
            lemmas: each with `name`, `formula`, `status`, `level` and `only_examined`.
            taught_by: the run whose student goes on here.
            cohort: the first run of those that were started together.
        """
        with self._transaction() as connection:
            made = {"version": version, "commit": commit, "curriculum": curriculum, "settings": settings}
            whose = {"rng": json.dumps(rng), "student": student, "taught_by": taught_by, "cohort": cohort}
            run = self._insert("runs", started=now(), **made, **whose)
            connection.executemany(
                "INSERT INTO lemmas (run, position, name, formula, status, level, only_examined) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    (run, position, *(lemma[name] for name in ("name", "formula", "status", "level", "only_examined")))
                    for position, lemma in enumerate(lemmas)
                ],
            )
        return run

    def checkpoint(
        self,
        run: int,
        lemma: int = 0,
        *,
        tally: Mapping[str, Any] | None = None,
        block: tuple[int, int, bytes] | None = None,
        rng: int | None = None,
        snapshot: bytes | None = None,
        states: Iterable[bytes] = (),
        pairs: Iterable[tuple[bytes, str, float, int, bool]] = (),
    ) -> None:
        """Store what happened since the last checkpoint, in one transaction.

        Args:
            run: its number.
            lemma: position of the lemma in the run, from 0.
            tally: what its episodes add up to, by columns of the table of lemmas; None if that is as it was.
            block: number of its first episode, from 1, number of episodes, and what became of them.
            rng: state of the random numbers behind the last episode; None if it is as it was.
            snapshot: all that the student is.
            states: or else digests of states met for the first time,
            pairs: and digest, slot, value, visits, given up.
        """
        with self._transaction() as connection:
            if rng is not None:
                connection.execute("UPDATE runs SET rng = ? WHERE id = ?", (json.dumps(rng), run))
            if tally is not None:
                columns = ", ".join(f"{column} = ?" for column in tally)
                connection.execute(
                    f"UPDATE lemmas SET {columns} WHERE run = ? AND position = ?", (*tally.values(), run, lemma)
                )
            if block is not None:
                connection.execute("INSERT INTO blocks VALUES (?, ?, ?, ?, ?)", (run, lemma, *block))
            if snapshot is not None:
                connection.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?)", (run, snapshot))
            connection.executemany("INSERT INTO states VALUES (?, ?, ?)", ((run, state, lemma) for state in states))
            connection.executemany(
                "INSERT OR REPLACE INTO pairs VALUES (?, ?, ?, ?, ?, ?)", ((run, *pair) for pair in pairs)
            )

    def begin_lemma_again(self, run: int, lemma: int) -> None:
        """Take back what was stored of a lemma that is not finished, and the student with it."""
        none = ", ".join(f"{column} = NULL" for column in ("first_proof", "best", "best_moves", "known"))
        columns = f"practised = 0, proofs = 0, actions = 0, met = 0, {none}"
        with self._transaction() as connection:
            connection.execute("DELETE FROM blocks WHERE run = ? AND lemma = ?", (run, lemma))
            connection.execute("DELETE FROM snapshots WHERE run = ?", (run,))
            connection.execute(f"UPDATE lemmas SET {columns}, seconds = 0 WHERE run = ? AND position = ?", (run, lemma))

    def finish_run(self, run: int) -> None:
        """Mark a run as done."""
        self._change("UPDATE runs SET finished = ? WHERE id = ?", now(), run)

    # Reading runs.

    def runs(self) -> list[Row]:
        """Every run, oldest first, with the number of its lemmas, of those finished, and of its episodes."""
        rows = self._rows(
            "SELECT runs.*, (SELECT count(*) FROM lemmas WHERE run = runs.id) AS lemmas, "
            "(SELECT count(*) FROM lemmas WHERE run = runs.id AND finished) AS lemmas_finished, "
            "(SELECT coalesce(sum(practised), 0) FROM lemmas WHERE run = runs.id) AS episodes FROM runs ORDER BY id"
        )
        return [self._decoded(row, settings=dict, rng=int) for row in rows]

    def run(self, run: int) -> Row:
        """One run. Raises StoreError if there is none of that number."""
        rows = self._rows("SELECT * FROM runs WHERE id = ?", run)
        if not rows:
            raise StoreError(f"There is no run {run} in {self.path}; see `oasis runs list`.")
        return self._decoded(rows[0], settings=dict, rng=int)

    def cohort(self, run: int) -> list[int]:
        """The runs that were started together with one, that one included, in the order of their numbers."""
        rows = self._rows(
            "SELECT id FROM runs WHERE coalesce(cohort, id) = (SELECT coalesce(cohort, id) FROM runs WHERE id = ?) "
            "ORDER BY id",
            run,
        )
        return [int(row["id"]) for row in rows]

    def newest_run(self, *, unfinished_first: bool = False) -> int:
        """The number of the newest run, or of the newest unfinished one if there is any. Raises StoreError if none."""
        order = "finished IS NULL DESC, id DESC" if unfinished_first else "id DESC"
        rows = self._rows(f"SELECT id FROM runs ORDER BY {order} LIMIT 1")
        if not rows:
            raise StoreError(f"There is no run in {self.path} yet; start one with `oasis train`.")
        return int(rows[0]["id"])

    def lemmas(self, run: int) -> list[Row]:
        """The lemmas of a run in their order."""
        return self._rows("SELECT * FROM lemmas WHERE run = ? ORDER BY position", run)

    def blocks(self, run: int) -> list[Row]:
        """The blocks of episodes of a run, in order, each with the name of its lemma."""
        return self._rows(
            "SELECT lemmas.name AS lemma, first, blocks.episodes, content FROM blocks "
            "JOIN lemmas ON lemmas.run = blocks.run AND position = lemma WHERE blocks.run = ? "
            "ORDER BY position, first",
            run,
        )

    def snapshot(self, run: int) -> bytes | None:
        """The student of a run as it was stored last; None if it was not stored as a whole."""
        rows = self._rows("SELECT content FROM snapshots WHERE run = ?", run)
        return rows[0]["content"] if rows else None

    def best_proof(self, formula: str) -> str | None:
        """The shortest proof of a formula in any run, given as its text is stored; None if there is none."""
        rows = self._rows(
            "SELECT best FROM lemmas WHERE formula = ? AND best IS NOT NULL ORDER BY best_moves LIMIT 1", formula
        )
        return rows[0]["best"] if rows else None

    def best_proofs(self) -> list[tuple[str, str]]:
        """Each formula that a run has proved, with its shortest proof, both as their texts are stored."""
        rows = self._rows(
            "SELECT formula, best, min(best_moves) FROM lemmas WHERE best IS NOT NULL GROUP BY formula ORDER BY formula"
        )
        return [(row["formula"], row["best"]) for row in rows]

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


class Escalations(DatabaseFile):
    """The part of the store that knows how the lemmas of a run climbed, and where a climb is in its time."""

    def start_escalation(self, run: int, *, ladder: Mapping[str, Any], pace: Mapping[str, Any]) -> None:
        """Store that a run is an escalation, with its stages and its time, as JSON can hold them."""
        self._insert("escalations", run=run, ladder=ladder, pace=pace, taught=0)

    def keep_climbs(
        self,
        run: int,
        records: Mapping[int, Mapping[str, Any]],
        *,
        before: Mapping[str, Any],
        pace: Mapping[str, Any],
        taught: int | None = None,
        settled: Mapping[int, tuple[str, int] | None] | None = None,
    ) -> None:
        """Store how far lemmas have climbed.

        Args:
            run: its number.
            records: by the position of the lemma, as JSON can hold them.
            before: the pace that was stored last by whoever stores now.
            pace: of the climb, likewise.
            taught: how many proofs the student has been shown that is stored with the run; None if that is as it was.
            settled: lemmas that are done, each with its proof as text and the moves of that, or None.

        Raises StoreError if somebody else has stored another pace meanwhile.
        """
        with self._transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO climbs (run, lemma, record) VALUES (?, ?, ?)",
                [(run, lemma, json.dumps(dict(record))) for lemma, record in records.items()],
            )
            kept = connection.execute(
                "UPDATE escalations SET pace = ?, taught = coalesce(?, taught) WHERE run = ? AND pace = ?",
                (json.dumps(dict(pace)), taught, run, json.dumps(dict(before))),
            )
            if not kept.rowcount:
                raise sqlite3.IntegrityError(f"run {run} is at another pace")
            for lemma, proof in (settled or {}).items():
                script, moves = proof or (None, None)
                connection.execute(
                    "UPDATE lemmas SET finished = 1, best = coalesce(?, best), best_moves = coalesce(?, best_moves) "
                    "WHERE run = ? AND position = ?",
                    (script, moves, run, lemma),
                )

    def keep_exam(self, run: int, lemma: int, exam: str) -> None:
        """Store the exam of a lemma, as text."""
        with self._transaction() as connection:
            connection.execute(
                "UPDATE lemmas SET exam = ?, finished = 1 WHERE run = ? AND position = ?", (exam, run, lemma)
            )

    def escalation(self, run: int) -> dict[str, Any] | None:
        """The `ladder`, the `pace` and `taught` of a run; None if it is none. Raises StoreError if it is damaged."""
        rows = self._rows("SELECT run AS id, ladder, pace, taught FROM escalations WHERE run = ?", run)
        return self._decoded(rows[0], ladder=dict, pace=dict) if rows else None

    def climbs(self, run: int) -> dict[int, dict[str, Any]]:
        """How far each lemma has climbed that has begun to, by its position. Raises StoreError if it is damaged."""
        rows = self._rows("SELECT lemma, lemma AS id, record FROM climbs WHERE run = ? ORDER BY lemma", run)
        return {row["lemma"]: self._decoded(row, record=dict)["record"] for row in rows}
