"""A partner's process: it plays as it is told, and between steps answers what the other end of a pipe asks.

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

from oasis.classroom.partner.messages import (
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
    Why,
)
from oasis.classroom.partner.opinions import Reason
from oasis.classroom.partner.pace import Pace
from oasis.classroom.partner.partner import Partner
from oasis.classroom.partner.partners import AGENT, Means, partner
from oasis.student.settings import Settings
from tactics.errors import InputError
from tactics.formula import Formula

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
    """Serves one partner to one end of a pipe."""

    def __init__(self, connection: Connection[Report | Broken, Request], partner: Partner) -> None:
        self._connection, self._partner = connection, partner
        self._pace = Pace()
        self._look = Look(None)
        self._reason: Reason | None = None
        self._answered = 0
        self._said = ""
        self._made = 0  # steps in the present episode
        self._has_news = True
        self._is_coming = partner.is_coming
        self._reported_at = -inf
        self._looks_at = -inf

    def run(self) -> None:
        """Until the other end is closed, which raises EOFError or ConnectionError."""
        while True:
            self._wait()
            if not self._pace.steps:
                self._pace.last = monotonic()  # where an episode begins is to be seen, too
            self._made = 0
            if self._partner.episode(self._before_step):
                self._pace.end()
                if not self._made:
                    self._pace.end_without_step()
                    self._said = "It makes no move here."
            self._has_news = True
            if self._partner.states >= MOST_STATES and self._pace.episodes:
                self._pace.stop()
                self._said = (
                    f"It remembers {self._partner.states:,} states, as many as there is room for, and stops after each "
                    "episode from now on; in a coarser state space it begins anew."
                )

    def _before_step(self) -> None:
        self._wait()
        if self._partner.intends is not None:  # else the episode was left meanwhile
            self._pace.step(monotonic())
            self._made += 1
            self._has_news = True

    def _wait(self) -> None:
        """Answer and report until the next step is due or the episode is left; at full speed look up now and then."""
        if self._pace.is_full and monotonic() < self._looks_at:
            return
        intended = self._partner.intends
        while self._partner.intends == intended:
            if self._is_coming and not self._partner.is_coming:
                self._is_coming, self._has_news = False, True
            now, due = monotonic(), self._pace.due()
            report_at = now if due == inf else self._reported_at + REPORT_SECONDS
            if self._has_news and report_at <= now:
                self._report()
                continue
            until = min(due, report_at) if self._has_news else due
            if self._is_coming:
                until = min(until, now + REPORT_SECONDS)
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
            case Look():
                self._look = request
            case Follow(proof):
                return self._partner.follow(proof)
            case Why(state, notation):
                self._reason = self._partner.why(state, notation)
            case StartFrom(script):
                self._partner.start_from(script)
                return "Its next episode begins where you stand."
            case Change(settings):
                return self._partner.change(**settings)
        return ""

    def _report(self) -> None:
        partner, looked_at = self._partner, self._look.state
        self._connection.send(
            Report(
                answered=self._answered,
                said=self._said,
                settings=partner.settings,
                speed=self._pace.speed,
                playing=self._pace.episodes > 0,
                state=partner.state,
                script=partner.script,
                intends=partner.intends,
                looked_at=looked_at,
                opinion=None if looked_at is None else partner.opinion(looked_at),
                plan=partner.plan() if self._look.plan else (),
                reason=self._reason,
                knows=partner.knows,
                curve=partner.curve.points(POINTS),
                shares=partner.shares,
            )
        )
        self._reason = None
        self._has_news, self._reported_at = False, monotonic()


def work(
    connection: Connection[Report | Broken, Request],
    kind: str,
    formula: Formula,
    settings: Settings,
    rules: tuple[str, ...],
    means: Means,
) -> None:
    """What the process does until nobody is at the other end."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    if kind == AGENT:
        gc.disable()  # an agent makes no cycles, and to look for some takes a third of a second
    with suppress(EOFError, ConnectionError):  # nobody is at the other end any more
        try:
            Worker(connection, partner(kind, formula, settings, rules, means)).run()
        except (EOFError, ConnectionError):
            raise
        except Exception as error:
            # A traceback would run across the screen of the person who is working there.
            connection.send(Broken("".join(format_exception_only(error)).strip()))
            if os.environ.get("OASIS_DEBUG") == "1":
                raise
