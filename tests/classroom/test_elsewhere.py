"""What was done elsewhere: whatever ways it takes, it is never taken for work that was done in the class."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from typing import Any, Final
from unittest.mock import patch
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import problem_key
from oasis.classroom.desk.work import Imported, WorkError, done_elsewhere, export_work, import_work
from oasis.store import KeptEvent, Store, StoreError
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, empty, fumble, local, make

PROOF: Final = parse_script("intro; destruct_or H; right; assumption; left; assumption")
STAMP: Final = "2001-01-01T00:00:00.000+00:00"


@pytest.fixture
def home() -> Iterator[Desk]:
    """A desk of the same student at another file."""
    with empty() as elsewhere:
        yield local(elsewhere)


def put_back(store: Store) -> Store:
    """A class from a copy of its file as it is now; what is done from now on is not in it."""
    copy = empty()
    store.seal()
    store._connection.backup(copy._connection)
    return copy


def marks(desk: Desk) -> list[tuple[list[str], bool]]:
    """What was done in each attempt, and whether it is marked, in the order of their beginning."""
    rows = desk.store.attempts(desk.student)
    return [([what for _, _, what in desk.store.events(row["uuid"])], row["imported"] is not None) for row in rows]


def tags(desk: Desk) -> list[bool]:
    """Whether each attempt goes out with a seal."""
    return [attempt["seal"] != "" for attempt in json.loads(export_work(desk))["attempts"]]


def edited(text: str, edit: Callable[[dict[str, Any]], object]) -> str:
    """An exported text in which somebody has changed the attempt at OR_COMM."""
    content = json.loads(text)
    edit(next(attempt for attempt in content["attempts"] if attempt["name"] == OR_COMM.name))
    return json.dumps(content)


# What comes back as it was.


@given(st.lists(st.tuples(st.sampled_from([OR_COMM, PEIRCE]), st.integers(0, 8)), max_size=4), st.data())
@settings(max_examples=30)
def test_what_comes_back_unchanged_to_its_class_is_as_it_was_and_elsewhere_it_is_marked(
    works: list[tuple[Any, int]], data: st.DataObject
) -> None:
    with empty() as here, empty() as elsewhere, ExitStack() as copies:
        desk = local(here)
        before = local(copies.enter_context(put_back(here)))
        for exercise, events in works:
            attempt = desk.again(exercise)
            for _ in range(events):
                fumble(attempt, lambda below: data.draw(st.integers(0, below - 1)))
        text, number = export_work(desk), len(here.attempts())
        assert import_work(desk, text) == Imported(0, number, 0)
        assert import_work(before, text) == Imported(number, 0, 0)
        assert export_work(desk) == export_work(before) == text
        home = local(elsewhere)
        assert import_work(home, text) == Imported(number, 0, number)
        assert not any(tags(home))
        assert import_work(desk, export_work(home)) == Imported(0, number, 0)
        assert done_elsewhere(desk) == done_elsewhere(before) == 0
        assert done_elsewhere(home) == sum(row["events"] > 0 for row in here.attempts())


def test_a_student_of_another_name_is_still_the_same(desk: Desk) -> None:
    with put_back(desk.store) as store:
        make(desk.sit(OR_COMM), PROOF)
        text = export_work(desk).replace('"student": "Ann"', '"student": "Anna"')
        store.rename_student(desk.student, name="Anna", key="anna")
        assert import_work(Desk(store, desk.student, "Anna"), text) == Imported(1, 0, 0)


def test_the_work_of_another_student_is_not_from_here(desk: Desk) -> None:
    eve = local(desk.store, "Eve")
    with put_back(desk.store) as store:
        make(desk.sit(OR_COMM), PROOF)
        text = export_work(desk).replace('"student": "Ann"', '"student": "Eve"')
        assert import_work(Desk(store, eve.student, "Eve"), text) == Imported(1, 0, 1)


def test_without_a_key_the_work_goes_out_all_the_same(desk: Desk, home: Desk) -> None:
    attempt = desk.sit(OR_COMM)
    with Store(desk.store.path) as other:
        desk.store._connection.execute("PRAGMA busy_timeout = 1")
        other._connection.execute("BEGIN IMMEDIATE")
        make(attempt, PROOF)
        text = export_work(desk)
        other._connection.execute("ROLLBACK")
    assert import_work(home, text) == Imported(1, 0, 1)
    assert home.results()[problem_key(OR_COMM)].outcome == "proved"


# What was changed.


_EDITS: Final[dict[str, Callable[[dict[str, Any]], object]]] = {
    "its number": lambda attempt: attempt.update(uuid=str(uuid4())),
    "the place": lambda attempt: attempt.update(place="elsewhere"),
    "the name": lambda attempt: attempt.update(name="textbook/imp_refl"),
    "the letters": lambda attempt: attempt.update(formula="forall a b : Prop, a \\/ b -> b \\/ a"),
    "the lemma": lambda attempt: attempt.update(formula="p \\/ p -> p \\/ p"),
    "what hints cost": lambda attempt: attempt["terms"].update(hint_cost=0),
    "the date": lambda attempt: attempt["terms"].update(due="2999-01-01T00:00:00+00:00"),
    "the terms": lambda attempt: attempt.update(terms={}),
    "the beginning": lambda attempt: attempt.update(started=STAMP),
    "a time": lambda attempt: attempt["events"][-1].__setitem__(0, STAMP),
    "a hint left out": lambda attempt: attempt["events"].pop(1),
    "another hint": lambda attempt: attempt["events"].insert(0, [STAMP, "hint", "2"]),
    "a hint that said less": lambda attempt: attempt["events"][1].__setitem__(2, "1"),
    "the end left out": lambda attempt: attempt["events"].pop(),
    "more at the end": lambda attempt: attempt["events"].append([STAMP, "undo", ""]),
    "nothing left": lambda attempt: attempt["events"].clear(),
    "no seal": lambda attempt: attempt.update(seal=""),
    "a wrong seal": lambda attempt: attempt.update(seal=attempt["seal"][::-1]),
    "a seal in no digits": lambda attempt: attempt.update(seal="é"),
}


@pytest.mark.parametrize("edit", _EDITS.values(), ids=_EDITS)
def test_whatever_is_changed_in_an_attempt_it_is_marked_and_the_others_are_not(
    desk: Desk, edit: Callable[[dict[str, Any]], object]
) -> None:
    with put_back(desk.store) as store:
        attempt = desk.sit(OR_COMM)
        make(attempt, PROOF[:1])
        attempt.take_hint()
        make(attempt, PROOF[1:])
        make(desk.sit(PEIRCE), PROOF[:1])
        before = Desk(store, desk.student, desk.name)
        assert import_work(before, edited(export_work(desk), edit)) == Imported(2, 0, 1)
        assert {row["name"]: row["imported"] is None for row in store.attempts()} in (
            {OR_COMM.name: False, PEIRCE.name: True},
            {"textbook/imp_refl": False, PEIRCE.name: True},
        )


def test_the_seal_of_one_attempt_is_none_of_another(desk: Desk) -> None:
    with put_back(desk.store) as store:
        for exercise in (OR_COMM, PEIRCE):
            make(desk.sit(exercise), PROOF[:1])
        first, second = (attempt["seal"] for attempt in json.loads(export_work(desk))["attempts"])
        swapped = export_work(desk).replace(first, "x").replace(second, first).replace("x", second)
        assert import_work(Desk(store, desk.student, desk.name), swapped) == Imported(2, 0, 2)


@given(st.data())
@settings(max_examples=60)
def test_no_value_of_an_attempt_can_be_replaced_without_a_mark(data: st.DataObject) -> None:
    with empty() as here:
        desk = local(here)
        with put_back(here) as store:
            attempt = desk.sit(OR_COMM)
            make(attempt, PROOF[:3])
            attempt.take_hint()
            content = json.loads(export_work(desk))
            place: Any = content["attempts"][0]
            while True:
                key = data.draw(st.sampled_from(list(place) if isinstance(place, dict) else range(len(place))))
                if not isinstance(place[key], (dict, list)) or not place[key]:
                    break
                place = place[key]
            before = place[key]
            place[key] = data.draw(st.sampled_from(["3", "4", 0, 1, False, "shown", "undo", "left", STAMP]) | st.text())
            if json.dumps(place[key]) == json.dumps(before):
                return
            try:
                import_work(local(store), json.dumps(content))
            except WorkError:
                assert store.attempts() == []
            else:
                assert [row["imported"] is None for row in store.attempts()] == [False]


# Ways around.


def test_work_that_went_through_another_file_comes_back_marked(desk: Desk, home: Desk) -> None:
    make(home.sit(OR_COMM), PROOF)
    assert tags(home) == [True]
    import_work(desk, export_work(home))
    with empty() as third:
        guest = local(third)
        import_work(guest, export_work(desk))
        with put_back(desk.store) as store:
            assert import_work(local(store), export_work(guest)) == Imported(0, 1, 0)
            assert marks(local(store)) == [([str(move) for move in PROOF], True)]


def test_a_marked_attempt_that_goes_on_here_stays_marked_since_when_it_came(desk: Desk, home: Desk) -> None:
    make(home.sit(OR_COMM), PROOF[:3])
    import_work(desk, export_work(home))
    (before,) = (row["imported"] for row in desk.store.attempts())
    make(desk.sit(OR_COMM), PROOF[3:])
    home.sit(OR_COMM).undo()
    assert [row["imported"] for row in desk.store.attempts()] == [before]
    assert tags(desk) == [False]
    import_work(desk, export_work(home))
    made = [str(move) for move in PROOF]
    assert marks(desk) == [(made, True), ([*made[:3], ""], True)]


def test_a_mark_is_never_taken_off_nor_put_on_anew(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    with put_back(desk.store) as store:
        before = Desk(store, desk.student, desk.name)
        make(desk.sit(OR_COMM), PROOF[:1])
        monkeypatch.setattr("oasis.classroom.desk.work.now", lambda: STAMP)
        import_work(before, edited(export_work(desk), _EDITS["no seal"]))
        monkeypatch.undo()
        make(desk.sit(OR_COMM), PROOF[1:2])
        assert import_work(before, export_work(desk)) == Imported(1, 0, 1)
        make(desk.sit(OR_COMM), PROOF[2:])
        assert import_work(before, edited(export_work(desk), _EDITS["no seal"])) == Imported(1, 0, 1)
        assert [(row["events"], row["imported"]) for row in store.attempts()] == [(len(PROOF), STAMP)]


def test_what_goes_on_elsewhere_is_marked_and_its_beginning_is_known(desk: Desk, home: Desk) -> None:
    make(desk.sit(OR_COMM), PROOF[:2])
    sealed = export_work(desk)
    import_work(home, sealed)
    make(home.sit(OR_COMM), PROOF[2:])
    assert import_work(desk, export_work(home)) == Imported(1, 0, 1)
    assert import_work(desk, sealed) == Imported(0, 1, 0)
    assert marks(desk) == [([str(move) for move in PROOF], True)]


def test_a_branch_is_marked_where_it_grew_elsewhere_and_only_it(desk: Desk, home: Desk) -> None:
    make(desk.sit(OR_COMM), PROOF[:1])
    import_work(home, export_work(desk))
    make(desk.sit(OR_COMM), parse_script("left"))
    make(home.sit(OR_COMM), parse_script("right"))
    import_work(desk, export_work(home))
    import_work(desk, export_work(home))
    assert sorted(marks(desk)) == [(["intro", "left"], False), (["intro", "right"], True)]


def test_a_branch_of_a_marked_attempt_is_marked_at_both_desks(desk: Desk, home: Desk) -> None:
    make(home.sit(OR_COMM), PROOF[:1])
    import_work(desk, export_work(home))
    for attempt, move in zip([desk.sit(OR_COMM), local(desk.store).sit(OR_COMM)], ["left", "right"], strict=True):
        make(attempt, parse_script(move))
    assert sorted(marks(desk)) == [(["intro", "left"], True), (["intro", "right"], True)]


def test_a_branch_of_a_marked_attempt_that_could_not_be_stored_yet_is_not_sealed(
    desk: Desk, home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(home.sit(OR_COMM), PROOF[:1])
    import_work(desk, export_work(home))
    attempt = desk.sit(OR_COMM)
    make(local(desk.store).sit(OR_COMM), parse_script("left"))

    def is_full(*_: object) -> bool:
        raise StoreError("There is no room.")

    monkeypatch.setattr(Store, "keep", is_full)
    make(attempt, parse_script("right"))
    assert desk.trouble == "Not stored yet: There is no room."
    assert tags(desk) == [False, False]


def import_at_the_next_reading(monkeypatch: pytest.MonkeyPatch, desk: Desk, text: str) -> None:
    """The next time that events are read, somebody brings in a work just before."""
    events = Store.events

    def events_after_an_import(store: Store, uuid: str) -> list[KeptEvent]:
        monkeypatch.setattr(Store, "events", events)
        import_work(desk, text)
        return store.events(uuid)

    monkeypatch.setattr(Store, "events", events_after_an_import)


def test_what_is_brought_in_while_the_student_sits_down_is_marked_also_where_it_branches(
    desk: Desk, home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(desk.sit(OR_COMM), PROOF[:1])
    import_work(home, export_work(desk))
    make(home.sit(OR_COMM), PROOF[1:2])
    import_at_the_next_reading(monkeypatch, desk, export_work(home))
    attempt = desk.sit(OR_COMM)
    make(local(desk.store).sit(OR_COMM), PROOF[2:])
    make(attempt, parse_script("left"))
    assert [is_marked for _, is_marked in marks(desk)] == [True, True]


def test_what_is_done_here_after_nothing_but_the_beginning_elsewhere_is_done_here(desk: Desk, home: Desk) -> None:
    home.sit(OR_COMM)
    import_work(desk, export_work(home))
    make(desk.sit(OR_COMM), PROOF[:3])
    make(desk.sit(OR_COMM), PROOF[3:])
    assert marks(desk) == [([], True), ([str(move) for move in PROOF], False)]
    assert desk.again(OR_COMM).made == []


def test_what_is_brought_in_during_an_export_is_not_sealed_by_it(
    desk: Desk, home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(desk.sit(OR_COMM), PROOF[:2])
    import_work(home, export_work(desk))
    make(home.sit(OR_COMM), PROOF[2:])
    import_at_the_next_reading(monkeypatch, desk, export_work(home))
    (attempt,) = json.loads(export_work(desk))["attempts"]
    assert (len(attempt["events"]), attempt["seal"]) == (len(PROOF), "")


_TRICKS: Final = ("nothing", "no seal", "another number", "the end left out", "more at the end", "seals exchanged")


def tricked(text: str, trick: str) -> str:
    """A text as somebody might change it who wants something to count as done in the class."""
    content = json.loads(text)
    attempts = content["attempts"]
    for attempt in attempts:
        match trick:
            case "no seal":
                attempt["seal"] = ""
            case "another number":
                attempt["uuid"] = str(uuid4())
            case "the end left out":
                del attempt["events"][len(attempt["events"]) // 2 :]
            case "more at the end":
                attempt["events"].append([STAMP, "asked", ""])
    if trick == "seals exchanged":
        for attempt, tag in zip(attempts, [attempt["seal"] for attempt in attempts][::-1], strict=True):
            attempt["seal"] = tag
    return json.dumps(content)


@given(st.lists(st.tuples(st.sampled_from(["work", "carry", "put back"]), st.booleans()), max_size=30), st.data())
@settings(max_examples=60)
def test_whoever_carries_and_changes_work_what_is_not_marked_in_the_class_was_done_there(
    steps: list[tuple[str, bool]], data: st.DataObject
) -> None:
    done_here: set[KeptEvent] = set()
    times = (f"2026-05-04T10:{number // 60:02}:{number % 60:02}.000+00:00" for number in count())
    with patch("oasis.classroom.desk.desk.now", lambda: next(times)), ExitStack() as stores:
        classroom, home = (stores.enter_context(empty()) for _ in range(2))
        local(classroom)
        first = stores.enter_context(put_back(classroom))
        for step, in_class in steps:
            here, there = (local(store) for store in ((classroom, home) if in_class else (home, classroom)))
            match step:
                case "work":
                    attempt = here.sit(data.draw(st.sampled_from([OR_COMM, PEIRCE])))
                    before = {event for _, events in here.work() for event in events}
                    for _ in range(data.draw(st.integers(1, 3))):
                        fumble(attempt, lambda below: data.draw(st.integers(0, below - 1)))
                    if in_class:
                        done_here |= {event for _, events in here.work() for event in events} - before
                case "carry":
                    text = tricked(export_work(here), data.draw(st.sampled_from(_TRICKS)))
                    with suppress(WorkError):  # the same number at another exercise
                        import_work(there, text)
                case "put back":
                    classroom = stores.enter_context(put_back(first))
            for row in classroom.attempts():
                assert row["imported"] or set(classroom.events(row["uuid"])) <= done_here
