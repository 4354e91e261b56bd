"""Work that somebody made up: it is bounded, nothing of it steers a terminal, and it keeps nobody waiting."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import uuid4

import pytest

from curricula import resolve_lemma
from curricula.lemma import LONGEST_NAME
from oasis.classroom.desk import work
from oasis.classroom.desk.desk import Desk
from oasis.classroom.desk.record import terms_to_json
from oasis.classroom.desk.work import ALIKE, EVENTS, Imported, WorkError, export_work, import_work, read_work
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import Event
from oasis.classroom.proving.exercise import Exercise, Terms
from oasis.classroom.register.history import History
from oasis.classroom.register.marks import Marks
from oasis.classroom.register.register import Register
from oasis.store import Store
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, bring, local, make, refused, sit

START: Final = "2026-05-04T10:00:00.000+00:00"
EVIL: Final = "\x1b]0;owned\x07"


def crafted(*attempts: dict[str, Any], whose: str = "Ann") -> str:
    """A work of attempts at `p -> p` but for what is said of each, as anybody may write one."""
    told = {"place": "", "name": "n", "formula": "p -> p", "terms": terms_to_json(Terms())}
    written = [{"uuid": str(uuid4()), "started": START, "events": [], **told, **attempt} for attempt in attempts]
    return json.dumps({"format": 1, "version": "1", "student": whose, "attempts": written})


def events(*happened: tuple[str, str], at: str = START) -> dict[str, Any]:
    """An attempt in which this happened."""
    return {"events": [(at, *event) for event in happened]}


# What is said in it.


@pytest.mark.parametrize("kind", ["refused", "move", "given"])
@pytest.mark.parametrize("name", [EVIL, "H" * 41, "H\u202e", "1", "H-H"])
def test_a_hypothesis_has_a_name_of_bounded_length(desk: Desk, kind: str, name: str) -> None:
    assert "a hypothesis has a name such as H" in refused(desk, crafted(events((kind, f"destruct_and {name}"))))


@pytest.mark.parametrize("comment", [f"(* {EVIL} *)", f"# {EVIL}"])
@pytest.mark.parametrize("kind", ["given", "move", "refused"])
def test_of_a_script_nothing_is_kept_but_its_moves(store: Store, kind: str, comment: str) -> None:
    move = "left" if kind == "refused" else "intro"
    bring(local(store), crafted(events((kind, f"{move} {comment}"))))
    (row,) = store.attempts()
    assert [event.what for event in store.events(row.kept.uuid)] == [move]
    register = Register(store)
    (problem,) = register.problems()
    said = [mistake.sentence() for mistake in register.mistakes(problem).moves]
    (mark,) = Marks(store).marks()
    said += [moment.sentence for history in register.attempts(mark) for moment in history.moments]
    assert all(sentence.isprintable() for sentence in said)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("place", "x" * 61),
        ("place", "week\n1"),
        ("name", "x" * 100_000),
        ("name", "x" * (LONGEST_NAME + 1)),
        ("name", "and\x1b[31m_comm"),
        ("name", "and\0comm"),
        ("name", "and\tcomm"),
    ],
)
def test_a_name_that_does_harm_in_a_table_is_damage(desk: Desk, field: str, value: str) -> None:
    what = "lemma" if field == "name" else "lesson"
    assert f"the name of a {what} is one line" in refused(desk, crafted({field: value}))


@pytest.mark.parametrize("whose", ["x" * 41, f"Ann{EVIL}", ""])
def test_a_student_of_no_name_is_damage(desk: Desk, whose: str) -> None:
    assert refused(desk, crafted(whose=whose)).startswith("This work is damaged: A name has 1 to 40")


@pytest.mark.parametrize(
    "text",
    ["p ->\n\tp", "p -> p (* \x1b[31m *)", " -> ".join(["p"] * 1000), "a" * 2000 + " -> p", "n" * 2000 + " : p -> p"],
    ids=["breaks", "a comment", "many arrows", "a long atom", "a long name"],
)
def test_whatever_lemma_was_typed_its_attempts_travel(desk: Desk, abroad: Desk, text: str) -> None:
    sit(abroad, Exercise.of(resolve_lemma(text)))
    exported = export_work(abroad)
    assert bring(desk, exported) == Imported(1, 0)
    assert [row.kept.name for row in desk.store.attempts()] == [resolve_lemma(text).name]


# When it was done.


@pytest.mark.parametrize(
    "at",
    [
        "9999-12-31T23:59:59.999+00:00",
        "1969-12-31T23:59:59.999+00:00",
        "0001-01-01T00:00:00.000+00:00",
        "in two days",
    ],
)
def test_a_time_lies_between_1970_and_tomorrow(desk: Desk, at: str) -> None:
    at = (datetime.now(UTC) + timedelta(days=2)).isoformat(timespec="milliseconds") if at == "in two days" else at
    said = "a time in it is none between 1970 and tomorrow"
    assert said in refused(desk, crafted({"started": at}))
    assert said in refused(desk, crafted(events(("move", "intro"), at=at)))


def test_a_clock_that_is_some_hours_fast_is_believed(desk: Desk) -> None:
    at = (datetime.now(UTC) + timedelta(hours=20)).isoformat(timespec="milliseconds")
    assert bring(desk, crafted(events(("move", "intro"), at=at))) == Imported(1, 0)


# How much of it there is.


def test_an_attempt_has_a_limited_number_of_events(desk: Desk) -> None:
    many = [("asked", "")] * (EVENTS + 1)
    assert "it has 10,001 events, and at most 10,000 are read" in refused(desk, crafted(events(*many)))
    assert bring(desk, crafted(events(*many[1:]))) == Imported(1, 0)


def test_hints_are_counted_once_each_whatever_their_number(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    state = type(desk.sit(PEIRCE).state[0])
    plain = state.__hash__

    def counted(goal: object) -> int:
        nonlocal compared
        compared += 1
        return plain(goal)

    monkeypatch.setattr(state, "__hash__", counted)
    few, many = [("hint", "2"), ("hint", "3")] * 50, [("hint", "2"), ("hint", "3")] * 500
    read_work(crafted(events(*few)))
    once, compared = compared, 0
    read_work(crafted(events(*many)))
    assert compared < 12 * once


def test_a_work_has_a_limited_number_of_attempts(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "MOST", 3)
    attempts = [events(("refused", "left")), events(("refused", "right")), events(("asked", "")), {"name": "other"}]
    assert refused(desk, crafted(*attempts)) == (
        "This work has 4 attempts, and at most 3 are read at once; bring it back in parts."
    )
    assert bring(desk, crafted(*attempts[1:])) == Imported(3, 0)
    assert bring(desk, crafted(*attempts[:1])) == Imported(1, 0)


def test_a_work_that_takes_too_long_to_make_again_is_refused(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "IN_ALL", -1.0)
    assert "seconds to make this work again; bring it back in parts" in refused(desk, crafted({}))


def test_an_attempt_that_takes_long_is_broken_off_in_its_middle(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Event] = []
    happen = Attempt.happen

    def counted(attempt: Attempt, events: list[Event]) -> None:
        made.extend(events)
        happen(attempt, events)
        if len(made) == 10:
            monkeypatch.setattr("oasis.classroom.desk.record.monotonic", lambda: math.inf)

    monkeypatch.setattr(Attempt, "happen", counted)
    long = crafted(events(*[("move", "intro"), ("undo", "")] * 100))
    assert "seconds to make this work again; bring it back in parts" in refused(desk, long)
    assert len(made) == 10


def test_nobody_begins_an_exercise_again_and_again_in_one_millisecond(desk: Desk) -> None:
    attempts = [events(("jump", "0"), *[("asked", "")] * number, ("refused", "left")) for number in range(ALIKE + 1)]
    assert "attempts at n were begun in the same millisecond" in refused(desk, crafted(*attempts))
    assert bring(desk, crafted(*attempts[1:])) == Imported(ALIKE, 0)


def test_what_is_in_it_twice_is_brought_once(desk: Desk) -> None:
    attempt = {"uuid": str(uuid4()), **events(("move", "intro"))}
    assert bring(desk, crafted(attempt, attempt, {**attempt, "uuid": str(uuid4())})) == Imported(1, 2)


# What happens meanwhile.


def test_what_the_student_does_before_an_import_is_stored_is_kept_and_counts(store: Store, abroad: Desk) -> None:
    with Store(store.path) as window:
        desk, other = local(store), local(window)
        make(sit(desk, OR_COMM), parse_script("intro"))
        bring(abroad, export_work(desk))
        make(sit(abroad, OR_COMM), parse_script("right"))
        brought = read_work(export_work(abroad))
        make(sit(other, OR_COMM), parse_script("left"))
        assert import_work(desk, brought) == Imported(1, 0)
        found = sorted([event.what for event in store.events(row.kept.uuid)] for row in store.attempts())
        assert found == [["intro", "left"], ["intro", "right"]]
        assert import_work(desk, read_work(export_work(abroad))) == Imported(0, 1)


def test_an_import_that_cannot_be_stored_to_its_end_stores_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    keep = Store.keep

    def break_off(store: Store, student: int, attempt: Any, *rest: Any) -> bool:
        if attempt.name == "second":
            raise WorkError("power cut.")
        return keep(store, student, attempt, *rest)

    monkeypatch.setattr(Store, "keep", break_off)
    assert refused(desk, crafted({"name": "first"}, {"name": "second"})) == "power cut."


def test_an_attempt_of_many_events_can_be_looked_back_at(store: Store) -> None:
    bring(local(store), crafted(events(*[("move", "intro"), ("undo", "")] * 200)))
    (row,) = store.attempts()
    (mark,) = Register(store).marks()
    (history,) = Register(store).attempts(mark)
    assert isinstance(history, History)
    assert (len(history.moments), history.damage, row.kept.moves) == (401, "", 0)
