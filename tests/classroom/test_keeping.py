"""A desk whose work is stored beside it: nobody waits for a file that is busy, order is kept, and it is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from oasis.classroom.admission import open_classroom
from oasis.classroom.desk.desk import AGAIN, Desk
from oasis.classroom.desk.keeping import KeeperBeside, Part
from oasis.store import Store, StoreError
from tactics.goal import Move
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, local, make, sit

PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")


@pytest.fixture
def beside(store: Store, desk: Desk) -> Iterator[Desk]:
    """The desk of Ann, with a keeper beside it."""
    desk.keeper = keeper = KeeperBeside(open_classroom, store.path)
    yield desk
    keeper.close()


def whats(store: Store) -> list[list[str]]:
    """What happened in each attempt in the store."""
    return [[what for _, _, what in store.events(row.kept.uuid)] for row in store.attempts()]


def test_what_is_done_is_stored_in_order(store: Store, beside: Desk) -> None:
    make(sit(beside, PEIRCE), PROOF[:1])
    make(sit(beside, OR_COMM), PROOF)
    assert beside.save(60.0) and beside.trouble == ""
    assert whats(store) == [["intro"], [str(move) for move in PROOF]]


def test_who_works_goes_on_while_another_process_writes_and_nothing_is_lost(store: Store, beside: Desk) -> None:
    ann = sit(beside, OR_COMM)
    assert beside.save(60.0)
    with Store(store.path) as other:
        other._connection.execute("BEGIN IMMEDIATE")
        make(ann, PROOF[:2])
        assert beside.trouble.startswith("Not stored yet: the file of the class is busy.")
        make(sit(beside, PEIRCE), PROOF[:1])
        make(sit(beside, OR_COMM), PROOF[2:])
        assert beside.attempt.proved
        assert not beside.save() and not beside.tend()
        assert whats(store) == [[]]
        other._connection.execute("COMMIT")
    deadline = time.monotonic() + 60
    while not beside.tend():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert beside.save(60.0) and beside.trouble == ""
    assert whats(store) == [[str(move) for move in PROOF], ["intro"]]


def test_what_could_not_be_stored_is_tried_again_by_itself(
    store: Store, beside: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = sit(beside, OR_COMM)
    assert beside.save(60.0)

    def fail(*_: object) -> bool:
        raise StoreError("The disk is full; make room.")

    with monkeypatch.context() as patched:
        patched.setattr(Store, "keep", fail)
        ann.make(PROOF[0])
        assert not beside.save(60.0) and beside.trouble == "Not stored yet: The disk is full; make room."
        assert not beside.tend()
    monkeypatch.setattr("oasis.classroom.desk.desk.monotonic", lambda: time.monotonic() + AGAIN)
    deadline = time.monotonic() + 60
    while not beside.tend():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert whats(store) == [["intro"]]


def test_two_terminals_that_part_while_one_is_not_stored_yet_both_keep_their_work(store: Store, beside: Desk) -> None:
    ann = sit(beside, OR_COMM)
    ann.make(PROOF[0])
    assert beside.save(60.0)
    elsewhere = sit(local(store), OR_COMM)
    elsewhere.make(Move("left"))
    ann.make(Move("right"))
    ann.undo()
    assert beside.save(60.0)
    assert whats(store) == [["intro", "left"], ["intro", "right", ""]]
    assert (ann.made, ann.undone) == ([Move("intro")], [Move("right")])


def test_what_happens_while_a_part_is_being_stored_goes_out_after_it(store: Store, desk: Desk) -> None:
    begun, go, parts = threading.Event(), threading.Event(), list[Part]()
    beside = KeeperBeside(open_classroom, store.path)
    keep = beside._keep

    def slow(part: Part) -> object:
        parts.append(part)
        begun.set()
        assert go.wait(60)
        return keep(part)

    beside._keep = slow  # type: ignore[method-assign,assignment]
    desk.keeper = beside
    make(sit(desk, OR_COMM), PROOF[:3])
    assert begun.wait(60) and desk.trouble
    go.set()
    assert desk.save(60.0)
    assert [(part.stored, len(part.events)) for part in parts] == [(0, 0), (0, 3)]
    beside.close()
