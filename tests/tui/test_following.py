"""The lessons as they are seen, by a student and by the teacher, also when they change meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.screen import Screen

from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import hand_out
from oasis.classroom.lessons.lesson import Lesson
from tests.tui.rooms import WIDE, classroom, notified, opened, press, settle, shown
from tests.tui.test_sign_in import fill_in
from tests.tui.test_teach import LESSON, OPEN_SESAME, school, taught, taught_in, type_in
from tui.screens.learn import Learn

pytestmark = pytest.mark.slow

ONE, TWO = 'title = "Monday"\nlemmas = ["textbook/or_comm"]', 'title = "Tuesday"\nlemmas = ["textbook/and_comm"]'


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """The file of a lesson."""
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    return path


async def test_a_student_sees_the_lesson_as_it_is_now(tmp_path: Path, lesson: Path) -> None:
    app = classroom(tmp_path, lesson_files=(lesson,))
    async with opened(app) as pilot:
        assert "Monday" in shown(app)
        lesson.write_text(TWO)
        app._follow()
        await settle(pilot)
        assert "The lessons have changed." in notified(app)
        assert "Tuesday" in shown(app) and "Monday" not in shown(app)
        lesson.write_text("lemmas = [")
        app._follow()
        await settle(pilot)
        assert "A lesson cannot be read, so it stays as it was" in notified(app)
        assert "Tuesday" in shown(app)


async def test_a_place_that_is_still_being_made_is_told_of_nothing_and_shows_it_when_it_is_there(
    tmp_path: Path, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, lesson_files=(lesson,))
    async with opened(app) as pilot:
        monkeypatch.setattr(app.session, "tend", lambda: True)
        lesson.write_text(TWO)
        app.add_mode("again", lambda: Learn(app.session))
        there = app.switch_mode("again")
        app._follow()
        app._tend()
        await there
        app._follow()
        await settle(pilot)
        assert "The lessons have changed." in notified(app)
        assert "Tuesday" in shown(app)


async def test_a_place_that_is_being_taken_down_is_told_of_nothing(
    tmp_path: Path, lesson: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path, lesson_files=(lesson,))
    async with opened(app):
        monkeypatch.setattr(app.session, "tend", lambda: True)
        close, went_off = app._close_all, list[Screen[object]]()

        async def close_slowly() -> None:
            lesson.write_text(TWO)
            await app.screen.query("*").remove()  # as its end does, part by part, while timers go off
            app._tend()
            app._follow()
            went_off.append(app.screen)
            await close()

        monkeypatch.setattr(app, "_close_all", close_slowly)
    assert len(went_off) == 1


async def test_an_application_that_has_ended_is_told_of_nothing(tmp_path: Path, lesson: Path) -> None:
    app = classroom(tmp_path, lesson_files=(lesson,))
    async with opened(app):
        pass
    assert not app.screen_stack
    app._follow()  # as timers do that were about to go off
    app._tend()


async def test_the_class_is_asked_what_the_lesson_asks_for_now(tmp_path: Path, lesson: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path, lesson_files=(lesson,))
    async with taught(app, "2") as pilot:
        assert "and_comm" not in shown(app)
        lesson.write_text(TWO)
        app._follow()
        await settle(pilot)
        assert [line.split()[2] for line in shown(app).splitlines() if line.startswith(" and_comm")] == ["0/2"]


async def test_a_lesson_that_is_broken_from_the_beginning_is_told_on_the_screen(tmp_path: Path, lesson: Path) -> None:
    lesson.write_text("lemmas = [")
    async with opened(classroom(tmp_path, lesson_files=(lesson,))) as pilot:
        assert "A lesson cannot be read" in "\n".join(each.message for each in pilot.app._notifications)


@pytest.mark.some_days
async def test_in_a_browser_nobody_but_the_teacher_is_told_of_a_broken_lesson(tmp_path: Path, lesson: Path) -> None:
    school(tmp_path).close()
    followed, handed = FollowedLessons([lesson]), tmp_path / "handed"
    hand_out(followed, handed)

    def change(text: str) -> None:
        lesson.write_text(text)
        followed.renew()
        hand_out(followed, handed)

    change("lemmas = [")
    student, teacher = (classroom(tmp_path, account=None, handed_lessons=handed) for _ in range(2))
    async with opened(student, WIDE) as pilot:
        assert notified(student) == "" and "week.toml" not in shown(student)
        await fill_in(pilot, "zoe", OPEN_SESAME, OPEN_SESAME)
        assert "Monday" in shown(student) and notified(student) == ""
        change(ONE)
        student._follow()
        change("lemmas = {")
        student._follow()
        await settle(pilot)
        assert notified(student) == ""
    async with opened(teacher, WIDE) as pilot:
        await pilot.click("#other-door")
        await settle(pilot)
        assert "week.toml" not in shown(teacher)
        await type_in(pilot, OPEN_SESAME)
        teacher._follow()
        await settle(pilot)
        assert "A lesson cannot be read, so it stays as it was:" in shown(teacher)
        change(TWO)
        teacher._follow()
        await settle(pilot)
        assert "A lesson cannot be read" not in shown(teacher)


async def test_the_class_is_asked_for_a_changed_lesson_while_a_student_is_looked_at(
    tmp_path: Path, lesson: Path
) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path, lesson_files=(lesson,))
    async with taught(app, "enter") as pilot:
        lesson.write_text('lemmas = ["textbook/and_comm", "textbook/or_comm"]')
        app._follow()
        await settle(pilot)
        await press(pilot, "escape")
        assert "of 4 problems done" in shown(app)


async def test_the_lesson_is_checked_and_its_shortest_proofs_are_shown(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path, lessons=(Lesson.parse(LESSON, "week.toml", "week", tmp_path),))
    async with taught(app, "4") as pilot:
        lines = shown(app).splitlines()
        assert [line.split()[1:3] for line in lines if line.startswith(" and_comm")] == [["provable", "5"]]
        assert any("not with these tactics" in line for line in lines)
        assert "Both: 2 of 3 exercises cannot be given like this." in shown(app)
        await press(pilot, "down")
        assert "It has no proof; take another lemma" in shown(app)
        await press(pilot, "enter")
        assert "Tactics: intro, assumption, split, destruct_and." in shown(app)
        assert "● true" in shown(app)


async def test_without_a_lesson_it_says_how_to_bring_one(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, "4"):
        assert "open the classroom with --lesson FILE" in shown(app)
