"""A seat: what a student finds before them when they sit down."""

from __future__ import annotations

from pathlib import Path

import pytest

from oasis.classroom.desk.progress import exercises
from oasis.classroom.lessons.lesson import Lesson
from oasis.store import Store
from tests.classroom.people import local, make, sit
from tests.tui.rooms import classroom, opened
from tests.tui.test_teach import PROOF
from tui.seat import Seat

pytestmark = pytest.mark.slow

LESSON = 'name = "week"\nlemmas = ["textbook/and_comm", "textbook/or_comm", "textbook/peirce"]'


def test_it_is_what_they_were_at_last_until_that_is_done_and_then_the_first_that_is_left() -> None:
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


async def test_who_comes_back_finds_the_proof_they_left(tmp_path: Path) -> None:
    lesson = Lesson.parse(LESSON, "a text", "week", Path())
    async with opened(classroom(tmp_path, lessons=(lesson,))) as pilot:
        await pilot.pause()
    with Store(tmp_path / "class.db") as store:
        make(sit(local(store, "ada"), lesson.exercises_for("ada")[2]), PROOF[:1])
    app = classroom(tmp_path, lessons=(lesson,))
    async with opened(app):
        assert app.session.seat.exercise is not None and app.session.seat.exercise.name == "textbook/peirce"
        assert app.session.seat.attempt is not None and len(app.session.seat.attempt.made) == 1
