"""A desk against the store: whatever is done and whatever goes wrong, what was done is there."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.background import Background
from oasis.classroom.desk.desk import AGAIN, Desk
from oasis.classroom.desk.keeping import KeeperBeside, Part
from oasis.classroom.desk.record import problem_key
from oasis.classroom.people.names import name_key
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import CLAIM_COST, Exercise, Terms
from oasis.store import Store, StoreError
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove
from tests.classroom.people import LONG, LOST, OR_COMM, PEIRCE, PROOF, again, empty, fumble, histories, local, make, sit
from tests.strategies import walks
from tests.thorough import examples

TIMES = st.integers(0, 15).map(range)


def fill(store: Store) -> None:
    """No room is left in the file."""
    ((pages,),) = store._connection.execute("PRAGMA page_count").fetchall()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")


# Coming back.


@given(walks(), st.data())
@settings(max_examples=examples(60))
def test_whatever_was_done_whoever_sits_down_again_finds_the_attempt_as_it_was(walk: Any, data: st.DataObject) -> None:
    exercise = Exercise("walk", walk.formula, "place")
    with empty() as store:
        attempt = sit(local(store), exercise)
        happened = [fumble(attempt, lambda below: data.draw(st.integers(0, below - 1))) for _ in data.draw(TIMES)]
        assert histories(store) == [[event for event in happened if event is not None]]
        again = sit(local(store), exercise)
        was_over = store.attempts()[0].kept.outcome != ""
        assert again == (Attempt(walk.formula) if was_over else attempt)


def test_every_event_is_stored_at_once_and_what_is_over_is_not_gone_on_with(store: Store, desk: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    for number, move in enumerate(PROOF, 1):
        attempt.make(move)
        with Store(store.path) as other:
            assert len(histories(other)[0]) == number
    assert desk.trouble == ""
    assert sit(desk, OR_COMM).made == []
    assert [row.kept.outcome for row in store.attempts()] == ["proved", ""]


def test_beginning_again_keeps_the_first_attempt_and_opens_no_two_empty_ones(desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    for _ in range(3):
        assert again(desk, OR_COMM).made == []
    assert histories(desk.store) == [[Event("move", "intro"), Event("move", "left"), Event("jump", "0")], []]


def test_another_place_lemma_student_and_other_letters_are_other_attempts(store: Store, desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    others = [replace(OR_COMM, place="elsewhere"), PEIRCE, replace(OR_COMM, formula=parse("a \\/ b -> b \\/ a"))]
    assert [sit(desk, other).made for other in others] == [[]] * 3
    eve = local(store, "Eve")
    assert sit(eve, OR_COMM).made == [] and eve.results()[problem_key(OR_COMM)].outcome == ""
    assert sit(desk, OR_COMM).made == list(LOST)


def test_an_attempt_goes_on_on_the_terms_of_today(desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    dearer = Exercise(OR_COMM.name, OR_COMM.formula, OR_COMM.place, Terms(hint_cost=3))
    attempt = sit(desk, dearer)
    assert (attempt.made, attempt.terms.hint_cost) == (list(LOST), 3)
    attempt.jump(1)
    attempt.take_hint()
    make(attempt, PROOF[1:])
    assert desk.results()[problem_key(OR_COMM)].points == 7


def test_an_attempt_that_cannot_be_made_again_is_kept_and_said(desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    desk.store._connection.execute("UPDATE events SET what = 'split' WHERE number = 2")
    assert sit(desk, OR_COMM).made == []
    assert desk.trouble.startswith("An older attempt at textbook/or_comm cannot be gone on with, though it is kept: ")
    assert histories(desk.store)[0] == [Event("move", "intro"), Event("move", "split")]


# Trouble.


def test_what_cannot_be_stored_waits_in_order_and_goes_out_with_the_next_event(store: Store, desk: Desk) -> None:
    attempt = sit(desk, Exercise("long", LONG))
    seen: list[Event | None] = []
    fill(store)
    for _ in range(400):
        seen.append(attempt.make(attempt.offers()[0].move) if attempt.offers() else attempt.jump(0))
        if desk.trouble:
            break
    assert desk.trouble.startswith("Not stored yet: ")
    assert "the disk is full; make room" in desk.trouble
    seen.append(attempt.jump(0))
    assert not desk.save()
    assert histories(store) == [seen[:-2]]
    store._connection.execute("PRAGMA max_page_count = 100000")
    seen.append(attempt.make(Move("intro")))
    assert desk.trouble == ""
    assert histories(store) == [seen]


def test_what_more_help_would_cost_is_known_before_and_nothing_once_it_is_done(desk: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    assert (desk.cost(helped=3), desk.cost(slips=1), desk.cost(slips=2), desk.cost(listed=True)) == (3, 0, 1, 5)
    assert desk.cost(helped=30) == 9, "a point is left"
    make(attempt, PROOF)
    assert (desk.result.outcome, desk.cost(helped=3), desk.cost(slips=2), desk.cost(listed=True)) == ("proved", 0, 0, 0)


def test_work_goes_on_in_memory_when_not_even_the_beginning_could_be_stored(store: Store, desk: Desk) -> None:
    with Store(store.path) as other:
        store._connection.execute("PRAGMA busy_timeout = 1")
        other._connection.execute("BEGIN IMMEDIATE")
        attempt = sit(desk, OR_COMM)
        make(attempt, LOST)
        assert desk.trouble == (
            f"Not stored yet: {store.path} is in use by another process; wait for it, or name another file with --db."
        )
        standing = desk.attempt
        assert desk.sit(OR_COMM) is standing
        other_exercise = sit(desk, PEIRCE)
        make(other_exercise, LOST[:1])
        other._connection.execute("ROLLBACK")
    assert desk.save()
    assert desk.trouble == ""
    assert [[what for _, what in each] for each in histories(store)] == [["intro", "left"], ["intro"]]


def test_an_event_that_was_stored_although_the_store_said_no_is_not_stored_twice(
    store: Store, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = sit(desk, OR_COMM)
    keep = Store.keep

    def stores_and_fails(*arguments: Any) -> bool:
        keep(*arguments)
        store._rows("SELECT * FROM nowhere")
        return True

    with monkeypatch.context() as patched:
        patched.setattr(Store, "keep", stores_and_fails)
        attempt.make(Move("intro"))
    assert "no such table" in desk.trouble
    attempt.make(Move("left"))
    assert histories(store) == [[Event("move", "intro"), Event("move", "left")]]


# Two terminals.


@given(st.lists(st.tuples(st.sampled_from([0, 1]), st.integers(0, 3)), max_size=25), st.data())
@settings(max_examples=examples(60))
def test_two_desks_of_one_student_lose_mix_and_count_nothing_twice(
    steps: list[tuple[int, int]], data: st.DataObject
) -> None:
    exercise = Exercise("long", LONG)
    happened: list[Event] = []
    moments = (f"2026-05-04T10:{number // 60:02}:{number % 60:02}.000+00:00" for number in count())
    with empty() as store, pytest.MonkeyPatch.context() as clock:
        clock.setattr("oasis.classroom.desk.desk.now", lambda: next(moments))
        desks = [local(store), local(store)]
        attempts = [sit(desk, exercise) for desk in desks]
        for number, action in steps:
            if action == 0:
                desks[number].sit(exercise)
            else:
                event = fumble(attempts[number], lambda below: data.draw(st.integers(0, below - 1)))
                happened += [] if event is None else [event]
            stored = [again for events in histories(store) for again in prefixes(events)]
            for desk in desks:
                assert any(where(attempt) == where(desk.attempt) for attempt in stored)
        kinds = ("hint", "refused", "claim", "given")
        kept = [event for history in histories(store) for event in history if event.kind in kinds]
        assert sorted(kept) == sorted(event for event in happened if event.kind in kinds)


def prefixes(events: list[Event]) -> list[Attempt]:
    """An attempt after each of its events."""
    attempt, found = Attempt(LONG), [Attempt(LONG)]
    for event in events:
        attempt.happen([event])
        found.append(attempt.copy())
    return found


def where(attempt: Attempt) -> tuple[object, ...]:
    """Where a student stands, whatever help they took."""
    return attempt.made, attempt.undone, attempt.refuted


def test_an_attempt_that_goes_on_at_two_desks_becomes_two(store: Store, desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST[:1])
    one, other = sit(desk, OR_COMM), sit(local(store), OR_COMM)
    one.make(Move("left"))
    other.make(Move("right"))
    with pytest.raises(IllegalMove):
        other.make(Move("split"))
    one.undo()
    assert sorted([what for _, what in each] for each in histories(store)) == [
        ["intro", "left", ""],
        ["intro", "right", "split"],
    ]
    assert len({row.kept.uuid for row in store.attempts()}) == 2


def test_help_that_was_taken_before_two_desks_part_counts_once(store: Store, desk: Desk) -> None:
    one = sit(desk, OR_COMM)
    one.claim(right=False)
    other = sit(local(store), OR_COMM)
    with pytest.raises(IllegalMove):
        one.make(Move("split"))
    make(other, PROOF)
    assert len(store.attempts()) == 2
    result = desk.results()[problem_key(OR_COMM)]
    assert (result.helped, result.points) == (CLAIM_COST, 7)


def test_who_has_taken_back_moves_can_make_them_again_after_two_desks_have_parted(store: Store, desk: Desk) -> None:
    one = sit(desk, OR_COMM)
    make(one, PROOF[:3])
    one.jump(1)
    other = sit(local(store), OR_COMM)
    one.redo()
    other.take_hint()
    assert (other.made, other.undone) == (list(PROOF[:1]), [PROOF[2], PROOF[1]])
    other.redo()
    assert histories(store)[1][-2:] == [Event("hint", "2"), Event("redo")]


def test_another_formula_under_the_same_name_is_not_done_by_what_was_done_before(desk: Desk) -> None:
    make(sit(desk, OR_COMM), PROOF)
    corrected = replace(OR_COMM, formula=parse("p \\/ q \\/ r -> q \\/ p \\/ r"))
    assert desk.results()[problem_key(OR_COMM)].outcome == "proved"
    assert problem_key(corrected) not in desk.results()
    in_other_letters = replace(OR_COMM, formula=parse("x \\/ y -> y \\/ x"))
    assert desk.results()[problem_key(in_other_letters)].outcome == "proved"


def test_what_a_student_was_at_last_is_known_until_it_is_done(desk: Desk) -> None:
    assert desk.present() is None
    sit(desk, PEIRCE)
    assert desk.present() is None
    attempt = sit(desk, OR_COMM)
    make(attempt, PROOF[:2])
    assert desk.present() == problem_key(OR_COMM)
    make(attempt, PROOF[2:])
    assert desk.present() is None


def test_a_student_who_is_renamed_keeps_their_letters(store: Store) -> None:
    desk = local(store, "Bjorn")
    assert desk.student.letters == "Bjorn"
    for name in ("Björn", "Bjørn"):
        assert store.rename_student(desk.student.id, name=name, key=name_key(name))
        again = admit(store, name, account="Bjorn")
        assert (again.name, again.student.letters) == (name, "Bjorn")


# A desk whose work is stored beside it: nobody waits for a file that is busy, order is kept, and it is said.


@pytest.fixture
def beside(store: Store, desk: Desk) -> Iterator[Desk]:
    """The desk of Ann, with a keeper beside it."""
    desk.keeper = keeper = KeeperBeside(open_classroom, store.path)
    yield desk
    keeper.close()


def whats(store: Store) -> list[list[str]]:
    """What happened in each attempt in the store."""
    return [[what for _, _, what in store.events(row.kept.uuid)] for row in store.attempts()]


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


# Work in the background: in order, and nobody who leaves waits for it.


async def test_things_are_done_in_order_and_answers_and_errors_come_back() -> None:
    done: list[int] = []
    thread = Background("test")
    first, second = thread.submit(done.append, 1), thread.submit(done.append, 2)
    assert await thread.ask(lambda: threading.current_thread().name) == "test"
    assert done == [1, 2] and first.done() and second.done()
    with pytest.raises(ZeroDivisionError):
        await thread.ask(lambda: 1 / 0)
    thread.close()


def test_after_the_end_nothing_begins_but_the_last_thing() -> None:
    thread, begun, go, done = Background("test"), threading.Event(), threading.Event(), threading.Event()

    def wait() -> bool:
        begun.set()
        return go.wait(60)

    began = thread.submit(wait)
    assert begun.wait(60)
    never = thread.submit(pytest.fail)
    thread.close(done.set)
    go.set()
    assert done.wait(60) and began.result() and never.cancelled()
    with pytest.raises(CancelledError):
        thread.submit(pytest.fail).result()


@pytest.mark.slow
def test_a_program_ends_while_something_in_the_background_takes_for_ever() -> None:
    code = """
import threading, time
from oasis.classroom.background import Background
began = threading.Event()
Background("slow").submit(lambda: (began.set(), time.sleep(600)))
began.wait()
"""
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0
