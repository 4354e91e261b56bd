"""Databases of older versions: they open, and everything in them is as it was."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from oasis.store import Store
from tests.store.databases import BLOCKS, CLASS, CONNECT, EXPERIMENT, RUNS, rows, start


def made_from(dump: Path, path: Path) -> Path:
    with closing(CONNECT(path)) as connection:
        connection.executescript(dump.read_text())
    return path


@pytest.fixture
def old(path: Path) -> Path:
    return made_from(RUNS, path)


def tables(path: Path) -> dict[str, str]:
    """How each table was made."""
    with closing(CONNECT(path)) as connection:
        return dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))


def test_a_database_made_before_there_were_experiments_keeps_every_row_and_table(old: Path) -> None:
    rows_before, tables_before = rows(old), tables(old)
    applied = rows_before.pop("_sqlite_migrations")
    assert [len(rows_before[name]) for name in ("runs", "lemmas", "episodes", "certificates")] == [2, 3, 8, 3]
    Store(old).close()
    rows_after, tables_after = rows(old), tables(old)
    assert rows_after.pop("_sqlite_migrations")[: len(applied)] == applied
    for table in ("runs", "lemmas", "certificates"):
        columns = len(rows_before[table][0])
        assert [row[:columns] for row in rows_after.pop(table)] == rows_before.pop(table)
        made = tables_before.pop(table).partition(",\n   PRIMARY KEY")[0].removesuffix("\n)")
        assert tables_after.pop(table).startswith(made)
    added = ["experiments", "trials", "students", "attempts", "events", "refusals", "teacher", "seal"]
    added += ["blocks", "snapshots", "verdicts", "goals", "fitted", "checkpoints", "escalations", "climbs"]
    added += ["browsers", "erased", "maxims"]
    assert rows_after == {**rows_before, **{name: [] for name in added}}
    assert tables_before.items() <= tables_after.items()


def test_a_database_made_before_there_were_experiments_can_be_gone_on_with(old: Path) -> None:
    with Store(old) as store:
        assert [run["curriculum"] for run in store.runs()] == ["two.txt", "p \\/ q -> q \\/ p"]
        assert store.best_proof("forall p : Prop, p -> p") == "intro; assumption"
        assert len(store.recall(1, bytes.fromhex("EC9F925AFBA1472F4908BBFC231B29BE")) or []) == 1
        assert start(store, "a") == 3
        assert store.start_experiment(command="compare", name="e", plan={}, version="1", commit=None) == 1


def test_runs_made_when_episodes_were_stored_one_by_one_add_up_as_they_did(path: Path) -> None:
    with Store(made_from(BLOCKS, path)) as store:
        assert [(run["lemmas_finished"], run["episodes"]) for run in store.runs()] == [(2, 8), (1, 8)]
        (first, second), (third, fourth) = store.lemmas(1), store.lemmas(2)
        assert [lemma["episodes"] for lemma in (first, second, third, fourth)] == [4, 4, 6, 2]
        assert first["best_script"] == "intro; left; assumption"
        assert len(store.episodes(2)) == 8
        assert store.blocks(2) == []


def test_a_class_made_before_anybody_could_leave_keeps_everybody_and_all_their_work(path: Path) -> None:
    before = rows(made_from(CLASS, path))
    with Store(path) as store:
        assert [(student.name, student.left) for student in store.students()] == [("Ada", None), ("Bob", None)]
        assert [(attempt.events, attempt.kept.imported) for attempt in store.attempts()] == [(3, None)] * 2
    after = rows(path)
    for table, columns in {"students": 2, "attempts": 3}.items():
        assert [row[:-columns] for row in after.pop(table)] == before.pop(table)
    added = (
        "seal",
        "blocks",
        "snapshots",
        "verdicts",
        "goals",
        "fitted",
        "checkpoints",
        "escalations",
        "climbs",
        "browsers",
        "erased",
        "maxims",
    )
    assert [after.pop(table) for table in added] == [[]] * len(added)
    del before["_sqlite_migrations"], after["_sqlite_migrations"]
    assert after == before


def test_an_experiment_made_before_there_were_several_plans_keeps_its_trials(path: Path) -> None:
    before = rows(made_from(EXPERIMENT, path))
    with Store(path) as store:
        assert [(each["command"], each["trials"]) for each in store.experiments()] == [("compare", 3)]
        (made,) = store.makers(1)
        assert (made["version"], made["trials"]) == (store.experiment(1)["version"], 3)
    after = rows(path)
    assert after.pop("blocks") == after.pop("snapshots") == []
    for table, added in {"experiments": 1, "trials": 2}.items():
        assert [row[:-added] for row in after.pop(table)] == before.pop(table)
    assert after.pop("_sqlite_migrations")[: len(before["_sqlite_migrations"])] == before.pop("_sqlite_migrations")
    assert {table: after[table] for table in before} == before


@pytest.mark.parametrize("dump", [RUNS, CLASS, EXPERIMENT, BLOCKS], ids=lambda dump: dump.stem)
def test_the_tables_of_an_old_database_are_those_of_a_fresh_one(dump: Path, tmp_path: Path) -> None:
    old, fresh = made_from(dump, tmp_path / "old.db"), tmp_path / "fresh.db"
    for path in (old, fresh):
        Store(path).close()
    assert tables(old) == tables(fresh)
