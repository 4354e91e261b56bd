"""Class: a door that only the teacher's passphrase opens, and behind it what the register says."""

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
from oasis.classroom.register.register import Register
from oasis.store import Store, StoreError
from tactics.errors import InputError
from tactics.goal import Move
from tactics.parser import parse
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, PEIRCE, local, make
from tests.tui.rooms import ASCII, NARROW, classroom, opened, overflowing, press, settle, shown
from tui.app import Classroom
from tui.screens.learn import Learn
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
    "Lock",
}


@pytest.fixture(autouse=True)
def _cheap_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they cost is tested elsewhere."""
    monkeypatch.setattr("oasis.classroom.people.passphrases._COST", 2**8)


def in_letters(letters: str) -> Exercise:
    left, right = tuple(letters)
    return Exercise(OR_COMM.name, parse(f"{left} \\/ {right} -> {right} \\/ {left}"), OR_COMM.place)


def school(folder: Path) -> Store:
    """A class: bob has proved a lemma; [b]eve has lost it, has made a move that does not apply, and begun PEIRCE."""
    store = open_classroom(folder / "class.db")
    set_teacher_passphrase(store, OPEN_SESAME)
    make(local(store, "bob").sit(in_letters("xy")), PROOF)
    eve = local(store, "[b]eve")
    attempt = eve.sit(OR_COMM)
    attempt.take_hint()
    make(attempt, PROOF[:1])
    with pytest.raises(InputError):
        attempt.make(Move("split"))
    attempt.make(Move("left"))
    make(eve.sit(PEIRCE), PROOF[:1])
    return store


async def type_in(pilot: Pilot[None], text: str) -> None:
    """Fill in a line; pasted, which is quicker than key by key."""
    pilot.app.post_message(events.Paste(text))
    await press(pilot, "enter")


@asynccontextmanager
async def taught(app: Classroom, *keys: str, size: tuple[int, int] = NARROW) -> AsyncIterator[Pilot[None]]:
    """The class, unlocked, after some keys."""
    async with opened(app, size) as pilot:
        await press(pilot, "C")
        await type_in(pilot, OPEN_SESAME)
        await press(pilot, *keys)
        yield pilot


def sheet(app: Classroom, name: str) -> Sheet[Any]:
    return app.screen.query_one(f"#{name}", Sheet)


def palette(app: Classroom) -> set[str]:
    return {command.title for command in app.get_system_commands(app.screen)}


# The door.


async def test_without_a_teachers_passphrase_it_says_how_to_set_one_and_asks_for_none(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "C")
        assert "oasis classroom passphrase" in " ".join(shown(app).split())
        assert not app.screen.query_one(Input).display
        assert not COMMANDS & palette(app)
        await press(pilot, "L")
        assert isinstance(app.screen, Learn)


async def test_the_passphrase_opens_it_and_every_student_is_there(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app):
        lines = shown(app).splitlines()
        (bob,) = (line for line in lines if line.startswith(" bob"))
        assert bob.split()[1:5] == ["✓", "or_comm", "now", "1/1"]
        (eve,) = (line for line in lines if line.startswith(" [b]eve"))
        assert eve.split()[1:7] == ["peirce", "now", "0/2", "2", "1", "0"]
        assert any(line.startswith(" ada") for line in lines)
        assert palette(app) >= COMMANDS


async def test_wrong_passphrases_are_told_emptied_and_slowed(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "C")
        await type_in(pilot, "open barley")
        assert "That is not the teacher's passphrase; try again." in shown(app)
        assert app.screen.query_one(Input).value == ""
        for typed in ("barley", "wheat", OPEN_SESAME):
            await type_in(pilot, typed)
        assert "too many wrong tries; wait" in shown(app)
        assert not COMMANDS & palette(app)


async def test_a_student_reaches_nothing_behind_the_door_by_keys_or_the_palette(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    delivered: list[str] = []
    monkeypatch.setattr(app, "save", lambda _, name: delivered.append(name))
    async with opened(app) as pilot:
        await press(pilot, "C", "escape", "1", "2", "3", "4", "o", "v", "g", "s", "p", "enter")
        assert isinstance(app.screen, Teach)
        for action in ("students", "problems", "mistakes", "exercises", "save_students", "save_problems", "renew"):
            await app.screen.run_action(action)
        await settle(pilot)
        assert "Only the teacher comes in" in shown(app)
        assert "bob" not in shown(app)
        assert delivered == []
        assert not COMMANDS & palette(app)
        await press(pilot, "L")
        assert isinstance(app.screen, Learn)


async def test_no_other_place_of_a_student_shows_anybody_else(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path, "textbook/or_comm")
    async with opened(app) as pilot:
        for place in "LPTWDC":
            await press(pilot, place)
            assert "bob" not in shown(app)
            assert "[b]eve" not in shown(app)
            assert not COMMANDS & palette(app)


@pytest.mark.parametrize("way", ["k", "L", "click"])
async def test_locking_or_leaving_locks_it_and_leaves_nothing_behind(tmp_path: Path, way: str) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app, "2", "3") as pilot:
        teach = app.screen
        assert sheet(app, "mistakes").row_count
        if way == "click":
            await pilot.click("Place")
        else:
            await press(pilot, way)
        await settle(pilot)
        assert not any(each.row_count for each in teach.query(Sheet))
        if way != "k":
            assert isinstance(app.screen, Learn)
            await press(pilot, "C")
        assert "Only the teacher comes in" in shown(app)
        assert not COMMANDS & palette(app)


async def test_whoever_signs_in_next_finds_it_locked(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app, "D", "o") as pilot:
        await type_in(pilot, "zoe")
        await press(pilot, "C")
        assert app.seat.desk.name == "zoe"
        assert "Only the teacher comes in" in shown(app)


async def test_help_in_front_of_it_does_not_lock_it(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app, "question_mark") as pilot:
        assert "The class, for its teacher." in shown(app)
        await press(pilot, "escape")
        assert "bob" in shown(app)


# Behind it.


async def test_what_happens_meanwhile_is_seen_and_the_cursor_stays_on_its_row(tmp_path: Path) -> None:
    store = school(tmp_path)
    app = classroom(tmp_path)
    async with taught(app, "down", "down") as pilot:
        students = sheet(app, "students")
        assert students.row is not None
        assert students.row.where.student == "bob"
        make(local(store, "anna").sit(OR_COMM), PROOF)
        await press(pilot, "g")
        assert " anna" in shown(app)
        assert students.row.where.student == "bob"
        assert students.cursor_row == 3
    store.close()


async def test_only_what_has_changed_is_drawn_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = school(tmp_path)
    app = classroom(tmp_path)
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
        local(store, "bob").sit(in_letters("xy")).take_hint()
        await press(pilot, "g")
        assert [line.split()[:2] for line in drawn] == [["bob", "or_comm"]]
    store.close()


async def test_sheets_are_sorted_by_each_column_and_either_way_round(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app) as pilot:

        def names() -> list[str]:
            students = sheet(app, "students")
            return [str(students.get_row_at(row)[0]).split()[0] for row in range(students.row_count)]

        assert names() == ["[b]eve", "ada", "bob"]
        await press(pilot, "v")
        assert names() == ["bob", "ada", "[b]eve"]
        assert "Sorted by name, from below." in shown(app)
        await press(pilot, "o", "o", "o")
        assert "Sorted by done." in shown(app)
        assert names()[0] == "bob"
        await press(pilot, *"ooooo", "o")
        assert "Sorted by name." in shown(app)
        await pilot.click("#students", offset=(3, 0))
        await settle(pilot)
        assert names() == ["bob", "ada", "[b]eve"]
        await pilot.click("#students", offset=(shown(app).splitlines()[2].index("hints"), 0))
        await settle(pilot)
        assert "Sorted by hints." in shown(app)
        assert names()[0] == "[b]eve"


async def test_enter_on_a_student_shows_each_of_their_problems(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app, "enter"):
        text = shown(app)
        assert "○ or_comm" in text
        assert "○ peirce" in text


async def test_problems_show_how_they_went_and_their_commonest_wrong_move(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app, "2"):
        (line,) = (line for line in shown(app).splitlines() if line.startswith(" or_comm"))
        assert line.split() == ["or_comm", "1/2", "2", "0:00", "6", "1", "0", "1", "x", "split"]


async def test_mistakes_show_the_move_where_it_was_made_and_in_which_letters(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app, "2", "enter") as pilot:
        text = shown(app)
        assert "or_comm: x ∨ y → y ∨ x" in text
        assert "2 kinds of wrong moves in 2 of 2 attempts." in text
        assert "split does not apply; in the letters of who did so first" in text
        await press(pilot, "down")
        text = shown(app)
        assert "left loses the proof; in the letters of who did so first" in text
        assert "H : p ∨ q" in text


async def test_mistakes_can_be_opened_before_the_problems_were(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)
    async with taught(app, "3"):
        assert "2 kinds of wrong moves" in shown(app)


async def test_a_class_that_has_begun_nothing_is_shown_as_such(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        set_teacher_passphrase(store, OPEN_SESAME)
    app = classroom(tmp_path)
    async with taught(app, "2", "3"):
        assert "Nobody has begun anything yet." in shown(app)


async def test_the_lesson_is_checked_and_its_shortest_proofs_are_shown(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path, lesson=Lesson.parse(LESSON, "week.toml", "week", tmp_path))
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
    app = classroom(tmp_path)
    async with taught(app, "4"):
        assert "oasis tui --lesson FILE" in shown(app)


async def test_both_spreadsheets_are_those_of_the_register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = school(tmp_path)
    app = classroom(tmp_path)
    delivered: dict[str, str] = {}
    monkeypatch.setattr(app, "save", lambda text, name: delivered.update({name: text}))
    async with taught(app, "s", "p"):
        register = open_register(store, OPEN_SESAME)
        problems = register.problem_csv(register.mistakes)
        assert delivered == {"students.csv": register.student_csv(), "problems.csv": problems}
    store.close()


async def test_a_file_that_cannot_be_read_is_told_and_the_rest_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path)

    def fail(_: Register) -> None:
        raise StoreError("class.db is in use by another process; wait for it.")

    async with taught(app) as pilot:
        monkeypatch.setattr(Register, "marks", fail)
        await press(pilot, "g")
        assert "in use by another process; wait for it." in shown(app)
        assert "bob" in shown(app)


@pytest.mark.parametrize("section", "1234")
async def test_nothing_overflows_and_in_ascii_nothing_else_is_drawn(tmp_path: Path, section: str) -> None:
    school(tmp_path).close()
    app = classroom(tmp_path, look=ASCII, lesson=Lesson.parse(LESSON, "week.toml", "week", tmp_path))
    async with opened(app) as pilot:
        await press(pilot, "C")
        assert overflowing(app) == []
        await type_in(pilot, OPEN_SESAME)
        for key in (section, "o", "enter"):
            await press(pilot, key)
            assert overflowing(app) == []
            assert shown(app).isascii(), [c for c in shown(app) if not c.isascii()]
