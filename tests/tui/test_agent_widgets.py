"""What the panels of an agent are made of, without a screen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.agent.curve import Curve
from tui.widgets.beliefs import brief, number
from tui.widgets.chart import MARKS, Picture

pytestmark = pytest.mark.slow


@given(st.floats(-1000, 10_000))
def test_a_value_is_told_to_its_last_digit_in_little_room(value: float) -> None:
    told = number(value)
    assert len(told) <= 7
    assert float(told) == pytest.approx(value, abs=0.0501 if abs(value) > 9.999 else 0.000501)


@given(st.integers(0, 999_000_000))
def test_a_count_is_told_in_five_characters(count: int) -> None:
    told = brief(count)
    assert len(told) <= 5
    factor = {"k": 1e3, "M": 1e6}.get(told[-1], 1)
    assert float(told.rstrip("kM")) * factor == pytest.approx(count, rel=0.1)


@given(st.lists(st.sampled_from([0, 3, 5, 8]), max_size=60), st.integers(1, 60))
def test_a_picture_has_every_stretch_with_a_proof_and_no_other(lengths: list[int], most: int) -> None:
    curve = Curve()
    for moves in lengths:
        curve.add(moves)
    points = curve.points(most)
    tries, greedy = Picture((points,)).lines()
    assert len(tries.moves) == sum(share > 0 for share in points.proved)
    assert all(3 <= moves <= 8 for moves in tries.moves) and greedy.moves == []
    assert [tries.mark, greedy.mark] == list(MARKS[0])


def test_what_is_not_to_be_shown_is_not_in_the_picture() -> None:
    points = Curve().points()
    assert [line.mark for line in Picture((points,), 5, None).lines()] == ["-", ".", "o"]
    assert [line.mark for line in Picture((points,), None, 4).lines()] == ["=", ".", "o"]
    (shortest, student, *_) = Picture((points,), 5, 4).lines()
    assert (set(shortest.moves), set(student.moves)) == ({4}, {5})
    assert shortest.episodes[0] == pytest.approx(1) and shortest.episodes[-1] == pytest.approx(10)
