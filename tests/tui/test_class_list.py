"""The list of the class, changed by its teacher with keys; and a student who looks back at their own work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from textual import events

from oasis.classroom.admission import NotAdmitted, admit, open_classroom
from oasis.classroom.desk.work import read_work
from tactics.script import parse_script
from tests.classroom.people import OR_COMM, local, make, sit
from tests.tui.rooms import NARROW, WIDE, classroom, notified, opened, press, settle, shown
from tests.tui.test_teach import palette, school, taught, taught_in, type_in
from tui.screens.history import History
from tui.screens.roll_dialogs import EraseStudent
from tui.screens.student_page import StudentPage
from tui.widgets.sheet import Sheet

pytestmark = pytest.mark.slow

PASSPHRASE = re.compile(r"\b\w{5}-\w{5}-\w{5}\b")
PROOF = parse_script("intro; destruct_or H; right; assumption; left; assumption")
LIST = {"Add", "Forgotten", "Rename", "Dismiss", "Erase"}


async def test_names_are_put_on_the_list_and_each_comes_in_with_the_passphrase_that_is_shown(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        async with taught(app, "a") as pilot:
            app.post_message(events.Paste("Zoe\nMax"))
            await press(pilot, "tab", "enter")
            found = PASSPHRASE.findall(shown(app))
            for name, passphrase in zip(("Zoe", "Max"), found, strict=True):
                assert admit(store, name, passphrase=passphrase).name == name
            await press(pilot, "escape")
            assert "Zoe" in shown(app) and "Max" in shown(app)
            await press(pilot, "a")
            app.post_message(events.Paste("zoe"))
            await press(pilot, "tab", "enter")
            assert "zoe is on the list already" in shown(app)


@pytest.mark.some_days
async def test_the_student_under_the_cursor_gets_another_passphrase_another_name_and_leaves(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        async with taught(app, "down", "w", "enter") as pilot:
            (passphrase,) = PASSPHRASE.findall(shown(app))
            assert admit(store, "bob", passphrase=passphrase).name == "bob"
            await press(pilot, "escape", "e", "end", "b", "y", "enter")
            assert "bobby" in shown(app)
            assert admit(store, "bobby", passphrase=passphrase).name == "bobby"
            before = store.attempts()
            await press(pilot, "x", "escape")
            assert "bobby" in shown(app)
            await press(pilot, "x", "enter")
            assert notified(app) == "bobby is off the list. All work is kept."
            assert app.screen.query_one("#students", Sheet).row_count == 1
            with pytest.raises(NotAdmitted):
                admit(store, "bobby", passphrase=passphrase)
            assert store.attempts() == before


@pytest.mark.some_days
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_all_that_can_be_done_with_the_class_is_seen_and_done_by_a_click(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app, size=size) as pilot:
        seen = shown(app)
        for label in (*LIST, "Class.csv", "Students.csv", "Problems.csv", "Sort", "Reverse", "Renew", "Sign out"):
            assert f" {label}" in seen.partition("Sorted by")[2]
        lines = seen.splitlines()
        row = next(row for row, line in enumerate(lines) if "X Erase" in line)
        await pilot.click(offset=(lines[row].index("X Erase"), row))
        await settle(pilot)
        assert isinstance(app.screen, EraseStudent)
        await press(pilot, "escape", "2")
        assert "Erase" not in shown(app) and "Class.csv" in shown(app)


async def test_a_student_is_erased_after_a_copy_and_after_their_name_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delivered: dict[str, str] = {}
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        monkeypatch.setattr(app.session, "save", lambda text, name: delivered.update({name: text}))
        async with taught(app, "down", "X") as pilot:
            said = " ".join(shown(app).split())
            assert "This deletes bob and all of their work for good" in said
            await press(pilot, "enter")
            assert read_work(delivered["bob-oasis.json"]).name == "bob"
            await press(pilot, *"bobby", "enter")
            assert "Type bob, just as it stands here" in " ".join(shown(app).split())
            await press(pilot, "end", "backspace", "backspace", "enter")
            assert [row.name for row in store.students()] == ["[b]eve"]
            assert " bob" not in shown(app)
        content = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert b"x \\/ y" not in content and b"bob" not in content


@pytest.mark.some_days
async def test_the_list_is_changed_where_the_students_are_and_nowhere_else(tmp_path: Path) -> None:
    school(tmp_path).close()
    app = taught_in(tmp_path)
    async with taught(app) as pilot:
        assert palette(app) >= LIST
        for section in "234":
            await press(pilot, section)
            assert not palette(app) & LIST
        await press(pilot, "1", "k")
        assert not palette(app) & LIST


async def test_with_nobody_in_the_class_there_is_nobody_to_rename(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        async with taught(app) as pilot:
            for student in store.students():
                store.set_left(student.id, "2026-01-01")
            await press(pilot, "g", "e", "w", "x")
            assert app.screen is app.screen_stack[0]


async def test_a_student_looks_back_at_their_own_work_and_at_nobody_elses(tmp_path: Path) -> None:
    with open_classroom(tmp_path / "class.db") as store:
        make(sit(local(store, "ada"), OR_COMM), PROOF)
        make(sit(local(store, "bob"), OR_COMM), PROOF[:1])
    app = classroom(tmp_path)
    async with opened(app, NARROW) as pilot:
        await press(pilot, "D", "h")
        assert isinstance(app.screen, StudentPage)
        assert "ada" in shown(app) and "bob" not in shown(app)
        assert "1 of 1 done, 10 points" in shown(app)
        await press(pilot, "enter")
        assert isinstance(app.screen, History)
        assert "made assumption, which proves it" in shown(app)
        await press(pilot, "escape", "escape")
        assert app.current_mode == "data"


@pytest.mark.some_days
async def test_a_student_who_is_taken_off_the_list_does_not_come_in_again(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        student = store.student("bob")
        assert student is not None
        store.set_left(student.id, "2026-01-01")
    app = classroom(tmp_path, account="bob")
    async with opened(app) as pilot:
        await settle(pilot)
        assert "no longer in this class" in " ".join(shown(app).split())
        await type_in(pilot, "bob")
        assert not hasattr(app, "seat")
