"""A desk and its store: whatever goes wrong, what was done is there; and results, which count all attempts."""

import multiprocessing
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.background import Background
from oasis.classroom.desk.desk import AGAIN, Desk
from oasis.classroom.desk.keeping import KeeperBeside
from oasis.classroom.desk.progress import exercise, progress
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import Record, problem_key
from oasis.classroom.people.names import name_key
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import CLAIM_COST, LIST_COST, Exercise, Terms
from oasis.classroom.register.marks import Marks
from oasis.classroom.register.overview import overview
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, Store, StoreError
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import (
    LONG,
    LOST,
    OR_COMM,
    PEIRCE,
    PROOF,
    again,
    attend,
    empty,
    fumble,
    histories,
    local,
    make,
    sit,
    told,
)
from tests.strategies import walks
from tests.thorough import examples, thoroughly

TIMES = st.integers(0, 15).map(range)


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
    assert desk.result.slips == 1, "to begin anew before the end is to take moves back"
    make(sit(desk, OR_COMM), PROOF)
    again(desk, OR_COMM)
    assert desk.result.slips == 1


def test_another_place_lemma_student_and_other_letters_are_other_attempts(store: Store, desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    in_other_letters = replace(OR_COMM, formula=parse("a \\/ b -> b \\/ a"))
    corrected = replace(OR_COMM, formula=parse("p \\/ q \\/ r -> q \\/ p \\/ r"))
    others = [replace(OR_COMM, place="elsewhere"), PEIRCE, in_other_letters, corrected]
    assert [sit(desk, other).made for other in others] == [[]] * 4
    eve = local(store, "Eve")
    assert sit(eve, OR_COMM).made == [] and eve.results()[problem_key(OR_COMM)].outcome == ""
    assert sit(desk, OR_COMM).made == list(LOST)
    make(again(desk, OR_COMM), PROOF)
    outcomes = [desk.results()[problem_key(each)].outcome for each in (OR_COMM, in_other_letters, corrected)]
    assert outcomes == ["proved", "proved", ""], "other letters are the same problem"


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


def test_what_cannot_be_stored_waits_in_order_and_goes_out_with_the_next_event(store: Store, desk: Desk) -> None:
    attempt = sit(desk, Exercise("long", LONG))
    seen: list[Event | None] = []
    ((pages,),) = store._connection.execute("PRAGMA page_count").fetchall()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")  # no room is left in the file
    for _ in range(400):
        seen.append(attempt.make(attempt.offers()[0].move) if attempt.offers() else attempt.jump(0))
        if desk.trouble:
            break
    assert desk.trouble.startswith("Not stored yet: ")
    assert desk.trouble == (
        "Not stored yet: the disk of the class is full. Tell your teacher; nothing is lost while this stays open."
    )
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
        assert desk.result == desk.results()[problem_key(OR_COMM)] != Result("", 0, 0, 0, 0, 0.0)
        make(sit(desk, PEIRCE), LOST[:1])
        other._connection.execute("ROLLBACK")
    assert desk.save() and desk.trouble == ""
    assert told(store) == [["intro", "left"], ["intro"]]


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


@given(st.lists(st.tuples(st.sampled_from([0, 1]), st.integers(0, 3)), max_size=25), st.data())
@settings(max_examples=examples(60))
def test_two_desks_of_one_student_lose_and_mix_nothing(steps: list[tuple[int, int]], data: st.DataObject) -> None:
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
    """Return the attempt as it was after each of its events."""
    attempt, found = Attempt(LONG), [Attempt(LONG)]
    for event in events:
        attempt.happen([event])
        found.append(attempt.copy())
    return found


def where(attempt: Attempt) -> tuple[object, ...]:
    """Return where a student stands in an attempt, without the help that was taken."""
    return attempt.made, attempt.undone, attempt.refuted


def test_an_attempt_that_goes_on_at_two_desks_becomes_two(store: Store, desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST[:1])
    one, other = sit(desk, OR_COMM), sit(local(store), OR_COMM)
    one.make(Move("left"))
    assert not desk.parted and not one.desk.catch_up()
    other.make(Move("right"))
    assert "both are kept" in other.desk.parted and not one.desk.parted
    with pytest.raises(IllegalMove):
        other.make(Move("split"))
    one.undo()
    assert sorted(told(store)) == [["intro", "left", ""], ["intro", "right", "split"]]
    assert len({row.kept.uuid for row in store.attempts()}) == 2


def test_who_does_nothing_here_goes_on_where_they_went_on_elsewhere(store: Store, desk: Desk) -> None:
    here, elsewhere = sit(desk, OR_COMM), sit(local(store), OR_COMM)
    make(elsewhere, PROOF[:3])
    assert desk.catch_up() and here.made == list(PROOF[:3]) and not desk.catch_up()
    make(here, PROOF[3:])
    assert here.proved and elsewhere.desk.catch_up() and elsewhere.desk.result.outcome == "proved"
    assert len(store.attempts()) == 1 and not desk.parted


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


def test_a_student_who_is_renamed_keeps_their_letters(store: Store) -> None:
    desk = local(store, "Bjorn")
    assert desk.student.letters == "Bjorn"
    for name in ("Björn", "Bjørn"):
        assert store.rename_student(desk.student.id, name=name, key=name_key(name))
        again = admit(store, name, account="Bjorn")
        assert (again.name, again.student.letters) == (name, "Bjorn")


# A desk that stores in the background: nobody waits for a busy file, order is kept, and failures are told.


@pytest.fixture
def beside(store: Store, desk: Desk) -> Iterator[Desk]:
    """The desk of Ann, with a keeper that stores in the background."""
    desk.keeper = keeper = KeeperBeside(open_classroom, store.path)
    yield desk
    keeper.close()


def wait_until_stored(desk: Desk) -> None:
    """Wait until all events of a desk are stored."""
    deadline = time.monotonic() + 60
    while not desk.tend():
        assert time.monotonic() < deadline
        time.sleep(0.01)


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
        assert told(store) == [[]]
        other._connection.execute("COMMIT")
    wait_until_stored(beside)
    assert beside.save(60.0) and beside.trouble == ""
    assert told(store) == [[str(move) for move in PROOF], ["intro"]]


def test_what_was_not_stored_is_tried_once_more(store: Store, beside: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
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
    wait_until_stored(beside)
    assert told(store) == [["intro"]]


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


# Results: points, help, slips and time, over all attempts, in lessons and in the course.


COURSE = exercise("textbook/or_comm")
"""The lemma in the course."""
IN_LESSON = replace(COURSE, place="lesson")


def shown_in_course(desk: Desk) -> int:
    """Return the points that the course shows of its lemma."""
    entries = (entry for world in progress(desk.results()) for entry in world.entries)
    return next(entry.result.points for entry in entries if entry.lemma.name == COURSE.name and entry.result)


def test_results_are_the_best_of_all_attempts_and_help_in_one_counts_in_the_next(desk: Desk) -> None:
    helped = sit(desk, OR_COMM)
    make(helped, PROOF[:1])
    helped.take_hint()
    make(helped, PROOF[1:])
    longer = again(desk, OR_COMM)
    make(longer, parse_script("intro; left"))
    longer.undo()
    make(longer, PROOF[1:])
    again(desk, OR_COMM)
    result = desk.results()[problem_key(OR_COMM)]
    assert result._replace(seconds=0, done=None) == Result(
        "proved", moves=6, helped=1, points=9, attempts=2, seconds=0, slips=1, course_points=9
    )


def test_what_was_done_in_time_is_not_late_for_being_done_once_more(desk: Desk) -> None:
    past, ahead = datetime(2020, 1, 1, tzinfo=UTC), datetime(2300, 1, 1, tzinfo=UTC)
    make(sit(desk, OR_COMM), PROOF[:1])
    assert desk.result.done is None
    assert desk.result.is_late(past) and not desk.result.is_late(ahead) and not desk.result.is_late(None)
    make(sit(desk, OR_COMM), PROOF[1:])
    first = desk.result.done
    assert first is not None
    make(again(desk, OR_COMM), PROOF)
    assert desk.result.done == first
    assert not desk.result.is_late(datetime.fromisoformat(first))
    assert desk.result.is_late(past)


def test_help_is_counted_while_nothing_is_done_yet(desk: Desk) -> None:
    attempt = sit(desk, PEIRCE)
    attempt.claim(right=False)
    assert desk.results()[problem_key(PEIRCE)][:5] == ("", 0, CLAIM_COST, 0, 1)
    attempt.claim(right=True)
    assert desk.results()[problem_key(PEIRCE)][:5] == ("refuted", 0, CLAIM_COST, 7, 1)


def test_what_an_exercise_is_worth_counts_help_in_earlier_attempts_and_never_less_than_is_reached(desk: Desk) -> None:
    desk.sit(OR_COMM)
    assert desk.worth == 10
    make(sit(desk, OR_COMM), PROOF[:1])
    desk.do(Attempt.take_hint)
    assert desk.worth == 9
    again(desk, OR_COMM)
    assert (desk.worth, desk.result.points, desk.result.helped) == (9, 0, 1)
    make(sit(desk, OR_COMM), PROOF)
    assert (desk.worth, desk.result.points, desk.result.outcome) == (9, 9, "proved")
    make(again(desk, OR_COMM), PROOF[:1])
    desk.do(Attempt.take_hint)
    assert (desk.worth, desk.result.points, desk.result.helped) == (9, 9, 2)


def test_slips_and_the_list_cost_in_the_next_attempt_as_well(desk: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    make(attempt, LOST)
    attempt.undo()
    with pytest.raises(IllegalMove):
        attempt.make(Move("split"))
    assert desk.worth == 9
    attempt.show_list()
    assert desk.worth == 4
    make(again(desk, OR_COMM), PROOF)
    assert desk.attempt.points == 10
    assert desk.result == desk.results()[problem_key(OR_COMM)]
    assert (desk.result.points, desk.result.slips, desk.result.listed) == (4, 2, True)


def test_an_attempt_that_was_begun_with_the_moves_listed_goes_on_so_whatever_the_lesson_says_now(desk: Desk) -> None:
    listed = Exercise(OR_COMM.name, OR_COMM.formula, OR_COMM.place, Terms(moves="listed"))
    attempt = sit(desk, listed)
    make(attempt, LOST)
    attempt.undo()
    attempt = sit(desk, OR_COMM)
    assert attempt.shows_list and attempt.terms.moves == "listed"
    make(attempt, PROOF[1:])
    assert (desk.result.points, desk.result.slips) == (10, 0)
    assert again(desk, OR_COMM).terms.moves == "point"


def test_help_in_an_attempt_begun_anew_counts_in_the_one_that_is_gone_on_with_after_it(desk: Desk) -> None:
    make(sit(desk, OR_COMM), PROOF[:1])
    anew = again(desk, OR_COMM)
    make(anew, PROOF[:1])
    for _ in range(3):
        anew.take_hint()
    make(anew, PROOF[1:])
    first = sit(desk, OR_COMM)
    assert first.undone == list(PROOF[:1])
    make(first, PROOF)
    assert first.points == 10
    assert (desk.result.points, desk.worth) == (7, 7)
    assert desk.results()[problem_key(OR_COMM)] == desk.result


@pytest.mark.parametrize(
    ("place", "terms", "there"),
    [("", Terms(), 7), ("lesson", Terms(hint_cost=0), 10), ("lesson", Terms(moves="listed"), 7)],
)
def test_help_elsewhere_costs_in_the_course_by_its_own_terms(desk: Desk, place: str, terms: Terms, there: int) -> None:
    other = replace(COURSE, place=place, terms=terms)
    helped = sit(desk, other)
    make(helped, PROOF[:1])
    for _ in range(3):
        helped.take_hint()
    make(helped, PROOF[1:])
    assert desk.result.points == there
    cost = 7 - LIST_COST * (terms.moves == "listed")
    assert shown_in_course(desk) == cost
    attempt = sit(desk, COURSE)
    assert desk.worth == cost
    make(attempt, PROOF)
    assert (desk.result.points, shown_in_course(desk)) == (cost, cost)
    assert desk.results()[problem_key(other)].points == there


@pytest.mark.parametrize(("light", "in_course"), [(True, 7), (False, 9)])
def test_slips_told_by_the_light_of_a_lesson_are_hints_in_the_course(desk: Desk, light: bool, in_course: int) -> None:
    attempt = sit(desk, replace(IN_LESSON, terms=Terms(light=light)))
    for wrong in ("left", "right", "left"):
        make(attempt, parse_script(f"intro; {wrong}"))
        attempt.jump(0)
    make(attempt, PROOF)
    assert desk.result.points == 9
    assert (desk.result.slips, desk.result.course_points, shown_in_course(desk)) == (3, in_course, in_course)
    make(sit(desk, COURSE), PROOF)
    assert (desk.result.points, desk.result.helped, desk.result.slips) == ((7, 3, 0) if light else (9, 0, 3))
    make(again(desk, COURSE), LOST)
    again(desk, COURSE)
    assert desk.result.slips == (1 if light else 4)  # the course's own cost there what they do


@pytest.mark.parametrize(("seen_after", "hints"), [((0,), 0), ((2,), 4), ((2, 2), 4), ((1, 2), 8)])
def test_what_agents_show_in_a_lesson_costs_hints_later(desk: Desk, seen_after: tuple[int, ...], hints: int) -> None:
    attempt = sit(desk, replace(IN_LESSON, terms=Terms(agent="shown")))
    for number, move in enumerate(PROOF):
        for _ in range(seen_after.count(number)):
            attempt.ask_agent()
        attempt.make(move)
    assert (desk.result.points, desk.result.helped) == (10, 0)
    in_course = sit(desk, COURSE)
    assert desk.worth == 10 - hints, "where only one move applies hints say nothing"
    make(in_course, PROOF)
    assert (desk.result.points, desk.result.helped) == (10 - hints, hints)


@pytest.fixture
def minutes(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A clock that says a minute more each time somebody looks at it."""
    times = (f"2026-05-04T10:{minute:02}:00.000+00:00" for minute in range(60))
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: next(times))
    return times


@pytest.mark.usefixtures("minutes")
def test_help_in_an_earlier_lesson_costs_in_the_course_until_the_lemma_is_done_there(desk: Desk) -> None:
    other = sit(desk, IN_LESSON)
    other.make(PROOF[0])
    other.take_hint()
    make(sit(desk, COURSE), PROOF)
    assert shown_in_course(desk) == 9
    other = sit(desk, IN_LESSON)
    other.take_hint()
    other.take_hint()
    assert shown_in_course(desk) == 9
    other = again(desk, IN_LESSON)
    other.make(PROOF[0])
    other.take_hint()
    assert shown_in_course(desk) == 9
    assert [mark.points for mark in Marks(desk.store).marks() if mark.place == COURSE.place] == [9]


def test_what_was_reached_stays_reached_when_one_goes_back_to_look_at_it(desk: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    make(attempt, PROOF)
    (done,) = (row.kept.done for row in desk.store.attempts())
    attempt.jump(1)
    attempt.take_hint()
    for step in (2, len(PROOF)):
        attempt.jump(step)
        assert desk.results()[problem_key(OR_COMM)][:4] == ("proved", 6, 0, 10)
    assert desk.store.attempts()[0].kept.done == done


def test_time_is_counted_without_breaks() -> None:
    def at(time: str) -> str:
        return f"2026-05-04T{time}.000+00:00"

    events = [KeptEvent(at(time), "hint", "2") for time in ("10:00:30", "10:02:00", "10:04:00", "18:00:00", "17:59:59")]
    record = Record(Exercise("long", LONG), at("10:00:00"), events=events)
    assert record.seconds == 30 + 90 + 120 + 120 + 0


def test_time_runs_from_when_an_exercise_is_looked_at(store: Store, desk: Desk, minutes: Iterator[str]) -> None:
    attempt = sit(desk, OR_COMM)
    for _ in range(5):
        next(minutes)
    desk.begin()
    desk.begin()
    attempt.make(PROOF[0])
    desk.begin()
    attempt.make(PROOF[1])
    (stored,) = store.attempts()
    assert (stored.kept.seconds, stored.events) == (120.0, 2)
    assert stored.kept.started > "2026-05-04T10:05"


# A whole class at one file, and processes that are killed: no move is lost, and none becomes another's.

ROOT = Path(__file__).parents[2]
SPAWN = multiprocessing.get_context("spawn")


@contextmanager
def at_work(people: Sequence[SpawnProcess]) -> Iterator[None]:
    """Start some processes, and wait for their end."""
    for process in people:
        process.start()
    yield
    for process in people:
        process.join()
    assert [process.exitcode for process in people] == [0] * len(people)


@pytest.mark.slow
@pytest.mark.parametrize(("students", "lemmas"), [(3, 8), *thoroughly((30, 6))])
def test_a_teacher_who_always_looks_sees_every_move_without_error(tmp_path: Path, students: int, lemmas: int) -> None:
    path, seen = tmp_path / "oasis.db", dict[str, int]()
    together = SPAWN.Barrier(students + 1)
    people = [SPAWN.Process(target=attend, args=(number, path, together, lemmas, 0.01)) for number in range(students)]
    with at_work(people), open_classroom(path) as store:
        register, reads = Register(store), 0
        together.wait(60)
        deadline = time.monotonic() + 120
        while sum(seen.values()) < students * lemmas:
            assert time.monotonic() < deadline, seen
            problems, whereabouts = register.problems(), register.whereabouts()
            assert {problem.lemma for problem in problems} <= {f"lemma {number}" for number in range(lemmas)}
            for each in overview(whereabouts, register.marks()):
                assert each.total.done >= seen.get(each.where.name, 0)
                seen[each.where.name] = each.total.done
            reads += 1
    assert seen == {f"Student {number}": lemmas for number in range(students)}
    assert reads > 3


@pytest.mark.slow
def test_a_process_that_is_killed_at_any_moment_loses_at_most_the_last_move(tmp_path: Path) -> None:
    path = tmp_path / "oasis.db"
    code = f"from pathlib import Path; from tests.classroom.people import *; report_each_event(Path({str(path)!r}))"
    before = 0
    for _ in range(3):
        process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(random.uniform(0, 0.2))
        process.kill()
        told = [first, *process.stdout.readlines()]
        process.wait()
        process.stdout.close()
        reported = int([line for line in told if line.endswith("\n")][-1])
        with open_classroom(path) as store:
            stored = sum(row.events for row in store.attempts())
        assert reported <= stored - before <= reported + 1
        before = stored
