"""Training runs: their lemmas, episodes and certificates, and what their students remember."""

from __future__ import annotations

import json
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
        rng: object,
        lemmas: Iterable[Mapping[str, Any]],
    ) -> int:
        """Store a new run and its lemmas (`name`, `formula`, `status`, `level`), all still to be done; its number."""
        with self._transaction() as connection:
            cursor = connection.execute(
                "INSERT INTO runs (started, version, [commit], curriculum, settings, rng) VALUES (?, ?, ?, ?, ?, ?)",
                (now(), version, commit, curriculum, json.dumps(dict(settings)), json.dumps(rng)),
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
            connection.execute("UPDATE runs SET finished = ? WHERE id = ?", (now(), run))

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
