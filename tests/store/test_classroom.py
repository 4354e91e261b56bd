"""The work of a class in the store: many at once, nothing half done, and words for what goes wrong."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.store import KeptAttempt, KeptEvent, Store, StoreError
from tests.store.crowd import come_in
from tests.store.databases import checked, rows
from tests.thorough import examples

ATTEMPT = KeptAttempt(
    *("1", "place", "lemma", "p -> p", b"key", "{}", "2026-01-01", "2026-01-02", None, "", 0, 0, 0),
    seconds=0.5,
)
FIRST, SECOND = KeptEvent("2026-01-01", "move", "intro"), KeptEvent("2026-01-02", "undo", "")


def enrol(store: Store, name: str = "Ann") -> int:
    """A new student's number."""
    assert store.add_student(name=name, key=name.casefold(), account=None, salt=None, digest=None)
    student = store.student(name.casefold())
    assert student is not None
    return student.id


@pytest.mark.slow
@pytest.mark.thorough
def test_thirty_processes_open_a_fresh_file_at_the_same_moment(path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    together = context.Barrier(30)
    crowd = [context.Process(target=come_in, args=(number, path, together)) for number in range(30)]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    assert [process.exitcode for process in crowd] == [0] * 30
    with Store(path) as store:
        assert sorted(student.name for student in store.students()) == sorted(f"Name {n}" for n in range(30))


# Students.


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


def test_the_key_of_a_file_stays_and_no_other_file_has_it(path: Path, tmp_path: Path) -> None:
    with Store(path) as store, Store(path) as same, Store(tmp_path / "other.db") as other:
        assert store.secret() == same.secret() == store.secret() != other.secret()
        assert len(store.secret()) == 32


def test_the_key_can_be_read_while_another_process_writes(path: Path) -> None:
    with Store(path, patience=0.01) as store, Store(path) as other:
        key = store.secret()
        with other.together():
            assert store.secret() == key


def test_an_attempt_that_was_imported_stays_so_since_when_it_was(store: Store) -> None:
    student = enrol(store)
    for imported, stays in [(None, None), ("then", "then"), (None, "then"), ("later", "then")]:
        assert store.keep(student, ATTEMPT._replace(imported=imported), 0, [])
        assert store.attempts()[0].kept.imported == stays


def test_wrong_passphrases_can_be_forgotten(store: Store) -> None:
    for key in ("a", "b"):
        store.settle(key, right=False, at="then", wait=lambda *_: 0.0)
    store.forgive("a")
    assert store.refusals("a") is None
    assert store.refusals("b") == (1, "then")


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 1)), max_size=12))
def test_wrong_passphrases_are_counted_in_a_row_for_each_key_and_not_while_one_must_wait(
    answers: list[tuple[bool, int]],
) -> None:
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


# Attempts.

texts = st.text(max_size=8)
numbers = st.integers(0, 2**40)
attempts = st.builds(
    KeptAttempt,
    *(texts, texts, texts, texts, st.binary(max_size=16), texts, texts, texts, st.none() | texts, texts),
    *(numbers, numbers, numbers, st.floats(0, 1e9), numbers, st.integers(0, 1), st.none() | texts),
)
histories = st.lists(st.builds(KeptEvent, texts, texts, texts), max_size=6)


@settings(max_examples=examples(60))
@given(st.lists(st.tuples(attempts, histories, st.integers(0, 6)), max_size=4, unique_by=lambda each: each[0].uuid))
def test_attempts_and_events_come_back_as_they_were_stored(
    works: list[tuple[KeptAttempt, list[KeptEvent], int]],
) -> None:
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


def test_an_event_is_stored_with_what_it_makes_of_the_attempt_or_not_at_all(store: Store, path: Path) -> None:
    student = enrol(store)
    assert store.keep(student, ATTEMPT, 0, [FIRST])
    before = rows(path)

    class Breaking(list[KeptEvent]):
        def __iter__(self) -> Iterator[KeptEvent]:
            yield SECOND
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.keep(student, ATTEMPT._replace(outcome="proved"), 1, Breaking())
    assert rows(path) == before


@pytest.mark.parametrize("stored", [0, 2])
def test_what_went_on_elsewhere_is_not_written_over(store: Store, path: Path, stored: int) -> None:
    student = enrol(store)
    assert store.keep(student, ATTEMPT, 0, [FIRST])
    before = rows(path)
    assert not store.keep(student, ATTEMPT._replace(outcome="proved"), stored, [SECOND])
    assert rows(path) == before


def test_the_attempt_of_another_student_is_not_written_over(store: Store, path: Path) -> None:
    assert store.keep(enrol(store), ATTEMPT, 0, [])
    other = enrol(store, "Eve")
    before = rows(path)
    assert not store.keep(other, ATTEMPT, 0, [FIRST])
    assert rows(path) == before


def test_what_is_stored_together_is_stored_all_or_nothing(store: Store, path: Path) -> None:
    student = enrol(store)
    before = rows(path)

    def keep(then: BaseException | None) -> None:
        with store.together():
            assert store.keep(student, ATTEMPT, 0, [FIRST])
            assert store.keep(student, ATTEMPT, 1, [SECOND])
            if then is not None:
                raise then

    with pytest.raises(KeyboardInterrupt):
        keep(KeyboardInterrupt())
    assert rows(path) == before
    keep(None)
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


# Disks.


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
    with no_file_larger_than(path.with_name("oasis.db-wal").stat().st_size), pytest.raises(StoreError) as refused:
        store.keep(student, ATTEMPT, 1, [SECOND])
    assert "the room you may use on it is full; make room and go on" in checked(refused.value, path)
    assert rows(path) == before
    assert store.keep(student, ATTEMPT, 1, [SECOND])
