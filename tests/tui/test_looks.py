"""Wherever one goes: every text can be read and fits, and keys at the bottom, help and buttons lead on and out."""

from itertools import cycle
from pathlib import Path
from typing import cast

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.screen import Screen
from textual.widgets import Button

from oasis.classroom.lessons.lesson import Lesson
from tests.thorough import thoroughly
from tests.tui.rooms import ASCII, NARROW, SIZES, WIDEST, Person, sitting
from tests.tui.school import LESSON, OPEN_SESAME
from tests.tui.test_teach import learned
from tui.colours import CONTRAST, OFFERED, contrast
from tui.look import Look
from tui.screens.dialogs import Box, Dialog, Help
from tui.screens.learn import Learn
from tui.screens.partners import PartnerRoom
from tui.screens.prove import Prove
from tui.screens.sign_in import SignIn
from tui.screens.tour import Tour
from tui.screens.watch import Watch
from tui.widgets.key_bar import HasKeys, KeyBar

pytestmark = pytest.mark.slow

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
    "T plus plus H, 0 q, X, t, t, l, question_mark, escape B, q, X, l, B, 1, X, B, X,"
    "W H, q, t, l, question_mark, escape tab B"
)
IN_FRONT_OF_THE_CLASS = (
    "question_mark, escape a, escape w, escape e, escape x, escape X, escape 2, o, enter, down, 4, enter,"
    "escape m, a, escape e, escape x, escape escape 1 o enter, enter, end, question_mark, escape escape escape k"
)


async def look_round(ada: Person, stops: str) -> None:
    """Check at each stop that all text can be read in the next theme, fits, and is ASCII if it should be."""
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
    """Return the texts with too little contrast, in their colours or as greys, with their styles."""
    segments = [segment for strip in screen._compositor.render_strips() for segment in strip]
    return {(each.text, str(each.style)) for each in segments if set(each.text) - DRAWN and is_faint(each)}


def is_faint(segment: Segment) -> bool:
    """Return True if the text of a segment has too little contrast to be read."""
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


@LOOKS
async def test_every_panel_of_partners_can_be_read(tmp_path: Path, size: str, look: Look) -> None:
    async with sitting(tmp_path, "SYJ203.3", look=look, size=SIZES[size]) as ada:
        ada.free_partners()
        await look_round(ada, WITH_PARTNERS)


@LOOKS
async def test_every_sheet_and_form_of_the_class_can_be_read(tmp_path: Path, size: str, look: Look) -> None:
    learned(tmp_path)
    lessons = (Lesson.parse(LESSON, "week.toml", "week", tmp_path),)
    async with sitting(tmp_path, size=SIZES[size], look=look, lessons=lessons, teacher=True) as ada:
        await look_round(ada, "")
        await ada.fill_in(OPEN_SESAME)
        await look_round(ada, IN_FRONT_OF_THE_CLASS)


async def test_the_palette_can_be_paged_before_it_has_found_anything(tmp_path: Path) -> None:
    async with sitting(tmp_path, look=ASCII) as ada:
        await ada.press("ctrl+p", "pagedown", "pageup")
        await ada.pause(0.3)
        assert ada.shown.isascii()
        await ada.keys("escape")
        assert len(ada.app.screen_stack) == 1


DIALOGS = {"help": ("question_mark",), "tactics": ("I",), "colours": ("D", "t"), "passphrase": ("D", "p")}


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
async def test_a_dialog_closes_by_its_button_and_some_by_a_click_beside(size: tuple[int, int], tmp_path: Path) -> None:
    async with sitting(tmp_path, size=size) as ada:
        for keys in DIALOGS.values():
            assert isinstance(await ada.opens(*keys), Dialog)
            assert await ada.click("#close")
            assert not isinstance(ada.screen, Dialog)
        for keys, stays in ((DIALOGS["help"], False), (DIALOGS["passphrase"], True)):
            await ada.keys(*keys)
            await ada.click(ada.screen.query_one(Box), offset=(20, 1))
            assert isinstance(ada.screen, Dialog)
            await ada.click(offset=(1, 1))
            assert isinstance(ada.screen, Dialog) is stays, "what is filled in stays"


async def test_help_explains_a_place_and_how_to_leave_and_a_click_on_it_does_what_it_says(tmp_path: Path) -> None:
    async with sitting(tmp_path, size=(100, 60)) as ada:
        await ada.keys("ctrl+c")
        told = ada.notified
        assert told == "Q (or Ctrl+Q) leaves the classroom; your work is saved."
        assert told in await ada.reads("question_mark") and isinstance(ada.screen, Help)
        await ada.click_at("Go to the proof you are working on")
        assert isinstance(ada.screen, Prove)
        assert "Above the line are the hypotheses" in await ada.sees("question_mark")
        for word in ("Undo", "Redo", "Hint", "No proof", "Save", "Next", "Together", "Leave"):
            assert word in ada.shown
        await ada.click_at("F first look")
        assert isinstance(ada.screen, Tour)


async def test_who_comes_first_is_shown_round_once_whether_it_was_read_or_not(tmp_path: Path) -> None:
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
        assert isinstance(await ada.opens("question_mark", "F"), Tour)
        assert "F5 (LEARN) LEADS BACK THERE" in ada.words.upper(), "keys are told as somebody has chosen them"
        await ada.click_at("Go on")
        assert "How a goal is read" in ada.shown
        assert await ada.click("#close")
        assert isinstance(ada.screen, Learn)


async def test_a_key_skips_the_first_look_and_there_is_a_way_out_of_it_and_of_the_door(tmp_path: Path) -> None:
    async with sitting(tmp_path, tour=True) as ada:
        for keys, screen in (("W", Watch), ("L", Learn), ("F", Tour), ("escape", Learn), ("F", Tour)):
            assert isinstance(ada.screen, Tour) or keys != "W"
            assert isinstance(await ada.opens(keys), screen)
        await ada.press("Q")
        await ada.pause()
        assert ada.app._exit
    async with sitting(tmp_path, account=None) as ada:
        assert "Ctrl+Q leaves the classroom" in await ada.reads("f1")
        assert isinstance(await ada.opens("escape"), SignIn)
        await ada.press("ctrl+q")
        await ada.pause()
        assert ada.app._exit


async def test_the_line_of_keys_holds_only_what_can_be_done_now_and_a_click_does_it(tmp_path: Path) -> None:
    async with sitting(tmp_path, "textbook/identity", size=WIDEST) as ada:
        assert ada.screen.query_one(KeyBar).keys[0].label == "Help"
        assert {"Hint", "No proof"} < ada.footer
        assert not {"Undo", "Redo", "Restart", "Save"} & ada.footer
        await ada.keys("0")
        assert {"Undo", "Restart"} < ada.footer
        await ada.click_at("Undo")
        assert not ada.attempt.made
        assert "Redo" in ada.footer and "Undo" not in ada.footer
        await ada.keys("r", "0")
        assert ada.attempt.proved and "Save" in ada.footer
        assert not {"Hint", "No proof", "Type"} & ada.footer


async def test_the_line_of_keys_is_as_full_as_can_be_and_always_holds_the_ways_on_and_out(tmp_path: Path) -> None:
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
            assert {"Leave", *([] if key == "W" else ["Next", "Redo"])} <= ada.footer
