"""Erasing: of who is deleted nothing can be found in any file of the class, and nobody else loses anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oasis.store import KeptAttempt, KeptEvent, Store, StoreError
from tests.store.databases import rows

SECRETS = (b"Quirinius", b"quirinius", b"zyxwv", b"imply4 H77", b"9f9f9f9f-", b"SALTSALTSALTSALT", b"HASHHASH")


def attempt(uuid: str, name: str) -> KeptAttempt:
    """An attempt at a lemma."""
    at = "2026-01-01T00:00:00.000+00:00"
    return KeptAttempt(uuid, "week 1", name, f"{name} -> {name}", b"k", "{}", at, at, None, "", 0, 0, 0, 1.0)


def enrol(store: Store, name: str) -> int:
    """A new student, by number."""
    salt = b"SALTSALTSALTSALT" if name == "Quirinius" else b"s" * 16
    digest = b"HASHHASH" * 8 if name == "Quirinius" else b"h" * 64
    store.add_student(name=name, key=name.casefold(), account=None, salt=salt, digest=digest)
    student = store.student(name.casefold())
    assert student is not None
    return student.id


def work(store: Store, student: int, number: int, secret: bool) -> None:
    """Many events, so that they need pages of their own."""
    head = "9f9f9f9f-" if secret else "aaaaaaaa-"
    kept = attempt(f"{head}{number:04}", "zyxwv" if secret else "p")
    what = "imply4 H77" if secret else "imply1 H"
    for stored in range(0, 60, 20):
        events = [KeptEvent("2026-01-01T00:00:00.000+00:00", "move", what)] * 20
        assert store.keep(student, kept._replace(changed=f"2026-01-01T00:00:{stored:02}"), stored, events)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "class.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    """A class in which everybody has worked at the same time, and Quirinius had another name once."""
    with Store(path) as opened:
        students = [enrol(opened, name) for name in ("Ada", "Quirinius", "Zoe")]
        for number in range(30):
            for student in students:
                work(opened, student, 100 * student + number, student == 2)
        opened.rename_student(2, name="Quirin", key="quirin")
        opened.rename_student(2, name="Quirinius", key="quirinius")
        opened.settle("student 2 from there", right=False, at="2026", wait=lambda *_: 0.0)
        opened.know_browser("student 2", "firefox", "2026")
        yield opened


def found(path: Path) -> set[bytes]:
    """What is there of Quirinius in the files of the class."""
    content = b"".join(each.read_bytes() for each in path.parent.iterdir())
    return {secret for secret in SECRETS if secret in content}


def test_who_was_erased_is_gone_also_where_nobody_came_to_sweep(store: Store, path: Path) -> None:
    store.erase_student(2, "student 2")
    store.close()  # which brings the log into the file
    assert found(path) == set()


def test_of_who_is_erased_nothing_is_left_in_any_file_while_others_have_it_open(store: Store, path: Path) -> None:
    assert found(path) == set(SECRETS)
    with Store(path) as other:
        assert other.students()
        store.erase_student(2, "student 2")
        store.sweep()
        assert found(path) == set()
        assert len(other.students()) == 2
    assert found(path) == set()


def test_nobody_else_loses_anything(store: Store, path: Path) -> None:
    before = rows(path)
    store.erase_student(2, "student 2")
    store.sweep()
    after = rows(path)
    assert after.pop("erased") == [(2,)] and before.pop("erased") == []
    for table, content in after.items():
        assert set(content) <= set(before[table]), table
    assert {row[2] for row in after["attempts"]} == {1, 3} and len(after["attempts"]) == 60
    assert len(after["events"]) == 60 * 60
    assert (after["refusals"], after["browsers"]) == ([], [])


def test_a_number_is_never_given_again_and_nothing_is_stored_under_it(store: Store) -> None:
    store.erase_student(3, "student 3")
    assert enrol(store, "Bob") == 4
    store.erase_student(4, "student 4")
    assert enrol(store, "Eve") == 5
    with pytest.raises(StoreError, match="You and your work were deleted"):
        work(store, 3, 999, secret=False)
    assert store.attempts(3) == []


def test_another_student_whose_number_begins_alike_keeps_what_is_counted(store: Store) -> None:
    for key in ("student 22", "student 22 from there"):
        store.settle(key, right=False, at="2026", wait=lambda *_: 0.0)
    store.erase_student(2, "student 2")
    assert store.refusals("student 22") and store.refusals("student 22 from there")


def test_who_reads_all_the_time_is_told_of_and_the_traces_go_later(path: Path, store: Store) -> None:
    with Store(path, patience=0.05) as impatient, Store(path) as reader:
        reader._connection.execute("BEGIN")
        reader._connection.execute("SELECT count(*) FROM students").fetchone()
        impatient.erase_student(2, "student 2")
        with pytest.raises(StoreError, match="is being read by another process; close the classroom, and try again"):
            impatient.sweep()
        reader._connection.execute("ROLLBACK")
        impatient.sweep()
    assert found(path) == set()
