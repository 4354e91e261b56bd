"""The line at the bottom: what can be done now, as much of it as there is room for, and a click does it."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from rich.cells import cell_len

from tests.tui.rooms import NARROW, SIZES, WIDEST, classroom, opened, press, shown
from tui.app import Classroom
from tui.widgets.key_bar import HasKeys, KeyBar

pytestmark = pytest.mark.slow


def labels(app: Classroom) -> list[str]:
    return [each.label for each in app.screen.query_one(KeyBar).keys]


async def test_only_what_can_be_done_now_is_there(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/identity")
    async with opened(app, WIDEST) as pilot:
        before = labels(app)
        assert before[0] == "Help"
        assert {"Hint", "No proof"} < set(before)
        assert not {"Undo", "Redo", "Restart", "Save"} & set(before)
        await press(pilot, "0")
        assert {"Undo", "Restart"} < set(labels(app))
        await press(pilot, "u")
        assert "Redo" in labels(app) and "Undo" not in labels(app)
        await press(pilot, "r", "0")
        assert app.session.seat.attempt.proved
        assert "Save" in labels(app)
        assert not {"Hint", "No proof", "Type"} & set(labels(app))


async def test_a_key_that_does_not_apply_still_says_why(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/identity")
    async with opened(app) as pilot:
        await press(pilot, "u")
        assert "There is no move to take back" in " ".join(shown(app).split())


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_it_is_as_full_as_whole_keys_make_it(size: tuple[int, int], tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/or_comm")
    async with opened(app, size) as pilot:
        await press(pilot, "0")
        there, possible = app.screen.query_one(KeyBar).keys, list(cast(HasKeys, app.screen).keys_now())
        lines = app.screen.query_one(KeyBar).size.height
        assert lines == (1 if size == WIDEST else 2)
        left = [size[0] - cell_len(line.rstrip()) for line in shown(app).splitlines()[-lines:]]
        assert all(each.width > max(left) for each in possible if each not in there)
        assert " ".join(f"{each.display} {each.label}" for each in there) in " ".join(
            " ".join(shown(app).splitlines()[-lines:]).split()
        )


@pytest.mark.parametrize("key", ["P", "T", "W"])
async def test_the_way_out_and_the_way_on_are_always_there(key: str, tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/or_comm")
    async with opened(app, NARROW) as pilot:
        await press(pilot, "0", "1", "u", key)
        assert {"Leave", "Next", "Redo"} - ({"Next", "Redo"} if key == "W" else set()) <= set(labels(app))


async def test_a_click_on_a_key_does_what_the_key_does(tmp_path: Path) -> None:
    app = classroom(tmp_path, "textbook/identity")
    async with opened(app, NARROW) as pilot:
        await press(pilot, "0")
        x = shown(app).splitlines()[-app.screen.query_one(KeyBar).size.height].index("Undo")
        await pilot.click(KeyBar, offset=(x, 0))
        await pilot.pause()
        assert not app.session.seat.attempt.made
        await pilot.hover(KeyBar, offset=(1, 0))
        assert app.screen.query_one(KeyBar).tooltip == "Explain this screen, all its keys, and the way out."
