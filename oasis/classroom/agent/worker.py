"""The agent's process: it plays as it is told, and between steps answers what the other end of a pipe asks.

It looks at the pipe every few milliseconds while it plays at full speed, sends at most ten reports a second unless it
is asked, and leaves as soon as nobody is at the other end.
"""

from __future__ import annotations

import gc
import os
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection
from time import monotonic
from traceback import format_exception_only
from typing import Final

from oasis.classroom.agent.agent import Agent
from oasis.classroom.agent.messages import (
    Broken,
    Change,
    Follow,
    Look,
    Pause,
    Play,
    Report,
    Request,
    Speed,
    StartFrom,
    Step,
)
from oasis.classroom.agent.pace import Pace
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import State

REPORT_SECONDS: Final = 0.1
"""Between two reports that nobody asked for."""
SLICE_SECONDS: Final = 0.005
"""How long it plays at full speed without looking whether it is asked something."""
MOST_STATES: Final = 150_000
"""That it remembers, some 2 kB each, before it stops playing by itself."""
POINTS: Final = 400
"""Of the learning curve in a report: more than a screen has columns."""
NICENESS: Final = 5
"""A person who presses a key goes first."""


class Worker:
    """Serves one agent to one end of a pipe."""

    def __init__(self, connection: Connection[Report | Broken, Request], agent: Agent) -> None:
        self._connection, self._agent = connection, agent
        self._pace = Pace()
        self._looked_at: State | None = None
        self._answered = 0
        self._said = ""
        self._has_news = True
        self._reported_at = -inf
        self._looks_at = -inf

    def run(self) -> None:
        """Until the other end is closed, which raises EOFError or ConnectionError."""
        while True:
            self._wait()
            if not self._pace.steps:
                self._pace.last = monotonic()  # where an episode begins is to be seen, too
            if self._agent.episode(self._before_step):
                self._pace.end()
            self._has_news = True
            if self._agent.states >= MOST_STATES and self._pace.episodes:
                self._pace.stop()
                self._said = (
                    f"It remembers {self._agent.states:,} states, as many as there is room for, and stops after each "
                    "episode from now on; in a coarser state space it begins anew."
                )

    def _before_step(self) -> None:
        self._wait()
        if self._agent.intends is not None:  # else the episode was left meanwhile
            self._pace.step(monotonic())
            self._has_news = True

    def _wait(self) -> None:
        """Answer and report until the next step is due or the episode is left; at full speed look up now and then."""
        if self._pace.is_full and monotonic() < self._looks_at:
            return
        intended = self._agent.intends
        while self._agent.intends == intended:
            now, due = monotonic(), self._pace.due()
            report_at = now if due == inf else self._reported_at + REPORT_SECONDS
            if self._has_news and report_at <= now:
                self._report()
                continue
            until = min(due, report_at) if self._has_news else due
            if self._connection.poll(None if until == inf else max(0.0, until - now)):
                self._answer(self._connection.recv())
                self._report()
            elif until == due:
                break
        self._looks_at = monotonic() + SLICE_SECONDS

    def _answer(self, request: Request) -> None:
        self._answered += 1
        try:
            self._said = self._do(request)
        except InputError as error:
            self._said = str(error)

    def _do(self, request: Request) -> str:
        """Do what is asked; returns what there is to say about it. Raises InputError."""
        match request:
            case Play(episodes):
                self._pace.episodes, self._pace.steps = inf if episodes is None else episodes, 0
            case Step():
                self._pace.stop()
                self._pace.steps = 1
            case Pause():
                self._pace.stop()
            case Speed(steps):
                self._pace.speed = steps
            case Look(state):
                self._looked_at = state
            case Follow(proof):
                self._agent.follow(proof)
                return f"It has learned from your proof of {len(proof)} moves."
            case StartFrom(script):
                self._agent.start_from(script)
                return "Its next episode begins where you stand."
            case Change(settings):
                return self._agent.change(**settings)
        return ""

    def _report(self) -> None:
        agent, looked_at = self._agent, self._looked_at
        self._connection.send(
            Report(
                answered=self._answered,
                said=self._said,
                settings=agent.settings,
                speed=self._pace.speed,
                playing=self._pace.episodes > 0,
                state=agent.state,
                script=agent.script,
                intends=agent.intends,
                own=agent.beliefs(agent.state),
                looked_at=looked_at,
                beliefs=None if looked_at is None else agent.beliefs(looked_at),
                knows=agent.knows,
                curve=agent.curve.points(POINTS),
            )
        )
        self._has_news, self._reported_at = False, monotonic()


def work(
    connection: Connection[Report | Broken, Request], formula: Formula, settings: Settings, rules: tuple[str, ...]
) -> None:
    """What the process does until nobody is at the other end."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    gc.disable()  # an agent makes no cycles, and to look for some takes a third of a second
    with suppress(EOFError, ConnectionError):  # nobody is at the other end any more
        try:
            Worker(connection, Agent(formula, settings, rules)).run()
        except (EOFError, ConnectionError):
            raise
        except Exception as error:
            # A traceback would run across the screen of the person who is working there.
            connection.send(Broken("".join(format_exception_only(error)).strip()))
            if os.environ.get("OASIS_DEBUG") == "1":
                raise
