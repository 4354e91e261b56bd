"""Every text can be read: on every screen, in every theme that is offered, with colours and without."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from textual.color import BLACK, WHITE, Color
from textual.theme import BUILTIN_THEMES

from tests.thorough import some
from tests.tui.contrast import faint
from tests.tui.rooms import WIDE, opened
from tests.tui.test_snapshots import SCENES
from tui.colours import CONTRAST, OFFERED, contrast, legible, readable

GROUNDS = ("background", "surface", "panel", "block-cursor-background", "block-cursor-blurred-background")
TEXTS = ("foreground", "text", "text-muted", "text-disabled", "success", "error", "warning", "accent", "primary")


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(BLACK, WHITE) == contrast(WHITE, BLACK) == 21
    assert contrast(WHITE, WHITE) == 1
    assert contrast(Color.parse("#767676"), WHITE) == pytest.approx(4.54, abs=0.01)  # the lightest grey that will do


def test_what_can_be_read_stays_as_it_is_and_what_cannot_moves_as_far_as_it_must() -> None:
    dark = Color.parse("#101010")
    assert readable(Color.parse("#ffa62b"), [dark]).hex == "#FFA62B"
    moved = readable(Color.parse("#004578"), [dark])
    assert CONTRAST <= contrast(moved, dark) < CONTRAST + 1


@pytest.mark.parametrize("name", OFFERED)
def test_the_texts_of_a_theme_can_be_read_on_its_grounds(name: str) -> None:
    colours = legible(BUILTIN_THEMES[name].to_color_system().generate())
    for text, ground in product(TEXTS, GROUNDS):
        assert contrast(Color.parse(colours[text]), Color.parse(colours[ground])) >= CONTRAST, (text, ground)


@pytest.mark.some_days
@pytest.mark.slow
@pytest.mark.some_variants(8)
@pytest.mark.parametrize("scene", SCENES)
async def test_every_text_of_a_screen_can_be_read_in_every_theme(
    scene: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    app = SCENES[scene].open(tmp_path)
    async with opened(app, WIDE) as pilot:
        await SCENES[scene].play(pilot)
        for theme in some(OFFERED, 2, scene):
            app.theme = theme
            await pilot.pause()
            assert faint(app.screen) == [], theme
