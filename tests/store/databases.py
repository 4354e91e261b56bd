"""What the tests of this room share: runs to store, the contents of a file, and what is said of a bad one."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from oasis.store import Store, StoreError

CONNECT = sqlite3.connect


def start(store: Store, *names: str, **more: Any) -> int:
    """Start a run with lemmas of these names; return its number."""
    row = {"formula": "p", "status": None, "level": None, "only_examined": False}
    run = {"curriculum": "text", "settings": {"seed": 0}, "version": "1", "commit": None, "rng": 3}
    lemmas = [{"name": name, **row} for name in names]
    return store.start_run(**{"student": "plain", **run, **more, "lemmas": lemmas})


def note(store: Store, run: int, lemma: int = 0, /, **more: Any) -> None:
    """A checkpoint, empty but for what is given."""
    store.checkpoint(run, lemma, **{"tally": {"seconds": 1.0}, "rng": 4, **more})


def add_checkpoint(store: Store, path: str = "/a", **more: Any) -> None:
    """A file that a training wrote."""
    told: dict[str, Any] = {"training": "sft", "settings": {"seed": 0, "steps": 9}, "network": {"kind": "k"}}
    told |= {"version": "1", "commit": None, "parameters": 3, "step": 1, "data": "d", "solved": None, "digest": "x"}
    store.add_checkpoint(path, **(told | more))


def change(path: Path, *statements: str) -> None:
    """Change a database as another program may."""
    with closing(CONNECT(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement).fetchall()


def rows(path: Path) -> dict[str, list[Any]]:
    """Return every row of every table."""
    with closing(CONNECT(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f"SELECT * FROM [{name}]").fetchall() for name in names}


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of each file in a folder, by name."""
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def copied(path: Path, folder: Path) -> Path:
    """Copy the database and its log as a process leaves them that is killed at this moment."""
    folder.mkdir()
    for file in (path, Path(f"{path}-wal")):
        (folder / file.name).write_bytes(file.read_bytes())
    return folder / path.name


def refusal(path: Path, **options: Any) -> str:
    """Return the sentence with which a store cannot be opened; it names the file."""
    with pytest.raises(StoreError) as refused:
        Store(path, **options)
    return checked(refused.value, path)


@contextmanager
def refused(path: Path, words: str) -> Iterator[None]:
    """Check that the body is refused in one sentence that names the file and holds these words."""
    with pytest.raises(StoreError) as caught:
        yield
    assert words in checked(caught.value, path)


def checked(error: StoreError, path: Path) -> str:
    """Return the sentence of an error, without the file's name."""
    text = str(error)
    assert str(path) in text
    assert "\n" not in text
    assert text.endswith(".")
    text = text.replace(str(path), "FILE")
    assert ". " not in text
    return text
