"""Wherever one goes, every text can be read in every theme, fits, and is ASCII where that is asked for."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.color import Color
from textual.screen import Screen
from textual.widgets import Button

from oasis.classroom.lessons.lesson import Lesson
from tests.thorough import thoroughly
from tests.tui.rooms import ASCII, SIZES, Person, sitting
from tests.tui.school import LESSON, OPEN_SESAME
from tests.tui.test_teach import learned
from tui.colours import CONTRAST, OFFERED, contrast
from tui.look import Look
from tui.screens.partners import PartnerRoom

DRAWN = set("─│╭╮╰╯┌┐└┘├┤┬┴┼━┃▔▁▂▃▄▅▆▇█▊▎▌▐▕▏▍▋▉▀━╸╺┏┓┗┛═║╔╗╚╝╠╣-|+=#_ ")
"""What frames, scroll bars and charts are drawn with, and no text is."""

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


async def look_round(ada: Person, stops: str) -> None:
    """See at each stop whether all can be read in the next theme, fits, and is ASCII if it is to be."""
    for stop, theme in zip(["", *stops.split(",")], cycle(OFFERED), strict=False):
        if ":" in stop:
            await ada.make(*(move.strip() for move in stop.split(":") if move.strip()))
        else:
            await ada.keys(*stop.split())
        if isinstance(ada.screen, PartnerRoom):
            await ada.meet()
        assert ada.overflowing == [], stop
        assert all(ada.screen.region.contains_region(each.region) for each in ada.screen.query(Button)), stop
        text = ada.shown
        assert text.isascii() or not ada.session.look.ascii_only, (stop, {each for each in text if not each.isascii()})
        ada.app.theme = theme
        await ada.pause()
        assert faint(ada.screen) == set(), (stop, theme)


def faint(screen: Screen[object]) -> set[tuple[str, str]]:
    """Texts that do not reach the contrast against their ground, with their colours or as greys, and their styles."""
    segments = [segment for strip in screen._compositor.render_strips() for segment in strip]
    return {(each.text, str(each.style)) for each in segments if set(each.text) - DRAWN and is_faint(each)}


def is_faint(segment: Segment) -> bool:
    """Whether a text of some colour on some ground cannot be read."""
    style = segment.style
    assert style is not None and style.color is not None, f"{segment.text!r} has the colour of the terminal"
    assert style.bgcolor is not None, f"{segment.text!r} has the ground of the terminal"
    assert not style.dim, f"{segment.text!r} is dimmed by the terminal"
    text, ground = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
    return min(contrast(text, ground), contrast(text.monochrome, ground.monochrome)) < CONTRAST


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
    setup = {"look": look, "database": database, "preferences": preferences}
    async with sitting(tmp_path, lemma, SIZES[size], **setup) as ada:
        await look_round(ada, stops)


@pytest.mark.slow
@LOOKS
async def test_every_panel_of_partners_can_be_read(tmp_path: Path, size: str, look: Look) -> None:
    async with sitting(tmp_path, "SYJ203.3", look=look, size=SIZES[size]) as ada:
        ada.free_partners()
        await look_round(ada, WITH_PARTNERS)


@pytest.mark.slow
@LOOKS
async def test_every_sheet_and_form_of_the_class_can_be_read(tmp_path: Path, size: str, look: Look) -> None:
    learned(tmp_path)
    lessons = (Lesson.parse(LESSON, "week.toml", "week", tmp_path),)
    async with sitting(tmp_path, size=SIZES[size], look=look, lessons=lessons, teacher=True) as ada:
        await look_round(ada, "")
        await ada.fill_in(OPEN_SESAME)
        await look_round(ada, IN_FRONT_OF_THE_CLASS)


@pytest.mark.slow
async def test_the_palette_can_be_paged_before_it_has_found_anything(tmp_path: Path) -> None:
    async with sitting(tmp_path, look=ASCII) as ada:
        await ada.press("ctrl+p", "pagedown", "pageup")
        await ada.pause(0.3)
        assert ada.shown.isascii()
        await ada.keys("escape")
        assert len(ada.app.screen_stack) == 1
