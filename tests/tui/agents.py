"""Waiting for agents, who work in processes of their own and answer when they can."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import cast

from textual.pilot import Pilot

from oasis.classroom.agent.messages import Report
from tests.tui.rooms import settle
from tui.app import Classroom
from tui.screens.agents import AgentRoom

PATIENCE = 30.0
"""Seconds; how long it takes says more about the machine than about the program."""


def room(app: Classroom) -> AgentRoom:
    """The place with the agents."""
    return cast("AgentRoom", app.screen)


def report(app: Classroom, agent: int = 0) -> Report:
    """What an agent said last."""
    said = room(app).companions[agent].report
    assert said is not None
    return said


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait until something holds, and the screen shows it."""
    began = monotonic()
    while not holds():
        assert monotonic() - began < PATIENCE, "it never came to that"
        await asyncio.sleep(0.02)
        await pilot.pause()
    await settle(pilot)


async def agents_are_here(pilot: Pilot[None], app: Classroom) -> None:
    """Wait until every agent has reported for the first time."""
    await until(pilot, lambda: all(companion.report is not None for companion in room(app).companions))


async def rests(pilot: Pilot[None], app: Classroom, episodes: int, agent: int = 0) -> None:
    """Wait until an agent has played so many episodes and does nothing more."""
    await until(pilot, lambda: report(app, agent).knows.episodes >= episodes and not report(app, agent).playing)
