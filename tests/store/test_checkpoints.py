"""Where networks are: a row for each training, whatever becomes of its file."""

from __future__ import annotations

from pathlib import Path

from oasis.store import Store
from tests.store.databases import add_checkpoint as add


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
