"""The first look round: who sees it, that it can be left, and how it comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.rooms import ASCII, NARROW, classroom, opened, overflowing, press, settle, shown
from tui.screens.learn import Learn
from tui.screens.tour import Tour
from tui.screens.watch import Watch

pytestmark = pytest.mark.slow


async def test_who_comes_first_is_shown_where_things_are_and_never_again_whether_it_was_read_or_not(
    tmp_path: Path,
) -> None:
    app = classroom(tmp_path, tour=True, look=ASCII)
    async with opened(app, NARROW) as pilot:
        seen = []
        while isinstance(app.screen, Tour):
            seen.append(shown(app))
            assert overflowing(app) == []
            assert seen[-1].isascii()
            await press(pilot, "enter")
        assert isinstance(app.screen, Learn)
        assert len(set(seen)) == len(seen) == 4
        assert "H  : p -> q" in seen[1]
        assert "x (No proof) says so" in seen[3]
    app = classroom(tmp_path, tour=True)
    async with opened(app) as pilot:
        assert isinstance(app.screen, Learn)
        await press(pilot, "F")
        assert isinstance(app.screen, Tour)


@pytest.mark.parametrize("key", ["escape", "q"])
async def test_a_key_skips_it_and_help_brings_it_back_by_key_and_click(tmp_path: Path, key: str) -> None:
    app = classroom(tmp_path, tour=True)
    async with opened(app) as pilot:
        await press(pilot, key)
        assert isinstance(app.screen, Learn)
        await press(pilot, "question_mark")
        row, column = next(
            (n, line.index("F first look")) for n, line in enumerate(shown(app).splitlines()) if "F first" in line
        )
        if key == "q":
            await pilot.click(offset=(column, row))
            await settle(pilot)
        else:
            await press(pilot, "F")
        assert isinstance(app.screen, Tour)


async def test_a_click_skips_it_and_another_one_reads_on(tmp_path: Path) -> None:
    app = classroom(tmp_path, tour=True)
    async with opened(app) as pilot:
        row, column = next(
            (row, line.index("Go on")) for row, line in enumerate(shown(app).splitlines()) if "Go on" in line
        )
        await pilot.click(offset=(column, row))
        await settle(pilot)
        assert "How a goal is read" in shown(app)
        assert await pilot.click("#close")
        await settle(pilot)
        assert isinstance(app.screen, Learn)


async def test_who_leaves_the_classroom_need_not_close_it_first(tmp_path: Path) -> None:
    app = classroom(tmp_path, tour=True)
    async with opened(app) as pilot:
        assert isinstance(app.screen, Tour)
        await pilot.press("Q")
        await pilot.pause()
        assert app._exit


async def test_who_knows_the_way_goes_it_at_once(tmp_path: Path) -> None:
    app = classroom(tmp_path, tour=True)
    async with opened(app) as pilot:
        await press(pilot, "W")
        assert isinstance(app.screen, Watch)
        await press(pilot, "L")
        assert isinstance(app.screen, Learn)


async def test_keys_are_told_as_somebody_has_chosen_them(tmp_path: Path) -> None:
    app = classroom(tmp_path, tour=True, keys={"learn": "f5"})
    async with opened(app):
        text = " ".join(shown(app).replace("│", " ").split())
        assert "F5 (LEARN) LEADS BACK THERE" in text.upper()
