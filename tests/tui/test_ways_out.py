"""Ways out: every dialog closes by a click, the help says how to leave, who leaves is warned of what is not stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.rooms import SIZES, WIDE, classroom, notified, opened, press, shown
from tui.app import Classroom
from tui.screens.dialogs import Box, Dialog, Help
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn

pytestmark = pytest.mark.slow

DIALOGS = {"help": ("question_mark",), "tactics": ("I",), "colours": ("D", "t"), "passphrase": ("D", "p")}


def words(app: Classroom) -> str:
    return " ".join(shown(app).replace("│", " ").split())


@pytest.mark.some_variants(6)
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("keys", DIALOGS.values(), ids=DIALOGS)
async def test_a_dialog_closes_by_its_button(keys: tuple[str, ...], size: tuple[int, int], tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, size) as pilot:
        await press(pilot, *keys)
        assert isinstance(app.screen, Dialog)
        assert await pilot.click("#close")
        await pilot.pause()
        assert not isinstance(app.screen, Dialog)


@pytest.mark.parametrize(("keys", "closes"), [(("question_mark",), True), (("D", "p"), False)])
async def test_a_click_beside_closes_what_is_read_and_leaves_what_is_filled_in(
    keys: tuple[str, ...], closes: bool, tmp_path: Path
) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, *keys)
        box = app.screen.query_one(Box)
        await pilot.click(box, offset=(20, 1))
        assert isinstance(app.screen, Dialog)
        await pilot.click(offset=(1, 1))
        await pilot.pause()
        assert isinstance(app.screen, Dialog) is not closes


async def test_a_line_of_the_help_does_what_it_says(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "question_mark")
        assert isinstance(app.screen, Help)
        lines = shown(app).splitlines()
        row = next(row for row, line in enumerate(lines) if "Go to the proof you are working on" in line)
        await pilot.click(offset=(20, row))
        await pilot.pause()
        assert isinstance(app.screen, Prove)


async def test_how_formulas_are_read_is_said_by_the_help_and_on_the_card_of_signs(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app, WIDE) as pilot:
        await press(pilot, "P", "question_mark")
        assert "p → q → r is p → (q → r)" in words(app)
        await press(pilot, "escape", "I")
        assert "p → q → r is p → (q → r)" in words(app)


async def test_ctrl_c_says_of_leaving_what_the_help_says(tmp_path: Path) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        await press(pilot, "ctrl+c")
        told = notified(app)
        assert told == "Q (or Ctrl+Q) leaves the classroom; your work is saved."
        await press(pilot, "question_mark")
        assert told in words(app)


async def test_at_the_door_too_there_is_help_and_a_way_out(tmp_path: Path) -> None:
    app = classroom(tmp_path, account=None)
    async with opened(app) as pilot:
        await press(pilot, "f1")
        assert "Ctrl+Q leaves the classroom" in words(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, SignIn)
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert app._exit


@pytest.mark.parametrize("key", ["Q", "ctrl+q"])
async def test_who_leaves_with_work_that_is_not_stored_is_warned(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = classroom(tmp_path)
    async with opened(app) as pilot:
        desk = app.session.seat.desk
        monkeypatch.setattr(type(desk), "save", lambda *_: False)
        monkeypatch.setattr(desk, "trouble", "It could not be stored.")
        await press(pilot, key)
        assert not app._exit
        assert "Leaving now loses it; Q again leaves." in notified(app)
        await press(pilot, key)
        assert app._exit
