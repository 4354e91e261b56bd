"""The keys at the bottom, the first look round, the help, and the ways out of every dialog and of the classroom."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from rich.cells import cell_len

from tests.tui.rooms import (
    ASCII,
    NARROW,
    SIZES,
    WIDEST,
    click_at,
    notified,
    overflowing,
    press,
    settle,
    shown,
    sitting,
    words,
)
from tui.app import Classroom
from tui.screens.dialogs import Box, Dialog, Help
from tui.screens.learn import Learn
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn
from tui.screens.tour import Tour
from tui.screens.watch import Watch
from tui.widgets.key_bar import HasKeys, KeyBar

pytestmark = pytest.mark.slow


DIALOGS = {"help": ("question_mark",), "tactics": ("I",), "colours": ("D", "t"), "passphrase": ("D", "p")}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_a_dialog_closes_by_its_button_and_what_is_read_by_a_click_beside_it(
    size: tuple[int, int], tmp_path: Path
) -> None:
    async with sitting(tmp_path, size=size) as (app, pilot):
        for keys in DIALOGS.values():
            await press(pilot, *keys)
            assert isinstance(app.screen, Dialog)
            assert await pilot.click("#close")
            await pilot.pause()
            assert not isinstance(app.screen, Dialog)
        for keys, stays in ((DIALOGS["help"], False), (DIALOGS["passphrase"], True)):
            await press(pilot, *keys)
            await pilot.click(app.screen.query_one(Box), offset=(20, 1))
            assert isinstance(app.screen, Dialog)
            await pilot.click(offset=(1, 1))
            await pilot.pause()
            assert isinstance(app.screen, Dialog) is stays, "what is filled in stays"


async def test_help_explains_a_place_and_how_to_leave_and_a_click_on_its_lines_does_what_they_say(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, size=(100, 60)) as (app, pilot):
        await press(pilot, "ctrl+c")
        told = notified(app)
        assert told == "Q (or Ctrl+Q) leaves the classroom; your work is saved."
        await press(pilot, "question_mark")
        assert told in words(app) and isinstance(app.screen, Help)
        await click_at(pilot, "Go to the proof you are working on")
        assert isinstance(app.screen, Prove)
        await press(pilot, "question_mark")
        assert "Above the line are the hypotheses" in shown(app)
        for word in ("Undo", "Redo", "Hint", "No proof", "Save", "Next", "Together", "Leave"):
            assert word in shown(app)
        await click_at(pilot, "F first look")
        assert isinstance(app.screen, Tour)


async def test_at_the_door_too_there_is_help_and_a_way_out(tmp_path: Path) -> None:
    async with sitting(tmp_path, account=None) as (app, pilot):
        await press(pilot, "f1")
        assert "Ctrl+Q leaves the classroom" in words(app)
        await press(pilot, "escape")
        assert isinstance(app.screen, SignIn)
        await pilot.press("ctrl+q")
        await pilot.pause()
        assert app._exit


async def test_who_comes_first_is_shown_where_things_are_and_never_again_whether_it_was_read_or_not(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, tour=True, look=ASCII, size=NARROW) as (app, pilot):
        seen = []
        while isinstance(app.screen, Tour):
            seen.append(shown(app))
            assert overflowing(app) == [] and seen[-1].isascii()
            await press(pilot, "enter")
        assert isinstance(app.screen, Learn)
        assert len(set(seen)) == len(seen) == 4
        assert "H  : p -> q" in seen[1] and "x (No proof) says so" in seen[3]
    async with sitting(tmp_path, tour=True, keys={"learn": "f5"}) as (app, pilot):
        assert isinstance(app.screen, Learn)
        await press(pilot, "question_mark", "F")
        assert isinstance(app.screen, Tour)
        assert "F5 (LEARN) LEADS BACK THERE" in words(app).upper(), "keys are told as somebody has chosen them"
        await click_at(pilot, "Go on")
        assert "How a goal is read" in shown(app)
        assert await pilot.click("#close")
        await settle(pilot)
        assert isinstance(app.screen, Learn)


async def test_a_key_skips_the_first_look_who_knows_the_way_goes_it_at_once_and_who_leaves_need_not_close_it(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, tour=True) as (app, pilot):
        for keys, screen in (("W", Watch), ("L", Learn), ("F", Tour), ("escape", Learn), ("F", Tour)):
            assert isinstance(app.screen, Tour) or keys != "W"
            await press(pilot, keys)
            assert isinstance(app.screen, screen)
        await pilot.press("Q")
        await pilot.pause()
        assert app._exit


def labels(app: Classroom) -> set[str]:
    return {each.label for each in app.screen.query_one(KeyBar).keys}


async def test_only_what_can_be_done_now_is_there_and_a_click_does_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/identity", size=WIDEST) as (app, pilot):
        assert app.screen.query_one(KeyBar).keys[0].label == "Help"
        assert {"Hint", "No proof"} < labels(app)
        assert not {"Undo", "Redo", "Restart", "Save"} & labels(app)
        await press(pilot, "0")
        assert {"Undo", "Restart"} < labels(app)
        await click_at(pilot, "Undo")
        assert not app.session.seat.attempt.made
        assert "Redo" in labels(app) and "Undo" not in labels(app)
        await press(pilot, "r", "0")
        assert app.session.seat.attempt.proved and "Save" in labels(app)
        assert not {"Hint", "No proof", "Type"} & labels(app)


async def test_it_is_as_full_as_whole_keys_make_it_and_the_ways_out_and_on_are_always_there(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/or_comm") as (app, pilot):
        await press(pilot, "0", "1", "u")
        for width, height in ((80, 24), (120, 40), WIDEST):
            await pilot.resize_terminal(width, height)
            await pilot.pause()
            there, possible = app.screen.query_one(KeyBar).keys, list(cast(HasKeys, app.screen).keys_now())
            lines = app.screen.query_one(KeyBar).size.height
            assert lines == (1 if (width, height) == WIDEST else 2)
            seen = shown(app).splitlines()[-lines:]
            left = [width - cell_len(line.rstrip()) for line in seen]
            assert all(each.width > max(left) for each in possible if each not in there)
            assert " ".join(f"{each.display} {each.label}" for each in there) in " ".join(" ".join(seen).split())
        await pilot.resize_terminal(80, 24)
        for key in "PTW":
            await press(pilot, key)
            assert {"Leave", *([] if key == "W" else ["Next", "Redo"])} <= labels(app)
