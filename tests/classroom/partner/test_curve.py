"""A curve says what a list of all episodes would say, however often its stretches were joined."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from oasis.classroom.partner.curve import Curve
from oasis.exam import Exam

LENGTHS = st.lists(st.sampled_from([0, 0, 1, 2, 5, 9]), max_size=100)


@given(LENGTHS, st.sampled_from([1, 2, 4, 7, 200]), st.sampled_from([1, 3, 10, 1000]))
def test_every_stretch_says_what_its_episodes_say(lengths: list[int], kept: int, most: int) -> None:
    curve = Curve(kept)
    for moves in lengths:
        curve.add(moves)
    points = curve.points(most)
    assert curve.episodes == len(lengths)
    assert len(points.last) <= most and curve.width * max(kept, 2) < 2 * max(len(lengths), kept, 2) + 4
    first = 0
    for last, proved, mean, shortest in zip(points.last, points.proved, points.mean, points.shortest, strict=True):
        proofs = [moves for moves in lengths[first:last] if moves]
        assert proved == len(proofs) / (last - first)
        assert shortest == min(proofs, default=0)
        assert np.isnan(mean) if not proofs else mean == sum(proofs) / len(proofs)
        first = last
    assert first == len(lengths)


def test_up_to_what_is_kept_every_episode_is_a_stretch_of_its_own() -> None:
    curve = Curve(4)
    for moves in [0, 3, 2, 4]:
        curve.add(moves)
    assert list(curve.points().last) == [1, 2, 3, 4]
    curve.add(1)
    assert list(curve.points().last) == [2, 4, 5]
    assert list(curve.points().shortest) == [3, 2, 1]


def test_examinations_get_rarer_and_proofs_shown_are_no_episodes() -> None:
    curve = Curve()
    for _ in range(5000):
        curve.add(7)
        if curve.exam_is_due:
            curve.add_exam(Exam(3, (6, 4) if curve.episodes % 2 else (6,), None))
    curve.add_shown(5)
    points = curve.points()
    assert list(points.exams[:5]) == [1, 2, 3, 4, 5]
    assert 100 < len(points.exams) < 200 and set(points.greedy) == {0, 6}
    assert (list(points.shown), list(points.shown_moves)) == ([5000], [5])
    assert curve.episodes == 5000
