"""What changes the list of the class is asked in a form, and passphrases are told: by keys alone, and only once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from oasis.classroom.people.roll import Roll, Ticket
from oasis.store import StoreError
from tests.tui.rooms import ASCII, NARROW, classroom, opened, overflowing, press, settle, shown
from tui.app import Classroom
from tui.look import Look
from tui.screens.dialogs import Box, Dialog
from tui.screens.learn import Learn
from tui.screens.roll_dialogs import AddStudents, Confirm, RenameStudent, ResetPassphrase, Told

pytestmark = pytest.mark.slow

NAMES = ["Grace Hopper", "[b]eve", "a" * 40, *(f"Student {number}" for number in range(27))]


@pytest.fixture(autouse=True)
def _cheap_passphrases(monkeypatch: pytest.MonkeyPatch) -> None:
    """What they cost is tested elsewhere."""
    monkeypatch.setattr("oasis.classroom.people.passphrases._COST", 2)


class Teacher:
    """Changes the list, and keeps what was saved; a change may be held up, as by a slow disk."""

    def __init__(self, app: Classroom) -> None:
        self.roll, self.saved, self.done = Roll(app.session.store), dict[str, str](), 0
        self.go_on = asyncio.Event()
        self.go_on.set()

    def save(self, text: str, name: str) -> None:
        self.saved[name] = text

    async def add(self, names: Sequence[str]) -> list[Ticket]:
        self.done += 1
        await self.go_on.wait()
        return self.roll.add(names)

    async def reset(self) -> Ticket:
        return self.roll.reset("ada")

    async def rename(self, new: str) -> None:
        self.roll.rename("ada", new)

    async def dismiss(self) -> None:
        self.roll.dismiss("ada")


@asynccontextmanager
async def asked(
    folder: Path, dialog: Callable[[Teacher], Dialog], look: Look | None = None, size: tuple[int, int] = NARROW
) -> AsyncIterator[tuple[Pilot[None], Teacher, Classroom]]:
    """A dialog in front of the classroom of ada."""
    app = classroom(folder, look=look or Look())
    async with opened(app, size) as pilot:
        teacher = Teacher(app)
        await app.push_screen(dialog(teacher))
        await settle(pilot)
        yield pilot, teacher, app


def words(app: Classroom) -> str:
    """What is on the screen, without frames and line ends."""
    return " ".join(shown(app).replace("│", " ").split())


def adding(teacher: Teacher) -> Dialog:
    return AddStudents(teacher.add, teacher.save)


def resetting(teacher: Teacher) -> Dialog:
    return ResetPassphrase("ada", teacher.reset, teacher.save)


def renaming(teacher: Teacher) -> Dialog:
    return RenameStudent("ada", teacher.rename)


def dismissing(teacher: Teacher) -> Dialog:
    return Confirm("Leaves", "ada is not let in any more; all work is kept.", "Take off the list", teacher.dismiss)


async def test_names_are_typed_one_a_line_and_the_passphrases_told_and_saved(tmp_path: Path) -> None:
    async with asked(tmp_path, adding) as (pilot, teacher, app):
        await press(pilot, *"Zoe", "enter", "B", "o", "b", "tab", "enter")
        assert isinstance(app.screen, Told)
        assert [each.name for each in teacher.roll.students()] == ["ada", "Bob", "Zoe"]
        await press(pilot, "tab", "enter")
        header, *lines = teacher.saved["passphrases.csv"].splitlines()
        assert header == "\ufeffname,passphrase"
        assert [line.split(",")[0] for line in lines] == ["Zoe", "Bob"]
        for line in lines:
            assert " ".join(line.split(",")) in words(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, Learn)
        for line in lines:
            assert line.split(",")[1] not in shown(app)


async def test_a_name_that_cannot_be_added_is_told_and_the_names_stay_to_be_corrected(tmp_path: Path) -> None:
    async with asked(tmp_path, adding) as (pilot, teacher, app):
        await press(pilot, "tab", "enter")
        assert "There are no names yet" in words(app)
        await press(pilot, *"Zoe", "enter", *"ada", "tab", "enter")
        assert "Nobody was added: ada is on the list already; add the others" in words(app)
        assert app.screen.query_one(TextArea).text == "Zoe\nada"
        assert app.focused is app.screen.query_one(TextArea)
        assert len(teacher.roll.students()) == 1


async def test_while_students_are_added_nothing_takes_their_passphrases_away(tmp_path: Path) -> None:
    async with asked(tmp_path, adding) as (pilot, teacher, app):
        teacher.go_on.clear()
        await pilot.press(*"Zoe", "tab", "enter", "enter", "escape", "enter")
        await pilot.pause()
        assert isinstance(app.screen, AddStudents)
        teacher.go_on.set()
        await settle(pilot)
        assert isinstance(app.screen, Told)
        assert teacher.done == 1


async def test_a_new_passphrase_is_made_up_with_enter_and_told(tmp_path: Path) -> None:
    async with asked(tmp_path, resetting) as (pilot, teacher, app):
        assert "ada gets a new passphrase" in words(app)
        assert not teacher.roll.students()[0].has_passphrase
        await press(pilot, "enter")
        assert "Tell ada the passphrase now" in words(app)
        assert teacher.roll.students()[0].has_passphrase
        await press(pilot, "tab", "enter", "escape")
        assert teacher.saved["passphrases.csv"].startswith("\ufeffname,passphrase\nada,")


async def test_a_name_is_corrected_or_it_is_told_why_not(tmp_path: Path) -> None:
    async with asked(tmp_path, renaming) as (pilot, teacher, app):
        teacher.roll.add(["Bob"])
        await press(pilot, *"bob", "enter")
        assert "Another student is called bob" in words(app)
        app.screen.query_one(Input).value = "Ada Lovelace"
        await press(pilot, "enter")
        assert isinstance(app.screen, Learn)
        assert [each.name for each in teacher.roll.students()] == ["Ada Lovelace", "Bob"]


@pytest.mark.parametrize(("key", "is_off"), [("enter", True), ("escape", False)])
async def test_what_is_to_be_confirmed_is_done_with_enter_alone(tmp_path: Path, key: str, is_off: bool) -> None:
    async with asked(tmp_path, dismissing) as (pilot, teacher, app):
        assert "ada is not let in any more" in words(app)
        await press(pilot, key)
        assert isinstance(app.screen, Learn)
        assert (teacher.roll.students()[0].left is not None) is is_off


async def test_a_file_that_cannot_be_written_is_told_in_the_form(tmp_path: Path) -> None:
    async def fail() -> None:
        raise StoreError("class.db cannot grow because the disk is full; make room and go on.")

    async with asked(tmp_path, lambda _: Confirm("Leaves", "ada leaves.", "Do it", fail)) as (pilot, _, app):
        await press(pilot, "enter")
        assert "the disk is full" in words(app)
        assert isinstance(app.screen, Confirm)
        await press(pilot, "escape")
        assert isinstance(app.screen, Learn)


def telling(_: Teacher) -> Dialog:
    return Told([Ticket(name, "bamik-tuzor-wegan") for name in NAMES], lambda *_: None)


@pytest.mark.parametrize("size", [NARROW, (200, 60)])
@pytest.mark.parametrize("dialog", [adding, resetting, renaming, dismissing, telling])
async def test_nothing_overflows_and_in_ascii_nothing_else_is_drawn(
    tmp_path: Path, dialog: Callable[[Teacher], Dialog], size: tuple[int, int]
) -> None:
    async with asked(tmp_path, dialog, ASCII, size) as (pilot, _, app):
        assert overflowing(app) == []
        box = app.screen.query_one(Box).region
        assert abs(box.y - (size[1] - box.bottom)) <= 1, "as much room above it as below"
        assert shown(app).isascii()
        if dialog is telling:
            assert "[b]eve" in shown(app)
            await press(pilot, "tab")
            assert "Student 26" in shown(app) and "Save as a spreadsheet" in shown(app)
