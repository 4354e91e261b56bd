"""The file: what is wrong with one is said in one sentence, and one that is not ours is never changed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from oasis.store import APPLICATION_ID, Store, StoreError
from tests.cli.conftest import environment
from tests.store.databases import CONNECT, RUNS, checked, files, note, refusal, rows, start


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


@pytest.mark.parametrize("content", [b"S", b" ", b"\0", b"SQLite format 3\0"], ids=repr)
def test_a_file_too_short_for_a_database_is_not_taken_for_an_empty_one(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert refusal(path) == "FILE is not a database; name another file with --db."
    assert path.read_bytes() == content
    assert files(path.parent) == [path.name]


@pytest.mark.parametrize("checkpointed", [False, True], ids=["all in its log", "partly in its log"])
def test_the_log_of_a_database_of_another_program_is_left_alone(path: Path, checkpointed: bool) -> None:
    statements = ["PRAGMA journal_mode = WAL", "CREATE TABLE recipes (name TEXT)"]
    if checkpointed:
        statements.append("PRAGMA wal_checkpoint(TRUNCATE)")
    statements.append("INSERT INTO recipes VALUES ('soup')" if checkpointed else "CREATE TABLE more (name TEXT)")
    leave_open(path, statements)
    log = Path(f"{path}-wal")
    before = path.read_bytes(), log.read_bytes()
    assert before[1]
    assert refusal(path) == "FILE is a database of another program; name another file with --db."
    assert (path.read_bytes(), log.read_bytes()) == before


def test_a_database_with_a_view_is_refused(path: Path) -> None:
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x AS name FROM r"
        connection.executescript(f"DROP TABLE fitted; CREATE VIEW fitted AS {endless}")
    assert refusal(path) == "FILE is a database of another program; name another file with --db."


def test_a_database_whose_first_words_are_still_in_its_log_is_ours(path: Path) -> None:
    leave_open(
        path,
        ["PRAGMA journal_mode = WAL", f"PRAGMA application_id = {APPLICATION_ID}", "CREATE TABLE early (name TEXT)"],
    )
    with Store(path) as store:
        assert start(store, "a") == 1


def leave_open(path: Path, statements: list[str]) -> None:
    """Another process does this to a database and dies before it closes it."""
    script = f"import os, sqlite3\nc = sqlite3.connect({str(path)!r}, isolation_level=None)\n"
    script += "".join(f"c.execute({statement!r}).fetchall()\n" for statement in statements)
    subprocess.run([sys.executable, "-c", f"{script}os._exit(0)"], check=True)


@pytest.mark.skipif(os.name != "posix", reason="this system has no permissions of this kind")
def test_a_database_is_made_for_its_owner_alone_and_one_that_is_there_keeps_its_permissions(path: Path) -> None:
    def permissions() -> set[str]:
        return {f"{file.stat().st_mode & 0o777:o}" for file in path.parent.iterdir()}

    with Store(path) as store:
        start(store, "a")
        assert len(files(path.parent)) == 3
        assert permissions() == {"600"}
    path.chmod(0o640)
    with Store(path) as store:
        start(store, "b")
        assert permissions() == {"640"}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE runs SET settings = 'nonsense'",
        "UPDATE runs SET settings = '[]'",
        "UPDATE runs SET settings = x'ff00'",
        "UPDATE runs SET rng = x'ff00'",
        "UPDATE runs SET curriculum = CAST(x'ff' AS TEXT)",
        "UPDATE experiments SET [plan] = 'nonsense'",
        "UPDATE experiments SET [plan] = '7'",
    ],
)
def test_content_that_nobody_can_have_stored_is_damage(path: Path, damage: str) -> None:
    with Store(path) as store:
        start(store, "a")
        store.start_experiment(command="compare", name="x", plan={}, version="1", commit=None)
    with closing(CONNECT(path)) as connection:
        connection.execute(damage)
        connection.commit()
    with Store(path) as store:
        read = store.experiment if "experiments" in damage else store.run
        with pytest.raises(StoreError) as refused:
            read(1)
    assert checked(refused.value, path).startswith("FILE is damaged (")


def test_a_number_larger_than_any_that_is_stored_is_nobodys(store: Store, path: Path) -> None:
    with pytest.raises(StoreError) as refused:
        store.run(10**30)
    assert checked(refused.value, path) == "FILE has nothing under so large a number; see `oasis runs list`."


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
    assert refusal(path) == (
        "FILE is damaged (database disk image is malformed); put back a copy of it, or name another file with --db."
    )
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
            note(store, run, tally={"seconds": 2.0}, states=[b"s"])
        assert checked(refused.value, path) == in_use
        # Reading does not wait for who writes.
        assert store.lemmas(run)[0]["seconds"] == 0
        other.execute("ROLLBACK")
        note(store, run, tally={"seconds": 2.0}, states=[b"s"])
        assert store.lemmas(run)[0]["seconds"] == 2
    with closing(CONNECT(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("UPDATE runs SET version = 2")
        assert refusal(path) == in_use


def test_a_lock_is_waited_for_as_long_as_was_asked(store: Store, path: Path) -> None:
    assert store._connection.execute("PRAGMA busy_timeout").fetchone() == (5000,)
    with Store(path, patience=30) as patient:
        assert patient._connection.execute("PRAGMA busy_timeout").fetchone() == (30_000,)


def test_who_writes_elsewhere_is_waited_for_before_the_log_is_turned_on(path: Path) -> None:
    Store(path).close()
    with closing(CONNECT(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError) as refused:
            Store(path, patience=0.05)
        assert "is in use by another process" in checked(refused.value, path)
        end = threading.Timer(0.2, other.execute, ["COMMIT"])
        end.start()
        with Store(path) as store:
            assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        end.join()


@pytest.mark.parametrize("old", [False, True], ids=["fresh", "of an older version"])
@pytest.mark.parametrize(
    "step",
    [
        "SELECT application_id",
        "PRAGMA application_id",
        "COMMIT",
        "PRAGMA journal_mode",
        "BEGIN IMMEDIATE",
        'CREATE TABLE "runs"',
        'CREATE TABLE "events"',
    ],
)
def test_another_process_may_open_the_file_between_any_two_steps_of_opening_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str, old: bool
) -> None:
    others: list[threading.Thread] = []

    class Meddled(sqlite3.Connection):
        """Another opens the file just before a statement; where it may not yet, it goes on trying meanwhile."""

        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            if sql.startswith(step) and not others:
                others.append(threading.Thread(target=lambda: Store(path).close()))
                others[0].start()
                others[0].join(0.1)
            return super().execute(sql, *arguments)

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        mine = threading.current_thread() is threading.main_thread()
        opened: sqlite3.Connection = CONNECT(*arguments, factory=Meddled if mine else sqlite3.Connection, **options)
        return opened

    if old:
        with closing(CONNECT(path)) as connection:
            connection.executescript(RUNS.read_text())
    monkeypatch.setattr(sqlite3, "connect", connect)
    with Store(path) as store:
        for other in others:
            other.join()
        assert len(store.runs()) == (2 if old else 0)
        assert store.students() == []


def test_without_a_write_ahead_log_a_write_that_a_reader_holds_up_is_refused_and_the_next_one_is_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OnAShare(sqlite3.Connection):
        """A file system that has no shared memory, so SQLite goes on with a rollback journal."""

        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            return super().execute(sql.replace("journal_mode = WAL", "journal_mode = DELETE"), *arguments)

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: CONNECT(*args, factory=OnAShare, **options))
    with Store(path, patience=0.05) as store:
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        with closing(CONNECT(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT * FROM runs").fetchall()
            with pytest.raises(StoreError) as refused:
                start(store, "held up")
            assert "is in use by another process" in checked(refused.value, path)
        start(store, "kept")
    with Store(path) as store:
        assert [each["name"] for run in store.runs() for each in store.lemmas(run["id"])] == ["kept"]


def test_what_is_read_at_one_moment_does_not_change_while_it_is_read(store: Store, path: Path) -> None:
    with Store(path) as other:
        with store.at_one_moment():
            assert store.students() == []
            other.add_student(name="Ann", key="ann", account=None, salt=None, digest=None)
            assert store.students() == []
        assert len(store.students()) == 1


def test_a_full_disk_is_said_and_what_was_stored_stays(store: Store, path: Path) -> None:
    run = start(store, "a")
    note(store, run, states=[b"kept"])
    before = rows(path)
    ((pages,),) = store._connection.execute("PRAGMA page_count").fetchall()
    store._connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    with pytest.raises(StoreError) as refused:
        note(store, run, states=[f"{number:1000}".encode() for number in range(1000)])
    assert checked(refused.value, path) == (
        "FILE cannot grow because the disk is full; make room and go on, a training with --resume."
    )
    assert rows(path) == before
    store._connection.execute("PRAGMA max_page_count = 100000")
    note(store, run, states=[b"more"])
    assert store.lemmas(run)[0]["states"] == 2


def test_no_library_of_tables_is_imported_with_the_store_and_none_is_hidden_after_it(tmp_path: Path) -> None:
    (tmp_path / "pandas.py").write_text("print('imported')")
    program = "import oasis.store; print('there'); import pandas"
    env = environment()
    env["PYTHONPATH"] = os.pathsep.join([str(tmp_path), env["PYTHONPATH"]])
    answer = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert answer.stdout.split() == ["there", "imported"]
