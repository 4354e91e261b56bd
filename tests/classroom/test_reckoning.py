"""What attempts come to: points, help, slips and time, in all attempts together, in lessons and in the course."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.progress import exercise, progress
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import Record, problem_key
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import CLAIM_COST, LIST_COST, Exercise, Terms
from oasis.classroom.register.marks import Marks
from oasis.store import KeptEvent, Store
from tactics.goal import Move
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import (
    LONG,
    LOST,
    OR_COMM,
    PEIRCE,
    PROOF,
    Sitting,
    again,
    empty,
    fumble,
    histories,
    local,
    make,
    sit,
)
from tests.strategies import walks
from tests.thorough import examples


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


def test_who_begins_anew_before_the_end_has_taken_moves_back(store: Store, desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    again(desk, OR_COMM)
    assert desk.result.slips == 1
    assert histories(store)[0][-1] == Event("jump", "0")
    make(sit(desk, OR_COMM), PROOF)
    again(desk, OR_COMM)
    assert desk.result.slips == 1


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
    course = exercise("textbook/or_comm")
    other = replace(course, place=place, terms=terms)
    helped = sit(desk, other)
    make(helped, PROOF[:1])
    for _ in range(3):
        helped.take_hint()
    make(helped, PROOF[1:])
    assert desk.result.points == there
    cost = 7 - LIST_COST * (terms.moves == "listed")
    assert shown_in_course(desk, course) == cost
    attempt = sit(desk, course)
    assert desk.worth == cost
    make(attempt, PROOF)
    assert (desk.result.points, shown_in_course(desk, course)) == (cost, cost)
    assert desk.results()[problem_key(other)].points == there


@pytest.mark.parametrize(("light", "in_course"), [(True, 7), (False, 9)])
def test_slips_told_by_the_light_of_a_lesson_are_hints_in_the_course(desk: Desk, light: bool, in_course: int) -> None:
    course = exercise("textbook/or_comm")
    lesson = replace(course, place="lesson", terms=Terms(light=light))
    attempt = sit(desk, lesson)
    for wrong in ("left", "right", "left"):
        make(attempt, parse_script(f"intro; {wrong}"))
        attempt.jump(0)
    make(attempt, PROOF)
    assert desk.result.points == 9
    assert (desk.result.slips, desk.result.course_points, shown_in_course(desk, course)) == (3, in_course, in_course)
    make(sit(desk, course), PROOF)
    assert (desk.result.points, desk.result.helped, desk.result.slips) == ((7, 3, 0) if light else (9, 0, 3))
    make(again(desk, course), LOST)
    again(desk, course)
    assert desk.result.slips == (1 if light else 4)  # the course's own cost there what they do


@pytest.mark.parametrize(("seen_after", "hints"), [((0,), 0), ((2,), 4), ((2, 2), 4), ((1, 2), 8)])
def test_what_an_agent_shows_in_a_lesson_costs_hints_in_the_course(
    desk: Desk, seen_after: tuple[int, ...], hints: int
) -> None:
    course = exercise("textbook/or_comm")
    attempt = sit(desk, replace(course, place="lesson", terms=Terms(agent="shown")))
    for number, move in enumerate(PROOF):
        for _ in range(seen_after.count(number)):
            attempt.ask_agent()
        attempt.make(move)
    assert (desk.result.points, desk.result.helped) == (10, 0)
    in_course = sit(desk, course)
    assert desk.worth == 10 - hints, "where only one move applies hints say nothing"
    make(in_course, PROOF)
    assert (desk.result.points, desk.result.helped) == (10 - hints, hints)


def test_help_elsewhere_after_a_lemma_of_the_course_was_done_costs_nothing_there(desk: Desk) -> None:
    course = exercise("textbook/or_comm")
    make(sit(desk, course), PROOF)
    other = sit(desk, replace(course, place="lesson"))
    other.make(PROOF[0])
    other.take_hint()
    assert shown_in_course(desk, course) == 10


def test_help_in_a_lesson_that_was_begun_before_costs_in_the_course_until_it_is_done_there_and_no_more(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(f"2026-05-04T10:{minute:02}:00.000+00:00" for minute in range(60))
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: next(times))
    course = exercise("textbook/or_comm")
    lesson = replace(course, place="lesson")
    other = sit(desk, lesson)
    other.make(PROOF[0])
    other.take_hint()
    make(sit(desk, course), PROOF)
    assert shown_in_course(desk, course) == 9
    other = sit(desk, lesson)
    other.take_hint()
    other.take_hint()
    assert shown_in_course(desk, course) == 9
    assert [mark.points for mark in Marks(desk.store).marks() if mark.place == course.place] == [9]


def shown_in_course(desk: Desk, lemma: Exercise) -> int:
    """The points that the course shows of one of its lemmas."""
    entries = (entry for world in progress(desk.results()) for entry in world.entries)
    return next(entry.result.points for entry in entries if entry.lemma.name == lemma.name and entry.result)


def test_what_is_not_stored_yet_counts_in_the_results(store: Store, desk: Desk) -> None:
    desk.sit(OR_COMM)
    with Store(store.path) as other:
        store._connection.execute("PRAGMA busy_timeout = 1")
        other._connection.execute("BEGIN IMMEDIATE")
        make(Sitting(desk), PROOF)
        assert desk.trouble
        result = desk.results()[problem_key(OR_COMM)]
        assert (result.outcome, result.points, result.attempts) == ("proved", 10, 1)
        assert desk.result == result


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


@given(walks(), st.data())
@settings(max_examples=examples(60))
def test_a_record_made_again_is_worth_what_it_was(walk: Any, data: st.DataObject) -> None:
    with empty() as store:
        desk = local(store)
        attempt = sit(desk, Exercise("walk", walk.formula))
        for move in walk.script:
            fumble(attempt, lambda below: data.draw(st.integers(0, below - 1)))
            if move in [offer.move for offer in attempt.offers()]:
                attempt.make(move)
        ((kept, events),) = desk.work()
        again = Record(Exercise("walk", walk.formula), kept.started, kept.uuid, events)
        assert again.kept()._replace(changed=kept.changed) == kept


def test_time_is_counted_without_breaks() -> None:
    def at(time: str) -> str:
        return f"2026-05-04T{time}.000+00:00"

    events = [KeptEvent(at(time), "hint", "2") for time in ("10:00:30", "10:02:00", "10:04:00", "18:00:00", "17:59:59")]
    record = Record(Exercise("long", LONG), at("10:00:00"), events=events)
    assert record.seconds == 30 + 90 + 120 + 120 + 0


def test_time_runs_from_when_an_exercise_is_looked_at_and_not_from_when_it_was_put_there(
    store: Store, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(f"2026-05-04T10:{minute:02}:00.000+00:00" for minute in range(60))
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: next(times))
    attempt = sit(desk, OR_COMM)
    for _ in range(5):
        next(times)
    desk.begin()
    attempt.make(PROOF[0])
    desk.begin()
    attempt.make(PROOF[1])
    (stored,) = store.attempts()
    assert (stored.kept.seconds, stored.events) == (120.0, 2)
    assert stored.kept.started > "2026-05-04T10:05"


def test_to_come_back_without_a_move_is_not_to_begin_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(f"2026-05-04T10:{minute:02}:00.000+00:00" for minute in range(60))
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: next(times))
    attempt = sit(desk, OR_COMM)
    desk.begin()
    desk.begin()
    attempt.make(PROOF[0])
    assert desk.result.seconds == 60.0
