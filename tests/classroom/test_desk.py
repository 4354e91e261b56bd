"""A desk against the store: whatever is done and whatever goes wrong, what was done is there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.admission import admit
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import Record, Result, formula_text, problem_key
from oasis.classroom.people.names import name_key
from oasis.classroom.proving.attempt import Attempt, Event
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.store import KeptEvent, Store
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import LONG, OR_COMM, PEIRCE, empty, fumble, local, make
from tests.strategies import walks

PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")
LOST = parse_script("intro; left")


def watch(attempt: Attempt) -> list[Event]:
    """The events of an attempt from now on, each seen when it is recorded."""
    seen: list[Event] = []
    record = attempt.record

    def both(event: Event) -> None:
        record(event)
        seen.append(event)

    attempt.record = both
    return seen


def histories(store: Store) -> list[list[Event]]:
    """What happened in each attempt in the store."""
    return [[Event(kind, what) for _, kind, what in store.events(row["uuid"])] for row in store.attempts()]


def fill(store: Store) -> None:
    """No room is left in the file."""
    ((pages,),) = store._connection.execute("PRAGMA page_count").fetchall()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")


# Coming back.


@given(walks(), st.data())
@settings(max_examples=40)
def test_whatever_was_done_whoever_sits_down_again_finds_the_attempt_as_it_was(walk: Any, data: st.DataObject) -> None:
    exercise = Exercise("walk", walk.formula, "place")
    with empty() as store:
        attempt = local(store).sit(exercise)
        seen = watch(attempt)
        for _ in range(data.draw(st.integers(0, 15))):
            fumble(attempt, lambda below: data.draw(st.integers(0, below - 1)))
        assert histories(store) == [seen]
        again = local(store).sit(exercise)
        was_over = store.attempts()[0]["outcome"] != ""
        assert again == (Attempt(walk.formula) if was_over else attempt)


def test_every_event_is_stored_when_it_is_seen(store: Store, desk: Desk) -> None:
    attempt = desk.sit(OR_COMM)
    for number, move in enumerate(PROOF, 1):
        attempt.make(move)
        with Store(store.path) as other:
            assert len(histories(other)[0]) == number
    assert desk.trouble == ""


def test_an_attempt_that_is_over_is_not_gone_on_with(desk: Desk) -> None:
    attempt = desk.sit(OR_COMM)
    make(attempt, PROOF)
    assert desk.sit(OR_COMM).made == []
    assert [row["outcome"] for row in desk.store.attempts()] == ["proved", ""]


def test_beginning_again_leaves_the_first_attempt_alone_and_opens_no_two_empty_ones(desk: Desk) -> None:
    make(desk.sit(OR_COMM), LOST)
    for _ in range(3):
        assert desk.again(OR_COMM).made == []
    assert list(map(len, histories(desk.store))) == [2, 0]


def test_another_place_another_lemma_and_other_letters_are_other_attempts(desk: Desk) -> None:
    make(desk.sit(OR_COMM), LOST)
    for other in (
        Exercise(OR_COMM.name, OR_COMM.formula, "elsewhere"),
        PEIRCE,
        Exercise(OR_COMM.name, parse("a \\/ b -> b \\/ a"), OR_COMM.place),
    ):
        assert desk.sit(other).made == []
    assert desk.sit(OR_COMM).made == list(LOST)


def test_nobody_sits_down_at_the_attempt_of_another(store: Store, desk: Desk) -> None:
    make(desk.sit(OR_COMM), PROOF)
    eve = local(store, "Eve")
    assert eve.sit(OR_COMM).made == []
    assert eve.results()[problem_key(OR_COMM)].outcome == ""


def test_an_attempt_goes_on_on_the_terms_of_today(desk: Desk) -> None:
    make(desk.sit(OR_COMM), LOST)
    dearer = Exercise(OR_COMM.name, OR_COMM.formula, OR_COMM.place, Terms(hint_cost=3))
    attempt = desk.sit(dearer)
    assert (attempt.made, attempt.terms.hint_cost) == (list(LOST), 3)
    attempt.take_hint()
    attempt.jump(0)
    make(attempt, PROOF)
    assert desk.results()[problem_key(OR_COMM)].points == 7


def test_an_attempt_that_cannot_be_made_again_is_kept_and_said(desk: Desk) -> None:
    make(desk.sit(OR_COMM), LOST)
    desk.store._connection.execute("UPDATE events SET what = 'split' WHERE number = 2")
    assert desk.sit(OR_COMM).made == []
    assert desk.trouble.startswith("An older attempt at textbook/or_comm cannot be gone on with, though it is kept: ")
    assert histories(desk.store)[0] == [Event("move", "intro"), Event("move", "split")]


# What it comes to.


def test_results_are_the_best_of_all_attempts_and_help_in_one_counts_in_the_next(desk: Desk) -> None:
    helped = desk.sit(OR_COMM)
    helped.take_hint()
    make(helped, PROOF)
    longer = desk.again(OR_COMM)
    make(longer, parse_script("intro; left"))
    longer.undo()
    make(longer, PROOF[1:])
    desk.again(OR_COMM)
    result = desk.results()[problem_key(OR_COMM)]
    assert result._replace(seconds=0) == Result("proved", moves=6, helped=1, points=9, attempts=2, seconds=0)


def test_help_is_counted_while_nothing_is_done_yet(desk: Desk) -> None:
    attempt = desk.sit(PEIRCE)
    attempt.take_hint()
    assert desk.results()[problem_key(PEIRCE)][:5] == ("", 0, 1, 0, 1)
    attempt.claim(right=True)
    assert desk.results()[problem_key(PEIRCE)][:5] == ("refuted", 0, 1, 9, 1)


def test_what_was_reached_stays_reached_when_one_goes_back_to_look_at_it(desk: Desk) -> None:
    attempt = desk.sit(OR_COMM)
    make(attempt, PROOF)
    (done,) = (row["done"] for row in desk.store.attempts())
    attempt.jump(1)
    attempt.take_hint()
    for step in (2, len(PROOF)):
        attempt.jump(step)
        assert desk.results()[problem_key(OR_COMM)][:4] == ("proved", 6, 0, 10)
    assert desk.store.attempts()[0]["done"] == done


@given(walks(), st.data())
@settings(max_examples=40)
def test_a_record_made_again_is_worth_what_it_was(walk: Any, data: st.DataObject) -> None:
    with empty() as store:
        desk = local(store)
        attempt = desk.sit(Exercise("walk", walk.formula))
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


# Trouble.


def test_what_cannot_be_stored_waits_in_order_and_goes_out_with_the_next_event(store: Store, desk: Desk) -> None:
    attempt = desk.sit(Exercise("long", LONG))
    seen = watch(attempt)
    fill(store)
    for _ in range(400):
        if attempt.offers():
            attempt.make(attempt.offers()[0].move)
        else:
            attempt.jump(0)
        if desk.trouble:
            break
    assert desk.trouble.startswith("Not stored yet: ")
    assert "the disk is full; make room" in desk.trouble
    attempt.jump(0)
    assert not desk.save()
    assert histories(store) == [seen[:-2]]
    store._connection.execute("PRAGMA max_page_count = 100000")
    attempt.make(Move("intro"))
    assert desk.trouble == ""
    assert histories(store) == [seen]


def test_work_goes_on_in_memory_when_not_even_the_beginning_could_be_stored(store: Store, desk: Desk) -> None:
    with Store(store.path) as other:
        store._connection.execute("PRAGMA busy_timeout = 1")
        other._connection.execute("BEGIN IMMEDIATE")
        attempt = desk.sit(OR_COMM)
        make(attempt, LOST)
        assert desk.trouble == (
            f"Not stored yet: {store.path} is in use by another process; wait for it, or name another file with --db."
        )
        assert desk.sit(OR_COMM) is attempt
        other_exercise = desk.sit(PEIRCE)
        make(other_exercise, LOST[:1])
        other._connection.execute("ROLLBACK")
    assert desk.save()
    assert desk.trouble == ""
    assert [[what for _, what in each] for each in histories(store)] == [["intro", "left"], ["intro"]]


def test_an_event_that_was_stored_although_the_store_said_no_is_not_stored_twice(
    store: Store, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt = desk.sit(OR_COMM)
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
@settings(max_examples=60)
def test_two_desks_of_one_student_lose_and_mix_nothing(steps: list[tuple[int, int]], data: st.DataObject) -> None:
    exercise = Exercise("long", LONG)
    with empty() as store:
        desks = [local(store), local(store)]
        attempts = [desk.sit(exercise) for desk in desks]
        seen = [watch(attempt) for attempt in attempts]  # what each attempt is made of
        ever: list[list[Event]] = [[]]
        for number, action in steps:
            if action == 0:
                row = store.unfinished(desks[number].student, "", "long", formula_text(LONG))
                before = [] if row is None else [Event(kind, what) for _, kind, what in store.events(row["uuid"])]
                attempts[number] = desks[number].sit(exercise)
                seen[number] = watch(attempts[number])
                seen[number][:] = before
            else:
                fumble(attempts[number], lambda below: data.draw(st.integers(0, below - 1)))
            ever.append(list(seen[number]))
            stored = histories(store)
            assert all(any(history[: len(mine)] == mine for history in stored) for mine in seen)
            assert all(history in ever for history in stored)


def test_an_attempt_that_goes_on_at_two_desks_becomes_two(store: Store, desk: Desk) -> None:
    make(desk.sit(OR_COMM), LOST[:1])
    one, other = desk.sit(OR_COMM), local(store).sit(OR_COMM)
    one.make(Move("left"))
    other.make(Move("right"))
    with pytest.raises(IllegalMove):
        other.make(Move("split"))
    one.undo()
    assert sorted([what for _, what in each] for each in histories(store)) == [
        ["intro", "left", ""],
        ["intro", "right", "split"],
    ]
    assert len({row["uuid"] for row in store.attempts()}) == 2


def test_another_formula_under_the_same_name_is_not_done_by_what_was_done_before(desk: Desk) -> None:
    make(desk.sit(OR_COMM), PROOF)
    corrected = replace(OR_COMM, formula=parse("p \\/ q \\/ r -> q \\/ p \\/ r"))
    assert desk.results()[problem_key(OR_COMM)].outcome == "proved"
    assert problem_key(corrected) not in desk.results()
    in_other_letters = replace(OR_COMM, formula=parse("x \\/ y -> y \\/ x"))
    assert desk.results()[problem_key(in_other_letters)].outcome == "proved"


def test_what_a_student_was_at_last_is_known_until_it_is_done(desk: Desk) -> None:
    assert desk.present() is None
    desk.sit(PEIRCE)
    assert desk.present() is None
    attempt = desk.sit(OR_COMM)
    make(attempt, PROOF[:2])
    assert desk.present() == problem_key(OR_COMM)
    make(attempt, PROOF[2:])
    assert desk.present() is None


def test_a_student_who_is_renamed_keeps_their_letters(store: Store) -> None:
    desk = local(store, "Bjorn")
    assert desk.letters == "Bjorn"
    for name in ("Björn", "Bjørn"):
        assert store.rename_student(desk.student, name=name, key=name_key(name))
        again = admit(store, name, account="Bjorn")
        assert (again.name, again.letters) == (name, "Bjorn")
