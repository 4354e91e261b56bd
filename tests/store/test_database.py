"""The file: what is wrong with one is said in one sentence, and one that cannot be used is never changed."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from oasis.store import APPLICATION_ID, Store, database, schema
from tests.store.databases import CONNECT, add_checkpoint, change, copied, files, note, refusal, refused, rows, start

NO_DATABASE = "FILE is not a database; name another file with --db."
ANOTHERS = "FILE is a database of another program; name another file with --db."
TRIALS = "FILE was made by a trial version before 0.1.0 and cannot be read; keep it, and name another file with --db."
NEWER = "FILE was written by a newer version of Oasis; update Oasis to read it."
IN_USE = "FILE is in use by another process; wait for it, or name another file with --db."
UNWRITABLE = "FILE cannot be written here; name another file with --db or OASIS_DB."

LOGGED = "PRAGMA journal_mode = WAL"
EMPTIED = "PRAGMA wal_checkpoint(TRUNCATE)"
OURS = f"PRAGMA application_id = {APPLICATION_ID}"
SOUP = ("CREATE TABLE recipes (name TEXT)", "INSERT INTO recipes VALUES ('soup')")
TRIAL = (OURS, "CREATE TABLE _sqlite_migrations (name TEXT)", "CREATE TABLE runs (id INTEGER)")
ENDLESS = "CREATE VIEW runs AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r"
LATER = (*schema.STEPS, ("CREATE TABLE later (note TEXT)", "ALTER TABLE runs ADD COLUMN mood TEXT"))
"""The steps of a later version."""


# Files that cannot be used


@pytest.mark.parametrize(
    ("statements", "sentence"),
    [
        (SOUP, ANOTHERS),
        (["CREATE VIEW one AS SELECT 1"], ANOTHERS),
        (["PRAGMA application_id = 7", "PRAGMA user_version = 1"], ANOTHERS),
        (["PRAGMA user_version = 1"], ANOTHERS),
        ([LOGGED, *SOUP], ANOTHERS),
        ([OURS, "PRAGMA user_version = 1", ENDLESS], ANOTHERS),
        (TRIAL, TRIALS),
        ([LOGGED, *TRIAL, "INSERT INTO _sqlite_migrations VALUES ('runs_and_memory')"], TRIALS),
        ([OURS, f"PRAGMA user_version = {len(schema.STEPS) + 1}"], NEWER),
    ],
)
def test_an_unusable_database_is_refused_and_left_alone(path: Path, statements: list[str], sentence: str) -> None:
    change(path, *statements)
    before = files(path.parent)
    assert before[path.name]
    assert refusal(path) == sentence
    assert files(path.parent) == before


@pytest.mark.parametrize(
    "content", [b"S", b"\0", b"SQLite format 3\0", b"p -> p\n", b"p -> p\n" * 1000, bytes(range(256)) * 40], ids=len
)
def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert refusal(path) == NO_DATABASE
    assert files(path.parent) == {path.name: content}


@pytest.mark.parametrize(
    ("statements", "sentence"),
    [
        ([LOGGED, *SOUP], ANOTHERS),
        ([LOGGED, SOUP[0], EMPTIED, SOUP[1]], ANOTHERS),
        ([LOGGED, *TRIAL], TRIALS),
        ([LOGGED, *TRIAL, EMPTIED, "INSERT INTO runs VALUES (1)"], TRIALS),
    ],
    ids=["all in its log", "partly in its log", "a trial's, all in its log", "a trial's, partly in its log"],
)
def test_an_unusable_database_keeps_its_log(tmp_path: Path, path: Path, statements: list[str], sentence: str) -> None:
    connection = CONNECT(path, isolation_level=None)
    for statement in statements:
        connection.execute(statement).fetchall()
    left = copied(path, tmp_path / "left")
    connection.close()
    before = files(left.parent)
    assert before["oasis.db-wal"]
    assert refusal(left) == sentence
    assert before.items() <= files(left.parent).items()


def test_a_database_whose_first_words_are_still_in_its_log_is_ours(store: Store, path: Path, tmp_path: Path) -> None:
    start(store, "a")
    with Store(copied(path, tmp_path / "left")) as left:
        assert start(left, "b") == 2


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
    (tmp_path / "file").touch()
    for path in (tmp_path / "missing" / "oasis.db", tmp_path, tmp_path / "file" / "oasis.db"):
        assert refusal(path) == UNWRITABLE
    assert files(tmp_path) == {"file": b""}


@contextmanager
def powerless(folder: Path) -> Iterator[None]:
    """Make a folder and its files read-only, even for root."""
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
    # Not a folder of pytest's: nobody else may enter those.
    with TemporaryDirectory() as folder:
        path = Path(folder) / "oasis.db"
        with powerless(Path(folder)):
            assert refusal(path) == UNWRITABLE
        with Store(path) as store:
            start(store, "a")
        before = path.read_bytes()
        with powerless(Path(folder)):
            assert refusal(path) == UNWRITABLE
        assert path.read_bytes() == before


def test_a_database_that_must_exist_is_not_created_and_an_empty_file_becomes_one(path: Path) -> None:
    assert refusal(path, create=False).startswith("There is no database FILE yet; ")
    assert not path.exists()
    path.touch()
    with Store(path) as store:
        assert start(store, "a") == 1
    Store(path, create=False).close()


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


# What is in the file, and that of another version


def test_a_fresh_database_has_the_tables_of_this_version(store: Store) -> None:
    read = store._connection.execute
    columns = read(
        "SELECT t.name, c.* FROM sqlite_master AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' "
        "ORDER BY t.name, c.cid"
    )
    digest = sha256(repr(columns.fetchall()).encode()).hexdigest()
    assert digest.startswith("b4a01c57bf846d43"), (
        "files of this version are out there: add a step to schema.STEPS instead"
    )
    assert read("SELECT * FROM pragma_application_id, pragma_user_version").fetchall() == [(APPLICATION_ID, 5)]


def test_a_later_version_adds_what_it_needs_and_keeps_every_row(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as store:
        note(store, start(store, "a", "b"), states=[b"s"])
    before = rows(path)
    with monkeypatch.context() as patched:
        patched.setattr(schema, "STEPS", LATER)
        Store(path).close()
        Store(path).close()
    assert rows(path) == {**before, "runs": [(*row, None) for row in before["runs"]], "later": []}
    assert refusal(path) == NEWER


def test_who_has_a_typographic_sign_in_the_name_is_found_without(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(schema, "STEPS", schema.STEPS[:1])
        with Store(path) as store:
            for key in ("o\u2019brien-l\u00f6f", "o'brien\u2010l\u00f6f", "o\u02bcneil"):
                store.add_student(name=key, key=key, account=None, salt=None, digest=None)
    with Store(path) as store:
        found = [student and student.name for student in map(store.student, ("o'brien-l\u00f6f", "o'neil"))]
        assert found == ["o\u2019brien-l\u00f6f", "o\u02bcneil"] and len(store.students()) == 3


def test_what_provers_said_of_runs_and_experiments_is_in_one_table(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [("p", f"by {number}", "coq", "Coq 8.1", number, "") for number in (0, 1)]
    with monkeypatch.context() as patched:
        patched.setattr(schema, "STEPS", schema.STEPS[:2])
        with Store(path) as store:
            run = start(store, "a")
    change(
        path,
        f"INSERT INTO certificates VALUES ({run}, 0, 'by 0', 'coq', 'Coq 8.1', 0, '', '{schema.digest(*words[0])}')",
        "INSERT INTO experiments VALUES (1, '', '', '', '', '', '{}', '')",
        "INSERT INTO verdicts VALUES (1, 'p', 'by 1', 'coq', 'Coq 8.1', 1, '')",
    )
    with Store(path) as store:
        found = [(row["script"], row["accepted"], row["holds"]) for row in store.certificates("p")]
    assert found == [("by 0", 0, 1), ("by 1", 1, 1)]


def test_a_step_to_a_later_version_is_made_whole_or_not_at_all(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(path) as store:
        start(store, "a")
    before = rows(path)
    with monkeypatch.context() as patched:
        patched.setattr(schema, "STEPS", (*LATER, ("CREATE TABLE runs (id INTEGER)",)))
        assert refusal(path).startswith("FILE cannot be used (")
    assert rows(path) == before
    Store(path).close()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE runs SET settings = 'nonsense'",
        "UPDATE runs SET settings = '[]'",
        "UPDATE runs SET rng = x'ff00'",
        "UPDATE runs SET rng = '[3, [1, 2, 624], null]'",
        "UPDATE runs SET curriculum = CAST(x'ff' AS TEXT)",
        "UPDATE experiments SET [plan] = 'nonsense'",
        "UPDATE checkpoints SET network = '[]'",
        "UPDATE checkpoints SET data = x'31'",
        "UPDATE fitted SET origin = '[]'",
        "UPDATE fitted SET content = 'text'",
        "UPDATE fitted SET made = x'31'",
    ],
)
def test_content_that_nobody_can_have_stored_is_damage(store: Store, path: Path, damage: str) -> None:
    start(store, "a")
    store.start_experiment(command="compare", name="x", plan={}, version="1", commit=None)
    add_checkpoint(store)
    store.add_fitted("a", version="1", origin={}, content=b"x")
    change(path, damage)
    readers: dict[str, Callable[[], Any]] = {
        "runs": lambda: store.run(1),
        "experiments": lambda: store.experiment(1),
        "checkpoints": store.checkpoints,
        "fitted": lambda: store.fitted("a"),
    }
    with refused(path, "FILE is damaged ("):
        readers[damage.split()[1]]()


def test_a_number_larger_than_any_that_is_stored_is_nobodys(store: Store, path: Path) -> None:
    with refused(path, "FILE has nothing under so large a number; see `oasis runs list`."):
        store.run(10**30)


# Locks and full disks


@pytest.mark.usefixtures("impatient")
def test_a_database_that_another_program_holds_is_refused_until_it_lets_go(path: Path) -> None:
    with closing(CONNECT(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert refusal(path) == IN_USE
    with Store(path) as store, closing(CONNECT(path, isolation_level=None)) as other:
        run = start(store, "a")
        other.execute("BEGIN IMMEDIATE")
        with refused(path, IN_USE):
            note(store, run, tally={"seconds": 2.0}, states=[b"s"])
        # Reading does not wait for who writes.
        assert store.lemmas(run)[0]["seconds"] == 0
        other.execute("ROLLBACK")
        note(store, run, tally={"seconds": 2.0}, states=[b"s"])
        assert store.lemmas(run)[0]["seconds"] == 2
    with closing(CONNECT(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("UPDATE runs SET version = 2")
        assert refusal(path) == IN_USE


def test_a_lock_is_waited_for_as_long_as_was_asked(store: Store, path: Path) -> None:
    assert store._connection.execute("PRAGMA busy_timeout").fetchone() == (5000,)
    with Store(path, patience=30) as patient:
        assert patient._connection.execute("PRAGMA busy_timeout").fetchone() == (30_000,)


def test_who_writes_elsewhere_is_waited_for_before_the_log_is_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    with closing(CONNECT(path, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN IMMEDIATE")
        with refused(path, "is in use by another process"):
            Store(path, patience=0.05)
        monkeypatch.setattr(database, "sleep", lambda _: other.execute("COMMIT"))
        with Store(path) as store:
            assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


_OPENING = ["SELECT application_id", "COMMIT", "PRAGMA journal_mode", "BEGIN IMMEDIATE", "PRAGMA application_id"]


@pytest.mark.parametrize(
    ("is_fresh", "step"),
    [(is_fresh, step) for is_fresh in (True, False) for step in [*_OPENING, "CREATE TABLE later"]]
    + [(True, "CREATE TABLE runs"), (True, "CREATE TABLE events")],
)
def test_another_process_may_open_the_file_between_any_two_steps_of_opening_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, step: str, is_fresh: bool
) -> None:
    others: list[threading.Thread] = []

    class Meddled(sqlite3.Connection):
        """Another opens the file just before a statement; where it may not yet, it goes on trying meanwhile."""

        def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
            if sql.lstrip().startswith(step) and not others:
                others.append(threading.Thread(target=lambda: Store(path).close()))
                others[0].start()
                others[0].join(0.05)
            return super().execute(sql, *arguments)

    def connect(*arguments: Any, **options: Any) -> sqlite3.Connection:
        mine = threading.current_thread() is threading.main_thread()
        opened: sqlite3.Connection = CONNECT(*arguments, factory=Meddled if mine else sqlite3.Connection, **options)
        return opened

    if not is_fresh:
        with Store(path) as store:
            start(store, "a")
    monkeypatch.setattr(schema, "STEPS", LATER)
    monkeypatch.setattr(sqlite3, "connect", connect)
    with Store(path) as store:
        (other,) = others
        other.join()
        assert len(store.runs()) == (not is_fresh)
    assert rows(path)["later"] == []


def test_without_a_log_a_write_that_a_reader_holds_up_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
            with refused(path, "is in use by another process"):
                start(store, "held up")
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
    with refused(path, "FILE cannot grow because the disk is full; make room and go on, a training with --resume."):
        note(store, run, states=[f"{number:1000}".encode() for number in range(1000)])
    assert rows(path) == before
    store._connection.execute("PRAGMA max_page_count = 100000")
    note(store, run, states=[b"more"])
    assert rows(path)["states"] == [*before["states"], (run, b"more", 0)]
