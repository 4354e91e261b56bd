"""A desk against the store: whatever is done and whatever goes wrong, what was done is there."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.admission import admit
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.progress import exercise, progress
from oasis.classroom.desk.reckoning import Result
from oasis.classroom.desk.record import Record, problem_key
from oasis.classroom.desk.work import export_work
from oasis.classroom.people.names import name_key
from oasis.classroom.proving.attempt import Attempt, Event
from oasis.classroom.proving.exercise import CLAIM_COST, LIST_COST, Exercise, Terms
from oasis.classroom.register.marks import Marks
from oasis.store import KeptEvent, Store
from tactics.goal import Move
from tactics.parser import parse
from tactics.rules import IllegalMove
from tactics.script import parse_script
from tests.classroom.people import LONG, OR_COMM, PEIRCE, Sitting, again, bring, empty, fumble, local, make, sit
from tests.strategies import walks

PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")
LOST = parse_script("intro; left")
TIMES = st.integers(0, 15).map(range)


def histories(store: Store) -> list[list[Event]]:
    """What happened in each attempt in the store."""
    return [[Event(kind, what) for _, kind, what in store.events(row.kept.uuid)] for row in store.attempts()]


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
        attempt = sit(local(store), exercise)
        happened = [fumble(attempt, lambda below: data.draw(st.integers(0, below - 1))) for _ in data.draw(TIMES)]
        assert histories(store) == [[event for event in happened if event is not None]]
        again = sit(local(store), exercise)
        was_over = store.attempts()[0].kept.outcome != ""
        assert again == (Attempt(walk.formula) if was_over else attempt)


def test_every_event_is_stored_when_it_is_seen(store: Store, desk: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    for number, move in enumerate(PROOF, 1):
        attempt.make(move)
        with Store(store.path) as other:
            assert len(histories(other)[0]) == number
    assert desk.trouble == ""


def test_an_attempt_that_is_over_is_not_gone_on_with(desk: Desk) -> None:
    attempt = sit(desk, OR_COMM)
    make(attempt, PROOF)
    assert sit(desk, OR_COMM).made == []
    assert [row.kept.outcome for row in desk.store.attempts()] == ["proved", ""]


def test_beginning_again_keeps_the_first_attempt_and_opens_no_two_empty_ones(desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    for _ in range(3):
        assert again(desk, OR_COMM).made == []
    assert histories(desk.store) == [[Event("move", "intro"), Event("move", "left"), Event("jump", "0")], []]


def test_another_place_another_lemma_and_other_letters_are_other_attempts(desk: Desk) -> None:
    make(sit(desk, OR_COMM), LOST)
    for other in (
        Exercise(OR_COMM.name, OR_COMM.formula, "elsewhere"),
        PEIRCE,
        Exercise(OR_COMM.name, parse("a \\/ b -> b \\/ a"), OR_COMM.place),
    ):
        assert sit(desk, other).made == []
    assert sit(desk, OR_COMM).made == list(LOST)


def test_nobody_sits_down_at_the_attempt_of_another(store: Store, desk: Desk) -> None:
    make(sit(desk, OR_COMM), PROOF)
    eve = local(store, "Eve")
    assert sit(eve, OR_COMM).made == []
    assert eve.results()[problem_key(OR_COMM)].outcome == ""


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


# What it comes to.


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
    assert result._replace(seconds=0) == Result(
        "proved", moves=6, helped=1, points=9, attempts=2, seconds=0, slips=1, course_points=9
    )


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


def before(desk: Desk, name: str, *later: str) -> None:
    """Make what is stored of a student what a version wrote whose terms had no such fields."""
    connection = desk.store._connection
    ((terms,),) = connection.execute("SELECT terms FROM attempts WHERE name = ?", (name,)).fetchall()
    content = json.loads(terms)
    for field in later:
        del content[field]
    connection.execute("UPDATE attempts SET terms = ? WHERE name = ?", (json.dumps(content), name))


def test_an_attempt_of_a_version_that_listed_the_moves_is_worth_what_it_was_and_goes_on_so(desk: Desk) -> None:
    listed = Exercise(OR_COMM.name, OR_COMM.formula, OR_COMM.place, Terms(moves="listed"))
    attempt = sit(desk, listed)
    make(attempt, LOST)
    attempt.undo()
    before(desk, OR_COMM.name, "moves", "claim_cost", "free_where_forced")
    attempt = sit(desk, OR_COMM)
    assert attempt.shows_list and attempt.terms.moves == "listed"
    make(attempt, PROOF[1:])
    assert (desk.result.points, desk.result.slips) == (10, 0)
    assert again(desk, OR_COMM).terms.moves == "point"


def test_in_an_attempt_of_an_older_version_help_counts_as_it_did(desk: Desk) -> None:
    own = Terms(moves="listed", claim_cost=1, free_where_forced=False)
    make(sit(desk, replace(OR_COMM, terms=own)), LOST)
    desk.do(lambda attempt: attempt.jump(0))
    desk.do(Attempt.take_hint)
    desk.do(lambda attempt: attempt.claim(right=False))
    assert desk.result.helped == 2
    before(desk, OR_COMM.name, "moves", "claim_cost", "free_where_forced")
    exported = export_work(desk)
    attempt = sit(desk, OR_COMM)
    assert (desk.result.helped, desk.worth) == (2, 8)
    make(attempt, PROOF)
    assert desk.result.points == 8
    with empty() as elsewhere:
        other = local(elsewhere)
        bring(other, exported)
        assert other.results()[problem_key(OR_COMM)].helped == 2


def test_an_older_wrong_claim_costs_what_it_did(desk: Desk) -> None:
    sit(desk, replace(PEIRCE, terms=Terms(claim_cost=1))).claim(right=False)
    before(desk, PEIRCE.name, "claim_cost")
    attempt = sit(desk, PEIRCE)
    assert (desk.worth, attempt.terms.moves) == (9, "point")
    attempt.claim(right=True)
    assert desk.result.points == 9


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
    [
        ("", Terms(), 7),
        ("lesson", Terms(hint_cost=0), 10),
        ("lesson", Terms(moves="listed"), 7),
    ],
)
def test_what_was_learned_elsewhere_costs_in_the_course_by_its_own_terms_alone(
    desk: Desk, place: str, terms: Terms, there: int
) -> None:
    course = exercise("textbook/or_comm")
    other = replace(course, place=place, terms=terms)
    script = parse_script("intro; destruct_or H; right; assumption; left; assumption")
    helped = sit(desk, other)
    make(helped, script[:1])
    for _ in range(3):
        helped.take_hint()
    make(helped, script[1:])
    assert desk.result.points == there
    cost = 7 - LIST_COST * (terms.moves == "listed")
    assert shown_in_course(desk, course) == cost
    attempt = sit(desk, course)
    assert desk.worth == cost
    make(attempt, script)
    assert (desk.result.points, shown_in_course(desk, course)) == (cost, cost)
    assert desk.results()[problem_key(other)].points == there


@pytest.mark.parametrize(("light", "in_course"), [(True, 7), (False, 9)])
def test_who_is_told_of_slips_by_the_light_of_a_lesson_has_them_as_hints_in_the_course(
    desk: Desk, light: bool, in_course: int
) -> None:
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
@settings(max_examples=40)
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


def test_who_comes_back_to_an_exercise_without_a_move_has_not_begun_it_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = iter(f"2026-05-04T10:{minute:02}:00.000+00:00" for minute in range(60))
    monkeypatch.setattr("oasis.classroom.desk.desk.now", lambda: next(times))
    attempt = sit(desk, OR_COMM)
    desk.begin()
    desk.begin()
    attempt.make(PROOF[0])
    assert desk.result.seconds == 60.0


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
@settings(max_examples=60)
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
