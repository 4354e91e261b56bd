"""Wherever one goes, every text can be read in every theme, fits, and is ASCII where that is asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import cycle, product
from pathlib import Path
from typing import cast

import pytest
from textual.color import BLACK, WHITE, Color
from textual.pilot import Pilot
from textual.theme import BUILTIN_THEMES
from textual.widgets import Button

from oasis.classroom.lessons.lesson import Lesson
from tests.thorough import thoroughly
from tests.tui.contrast import faint
from tests.tui.partners import partners_are_here, show_all
from tests.tui.rooms import ASCII, SIZES, classroom, fill_in, make, opened, overflowing, press, shown, sitting
from tests.tui.school import LESSON, OPEN_SESAME, taught_in
from tests.tui.test_maxims import learned
from tui.app import Classroom
from tui.colours import CONTRAST, OFFERED, contrast, legible, readable
from tui.look import Look
from tui.screens.partners import PartnerRoom

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


# Walks: keys at each stop, and after a colon tactics that are typed.

AT_WORK = (
    "F, escape question_mark, escape I, escape up i, :intro :left, c, escape u, 1, 0, escape v, v 1, h h h, m m, t,"
    "t slash c u, escape x x, :right :assumption :left :assumption, w, 2, 3, escape e, escape L, end, D, i,"
    "escape p s e c, escape t, escape h, enter, question_mark, escape escape escape o, f1"
)
WITHOUT_PROOF = "x x c, escape w"
WITH_PARTNERS = (
    "T plus plus H, 0 q, X, t, t, l, question_mark, escape B, q, X, l, B, 1, X,"
    "W H, q, t, l, question_mark, escape tab B"
)
IN_FRONT_OF_THE_CLASS = (
    "question_mark, escape a, escape w, escape e, escape x, escape X, escape 2, o, enter, down, 4, enter,"
    "escape m, a, escape e, escape x, escape escape 1 o enter, enter, end, question_mark, escape escape escape k"
)


async def walk(pilot: Pilot[None], stops: str) -> AsyncIterator[str]:
    """Press the keys, and stop after each of the parts that commas part."""
    app = cast("Classroom", pilot.app)
    yield "the beginning"
    for stop in stops.split(","):
        if ":" in stop:
            await make(pilot, *(move.strip() for move in stop.split(":") if move.strip()))
        else:
            await press(pilot, *stop.split())
        if isinstance(app.screen, PartnerRoom):
            await partners_are_here(pilot, app)
        yield stop


async def look_round(pilot: Pilot[None], stops: str) -> None:
    """Walk, and see at each stop whether all can be read in the next theme, fits, and is ASCII if it is to be."""
    app, themes = cast("Classroom", pilot.app), cycle(OFFERED)
    async for stop in walk(pilot, stops):
        assert overflowing(app) == [], stop
        assert all(app.screen.region.contains_region(each.region) for each in app.screen.query(Button)), stop
        text = shown(app)
        assert text.isascii() or not app.session.look.ascii_only, (stop, {each for each in text if not each.isascii()})
        app.theme = next(themes)
        await pilot.pause()
        assert faint(app.screen) == [], (stop, app.theme)


LOOKS = pytest.mark.parametrize(
    ("size", "look"),
    [("narrow", ASCII), *thoroughly(("narrow", Look()), ("wide", ASCII), ("widest", Look()))],
    ids=lambda value: ("ascii" if value.ascii_only else "unicode") if isinstance(value, Look) else value,
)


@pytest.mark.slow
@LOOKS
@pytest.mark.parametrize(
    ("lemma", "stops"),
    [("or_comm : p \\/ q -> q \\/ p", AT_WORK), ("dummett : (p -> q) \\/ (q -> p)", WITHOUT_PROOF)],
    ids=["with proof", "without"],
)
async def test_every_place_of_a_student_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lemma: str, stops: str, size: str, look: Look
) -> None:
    monkeypatch.chdir(tmp_path)
    database, preferences = Path("class.db"), Path("preferences.toml")
    app = classroom(tmp_path, lemma, look=look, database=database, preferences=preferences)
    async with opened(app, SIZES[size]) as pilot:
        await look_round(pilot, stops)


@pytest.mark.slow
@LOOKS
async def test_every_panel_of_partners_can_be_read(tmp_path: Path, size: str, look: Look) -> None:
    async with sitting(tmp_path, "SYJ203.3", look=look, size=SIZES[size]) as (app, pilot):
        show_all(app)
        await look_round(pilot, WITH_PARTNERS)


@pytest.mark.slow
@LOOKS
async def test_every_sheet_and_form_of_the_class_can_be_read(tmp_path: Path, size: str, look: Look) -> None:
    learned(tmp_path)
    app = taught_in(tmp_path, look=look, lessons=(Lesson.parse(LESSON, "week.toml", "week", tmp_path),))
    async with opened(app, SIZES[size]) as pilot:
        await look_round(pilot, "")
        await fill_in(pilot, OPEN_SESAME)
        await look_round(pilot, IN_FRONT_OF_THE_CLASS)


@pytest.mark.slow
async def test_the_palette_can_be_paged_before_it_has_found_anything(tmp_path: Path) -> None:
    async with sitting(tmp_path, look=ASCII) as (app, pilot):
        await pilot.press("ctrl+p", "pagedown", "pageup")
        await pilot.pause(0.3)
        assert shown(app).isascii()
        await press(pilot, "escape")
        assert len(app.screen_stack) == 1
