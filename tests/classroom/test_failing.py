"""Where a class is failing now: states up to names, of those who are here, with what they tried and what came of it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from oasis.classroom.clock import now
from oasis.classroom.desk.record import Record
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.failing import LONG, LOST, REFUSED, TAKEN_BACK, Failing, Here, Trail
from oasis.classroom.register.mistakes import Examiner
from oasis.classroom.register.register import Register
from oasis.store import KeptEvent, KeptTab, Store
from tactics.parser import parse
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, local, make, or_comm, sit
from tests.classroom.test_history import NOON, stamp

XY, ZU = or_comm("xy"), or_comm("zu")
GIVEN = [Exercise("swapped", parse(text)) for text in ("p -> q /\\ r -> s", "q /\\ r -> p -> s")]
LATER = (datetime.now(UTC) + timedelta(hours=9)).isoformat(timespec="milliseconds")
"""When tabs were seen open, so that they are open however long a test takes."""
SOON, LATE = LONG - 30, LONG + 30
"""Seconds after the last event."""

Class = Sequence[tuple[Exercise, str]]
"""Of each student the exercise, and what happened at it, a second each."""


def here(name: str, exercise: Exercise, happened: str) -> Here:
    """Return a student who has done this since noon."""
    events = [
        KeptEvent(stamp(second), kind, what)
        for second, (kind, _, what) in enumerate((each.strip().partition(" ") for each in happened.split(";")), 1)
    ]
    kept = Record(exercise, stamp(0), events=events).kept()
    trail = Trail(kept)
    trail.follow(events)
    return trail.here(name, kept, stamp(-60))


def found(students: Class, after: float) -> list[Failing]:
    """Return what is found so many seconds after noon, of students who are called 0, 1, 2 and so on."""
    present = [here(str(number), *each) for number, each in enumerate(students)]
    return Examiner().failing(present, NOON + timedelta(seconds=after), 60)


@pytest.mark.parametrize(
    ("students", "after", "says"),
    [
        pytest.param([(XY, "move intro")], SOON, [], id="who gets on fails nowhere"),
        pytest.param([(XY, "move intro; hint 2")], LATE, [("0", "")], id="who stands long"),
        pytest.param(
            [(XY, "move intro; move left"), (ZU, "move intro; refused split")],
            SOON,
            [("01", f"split {REFUSED} 1, left {LOST} 1")],
            id="one state in other letters",
        ),
        pytest.param(
            [(XY, "move intro; move left; undo; move left; move destruct_or H")],
            SOON,
            [("0", f"left {LOST} 2")],
            id="where it was lost, wherever that has led",
        ),
        pytest.param(
            [(XY, "move intro; move destruct_or H; undo")], SOON, [("0", f"destruct_or H {TAKEN_BACK} 1")], id="undone"
        ),
        pytest.param(
            [(XY, "move intro; move left; undo; move destruct_or H; move right")], SOON, [], id="what is got over"
        ),
        pytest.param(
            [(PEIRCE, "refused split; refused split; refused split"), (XY, "refused left"), (ZU, "refused right")],
            SOON,
            [("12", f"left {REFUSED} 1, right {REFUSED} 1"), ("0", f"split {REFUSED} 3")],
            id="more students come before more tries",
        ),
        pytest.param(
            [(PEIRCE, "move intro; refused split")], SOON, [("0", f"split {REFUSED} 1")], id="a lemma without a proof"
        ),
        pytest.param(
            [
                (GIVEN[0], "move intro; move intro; refused imply1 H0"),
                (GIVEN[1], "move intro; move intro; refused imply1 H; move destruct_and H; undo"),
            ],
            SOON,
            [("01", f"imply1 H0 {REFUSED} 2, destruct_and H0 {TAKEN_BACK} 1")],
            id="hypotheses have the names of who is shown",
        ),
        pytest.param(
            [(XY, "; ".join(["move intro", *(f"move {each}" for each in PROOF[1:5])]))], SOON, [], id="almost"
        ),
    ],
)
def test_states_are_ranked_with_who_is_there_and_what_they_tried(
    students: Class, after: float, says: list[tuple[str, str]]
) -> None:
    told = [
        ("".join(sorted(each.names)), ", ".join(f"{one.move} {one.came} {one.times}" for one in each.tried))
        for each in found(students, after)
    ]
    assert told == says


def test_what_is_not_known_in_time_is_not_lost() -> None:
    students = [here("0", XY, "move intro; move left")]
    assert Examiner().failing(students, NOON + timedelta(seconds=SOON), -1) == []


def test_only_who_has_a_tab_open_at_what_is_not_done_is_here(store: Store) -> None:
    register = Register(store)
    desks = {name: local(store, name) for name in ("ann", "bob", "eve", "zoe")}
    for name, desk in desks.items():
        sit(desk, OR_COMM)
        tab = KeptTab(name, "", desk.student.id, now(), now(), LATER, attempt=desk.uuid, closed=int(name == "zoe"))
        store.open_tab(tab)
        store.renew_tab(tab)
    store.open_tab(KeptTab("b", "", desks["bob"].student.id, now(), stamp(0), LATER, attempt=desks["ann"].uuid))
    make(sit(desks["eve"], OR_COMM), PROOF)
    assert [each.name for each in register.here()] == ["ann", "bob"]

    def paths() -> list[Any]:
        return [(len(each.path), *map(len, each.tries)) for each in register.here()]

    assert paths() == [(1, 0), (1, 0)]
    make(sit(desks["bob"], OR_COMM), PROOF[:2])
    assert paths() == [(1, 0), (3, 1, 1, 0)]
    sit(desks["bob"], OR_COMM).undo()
    (_, bob) = register.here()
    assert len(bob.path) == 2 and datetime.fromisoformat(bob.since) > NOON
