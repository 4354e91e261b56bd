"""The list of the class, changed by its teacher with keys; passphrases are told only once."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event

import pytest
from textual import events
from textual.widgets import TextArea

from oasis.classroom.admission import NotAdmitted, admit
from oasis.classroom.desk.work import read_work
from oasis.classroom.people.roll import Roll, Ticket
from oasis.store import StoreError
from tests.tui.rooms import (
    ASCII,
    NARROW,
    WIDE,
    WIDEST,
    click_at,
    notified,
    overflowing,
    palette,
    press,
    saved,
    settle,
    shown,
    words,
)
from tests.tui.school import school, sheet, taught, taught_in, teaching
from tui.screens.dialogs import Box, Dialog
from tui.screens.roll_dialogs import AddStudents, EraseStudent, Told
from tui.screens.teach import Teach

pytestmark = pytest.mark.slow

PASSPHRASE = re.compile(r"\b\w{5}-\w{5}-\w{5}\b")
LIST = {"Add", "Forgotten", "Rename", "Dismiss", "Erase"}


async def test_names_are_put_on_the_list_and_each_comes_in_with_the_passphrase_that_is_told_once_and_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        files = saved(app, monkeypatch)
        async with taught(app, "a", "tab", "enter") as pilot:
            assert "There are no names yet" in words(app)
            await press(pilot, *"Zoe", "enter", *"bob", "tab", "enter")
            assert "Nobody was added: bob is on the list already; add the others" in words(app)
            names = app.screen.query_one(TextArea)
            assert names.text == "Zoe\nbob" and app.focused is names and len(store.students()) == 2
            await press(pilot, *["backspace"] * 3, *"Max", "tab", "enter")
            found = PASSPHRASE.findall(shown(app))
            for name, passphrase in zip(("Zoe", "Max"), found, strict=True):
                assert admit(store, name, passphrase=passphrase).name == name
            await press(pilot, "tab", "enter")
            lines = [f"{name},{passphrase}" for name, passphrase in zip(("Zoe", "Max"), found, strict=True)]
            assert files["passphrases.csv"].splitlines() == ["\ufeffname,passphrase", *lines]
            await press(pilot, "escape")
            assert "Zoe" in shown(app) and "Max" in shown(app) and not PASSPHRASE.findall(shown(app))


async def test_while_students_are_added_nothing_takes_their_passphrases_away_and_what_fails_is_told_in_the_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, add, added = Event(), Roll.add, list[list[str]]()

    def add_slowly(roll: Roll, names: list[str]) -> list[Ticket]:
        added.append(names)
        assert go_on.wait(60)
        return add(roll, names)

    def fail(*_: object) -> None:
        raise StoreError("class.db cannot grow because the disk is full; make room and go on.")

    with school(tmp_path) as store:
        async with teaching(tmp_path, "a") as (app, pilot):
            monkeypatch.setattr(Roll, "add", add_slowly)
            await pilot.press(*"Zoe", "tab", "enter", "enter", "escape", "enter")
            await pilot.pause()
            assert isinstance(app.screen, AddStudents)
            go_on.set()
            await settle(pilot)
            assert isinstance(app.screen, Told) and len(store.students()) == 3 and added == [["Zoe"]]
            monkeypatch.setattr(Roll, "dismiss", fail)
            await press(pilot, "escape", "x", "enter")
            assert "the disk is full" in words(app) and isinstance(app.screen, Dialog)
            await press(pilot, "escape")
            assert isinstance(app.screen, Teach)


@pytest.mark.parametrize("size", [NARROW, WIDEST])
async def test_many_passphrases_are_scrolled_through_in_the_middle_of_the_screen(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path, "a", size=size, look=ASCII) as (app, pilot):
        app.post_message(events.Paste("\n".join(["[b]max", "a" * 40, *(f"Student {number}" for number in range(27))])))
        await press(pilot, "tab", "enter")
        assert "[b]max" in shown(app)
        await press(pilot, "tab")
        assert "Student 26" in shown(app) and "Save as a spreadsheet" in shown(app)
        assert overflowing(app) == [] and shown(app).isascii()
        box = app.screen.query_one(Box).region
        assert abs(box.y - (size[1] - box.bottom)) <= 1, "as much room above it as below"


async def test_the_student_under_the_cursor_gets_another_passphrase_another_name_and_leaves(tmp_path: Path) -> None:
    with school(tmp_path) as store:
        async with teaching(tmp_path, "down", "w", "enter") as (app, pilot):
            (passphrase,) = PASSPHRASE.findall(shown(app))
            assert admit(store, "bob", passphrase=passphrase).name == "bob"
            await press(pilot, "escape", "e", "end", "b", "y", "enter")
            assert "bobby" in shown(app) and admit(store, "bobby", passphrase=passphrase).name == "bobby"
            before = store.attempts()
            await press(pilot, "x", "escape")
            assert "bobby" in shown(app)
            await press(pilot, "x", "enter")
            assert notified(app) == "bobby is off the list. All work is kept."
            assert sheet(app, "students").row_count == 1
            with pytest.raises(NotAdmitted):
                admit(store, "bobby", passphrase=passphrase)
            assert store.attempts() == before
            store.set_left(store.students()[0].id, "2026-01-01")
            await press(pilot, "g", "e", "w", "x")
            assert app.screen is app.screen_stack[0], "there is nobody to rename any more"


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_all_that_can_be_done_with_the_class_is_seen_and_done_by_a_click_where_the_students_are(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    school(tmp_path).close()
    async with teaching(tmp_path, size=size) as (app, pilot):
        assert palette(app) >= LIST
        for label in (*LIST, "Class.csv", "Students.csv", "Problems.csv", "Sort", "Reverse", "Renew", "Sign out"):
            assert f" {label}" in shown(app).partition("Sorted by")[2]
        await click_at(pilot, "X Erase")
        assert isinstance(app.screen, EraseStudent)
        await press(pilot, "escape")
        for section in "234":
            await press(pilot, section)
            assert not palette(app) & LIST and "Erase" not in shown(app) and "Class.csv" in shown(app)
        await press(pilot, "1", "k")
        assert not palette(app) & LIST


async def test_a_student_is_erased_after_a_copy_and_after_their_name_was_typed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with school(tmp_path) as store:
        app = taught_in(tmp_path)
        delivered = saved(app, monkeypatch)
        async with taught(app, "down", "X") as pilot:
            assert "This deletes bob and all of their work for good" in words(app)
            await press(pilot, "enter")
            assert read_work(delivered["bob-oasis.json"]).name == "bob"
            await press(pilot, *"bobby", "enter")
            assert "Type bob, just as it stands here" in words(app)
            await press(pilot, "end", "backspace", "backspace", "enter")
            assert [row.name for row in store.students()] == ["[b]eve"] and " bob" not in shown(app)
        content = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert b"x \\/ y" not in content and b"bob" not in content
