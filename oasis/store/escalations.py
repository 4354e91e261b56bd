"""Escalations of training runs: how far each lemma has climbed, and where the climb is in its time."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

from oasis.store.database import DatabaseFile


class Escalations(DatabaseFile):
    """The part of the store that knows how lemmas climbed."""

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
