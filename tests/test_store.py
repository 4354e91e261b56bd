"""The store: what is wrong with a database is said in one sentence, and nothing half done is ever in it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.store import APPLICATION_ID, Store, StoreError

Episode = tuple[int, int, bool, int, str | None]
CONNECT = sqlite3.connect


def start(store: Store, *names: str, **more: Any) -> int:
    """A new run with lemmas of these names."""
    row = {"formula": "p", "status": None, "level": None}
    run = {"curriculum": "text", "settings": {"seed": 0}, "version": "1", "commit": None, "rng": [3, [1, 2], None]}
    return store.start_run(**{**run, **more, "lemmas": [{"name": name, **row} for name in names]})


def note(store: Store, run: int, lemma: int = 0, /, **more: Any) -> None:
    """A checkpoint, empty but for what is given."""
    store.checkpoint(run, lemma, **{"seconds": 1.0, "rng": [4], "episodes": [], "states": [], "pairs": [], **more})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "oasis.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        yield opened


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a lock."""
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: CONNECT(*args, **{**options, "timeout": 0.01}))


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


# Files that cannot be used.


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')"],
        ["CREATE VIEW one AS SELECT 1"],
        ["PRAGMA application_id = 7", "PRAGMA user_version = 3"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE runs (id INTEGER)"],
    ],
    ids=["a table", "a view", "an application without tables", "write-ahead log"],
)
def test_a_database_of_another_program_is_refused_and_left_alone(path: Path, statements: list[str]) -> None:
    with closing(CONNECT(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    before = path.read_bytes()
    assert before
    assert refusal(path) == "FILE is a database of another program; name another file with --db."
    assert path.read_bytes() == before
    assert files(path.parent) == [path.name]


@pytest.mark.parametrize(
    "content", [b"p -> p\n", b"p -> p\n" * 1000, bytes(range(256)) * 40], ids=["short", "long", "binary"]
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert refusal(path) == "FILE is not a database; name another file with --db."
    assert path.read_bytes() == content
    assert files(path.parent) == [path.name]


def test_a_database_of_a_newer_version_is_refused_and_left_alone(path: Path) -> None:
    with Store(path) as store:
        start(store, "a")
    with closing(CONNECT(path)) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('oasis', 'of_tomorrow', 'then')"
        )
        connection.commit()
    before = path.read_bytes()
    assert refusal(path) == "FILE was written by a newer version of Oasis; update Oasis to read it."
    assert path.read_bytes() == before


def test_a_damaged_database_is_refused_and_left_alone(path: Path) -> None:
    with Store(path) as store:
        start(store, *["a"] * 200)
    damaged = path.read_bytes()[:5000]
    path.write_bytes(damaged)
    assert "malformed" in refusal(path)
    assert path.read_bytes() == damaged


def test_a_missing_folder_or_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    expected = "FILE cannot be written here; name another file with --db or OASIS_DB."
    assert refusal(tmp_path / "missing" / "oasis.db") == expected
    assert refusal(tmp_path) == expected
    (tmp_path / "file").touch()
    assert refusal(tmp_path / "file" / "oasis.db") == expected
    assert files(tmp_path) == ["file"]


@contextmanager
def powerless(folder: Path) -> Iterator[None]:
    """Neither this folder nor what is in it may be written, not even by root."""
    paths = [*folder.iterdir(), folder]
    for path in paths:
        path.chmod(0o555)
    user = os.geteuid()
    try:
        if user == 0:
            os.seteuid(65534)
        yield
    finally:
        os.seteuid(user)
        for path in paths:
            path.chmod(0o755)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="this system has no permissions of this kind")
def test_a_folder_that_may_not_be_written_is_refused() -> None:
    expected = "FILE cannot be written here; name another file with --db or OASIS_DB."
    # Not a folder of pytest's: nobody else may enter those.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "oasis.db"
        with powerless(Path(folder)):
            assert refusal(path) == expected
        with Store(path) as store:
            start(store, "a")
        before = path.read_bytes()
        with powerless(Path(folder)):
            assert refusal(path) == expected
        assert path.read_bytes() == before


def test_a_database_that_must_exist_is_not_created(path: Path) -> None:
    assert refusal(path, create=False).startswith("There is no database FILE yet; ")
    assert not path.exists()
    Store(path).close()
    Store(path, create=False).close()


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.touch()
    with Store(path) as store:
        assert start(store, "a") == 1
    with closing(CONNECT(path)) as connection:
        assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


# Locks and full disks.


@pytest.mark.usefixtures("impatient")
def test_a_database_that_another_program_holds_is_refused_until_it_lets_go(path: Path) -> None:
    in_use = "FILE is in use by another process; wait for it, or name another file with --db."
    with closing(CONNECT(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert refusal(path) == in_use
    with Store(path) as store, closing(CONNECT(path, isolation_level=None)) as other:
        run = start(store, "a")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError) as refused:
            note(store, run, seconds=2.0, states=[b"s"])
        assert checked(refused.value, path) == in_use
        # Reading does not wait for who writes.
        assert store.lemmas(run)[0]["seconds"] == 0
        other.execute("ROLLBACK")
        note(store, run, seconds=2.0, states=[b"s"])
        assert store.lemmas(run)[0]["seconds"] == 2
    with closing(CONNECT(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("UPDATE runs SET version = 2")
        assert refusal(path) == in_use


def test_a_lock_is_waited_for(store: Store) -> None:
    assert store._connection.execute("PRAGMA busy_timeout").fetchone() == (5000,)


def test_a_full_disk_is_said_and_what_was_stored_stays(store: Store, path: Path) -> None:
    run = start(store, "a")
    note(store, run, states=[b"kept"])
    before = rows(path)
    ((pages,),) = store._connection.execute("PRAGMA page_count").fetchall()
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(StoreError) as refused:
        note(store, run, states=[f"{number:1000}".encode() for number in range(1000)])
    assert checked(refused.value, path) == (
        "FILE cannot grow because the disk is full; make room and continue with --resume."
    )
    assert rows(path) == before
    store._connection.execute("PRAGMA max_page_count = 100000")
    note(store, run, states=[b"more"])
    assert store.lemmas(run)[0]["states"] == 2


# Transactions.


class Interruption(BaseException):
    """Stands for Ctrl-C."""


def breaking(*items: Any) -> Iterator[Any]:
    """These items, and then an interruption."""
    yield from items
    raise Interruption


@pytest.mark.parametrize("part", ["episodes", "states", "pairs"])
def test_a_checkpoint_is_stored_whole_or_not_at_all(store: Store, path: Path, part: str) -> None:
    run = start(store, "a")
    note(store, run, states=[b"first"], pairs=[(b"first", "[]", 0.25, 1, False)])
    before = rows(path)
    whole: dict[str, list[Any]] = {
        "episodes": [(1, 5, True, 5, "intro")],
        "states": [b"second"],
        "pairs": [(b"first", "[]", 0.5, 2, False)],
    }
    with pytest.raises(Interruption):
        note(store, run, seconds=9.0, greedy=(True, 5, "intro"), **{**whole, part: breaking(*whole[part])})
    assert rows(path) == before
    note(store, run, seconds=9.0, greedy=(True, 5, "intro"), **whole)
    assert rows(path) != before
    assert store.recall(run, b"first") == [("[]", 0.5, 2, 0)]


def test_a_run_is_stored_with_its_lemmas_or_not_at_all(store: Store, path: Path) -> None:
    before = rows(path)
    with pytest.raises(KeyError):
        store.start_run(curriculum="c", settings={}, version="1", commit=None, rng=[], lemmas=[{"name": "no formula"}])
    assert rows(path) == before


def test_a_checkpoint_that_is_there_already_is_refused(store: Store, path: Path) -> None:
    run = start(store, "a")
    note(store, run, episodes=[(1, 5, True, 5, "intro")])
    before = rows(path)
    for repeated in (
        {"episodes": [(1, 5, True, 5, "intro")]},
        {"episodes": [(2, 1, False, 1, None)], "states": [b"s"] * 2},
    ):
        with pytest.raises(StoreError) as refused:
            note(store, run, **repeated)
        assert "another process is training the same run" in checked(refused.value, path)
        assert rows(path) == before


def test_a_store_killed_in_the_middle_of_a_checkpoint_has_the_last_one(
    store: Store, path: Path, tmp_path: Path
) -> None:
    run = start(store, "a")
    note(store, run, states=[b"first"])

    def copying() -> Iterator[bytes]:
        # The files as a process that is killed at this moment leaves them.
        yield b"second"
        copy = tmp_path / "copy"
        copy.mkdir()
        for file in path.parent.glob("oasis.db*"):
            (copy / file.name).write_bytes(file.read_bytes())
        yield b"third"

    note(store, run, states=copying())
    (tmp_path / "copy" / "oasis.db-shm").unlink(missing_ok=True)
    with Store(tmp_path / "copy" / "oasis.db") as left:
        assert left.lemmas(run)[0]["states"] == 1
    assert store.lemmas(run)[0]["states"] == 3


# What is read.


@st.composite
def histories(draw: st.DrawFn) -> list[list[Episode]]:
    """Episodes of some lemmas of a run, with ties between the shortest proofs."""

    def episode(number: int) -> Episode:
        steps, proved, length = draw(st.tuples(st.integers(0, 9), st.booleans(), st.integers(1, 4)))
        return number, steps, proved, length, f"script {number}" if proved else None

    return [[episode(n + 1) for n in range(draw(st.integers(0, 6)))] for _ in range(draw(st.integers(1, 3)))]


@settings(max_examples=30, deadline=None)
@given(st.lists(histories(), min_size=1, max_size=2), st.data())
def test_lemmas_add_up_as_a_recount_does(runs: list[list[list[Episode]]], data: st.DataObject) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder) / "oasis.db") as store:
        for number, lemmas in enumerate(runs, 1):
            assert start(store, *(f"L{position}" for position in range(len(lemmas)))) == number
            states = iter(range(1000))
            for position, episodes in enumerate(lemmas):
                cut = data.draw(st.integers(0, len(episodes)))
                note(store, number, position, episodes=episodes[:cut], states=[bytes([next(states)])])
                note(store, number, position, episodes=episodes[cut:], states=[bytes([next(states)])] * (cut % 2))
        for number, lemmas in enumerate(runs, 1):
            assert len(store.episodes(number)) == sum(map(len, lemmas))
            for position, (row, episodes) in enumerate(zip(store.lemmas(number), lemmas, strict=True)):
                proofs = [episode for episode in episodes if episode[2]]
                best = min(proofs, key=lambda episode: episode[3], default=None)
                assert (row["run"], row["position"], row["name"]) == (number, position, f"L{position}")
                assert row["episodes"] == len(episodes)
                assert row["proved_episodes"] == len(proofs)
                assert row["steps"] == sum(episode[1] for episode in episodes)
                assert row["first_proof_episode"] == (proofs[0][0] if proofs else None)
                assert row["best_length"] == (best[3] if best else None)
                assert row["best_script"] == (best[4] if best else None)
        totals = [(run["id"], run["lemmas"], run["lemmas_finished"], run["episodes"]) for run in store.runs()]
        assert totals == [(n, len(lemmas), 0, sum(map(len, lemmas))) for n, lemmas in enumerate(runs, 1)]


def test_a_lemma_counts_the_states_that_were_met_in_it_first(store: Store) -> None:
    run, other = start(store, "a", "b"), start(store, "a")
    note(store, run, 0, states=[b"1", b"2"])
    note(store, run, 1, states=[b"3"])
    note(store, other, 0, states=[b"1"])
    assert [lemma["states"] for lemma in store.lemmas(run)] == [2, 1]
    assert [lemma["states"] for lemma in store.lemmas(other)] == [1]


def test_episodes_come_in_order_with_the_names_of_their_lemmas(store: Store) -> None:
    run = start(store, "b", "a")
    note(store, run, 1, episodes=[(1, 3, False, 2, None)])
    note(store, run, 0, episodes=[(2, 4, True, 4, "intro; assumption"), (1, 9, False, 9, None)])
    assert [tuple(row.values()) for row in store.episodes(run)] == [
        ("b", 1, 9, 0, 9, None),
        ("b", 2, 4, 1, 4, "intro; assumption"),
        ("a", 1, 3, 0, 2, None),
    ]


def test_what_a_student_remembers_is_recalled_exactly(store: Store) -> None:
    run, other = start(store, "a"), start(store, "a")
    values = [0.1 + 0.2, -1 / 3, 5e-324, 1e300]
    pairs = [(b"s", f'["intro", "H{number}"]', value, number, number % 2 == 1) for number, value in enumerate(values)]
    note(store, run, states=[b"s", b"without pairs"], pairs=pairs)
    assert sorted(store.recall(run, b"s") or []) == sorted(pair[1:] for pair in pairs)
    assert store.recall(run, b"without pairs") == []
    assert store.recall(run, b"never met") is None
    assert store.recall(other, b"s") is None
    note(store, other, states=[b"s"], pairs=[(b"s", '["split", null]', 1.0, 1, False)])
    assert store.recall(other, b"s") == [('["split", null]', 1.0, 1, 0)]
    assert len(store.recall(run, b"s") or []) == len(pairs)


def test_runs_are_found_by_number_and_age(store: Store, path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        store.newest_run()
    assert "There is no run in FILE yet" in checked(refused.value, path)
    first, second, third = (start(store, "a", settings={"seed": seed}) for seed in (5, 6, 7))
    assert (store.newest_run(), store.newest_run(unfinished_first=True)) == (third, third)
    store.finish_run(third)
    assert (store.newest_run(), store.newest_run(unfinished_first=True)) == (third, second)
    store.finish_run(second)
    store.finish_run(first)
    assert store.newest_run(unfinished_first=True) == third
    assert [run["settings"]["seed"] for run in store.runs()] == [5, 6, 7]
    assert store.run(second)["rng"] == [3, [1, 2], None]
    with pytest.raises(StoreError) as refused:
        store.run(99)
    assert checked(refused.value, path) == "There is no run 99 in FILE; see `oasis runs list`."


def test_what_is_stored_is_there_when_the_store_is_opened_again(path: Path) -> None:
    with Store(path) as store:
        note(store, start(store, "a"), states=[b"s"], greedy=(True, 2, "intro; assumption"))
        before = store.lemmas(1), store.runs()
    with Store(path, create=False) as store:
        assert (store.lemmas(1), store.runs()) == before
        assert before[0][0]["greedy_script"] == "intro; assumption"
