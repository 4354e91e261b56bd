"""Waiting for partners, who work in processes of their own and answer when they can."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Final, cast

from textual.geometry import Offset
from textual.pilot import Pilot

from oasis.classroom.partner.messages import Report
from oasis.classroom.proving.exercise import Terms
from tests.tui.rooms import settle, shown
from tui.app import Classroom
from tui.companion import Companion
from tui.screens.partners import PartnerRoom
from tui.widgets.partner_card import PartnerCard

FULL_SPEED: Final = ("plus", "plus")
PATIENCE = 30.0
"""Seconds; how long it takes says more about the machine than about the program."""


def room(app: Classroom) -> PartnerRoom:
    """The place with the agents."""
    return cast("PartnerRoom", app.screen)


def report(app: Classroom, agent: int = 0) -> Report:
    """What an agent said last."""
    said = room(app).companions[agent].report
    assert said is not None
    return said


def on_card(app: Classroom) -> str:
    """What the card of the first partner says, in one line."""
    return app.screen.query_one(PartnerCard).render().plain.replace("\n", " ")


def show_all(app: Classroom) -> None:
    """Have everything be free to see of partners at the lemma before the student."""
    seat = app.session.seat
    seat.take(replace(seat.exercise, place="open", terms=Terms(agent="shown")))


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something holds, and the screen shows it."""
    began = monotonic()
    while not holds():
        assert monotonic() - began < PATIENCE, "it never came to that"
        await asyncio.sleep(0.02)
        await pilot.pause()
    screen = pilot.app.screen
    if isinstance(screen, PartnerRoom) and screen.is_behind:
        screen.show_all()
    await settle(pilot)


async def partners_are_here(pilot: Pilot[None], app: Classroom) -> None:
    """Wait until every partner has said something, and has answered all that it was asked."""
    await until(pilot, lambda: all(map(_has_answered, room(app).companions)))


def _has_answered(companion: Companion) -> bool:
    return companion.report is not None and companion.report.answered >= companion._beside._asked


async def rests(pilot: Pilot[None], app: Classroom, episodes: int, agent: int = 0) -> None:
    """Wait until an agent has played so many episodes and does nothing more."""
    await until(pilot, lambda: report(app, agent).knows.episodes >= episodes and not report(app, agent).playing)


def _word_of(app: Classroom, action: str) -> Offset:
    """Where a word stands on which a click does something."""
    for line, strip in enumerate(app.screen._compositor.render_strips()):
        across = 0
        for segment in strip:
            if segment.style and segment.style.meta.get("@click") == action:
                return Offset(across, line)
            across += segment.cell_length
    raise AssertionError(f"no word does {action}:\n{shown(app)}")


async def click(pilot: Pilot[None], action: str) -> None:
    """Click on the word that does something."""
    await settle(pilot)
    await pilot.click(offset=_word_of(cast("Classroom", pilot.app), action))
    await settle(pilot)
