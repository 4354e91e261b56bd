"""The work of a class in the store: nothing half done, words for what goes wrong, and no trace of who is deleted."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.store import KeptAttempt, KeptEvent, KeptNote, Store, StoreError
from tests.store.databases import refused, rows
from tests.thorough import examples

ATTEMPT = KeptAttempt(
    *("1", "place", "lemma", "p -> p", b"key", "{}", "2026-01-01", "2026-01-02", None, "", 0, 0, 0),
    seconds=0.5,
)
FIRST, SECOND = KeptEvent("2026-01-01", "move", "intro"), KeptEvent("2026-01-02", "undo", "")


def enrol(store: Store, name: str = "Ann", salt: bytes | None = None, digest: bytes | None = None) -> int:
    """Add a student; return the number."""
    assert store.add_student(name=name, key=name.casefold(), account=None, salt=salt, digest=digest)
    student = store.student(name.casefold())
    assert student is not None
    return student.id


def test_a_name_that_is_taken_stays_whose_it_is(store: Store, path: Path) -> None:
    enrol(store)
    before = rows(path)
    assert not store.add_student(name="ANN", key="ann", account="eve", salt=b"s", digest=b"d")
    assert rows(path) == before


def test_a_student_gets_another_name_unless_somebody_has_it(store: Store, path: Path) -> None:
    student = enrol(store)
    enrol(store, "Eve")
    assert store.rename_student(student, name="Anna", key="anna")
    assert store.student("ann") is None
    before = rows(path)
    assert not store.rename_student(student, name="EVE", key="eve")
    assert rows(path) == before
    assert store.rename_student(student, name="ANNA", key="anna")
    assert [each.name for each in store.students()] == ["ANNA", "Eve"]


def test_a_student_leaves_and_comes_back_with_all_their_work(store: Store, path: Path) -> None:
    student = enrol(store)
    assert store.keep(student, ATTEMPT, 0, [FIRST])
    before = rows(path)
    store.set_left(student, "2026-01-03")
    left = store.student("ann")
    assert left is not None and left.left == "2026-01-03"
    assert store.events(ATTEMPT.uuid) == [FIRST]
    store.set_left(student, None)
    assert rows(path) == before


def test_the_key_of_a_file_stays_and_can_be_read_while_another_process_writes(path: Path, tmp_path: Path) -> None:
    with Store(path, patience=0.01) as store, Store(path) as same, Store(tmp_path / "other.db") as other:
        key = store.secret()
        with same.together():
            assert key == store.secret() == same.secret() != other.secret()
        assert len(key) == 32


def test_an_attempt_that_was_imported_or_answered_for_stays_so(store: Store) -> None:
    student = enrol(store)
    for imported, vouched, stays in [(None, 0, None), ("then", 1, "then"), (None, 0, "then"), ("later", 0, "then")]:
        assert store.keep(student, ATTEMPT._replace(imported=imported, vouched=vouched), 0, [])
        assert store.attempts()[0].kept[-2:] == (stays, int(stays is not None))


def test_wrong_passphrases_can_be_forgotten(store: Store) -> None:
    for key in ("a", "b"):
        store.settle(key, right=False, at="then", wait=lambda *_: 0.0)
    store.forgive("a")
    assert store.refusals("a") is None
    assert store.refusals("b") == (1, "then")


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 1)), max_size=12))
def test_wrong_passphrases_are_counted_in_a_row_for_each_key_but_not_in_a_wait(answers: list[tuple[bool, int]]) -> None:
    counted = [0, 0]
    with TemporaryDirectory() as folder, Store(Path(folder) / "oasis.db") as store:
        for right, key in answers:
            must_wait = counted[key] >= 2
            waited = store.settle(str(key), right=right, at="then", wait=lambda count, _: 5.0 if count >= 2 else -1.0)
            assert waited == (5.0 if must_wait else 0.0)
            if not must_wait:
                counted[key] = 0 if right else counted[key] + 1
            for each in (0, 1):
                assert store.refusals(str(each)) == ((counted[each], "then") if counted[each] else None)


texts = st.text(max_size=8)
numbers = st.integers(0, 2**40)
attempts = st.builds(
    KeptAttempt,
    *(texts, texts, texts, texts, st.binary(max_size=16), texts, texts, texts, st.none() | texts, texts),
    *(numbers, numbers, numbers, st.floats(0, 1e9), numbers, st.integers(0, 1), st.none() | texts, st.integers(0, 1)),
)
histories = st.lists(st.builds(KeptEvent, texts, texts, texts), max_size=6)


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(attempts, histories, st.integers(0, 6)), max_size=4, unique_by=lambda each: each[0].uuid))
def test_attempts_and_events_come_back_as_they_went(works: list[tuple[KeptAttempt, list[KeptEvent], int]]) -> None:
    with TemporaryDirectory() as folder, Store(Path(folder) / "oasis.db") as store:
        for number, (attempt, events, cut) in enumerate(works):
            student = enrol(store, str(number))
            assert store.keep(student, attempt._replace(points=7), 0, events[:cut])
            assert store.keep(student, attempt, len(events[:cut]), events[cut:])
        for number, (attempt, events, _) in enumerate(works, 1):
            (row,) = store.attempts(number)
            assert (row.kept, row.events) == (attempt, len(events))
            assert store.events(attempt.uuid) == events
        assert len(store.attempts()) == len(works)


@pytest.mark.parametrize(("who", "stored"), [("Ann", 0), ("Ann", 2), ("Eve", 1)])
def test_work_of_elsewhere_or_of_others_is_not_written_over(store: Store, path: Path, who: str, stored: int) -> None:
    students = {name: enrol(store, name) for name in ("Ann", "Eve")}
    assert store.keep(students["Ann"], ATTEMPT, 0, [FIRST])
    before = rows(path)
    assert not store.keep(students[who], ATTEMPT._replace(outcome="proved"), stored, [SECOND])
    assert rows(path) == before


class Breaking(list[KeptEvent]):
    """Yields an event, and then is interrupted."""

    def __iter__(self) -> Iterator[KeptEvent]:
        yield SECOND
        raise KeyboardInterrupt


def test_what_is_stored_at_once_or_together_is_stored_all_or_nothing(store: Store, path: Path) -> None:
    student = enrol(store)
    before = rows(path)
    with pytest.raises(KeyboardInterrupt):
        store.keep(student, ATTEMPT, 0, Breaking())
    assert rows(path) == before

    def keep_both(second: list[KeptEvent]) -> None:
        with store.together():
            assert store.keep(student, ATTEMPT, 0, [FIRST])
            assert store.keep(student, ATTEMPT, 1, second)

    with pytest.raises(KeyboardInterrupt):
        keep_both(Breaking())
    assert rows(path) == before
    keep_both([SECOND])
    assert store.events(ATTEMPT.uuid) == [FIRST, SECOND]


def test_of_the_unfinished_attempts_at_an_exercise_the_one_last_worked_at_is_found(store: Store) -> None:
    student, other = enrol(store), enrol(store, "Eve")

    def keep(uuid: str, changed: str, who: int = student, **more: Any) -> None:
        assert store.keep(who, ATTEMPT._replace(uuid=uuid, changed=changed, **more), 0, [])

    keep("a", "2026-01-05")
    keep("b", "2026-01-03")
    keep("done", "2026-01-06", outcome="proved")
    keep("other place", "2026-01-06", place="elsewhere")
    keep("other letters", "2026-01-06", formula="q -> q")
    keep("other student", "2026-01-06", who=other)
    found = store.unfinished(student, "place", "lemma", "p -> p")
    assert found is not None and found.kept.uuid == "a"
    assert store.unfinished(student, "place", "other", "p -> p") is None


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    resource = pytest.importorskip("resource", reason="Windows has no limit of this kind")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_the_end_of_the_room_that_one_may_use_is_said_and_what_was_stored_stays(store: Store, path: Path) -> None:
    student = enrol(store)
    assert store.keep(student, ATTEMPT, 0, [FIRST])
    before = rows(path)
    size = path.with_name("oasis.db-wal").stat().st_size
    with no_file_larger_than(size), refused(path, "the room you may use on it is full; make room and go on"):
        store.keep(student, ATTEMPT, 1, [SECOND])
    assert rows(path) == before
    assert store.keep(student, ATTEMPT, 1, [SECOND])


# Erasing a student

SECRETS = (
    b"Quirinius",
    b"quirinius",
    b"zyxwv",
    b"imply4 H77",
    b"9f9f9f9f-",
    b"SALTSALTSALTSALT",
    b"HASHHASH",
    b"to be erased",
)


def work(store: Store, student: int, number: int, *, secret: bool = False) -> None:
    """Store an attempt with so many events that they need pages of their own."""
    head, name, what = ("9f9f9f9f-", "zyxwv", "imply4 H77") if secret else ("aaaaaaaa-", "p", "imply1 H")
    kept = ATTEMPT._replace(uuid=f"{head}{number:04}", name=name, formula=f"{name} -> {name}")
    for stored in range(0, 60, 20):
        assert store.keep(student, kept, stored, [KeptEvent("2026-01-01T00:00:00.000+00:00", "move", what)] * 20)


@pytest.fixture
def busy(store: Store) -> Store:
    """A class in which everybody has worked at the same time, and Quirinius had another name once."""
    enrol(store, "Ada")
    enrol(store, "Quirinius", b"SALTSALTSALTSALT", b"HASHHASH" * 8)
    enrol(store, "Zoe", b"s" * 16, b"h" * 64)
    for number in range(30):
        for student in (1, 2, 3):
            work(store, student, 100 * student + number, secret=student == 2)
    store.rename_student(2, name="Quirin", key="quirin")
    store.rename_student(2, name="Quirinius", key="quirinius")
    store.log_change("teacher", 2, "renamed", "Quirinius before")
    store.log_change("teacher", 3, "group", "zyxwv"[:3])
    store.settle("student 2 from there", right=False, at="2026", wait=lambda *_: 0.0)
    store.know_browser("student 2", "firefox", "2026")
    store.write_notes([KeptNote(2, "2026", "to be erased"), KeptNote(3, "2026", "to be kept")])
    return store


def found(path: Path) -> set[bytes]:
    """Return the traces of Quirinius in the files of the class."""
    content = b"".join(each.read_bytes() for each in path.parent.iterdir())
    return {secret for secret in SECRETS if secret in content}


def test_who_was_erased_is_gone_also_where_nobody_came_to_sweep(busy: Store, path: Path) -> None:
    busy.erase_student(2, "student 2")
    busy.close()  # which brings the log into the file
    assert found(path) == set()


def test_of_who_is_erased_nothing_is_left_in_any_file_while_others_have_it_open(busy: Store, path: Path) -> None:
    assert found(path) == set(SECRETS)
    with Store(path) as other:
        assert other.students()
        busy.erase_student(2, "student 2")
        busy.sweep()
        assert found(path) == set()
        assert len(other.students()) == 2
    assert found(path) == set()


def test_erasing_a_student_takes_nothing_from_others(busy: Store, path: Path) -> None:
    before = rows(path)
    busy.erase_student(2, "student 2")
    busy.sweep()
    after = rows(path)
    assert after.pop("erased") == [(2,)] and before.pop("erased") == []
    for table, content in after.items():
        assert set(content) <= set(before[table]), table
    assert {row[2] for row in after["attempts"]} == {1, 3} and len(after["attempts"]) == 60
    assert len(after["events"]) == 60 * 60
    assert (after["refusals"], after["browsers"], len(after["notes"])) == ([], [], 1)


def test_a_number_is_never_given_again_and_nothing_is_stored_under_it(busy: Store) -> None:
    busy.erase_student(3, "student 3")
    assert enrol(busy, "Bob") == 4
    busy.erase_student(4, "student 4")
    assert enrol(busy, "Eve") == 5
    with pytest.raises(StoreError, match="You and your work were deleted"):
        work(busy, 3, 999)
    assert busy.attempts(3) == []


def test_another_student_whose_number_begins_alike_keeps_what_is_counted(busy: Store) -> None:
    for key in ("student 22", "student 22 from there"):
        busy.settle(key, right=False, at="2026", wait=lambda *_: 0.0)
    busy.erase_student(2, "student 2")
    assert busy.refusals("student 22") and busy.refusals("student 22 from there")


@pytest.mark.usefixtures("busy")
def test_who_reads_all_the_time_is_told_of_and_the_traces_go_later(path: Path) -> None:
    with Store(path, patience=0.05) as impatient, Store(path) as reader:
        reader._connection.execute("BEGIN")
        reader._connection.execute("SELECT count(*) FROM students").fetchone()
        impatient.erase_student(2, "student 2")
        with refused(path, "is being read by another process; close the classroom, and try again"):
            impatient.sweep()
        reader._connection.execute("ROLLBACK")
        impatient.sweep()
    assert found(path) == set()
