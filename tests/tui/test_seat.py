"""A seat: what a student finds before them when they sit down."""

from __future__ import annotations

from pathlib import Path

from oasis.classroom.desk.progress import exercises
from oasis.classroom.lessons.lesson import Lesson
from oasis.store import Store
from tests.classroom.people import PROOF, local, make, sit
from tui.seat import Seat

LESSON = 'name = "week"\nlemmas = ["textbook/and_comm", "textbook/or_comm", "textbook/peirce"]'


def test_what_is_before_a_student_is_what_they_were_at_last_until_that_is_done_and_then_the_first_that_is_left() -> (
    None
):
    lesson = Lesson.parse(LESSON, "a text", "week", Path()).exercises_for("ann")
    course = exercises("arrows")
    with Store(Path(":memory:")) as store:
        desk = local(store)

        def present() -> str:
            seat = Seat(desk, 1.0)
            seat.take_first(lesson, course)
            assert seat.exercise is not None
            assert seat.exercise in seat.others
            seat.close()
            return seat.exercise.name

        assert present() == "textbook/and_comm"
        make(sit(desk, lesson[1]), PROOF[:2])
        assert present() == "textbook/or_comm"
        make(sit(desk, lesson[1]), PROOF[2:])
        assert present() == "textbook/and_comm"
        sit(desk, course[1]).take_hint()
        assert present() == course[1].name


def test_the_next_exercise_is_the_next_that_is_not_done_from_this_one_on_and_round() -> None:
    tasks = Lesson.parse(LESSON, "a text", "week", Path()).exercises_for("ann")
    with Store(Path(":memory:")) as store:
        seat = Seat(local(store), 1.0)
        make(sit(seat.desk, tasks[1]), PROOF)
        for here, following in ((0, 2), (1, 2), (2, 0)):
            seat.take(tasks[here], tasks)
            assert seat.following() == tasks[following]
            assert seat.before() == (tasks[here - 1] if here else None)
        seat.close()
