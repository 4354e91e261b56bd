"""What the tests of this room share: runs to store, the contents of a file, and what is said of a bad one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from oasis.store import Store, StoreError

Episode = tuple[int, int, bool, int, str | None]
CONNECT = sqlite3.connect
RUNS = Path(__file__).with_name("before_experiments.sql")
"""A database that `oasis train` made before there were experiments, with shorter states of random numbers."""
CLASS = Path(__file__).with_name("before_class_list.sql")
"""A database of two students, before anybody could leave a class."""
BLOCKS = Path(__file__).with_name("before_blocks.sql")
"""A database of a finished run and of one that was stopped, made when episodes were stored one by one."""
EXPERIMENT = Path(__file__).with_name("before_several_plans.sql")
"""A database of an unfinished comparison, made when an experiment had one plan, and the order was called teacher."""


def start(store: Store, *names: str, **more: Any) -> int:
    """A new run with lemmas of these names."""
    row = {"formula": "p", "status": None, "level": None, "only_examined": False}
    run = {"curriculum": "text", "settings": {"seed": 0}, "version": "1", "commit": None, "rng": [3, [1, 2], None]}
    lemmas = [{"name": name, **row} for name in names]
    return store.start_run(**{"student": "plain", **run, **more, "lemmas": lemmas})


def note(store: Store, run: int, lemma: int = 0, /, **more: Any) -> None:
    """A checkpoint, empty but for what is given."""
    store.checkpoint(run, lemma, **{"tally": {"seconds": 1.0}, "rng": [4], **more})


def add_episodes(path: Path, run: int, lemma: int, episodes: Iterable[Episode]) -> None:
    """Episodes as older versions stored them, one by one."""
    with closing(CONNECT(path)) as connection:
        connection.executemany(
            "INSERT INTO episodes VALUES (?, ?, ?, ?, ?, ?, ?)", [(run, lemma, *episode) for episode in episodes]
        )
        connection.commit()


def rows(path: Path) -> dict[str, list[Any]]:
    """Every row of every table."""
    with closing(CONNECT(path)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: connection.execute(f"SELECT * FROM [{name}]").fetchall() for name in names}


def files(folder: Path) -> list[str]:
    """The names of what is in a folder."""
    return [file.name for file in folder.iterdir()]


def refusal(path: Path, **options: Any) -> str:
    """What is said when a store cannot be opened: one sentence that names the file."""
    with pytest.raises(StoreError) as refused:
        Store(path, **options)
    return checked(refused.value, path)


def checked(error: StoreError, path: Path) -> str:
    """The sentence of an error, without the file's name."""
    text = str(error)
    assert str(path) in text
    assert "\n" not in text
    assert text.endswith(".")
    text = text.replace(str(path), "FILE")
    assert ". " not in text
    return text
