"""The class: a door that only the teacher's passphrase opens, and behind it what the register says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Input

from oasis.classroom.admission import open_classroom, open_register, set_teacher_passphrase
from oasis.classroom.lessons.lesson import Lesson
from oasis.classroom.proving.exercise import Exercise
from oasis.classroom.register.overview import class_csv, overview
from oasis.classroom.register.register import Problem, Register
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, local, make, sit
from tests.tui.rooms import ASCII, NARROW, WIDE, classroom, notified, opened, overflowing, press, settle, shown
from tui.app import Classroom
from tui.failures import Enduring
from tui.screens.door import TeachersDoor
from tui.screens.sign_in import SignIn
from tui.screens.teach import Teach
from tui.widgets.sheet import Sheet

pytestmark = pytest.mark.slow

OPEN_SESAME = "open sesame"
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")
LESSON = """\
title = "Both"
tactics = ["intro", "assumption", "split", "destruct_and"]
lemmas = ["textbook/and_comm"]
[[exercise]]
lemma = "too_much : A -> A /\\\\ B"
[[exercise]]
lemma = "or_comm : p \\\\/ q -> q \\\\/ p"
"""
COMMANDS = {
    "Students",
    "Problems",
    "Mistakes",
    "Lesson",
    "Sort",
    "Reverse",
    "Renew",
    "Students.csv",
    "Problems.csv",
    "Sign out",
}


def in_letters(letters: str) -> Exercise:
    left, right = tuple(letters)
    return Exercise(OR_COMM.name, parse(f"{left} \\/ {right} -> {right} \\/ {left}"), OR_COMM.place)


def school(folder: Path) -> Store:
    """A class: bob has proved a lemma; [b]eve has lost it, has made a move that does not apply, and begun PEIRCE."""
    store = open_classroom(folder / "class.db")
    set_teacher_passphrase(store, OPEN_SESAME)
    make(sit(local(store, "bob"), in_letters("xy")), PROOF)
    eve = local(store, "[b]eve")
    attempt = sit(eve, OR_COMM)
    make(attempt, PROOF[:1])
    attempt.take_hint()
    with pytest.raises(InputError):
        attempt.make(Move("split"))
    attempt.make(Move("left"))
    make(sit(eve, PEIRCE), PROOF[:1])
    return store


async def type_in(pilot: Pilot[None], text: str) -> None:
    """Fill in a line; pasted, which is quicker than key by key."""
    pilot.app.post_message(events.Paste(text))
    await press(pilot, "enter")


def taught_in(folder: Path, **setup: Any) -> Classroom:
    """The classroom of the teacher."""
    return classroom(folder, teacher=True, **setup)


@asynccontextmanager
async def taught(app: Classroom, *keys: str, size: tuple[int, int] = NARROW) -> AsyncIterator[Pilot[None]]:
    """The class, unlocked, after some keys."""
    async with opened(app, size) as pilot:
        await type_in(pilot, OPEN_SESAME)
        await press(pilot, *keys)
        yield pilot


def sheet(app: Classroom, name: str) -> Sheet[Any]:
    return app.screen.query_one(f"#{name}", Sheet)


def palette(app: Classroom) -> set[str]:
    return {command.title for command in app.get_system_commands(app.screen)}


async def test_what_breaks_down_beside_the_class_is_said_and_the_class_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    monkeypatch.setattr(Enduring, "IS_STRICT", False)

    def broken(_: Register) -> list[Problem]:
        raise KeyError("[b]7")

    async with taught(app) as pilot:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(Register, "everything", broken)
            await press(pilot, "g")
            assert "a fault of Oasis (KeyError: '[b]7')" in notified(app)
        await press(pilot, "g")
        assert " bob" in shown(app)


async def test_a_title_is_whole_where_the_columns_beside_it_have_room_to_spare(tmp_path: Path) -> None:
    (tmp_path / "week_1.toml").write_text('title = "Week 1: and, or, and not"\nlemmas = ["textbook/and_comm"]')
    (exercise,) = Lesson.read(tmp_path / "week_1.toml").exercises_for("")
    with school(tmp_path) as store:
        app = taught_in(tmp_path, lesson_files=(tmp_path / "week_1.toml",))
        async with taught(app, size=WIDE) as pilot:
            make(sit(local(store, "Ada Lovelace"), exercise), PROOF[:1])
            await press(pilot, "g")
            row = next(line for line in shown(app).splitlines() if "Ada" in line)
            assert "Ada Lovelace" in row and "and_comm" in row and "Week 1: and, or, and not" in row


# The door.


async def test_without_a_teachers_passphrase_it_says_how_to_set_one_and_asks_for_none(tmp_path: Path) -> None:
    app = taught_in(tmp_path)
    async with opened(app) as pilot:
        assert "oasis classroom passphrase sets one" in " ".join(shown(app).replace("│", " ").split())
        assert not app.screen.query_one(Input).display
        assert not COMMANDS & palette(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, SignIn)


@pytest.mark.some_days
async def test_the_teacher_is_no_student_and_stands_in_no_list(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        async with taught(app, "g", "2", "1", "k") as pilot:
            await type_in(pilot, OPEN_SESAME)
        assert [row.name for row in store.students()] == ["[b]eve", "bob"]


@pytest.mark.some_days
@pytest.mark.parametrize("account", [None, "ada"])
async def test_who_signs_in_finds_the_teachers_door_and_the_way_back(tmp_path: Path, account: str | None) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path, account=account)
    async with opened(app) as pilot:
        if account is not None:
            await press(pilot, "D", "o")
        await pilot.click("#other-door")
        await settle(pilot)
        assert isinstance(app.screen, TeachersDoor)
        await pilot.click("#other-door")
        await settle(pilot)
        assert isinstance(app.screen, SignIn)
        await pilot.click("#other-door")
        await settle(pilot)
        await type_in(pilot, OPEN_SESAME)
        assert isinstance(app.screen, Teach)
        assert " bob" in shown(app)
        await press(pilot, "k")
        assert isinstance(app.screen, SignIn)


async def test_the_passphrase_opens_it_and_every_student_is_there(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app):
        lines = shown(app).splitlines()
        (bob,) = (line for line in lines if line.startswith(" bob"))
        assert bob.split()[1:6] == ["working", "✓", "or_comm", "now", "1/1"]
        (eve,) = (line for line in lines if line.startswith(" [b]eve"))
        assert eve.split()[1:7] == ["working", "peirce", "now", "0/2", "2", "1"]
        assert lines[0].strip() == "2 students: 2 working; 1 of 3 problems done (33%). No lesson given (--lesson)."
        assert palette(app) >= COMMANDS


@pytest.mark.usefixtures("no_time_passes")
async def test_wrong_passphrases_are_told_emptied_and_slowed(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with opened(app) as pilot:
        await type_in(pilot, "open barley")
        assert "That is not the teacher's passphrase; try again." in shown(app)
        assert app.screen.query_one(Input).value == ""
        for typed in ("barley", "wheat", OPEN_SESAME):
            await type_in(pilot, typed)
        assert "too many wrong tries; wait" in shown(app)
        assert not COMMANDS & palette(app)


@pytest.mark.some_days
async def test_no_place_of_a_student_shows_anybody_else(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path, "textbook/or_comm")
    async with opened(app) as pilot:
        for place in "LPTWDC":
            await press(pilot, place)
            assert "bob" not in shown(app)
            assert "[b]eve" not in shown(app)
            assert not (COMMANDS - {"Sign out"}) & palette(app)


@pytest.mark.some_days
async def test_who_closes_the_class_leaves_nothing_behind(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, "2", "3") as pilot:
        teach = app.screen
        assert sheet(app, "mistakes").row_count
        await press(pilot, "k")
        assert isinstance(app.screen, TeachersDoor)
        assert not teach.is_attached
        assert app.session._register is None
        assert "bob" not in shown(app) and not COMMANDS & palette(app)
        assert app.screen.query_one(Input).value == ""


async def test_help_in_front_of_it_does_not_lock_it(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, "question_mark") as pilot:
        assert "The class, for its teacher." in shown(app)
        await press(pilot, "escape")
        assert "bob" in shown(app)


# Behind it.


async def test_what_happens_meanwhile_is_seen_and_the_cursor_stays_on_its_row(tmp_path: Path) -> None:
    store = school(tmp_path)
    app = taught_in(tmp_path)
    async with taught(app, "down") as pilot:
        students = sheet(app, "students")
        assert students.row is not None
        assert students.row.where.name == "bob"
        make(sit(local(store, "anna"), OR_COMM), PROOF)
        await press(pilot, "g")
        assert " anna" in shown(app)
        assert students.row.where.name == "bob"
        assert students.cursor_row == 2
    store.close()


async def test_only_what_has_changed_is_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = school(tmp_path)
    app = taught_in(tmp_path)
    async with taught(app) as pilot:
        students = sheet(app, "students")
        drawn: list[str] = []
        update = students.update_cell

        def note(row: Any, column: Any, value: Any, **options: Any) -> None:
            drawn.append(str(value))
            update(row, column, value, **options)

        monkeypatch.setattr(students, "update_cell", note)
        monkeypatch.setattr(students, "clear", lambda **_: pytest.fail("drawn anew"))
        await press(pilot, "g")
        assert drawn == []
        sit(local(store, "bob"), in_letters("xy")).take_hint()
        await press(pilot, "g")
        assert [line.split()[:3] for line in drawn] == [["bob", "working", "or_comm"]]
    store.close()


async def test_sheets_are_sorted_by_each_column_and_either_way_round(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app) as pilot:

        def names() -> list[str]:
            students = sheet(app, "students")
            return [str(students.get_row_at(row)[0]).split()[0] for row in range(students.row_count)]

        assert names() == ["[b]eve", "bob"]
        await press(pilot, "v")
        assert names() == ["bob", "[b]eve"]
        assert "Sorted by now, from below." in shown(app)
        await press(pilot, *"ooo")
        assert "Sorted by done." in shown(app)
        assert names()[0] == "bob"
        await press(pilot, *"ooooo")
        assert "Sorted by name." in shown(app)
        await pilot.click("#students", offset=(3, 0))
        await settle(pilot)
        assert names() == ["bob", "[b]eve"]
        await pilot.click("#students", offset=(shown(app).splitlines()[2].index("hints"), 0))
        await settle(pilot)
        assert "Sorted by hints." in shown(app)
        assert names()[0] == "[b]eve"


async def test_who_is_stuck_stands_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.classroom.register.overview.STUCK_AFTER", 0)
    with school(tmp_path) as store:
        make(sit(local(store, "zoe"), PEIRCE), PROOF[:1])
    app = taught_in(tmp_path)
    async with taught(app):
        students = sheet(app, "students")
        rows = [str(students.get_row_at(row)[0]).split()[:2] for row in range(students.row_count)]
        assert rows == [["[b]eve", "stuck"], ["zoe", "stuck"], ["bob", "working"]]


async def test_enter_on_a_student_shows_each_of_their_problems(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, "enter"):
        text = shown(app)
        assert "○ or_comm" in text
        assert "○ peirce" in text


async def test_a_student_s_page_says_of_which_lesson_a_problem_is_and_the_problems_when_it_is_due(
    tmp_path: Path,
) -> None:
    school(tmp_path).close()
    text = 'title = "Disjunction"\ndue = 2030-12-01\nlemmas = ["textbook/or_comm"]'
    app = taught_in(tmp_path, lessons=(Lesson.parse(text, "week.toml", "week", tmp_path),))
    async with taught(app, "enter") as pilot:
        rows = [line.split() for line in shown(app).splitlines() if "or_comm" in line]
        assert [row[:3] for row in rows] == [["○", "or_comm", "Disjunction"], ["○", "or_comm", "cases"]]
        await press(pilot, "escape", "2")
        await pilot.resize_terminal(*WIDE)
        await settle(pilot)
        assert "2030-12-01" in shown(app) and "Disjunction" in shown(app)


async def test_problems_show_how_they_went_and_their_commonest_wrong_move(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, "2"):
        (line,) = (line for line in shown(app).splitlines() if line.startswith(" or_comm"))
        assert line.split() == ["or_comm", "cases", "1/2", "2", "0:00", "1", "1", "x", "split"]


async def test_mistakes_show_the_move_where_it_was_made_in_the_letters_of_the_problem(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, "2", "enter") as pilot:
        text = shown(app)
        assert "or_comm: x ∨ y → y ∨ x" in text
        assert "2 kinds of wrong moves in 2 attempts." in text
        assert "split does not apply; where it was first" in text
        await press(pilot, "down")
        text = shown(app)
        assert "left loses the proof; where it was first" in text
        assert "H : x ∨ y" in text and "p ∨ q" not in text
        await press(pilot, "2", "down", "enter")
        assert "No wrong moves in one attempt." in shown(app)


@pytest.mark.parametrize("keys", ["3", "23"])
async def test_mistakes_open_where_most_were_made_unless_another_problem_is_chosen(tmp_path: Path, keys: str) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "ann"), Exercise("easy", parse("p -> p"), "cases")), parse_script("intro; assumption"))
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, *keys) as pilot:
        assert "or_comm: x ∨ y → y ∨ x" in shown(app) and "2 kinds of wrong moves" in shown(app)
        await press(pilot, "2", "enter")
        assert "easy: p → p" in shown(app) and "No wrong moves" in shown(app)
        await press(pilot, "2", "end", "3")
        assert "peirce: " in shown(app)


async def test_mistakes_open_where_they_were_before_it_is_looked_for_them_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "ann"), Exercise("easy", parse("p -> p"), "cases")), parse_script("intro; assumption"))
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, "3") as pilot:
        monkeypatch.setattr(Teach, "_examine", lambda _: None)
        await press(pilot, "1", "3")
        assert "or_comm: x ∨ y → y ∨ x" in shown(app)


async def test_a_class_that_has_begun_nothing_is_shown_as_such(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
    app = taught_in(tmp_path)
    async with taught(app, "2", "3"):
        assert "Nobody has begun anything yet." in shown(app)


async def test_the_spreadsheets_are_those_of_the_register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = school(tmp_path)
    app = taught_in(tmp_path)
    delivered: dict[str, str] = {}
    monkeypatch.setattr(app.session, "save", lambda text, name: delivered.update({name: text}))
    async with taught(app, "s", "p", "c"):
        register = open_register(store, OPEN_SESAME)
        problems = register.problem_csv(register.mistakes)
        everybody = class_csv(overview(register.whereabouts(), register.marks()))
        assert delivered == {
            "students.csv": register.student_csv(),
            "problems.csv": problems,
            "class.csv": everybody,
        }
    store.close()


async def test_a_file_that_cannot_be_read_is_told_and_the_rest_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)

    def fail(_: Register) -> None:
        raise StoreError("class.db is in use by another process; wait for it.")

    async with taught(app) as pilot:
        monkeypatch.setattr(Register, "everything", fail)
        await press(pilot, "g")
        assert "in use by another process; wait for it." in shown(app)
        assert "bob" in shown(app)


@pytest.mark.parametrize("section", "1234")
async def test_nothing_overflows_and_in_ascii_nothing_else_is_drawn(tmp_path: Path, section: str) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path, look=ASCII, lessons=(Lesson.parse(LESSON, "week.toml", "week", tmp_path),))
    async with opened(app) as pilot:
        await press(pilot, "C")
        assert overflowing(app) == []
        await type_in(pilot, OPEN_SESAME)
        for key in (section, "o", "enter"):
            await press(pilot, key)
            assert overflowing(app) == []
            assert shown(app).isascii(), [c for c in shown(app) if not c.isascii()]
