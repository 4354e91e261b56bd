"""The lessons as they are seen, by a student and by the teacher, also when they change meanwhile."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.screen import Screen

from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import hand_out
from oasis.classroom.lessons.lesson import Lesson
from tests.tui.rooms import (
    WIDE,
    classroom,
    fill_in,
    follow,
    notified,
    opened,
    palette,
    press,
    saved,
    settle,
    shown,
)
from tests.tui.school import LESSON, MONDAY, OPEN_SESAME, school, sheet, taught, taught_in
from tui.screens.learn import Learn

pytestmark = pytest.mark.slow

ONE, TWO = 'title = "Monday"\nlemmas = ["textbook/or_comm"]', 'title = "Tuesday"\nlemmas = ["textbook/and_comm"]'
FINALS = 'title = "Finals"\nexam = true\nlemmas = ["textbook/or_comm", "textbook/contraction"]\n'


@pytest.fixture
def lesson(tmp_path: Path) -> Path:
    """The file of a lesson."""
    path = tmp_path / "week.toml"
    path.write_text(ONE)
    return path


async def test_a_student_sees_the_lesson_as_it_is_now_and_reads_why_one_cannot_be_read(
    tmp_path: Path, lesson: Path
) -> None:
    app = classroom(tmp_path, lesson_files=(lesson,))
    async with opened(app) as pilot:
        assert "Monday" in shown(app)
        lesson.write_text(TWO)
        await follow(pilot)
        assert "The lessons have changed." in notified(app)
        assert "Tuesday" in shown(app) and "Monday" not in shown(app)
        lesson.write_text("lemmas = [")
        await follow(pilot)
        assert "A lesson cannot be read, so it stays as it was" in notified(app) and "Tuesday" in shown(app)
    assert not app.screen_stack
    app._follow()  # as timers do that were about to go off: who has ended is told of nothing
    app._tend()
    app = classroom(tmp_path, lesson_files=(lesson,))
    async with opened(app):
        assert "A lesson cannot be read" in notified(app)


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
        await follow(pilot)
        assert "The lessons have changed." in notified(app) and "Tuesday" in shown(app)


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
        assert "Monday" in shown(student)
        for text in (ONE, "lemmas = {"):
            change(text)
            await follow(pilot)
        assert notified(student) == ""
    async with opened(teacher, WIDE) as pilot:
        await pilot.click("#other-door")
        await settle(pilot)
        assert "week.toml" not in shown(teacher)
        await fill_in(pilot, OPEN_SESAME)
        await follow(pilot)
        assert "A lesson cannot be read, so it stays as it was:" in shown(teacher)
        change(TWO)
        await follow(pilot)
        assert "A lesson cannot be read" not in shown(teacher)


async def test_the_class_is_asked_what_the_lesson_asks_for_now_also_while_a_student_is_looked_at(
    tmp_path: Path, lesson: Path
) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path, lesson_files=(lesson,))
    async with taught(app, "2", "l") as pilot:
        assert "and_comm" not in shown(app)
        assert "alone" not in shown(app) and "One lesson" not in palette(app), "there is but one"
        lesson.write_text(TWO)
        await follow(pilot)
        assert [line.split()[2] for line in shown(app).splitlines() if line.startswith(" and_comm")] == ["0/2"]
        await press(pilot, "1", "enter")
        lesson.write_text(MONDAY)
        await follow(pilot)
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
        assert "Tactics: intro, assumption, split, destruct_and." in shown(app) and "● true" in shown(app)


async def test_one_of_several_lessons_exam_or_not_is_looked_at_alone_and_so_is_what_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    files = week, finals = tmp_path / "week.toml", tmp_path / "finals.toml"
    week.write_text(MONDAY)
    finals.write_text(FINALS)
    app = taught_in(tmp_path, lesson_files=files)
    async with taught(app, "2") as pilot:
        exported = saved(app, monkeypatch)

        def places() -> set[str]:
            return {row.problem.place for row in sheet(app, "problems")._given}

        rows = [line.split()[:2] for line in shown(app).splitlines() if "or_comm" in line]
        assert ["or_comm", "Monday"] in rows and ["or_comm", "Finals"] in rows
        assert places() == {"week", "finals", "cases"}
        await press(pilot, "l")
        assert places() == {"week"} and "Monday alone: " in shown(app)
        await press(pilot, "l", "s", "c", "p")
        assert places() == {"finals"} and "Finals alone: " in shown(app)
        assert {line.split(",")[1] for line in exported["students.csv"].splitlines()[1:]} == {"finals"}
        assert {line.split(",")[0] for line in exported["problems.csv"].splitlines()[1:]} == {"finals"}
        finals.write_text(FINALS.replace("Finals", "Finale"))
        await follow(pilot)
        assert places() == {"finals"} and "Finale alone: " in shown(app)
        await press(pilot, "l")
        assert places() == {"week", "finals", "cases"} and "alone" not in shown(app)
