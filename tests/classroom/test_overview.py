"""A class at a glance: sums that agree with what they are sums of, for the teacher and for the student."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.desk.reckoning import Result
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.overview import Total, altogether, class_csv, class_rows, overview, standing, total
from oasis.classroom.register.register import Register, Whereabouts
from oasis.store import Store
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, empty, local, make, sit

PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")
COUNTS = st.integers(0, 50)
RESULTS = st.builds(
    Result, st.sampled_from(["", "proved", "refuted"]), COUNTS, COUNTS, COUNTS, st.integers(1, 50), st.floats(0, 1e4)
)


@pytest.fixture
def store() -> Iterator[Store]:
    with empty() as opened:
        yield opened


@given(st.lists(RESULTS), st.lists(RESULTS))
def test_totals_add_up(ones: list[Result], others: list[Result]) -> None:
    one, other, both = total(ones), total(others), total([*ones, *others])
    assert total(ones, one.asked + 3) == one._replace(asked=one.asked + 3)
    assert both[:4] == tuple(map(sum, zip(one[:4], other[:4], strict=True)))
    assert abs(both.seconds - one.seconds - other.seconds) <= 1


def test_what_was_only_opened_is_not_begun(store: Store) -> None:
    desk = local(store)
    sit(desk, OR_COMM)
    assert total(desk.results().values()) == Total(0, 0, 0, 0, 0)


def test_the_teacher_sees_the_same_totals_as_the_student(store: Store) -> None:
    ann = local(store, "Ann")
    make(sit(ann, OR_COMM), PROOF)
    attempt = sit(ann, PEIRCE)
    attempt.take_hint()
    attempt.claim(right=False)
    local(store, "Zoe")
    register = Register(store)
    first, second = overview(register.whereabouts(), register.marks())
    assert first.where.name == "Ann"
    assert first.total == total(ann.results().values())
    assert first.total[:4] == (2, 1, 2, 10)
    assert (first.hints, first.wrong_claims) == (0, 1), "there is but one first move"
    assert [mark.lemma for mark in first.marks] == [OR_COMM.name, PEIRCE.name]
    assert (second.where.name, second.total, second.marks) == ("Zoe", Total(0, 0, 0, 0, 0), ())


def test_with_a_lesson_every_sum_is_of_its_exercises_alone(store: Store) -> None:
    asked = Lesson.parse('lemmas = ["textbook/or_comm"]', "text", "cases", Path())
    ann = local(store, "Ann")
    make(sit(ann, Exercise(OR_COMM.name, OR_COMM.formula, "cases")), PROOF)
    lesson_alone = _class_row(Register(store, [asked]))
    elsewhere = sit(ann, Exercise(OR_COMM.name, OR_COMM.formula, "other"))
    make(elsewhere, PROOF[:1])
    elsewhere.take_hint()
    elsewhere.claim(right=False)
    elsewhere.show_list()
    assert _class_row(Register(store, [asked])) == lesson_alone
    everything = _class_row(Register(store))
    assert [everything[name] - lesson_alone[name] for name in ("attempts", "wrong_claims", "listed")] == [1, 1, 1]
    assert everything["hints"] == 1


def _class_row(register: Register) -> dict[str, Any]:
    """What the class's spreadsheet adds up for its only student."""
    (row,) = class_rows(overview(register.whereabouts(), register.marks()))
    return {name: row[name] for name in row if name not in ("standing", "place", "lemma", "seen")}


# Who is here, who is stuck.


def at(seconds_ago: float, *, worked: int = 0, outcome: str = "") -> str:
    """How a student stands who did something so long ago, after so much work at the problem."""
    now = datetime(2026, 5, 4, 10, tzinfo=UTC)
    when = (now - timedelta(seconds=seconds_ago)).isoformat(timespec="milliseconds")
    return standing(Whereabouts("Ann", "", "lemma", when, outcome, worked), now)


def test_who_has_worked_long_at_one_problem_is_stuck_and_who_does_nothing_is_idle() -> None:
    assert [at(1), at(100, worked=199), at(300), at(1, worked=9000, outcome="proved")] == ["working"] * 4
    assert [at(1, worked=300), at(300, worked=5000)] == ["stuck"] * 2
    assert [at(301, worked=5000), at(3600), at(301, outcome="proved")] == ["idle"] * 3
    assert [at(100, worked=200), at(299, worked=180)] == ["stuck"] * 2, "who thinks about a move works, too"
    assert [at(3601, worked=5000), standing(Whereabouts("Bob", "", "", "", "", 0))] == ["", ""]


def test_the_whole_class_is_a_sum_and_a_sentence(store: Store) -> None:
    asked = Lesson.parse('due = 2020-01-01\nlemmas = ["textbook/or_comm", "textbook/peirce"]', "text", "cases", Path())
    register = Register(store, [asked])

    def said() -> str:
        return altogether(overview(register.whereabouts(), register.marks())).sentence()

    assert said() == "Nobody is in the class yet."
    make(sit(local(store, "Ann"), Exercise(OR_COMM.name, OR_COMM.formula, "cases")), PROOF)
    local(store, "Zoe")
    assert said() == "2 students: 1 working; 1 began nothing; 1 of 4 problems done (25%); 4 late or overdue."
    sit(local(store, "Bob"), Exercise(OR_COMM.name, OR_COMM.formula, "cases"))  # who is here, and thinks
    assert said() == "3 students: 2 working; 1 began nothing; 1 of 6 problems done (17%); 6 late or overdue."
    store._connection.execute("UPDATE attempts SET changed = '2026-01-01T00:00:00.000+00:00'")
    assert said() == "3 students: nobody is here now; 2 began nothing; 1 of 6 problems done (17%); 6 late or overdue."


def test_a_class_is_a_spreadsheet_in_the_order_of_names_that_excel_reads(store: Store) -> None:
    for name in ("Zoë", "Ada 10", "Ludo", "Łucja", "çağla", "Ada 2", "Lydia", "Ödön"):
        local(store, name)
    register = Register(store)
    text = class_csv(overview(register.whereabouts(), register.marks()))
    assert text.encode().startswith(b"\xef\xbb\xbfstudent,standing,")
    lines = text.splitlines()[1:]
    assert [line.split(",")[0] for line in lines] == (
        ["Ada 2", "Ada 10", "çağla", "Łucja", "Ludo", "Lydia", "Ödön", "Zoë"]
    )
