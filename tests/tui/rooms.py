"""Classrooms for tests: an application over a fresh file, and what its screen shows as text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Static

from curricula import resolve_lemma
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.exercise import Exercise, Terms
from tactics.parser import parse
from tui.app import Classroom
from tui.look import Look
from tui.screens.proof import ProofRoom
from tui.setup import Setup
from tui.widgets.moves import Moves
from tui.widgets.said import Said
from tui.widgets.tactic_line import TacticLine

NARROW, WIDE, WIDEST = (80, 24), (120, 40), (200, 60)
SIZES = {"narrow": NARROW, "wide": WIDE, "widest": WIDEST}
OR_COMM = "p \\/ q -> q \\/ p"
PROOF = ("intro", "destruct_or H", "right", "assumption", "left", "assumption")
"""Of `OR_COMM`, one of the shortest."""


def classroom(folder: Path, lemma: str | None = None, **setup: Any) -> Classroom:
    """The classroom of ada, without provers, and with a network that needs no library and is there at once."""
    chosen = {"account": "ada", "provers": (), "tour": False, "network": "teacher", "seconds": 20.0, **setup}
    database = chosen.pop("database", folder / "class.db")
    return Classroom(Setup(lemma=None if lemma is None else resolve_lemma(lemma), database=database, **chosen))


@asynccontextmanager
async def opened(app: Classroom, size: tuple[int, int] = NARROW) -> AsyncIterator[Pilot[None]]:
    """The application running, settled on its first screen."""
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        yield pilot
        if app.screen_stack:
            shown(app)


@asynccontextmanager
async def sitting(
    folder: Path, lemma: str | None = None, size: tuple[int, int] = NARROW, **setup: Any
) -> AsyncIterator[tuple[Classroom, Pilot[None]]]:
    """The classroom of ada, running, with somebody who presses its keys."""
    app = classroom(folder, lemma, **setup)
    async with opened(app, size) as pilot:
        yield app, pilot


async def settle(pilot: Pilot[None]) -> None:
    """Wait until nobody is thinking any more."""
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, each when the one before is dealt with."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def fill_in(pilot: Pilot[None], *lines: str) -> None:
    """Fill in lines, each with Enter; pasted, which is quicker than key by key."""
    for line in lines:
        pilot.app.post_message(events.Paste(line))
        await press(pilot, "enter")


async def click_at(pilot: Pilot[None], text: str) -> None:
    """Click at a text on the screen, where it stands first."""
    lines = shown(cast("Classroom", pilot.app)).splitlines()
    row = next(row for row, line in enumerate(lines) if text in line)
    await pilot.click(offset=(lines[row].index(text), row))
    await settle(pilot)


def burst(app: Classroom, text: str) -> None:
    """Type a text without waiting for any of it."""
    names = {" ": "space", "\r": "enter", "\t": "tab", "/": "slash"}
    for letter in text:
        app.post_message(events.Key(names.get(letter, letter), letter))


async def make(pilot: Pilot[None], *moves: str) -> None:
    """Make moves by typing them, and put the line away again."""
    await pilot.press("slash")
    pilot.app.screen.query_one(TacticLine).value = "; ".join(moves)
    await press(pilot, "enter", "escape")


async def choose(pilot: Pilot[None], move: str) -> None:
    """Choose a move from those that are offered, by its key."""
    rows = pilot.app.screen.query_one(Moves).options
    (key,) = [str(row.prompt).split()[0] for row in rows if str(row.prompt).partition(" ")[2].partition(":")[0] == move]
    await press(pilot, key)


def shown(app: Classroom) -> str:
    """The characters on the screen, line by line."""
    screen = app.screen
    return "\n".join(
        "".join(segment.text for segment in strip).rstrip() for strip in screen._compositor.render_strips()
    )


def words(app: Classroom) -> str:
    """What is on the screen in one line, without frames."""
    return " ".join(shown(app).replace("│", " ").split())


def said(app: Classroom) -> str:
    """What the teacher says."""
    return app.screen.query_one(Said).text


def attempt(app: Classroom) -> Attempt:
    """The attempt of whoever sits there."""
    return app.session.seat.attempt


def take(app: Classroom, formula: str, terms: Terms | None = None) -> None:
    """Put a lemma before the student, on these terms."""
    app.session.seat.take(Exercise(formula, parse(formula), "strict", terms or Terms()))
    assert isinstance(app.screen, ProofRoom)
    app.screen.arrive()


def notified(app: Classroom) -> str:
    """What was notified and is still there, line by line."""
    return "\n".join(notification.message for notification in app._notifications)


def palette(app: Classroom) -> set[str]:
    """What the palette offers."""
    return {command.title for command in app.get_system_commands(app.screen)}


def saved(app: Classroom, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is handed out from now on, by the name of its file."""
    files: dict[str, str] = {}
    monkeypatch.setattr(app.session, "save", lambda text, name: files.update({name: text}))
    return files


async def follow(pilot: Pilot[None]) -> None:
    """Let the application look at once whether the lessons have changed."""
    cast("Classroom", pilot.app)._follow()
    await settle(pilot)


def overflowing(app: Classroom) -> list[Widget]:
    """Widgets that stick out of what they are in where nobody can scroll, and texts that are cut off."""
    visible = [widget for widget in app.screen.query("*") if widget.is_on_screen and widget.region]
    return [widget for widget in visible if _sticks_out(widget) or (isinstance(widget, Static) and _is_cut_off(widget))]


def _sticks_out(widget: Widget) -> bool:
    around = [each for each in widget.ancestors if isinstance(each, Widget)]
    if any(each.allow_horizontal_scroll or each.allow_vertical_scroll for each in around):
        return False
    return any(not each.region.contains_region(widget.region) for each in around)


def _is_cut_off(widget: Static) -> bool:
    size = widget.content_size
    return widget.get_content_height(size, widget.screen.size, size.width) > size.height


ASCII = Look.ascii()
