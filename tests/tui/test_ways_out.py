"""The keys at the bottom, the first look round, the help, and the ways out of every dialog and of the classroom."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from rich.cells import cell_len

from tests.tui.rooms import ASCII, NARROW, SIZES, WIDEST, Person, sitting
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
    async with sitting(tmp_path, size=size) as ada:
        for keys in DIALOGS.values():
            await ada.keys(*keys)
            assert isinstance(ada.screen, Dialog)
            assert await ada.click("#close")
            await ada.pause()
            assert not isinstance(ada.screen, Dialog)
        for keys, stays in ((DIALOGS["help"], False), (DIALOGS["passphrase"], True)):
            await ada.keys(*keys)
            await ada.click(ada.screen.query_one(Box), offset=(20, 1))
            assert isinstance(ada.screen, Dialog)
            await ada.click(offset=(1, 1))
            await ada.pause()
            assert isinstance(ada.screen, Dialog) is stays, "what is filled in stays"


async def test_help_explains_a_place_and_how_to_leave_and_a_click_on_its_lines_does_what_they_say(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, size=(100, 60)) as ada:
        await ada.keys("ctrl+c")
        told = ada.notified
        assert told == "Q (or Ctrl+Q) leaves the classroom; your work is saved."
        await ada.keys("question_mark")
        assert told in ada.words and isinstance(ada.screen, Help)
        await ada.click_at("Go to the proof you are working on")
        assert isinstance(ada.screen, Prove)
        await ada.keys("question_mark")
        assert "Above the line are the hypotheses" in ada.shown
        for word in ("Undo", "Redo", "Hint", "No proof", "Save", "Next", "Together", "Leave"):
            assert word in ada.shown
        await ada.click_at("F first look")
        assert isinstance(ada.screen, Tour)


async def test_at_the_door_too_there_is_help_and_a_way_out(tmp_path: Path) -> None:
    async with sitting(tmp_path, account=None) as ada:
        await ada.keys("f1")
        assert "Ctrl+Q leaves the classroom" in ada.words
        await ada.keys("escape")
        assert isinstance(ada.screen, SignIn)
        await ada.press("ctrl+q")
        await ada.pause()
        assert ada.app._exit


async def test_who_comes_first_is_shown_where_things_are_and_never_again_whether_it_was_read_or_not(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, tour=True, look=ASCII, size=NARROW) as ada:
        seen = []
        while isinstance(ada.screen, Tour):
            seen.append(ada.shown)
            assert ada.overflowing == [] and seen[-1].isascii()
            await ada.keys("enter")
        assert isinstance(ada.screen, Learn)
        assert len(set(seen)) == len(seen) == 4
        assert "H  : p -> q" in seen[1] and "x (No proof) says so" in seen[3]
    async with sitting(tmp_path, tour=True, keys={"learn": "f5"}) as ada:
        assert isinstance(ada.screen, Learn)
        await ada.keys("question_mark", "F")
        assert isinstance(ada.screen, Tour)
        assert "F5 (LEARN) LEADS BACK THERE" in ada.words.upper(), "keys are told as somebody has chosen them"
        await ada.click_at("Go on")
        assert "How a goal is read" in ada.shown
        assert await ada.click("#close")
        await ada.settle()
        assert isinstance(ada.screen, Learn)


async def test_a_key_skips_the_first_look_who_knows_the_way_goes_it_at_once_and_who_leaves_need_not_close_it(
    tmp_path: Path,
) -> None:
    async with sitting(tmp_path, tour=True) as ada:
        for keys, screen in (("W", Watch), ("L", Learn), ("F", Tour), ("escape", Learn), ("F", Tour)):
            assert isinstance(ada.screen, Tour) or keys != "W"
            await ada.keys(keys)
            assert isinstance(ada.screen, screen)
        await ada.press("Q")
        await ada.pause()
        assert ada.app._exit


def labels(ada: Person) -> set[str]:
    return {each.label for each in ada.screen.query_one(KeyBar).keys}


async def test_only_what_can_be_done_now_is_there_and_a_click_does_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/identity", size=WIDEST) as ada:
        assert ada.screen.query_one(KeyBar).keys[0].label == "Help"
        assert {"Hint", "No proof"} < labels(ada)
        assert not {"Undo", "Redo", "Restart", "Save"} & labels(ada)
        await ada.keys("0")
        assert {"Undo", "Restart"} < labels(ada)
        await ada.click_at("Undo")
        assert not ada.attempt.made
        assert "Redo" in labels(ada) and "Undo" not in labels(ada)
        await ada.keys("r", "0")
        assert ada.attempt.proved and "Save" in labels(ada)
        assert not {"Hint", "No proof", "Type"} & labels(ada)


async def test_it_is_as_full_as_whole_keys_make_it_and_the_ways_out_and_on_are_always_there(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/or_comm") as ada:
        await ada.keys("0", "1", "u")
        for width, height in ((80, 24), (120, 40), WIDEST):
            await ada.resize_terminal(width, height)
            await ada.pause()
            there, possible = ada.screen.query_one(KeyBar).keys, list(cast(HasKeys, ada.screen).keys_now())
            lines = ada.screen.query_one(KeyBar).size.height
            assert lines == (1 if (width, height) == WIDEST else 2)
            seen = ada.shown.splitlines()[-lines:]
            left = [width - cell_len(line.rstrip()) for line in seen]
            assert all(each.width > max(left) for each in possible if each not in there)
            assert " ".join(f"{each.display} {each.label}" for each in there) in " ".join(" ".join(seen).split())
        await ada.resize_terminal(80, 24)
        for key in "PTW":
            await ada.keys(key)
            assert {"Leave", *([] if key == "W" else ["Next", "Redo"])} <= labels(ada)
