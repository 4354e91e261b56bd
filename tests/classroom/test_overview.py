"""A class at a glance: sums that agree with what they are sums of, for the teacher and for the student."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.desk.record import Result
from oasis.classroom.register.overview import Total, overview, total
from oasis.classroom.register.register import Register
from oasis.store import Store
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, empty, local, make

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
    desk.sit(OR_COMM)
    assert total(desk.results().values()) == Total(0, 0, 0, 0, 0)


def test_the_teacher_sees_the_same_totals_as_the_student(store: Store) -> None:
    ann = local(store, "Ann")
    make(ann.sit(OR_COMM), PROOF)
    attempt = ann.sit(PEIRCE)
    attempt.take_hint()
    attempt.claim(right=False)
    local(store, "Zoe")
    register = Register(store)
    first, second = overview(register.whereabouts(), register.marks())
    assert first.where.student == "Ann"
    assert first.total == total(ann.results().values())
    assert first.total[:4] == (2, 1, 2, 10)
    assert (first.hints, first.wrong_claims) == (1, 1)
    assert [mark.lemma for mark in first.marks] == [OR_COMM.name, PEIRCE.name]
    assert (second.where.student, second.total, second.marks) == ("Zoe", Total(0, 0, 0, 0, 0), ())
