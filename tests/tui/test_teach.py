"""The class: a door that only the teacher's passphrase opens, and behind it what the register says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from oasis.classroom.admission import open_classroom, open_register, set_teacher_passphrase
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.overview import class_csv, overview
from oasis.classroom.register.register import Problem, Register
from oasis.store import StoreError
from tactics.parser import parse
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, PROOF, local, make, sit
from tests.tui.rooms import WIDE, fill_in, notified, opened, palette, press, saved, settle, shown, sitting, words
from tests.tui.school import MONDAY, OPEN_SESAME, in_letters, school, sheet, taught, taught_in, teaching
from tui.failures import Enduring
from tui.screens.door import TeachersDoor
from tui.screens.sign_in import SignIn
from tui.screens.student_page import StudentPage
from tui.screens.teach import Teach

pytestmark = pytest.mark.slow

COMMANDS = {"Students", "Problems", "Mistakes", "Lesson", "Sort", "Reverse", "Students.csv", "Problems.csv", "Learned"}


# The door.


async def test_without_a_teachers_passphrase_the_door_says_how_to_set_one_and_asks_for_none(tmp_path: Path) -> None:
    app = taught_in(tmp_path)
    async with opened(app) as pilot:
        assert "oasis classroom passphrase sets one" in words(app)
        assert not app.screen.query_one(Input).display and not COMMANDS & palette(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, SignIn)


async def test_who_signs_in_finds_the_teachers_door_and_the_way_back_and_is_no_student(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        async with sitting(tmp_path, account=None) as (app, pilot):
            for screen in (TeachersDoor, SignIn, TeachersDoor):
                await pilot.click("#other-door")
                await settle(pilot)
                assert isinstance(app.screen, screen)
            await fill_in(pilot, OPEN_SESAME)
            assert isinstance(app.screen, Teach) and " bob" in shown(app)
            await press(pilot, "k")
            assert isinstance(app.screen, SignIn)
        assert [row.name for row in store.students()] == ["[b]eve", "bob"]


@pytest.mark.usefixtures("no_time_passes")
async def test_wrong_passphrases_are_told_emptied_and_slowed(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with opened(app) as pilot:
        await fill_in(pilot, "open barley")
        assert "That is not the teacher's passphrase; try again." in shown(app)
        assert app.screen.query_one(Input).value == ""
        await fill_in(pilot, "barley", "wheat", OPEN_SESAME)
        assert "too many wrong tries; wait" in shown(app) and not COMMANDS & palette(app)


async def test_no_place_of_a_student_shows_anybody_else(tmp_path: Path) -> None:
    school(tmp_path).close()
    async with sitting(tmp_path, "textbook/or_comm") as (app, pilot):
        for place in "LPTWDC":
            await press(pilot, place)
            assert "bob" not in shown(app) and "[b]eve" not in shown(app) and not COMMANDS & palette(app)


async def test_who_closes_the_class_leaves_nothing_behind(tmp_path: Path) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path, "2", "3") as (app, pilot):
        teach = app.screen
        assert sheet(app, "mistakes").row_count
        await press(pilot, "k")
        assert isinstance(app.screen, TeachersDoor)
        assert not teach.is_attached and app.session._register is None
        assert "bob" not in shown(app) and not COMMANDS & palette(app)
        assert app.screen.query_one(Input).value == ""


# Students.


async def test_every_student_is_there_and_what_happens_meanwhile_is_seen_and_nothing_else_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = school(tmp_path)
    async with teaching(tmp_path) as (app, pilot):
        lines = shown(app).splitlines()
        (bob,) = (line for line in lines if line.startswith(" bob"))
        assert bob.split()[1:6] == ["working", "✓", "or_comm", "now", "1/1"]
        (eve,) = (line for line in lines if line.startswith(" [b]eve"))
        assert eve.split()[1:7] == ["working", "peirce", "now", "0/2", "2", "1"]
        assert lines[0].strip() == "2 students: 2 working; 1 of 3 problems done (33%). No lesson given (--lesson)."
        assert palette(app) >= COMMANDS
        await press(pilot, "question_mark")
        assert "The class, for its teacher." in shown(app)
        await press(pilot, "escape", "down")
        students, drawn = sheet(app, "students"), list[str]()
        update = students.update_cell

        def note(row: Any, column: Any, value: Any, **options: Any) -> None:
            drawn.append(str(value))
            update(row, column, value, **options)

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(students, "update_cell", note)
            meanwhile.setattr(students, "clear", lambda **_: pytest.fail("drawn anew"))
            await press(pilot, "g")
            assert drawn == []
            sit(local(store, "bob"), in_letters("xy")).take_hint()
            await press(pilot, "g")
            assert [line.split()[:3] for line in drawn] == [["bob", "working", "or_comm"]]
        make(sit(local(store, "anna"), OR_COMM), PROOF)
        await press(pilot, "g")
        assert " anna" in shown(app)
        assert students.row is not None and students.row.where.name == "bob" and students.cursor_row == 2
        await press(pilot, "home", "enter")
        assert isinstance(app.screen, StudentPage) and "○ or_comm" in shown(app) and "○ peirce" in shown(app)
    store.close()


async def test_sheets_are_sorted_by_each_column_either_way_round_and_who_is_stuck_stands_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path) as (app, pilot):

        def names() -> list[str]:
            students = sheet(app, "students")
            return [str(students.get_row_at(row)[0]).split()[0] for row in range(students.row_count)]

        assert names() == ["[b]eve", "bob"]
        await press(pilot, "v")
        assert names() == ["bob", "[b]eve"] and "Sorted by now, from below." in shown(app)
        await press(pilot, *"ooo")
        assert "Sorted by done." in shown(app) and names()[0] == "bob"
        await press(pilot, *"ooooo")
        assert "Sorted by name." in shown(app)
        await pilot.click("#students", offset=(3, 0))
        await settle(pilot)
        assert names() == ["bob", "[b]eve"]
        await pilot.click("#students", offset=(shown(app).splitlines()[2].index("hints"), 0))
        await settle(pilot)
        assert "Sorted by hints." in shown(app) and names()[0] == "[b]eve"
    monkeypatch.setattr("oasis.classroom.register.overview.STUCK_AFTER", 0)
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "zoe"), PEIRCE), PROOF[:1])
    async with teaching(tmp_path) as (app, _):
        students = sheet(app, "students")
        rows = [str(students.get_row_at(row)[0]).split()[:2] for row in range(students.row_count)]
        assert rows == [["[b]eve", "stuck"], ["zoe", "stuck"], ["bob", "working"]]


async def test_titles_of_lessons_and_their_dates_are_whole_where_there_is_room(tmp_path: Path) -> None:
    text = f"due = 2030-12-01\n{MONDAY.replace('Monday', 'Week 1: and, or, and not')}"
    lesson = Lesson.parse(text, "week.toml", "week", tmp_path)
    with school(tmp_path) as store:
        make(sit(local(store, "Ada Lovelace"), lesson.exercises_for("")[1]), PROOF[:1])
        async with teaching(tmp_path, size=WIDE, lessons=(lesson,)) as (app, pilot):
            row = next(line for line in shown(app).splitlines() if "Ada" in line)
            assert "Ada Lovelace" in row and "and_comm" in row and "Week 1: and, or, and not" in row
            await press(pilot, "2")
            assert "2030-12-01" in shown(app) and "Week 1: and, or, and not" in shown(app)
            await press(pilot, "1", "end", "enter")
            rows = [line.split()[1:4] for line in shown(app).splitlines() if "or_comm" in line]
            assert ["or_comm", "Week", "1:"] in rows and ["or_comm", "cases", "6"] in rows


# Problems and mistakes.


async def test_problems_show_how_they_went_and_mistakes_where_they_were_made_in_the_letters_of_the_problem(
    tmp_path: Path,
) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path, "2") as (app, pilot):
        (line,) = (line for line in shown(app).splitlines() if line.startswith(" or_comm"))
        assert line.split() == ["or_comm", "cases", "1/2", "2", "0:00", "1", "1", "x", "split"]
        await press(pilot, "enter")
        assert "or_comm: x ∨ y → y ∨ x" in shown(app) and "2 kinds of wrong moves in 2 attempts." in shown(app)
        assert "split does not apply; where it was first" in shown(app)
        await press(pilot, "down")
        assert "left loses the proof; where it was first" in shown(app)
        assert "H : x ∨ y" in shown(app) and "p ∨ q" not in shown(app)
        await press(pilot, "2", "down", "enter")
        assert "No wrong moves in one attempt." in shown(app)


@pytest.mark.parametrize("keys", ["3", "23"])
async def test_mistakes_open_where_most_were_made_unless_another_problem_is_chosen(
    tmp_path: Path, keys: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "ann"), Exercise("easy", parse("p -> p"), "cases")), parse_script("intro; assumption"))
    school(tmp_path).close()
    async with teaching(tmp_path, *keys) as (app, pilot):
        assert "or_comm: x ∨ y → y ∨ x" in shown(app) and "2 kinds of wrong moves" in shown(app)
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Teach, "_examine", lambda _: None)
            await press(pilot, "1", "3")
            assert "or_comm: x ∨ y → y ∨ x" in shown(app), "also before it is looked for them again"
        await press(pilot, "2", "enter")
        assert "easy: p → p" in shown(app) and "No wrong moves" in shown(app)
        await press(pilot, "2", "end", "3")
        assert "peirce: " in shown(app)


async def test_a_class_that_has_begun_nothing_is_shown_as_such(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
    async with teaching(tmp_path, "2", "3") as (app, pilot):
        assert "Nobody has begun anything yet." in shown(app)
        await press(pilot, "4")
        assert "open the classroom with --lesson FILE" in shown(app)


# What is saved, and what cannot be read.


async def test_the_spreadsheets_are_those_of_the_register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        delivered = saved(app, monkeypatch)
        async with taught(app, "s", "p", "c"):
            register = open_register(store, OPEN_SESAME)
            assert delivered == {
                "students.csv": register.student_csv(),
                "problems.csv": register.problem_csv(register.mistakes),
                "class.csv": class_csv(overview(register.whereabouts(), register.marks())),
            }


async def test_what_cannot_be_read_or_breaks_down_beside_the_class_is_said_and_the_class_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    monkeypatch.setattr(Enduring, "IS_STRICT", False)

    def busy(_: Register) -> list[Problem]:
        raise StoreError("class.db is in use by another process; wait for it.")

    def broken(_: Register) -> list[Problem]:
        raise KeyError("[b]7")

    async with taught(app) as pilot:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Register, "everything", busy)
            await press(pilot, "g")
            assert "in use by another process; wait for it." in shown(app) and " bob" in shown(app)
            meanwhile.setattr(Register, "everything", broken)
            await press(pilot, "g")
            assert "a fault of Oasis (KeyError: '[b]7')" in notified(app)
        await press(pilot, "g")
        assert " bob" in shown(app)
