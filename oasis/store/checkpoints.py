"""Files that trainings of networks wrote: nothing of them but where they are and what is known of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from oasis.store.database import DatabaseFile, Row, now


class Checkpoints(DatabaseFile):
    """The part of the store that knows where networks are."""

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
        found = {"written": now(), "version": version, "commit": commit, "network": json.dumps(dict(network))}
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
