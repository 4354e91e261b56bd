"""Where networks are: a row for each training, whatever becomes of its file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oasis.store import Store, StoreError


def add(store: Store, path: str = "/a", **more: Any) -> None:
    told: dict[str, Any] = {"training": "sft", "settings": {"seed": 0, "steps": 9}, "network": {"kind": "k"}}
    told |= {"version": "1", "commit": None, "parameters": 3, "step": 1, "data": "d", "solved": None, "digest": "x"}
    store.add_checkpoint(path, **(told | more))


def test_what_a_training_writes_again_is_one_row(path: Path, store: Store) -> None:
    add(store)
    add(store, step=9, solved=0.5, digest="y")
    with Store(path) as again:
        (row,) = again.checkpoints()
    assert (row["path"], row["step"], row["solved"], row["digest"]) == ("/a", 9, 0.5, "y")
    assert row["settings"] == {"seed": 0, "steps": 9} and row["network"] == {"kind": "k"}
    assert row["started"] <= row["written"]


def test_other_trainings_and_other_files_are_rows_of_their_own(store: Store) -> None:
    add(store)
    add(store, settings={"seed": 1, "steps": 9})
    add(store, training="imitate")
    add(store, path="/b")
    assert [(row["path"], row["training"], row["settings"]["seed"]) for row in store.checkpoints()] == [
        ("/a", "sft", 0),
        ("/a", "sft", 1),
        ("/a", "imitate", 0),
        ("/b", "sft", 0),
    ]


@pytest.mark.parametrize(("column", "value"), [("settings", "{"), ("network", "[]"), ("data", b"1")])
def test_what_nobody_can_have_stored_is_damage(path: Path, store: Store, column: str, value: object) -> None:
    add(store)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"UPDATE checkpoints SET {column} = ?", (value,))
        connection.commit()
    with pytest.raises(StoreError, match="is damaged"):
        store.checkpoints()
