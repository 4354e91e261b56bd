"""Where a server's calls are worked out: small ones at once, those of the teacher in processes, others in threads.

Whoever comes takes turns with all others: of what waits, each client has one call begun before any has a second one.
What a call may take begins when it came, so waiting counts.
"""

from __future__ import annotations

import asyncio
import os
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from time import monotonic
from typing import Any, Final, TypeVar

from anyio import to_thread

from oasis.api.calls import asks_prover, asks_teacher, call, is_quick, refusal
from oasis.api.errors import Code, Refused
from oasis.api.limits import Limits
from oasis.api.session import Session
from oasis.api.sessions import Held
from oasis.api.states import States, Way
from oasis.ground.signals import belong_to_parent, end_pool

_THREADS: Final = 4
"""Calls that are worked out at the same time in threads, at most one of a session."""
_PROVERS: Final = 2
"""Beside them, calls that ask a prover, which may take a minute."""
SWITCH: Final = 0.0005
"""Seconds after which a thread lets others go on, among them the one that answers small calls."""
MOST_WAITING: Final = 16
"""Calls of one client that wait for their turn, and calls of one session that wait for each other."""
_Shown = TypeVar("_Shown")


class Turns:
    """Places for so many calls at a time; clients that wait take turns.

    Args:
        places: at least 1.
    """

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def taken(self, client: str) -> AsyncIterator[None]:
        """Wait for a place, and leave it at the end. Raises Refused if too many calls of a client wait already."""
        if self._free:
            self._free -= 1
        else:
            queue = self._waiting.setdefault(client, deque())
            if len(queue) >= MOST_WAITING:
                raise Refused(Code.BUSY, f"{len(queue)} of your calls wait for their turn; come again later.")
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            queue.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._next()
                raise
        try:
            yield
        finally:
            self._next()

    def _next(self) -> None:
        """Give the place to the client whose turn it is."""
        while self._waiting:
            client, queue = self._waiting.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._waiting[client] = queue
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class Workers:
    """The threads and processes of a server.

    Args:
        processes: that work out what the teacher is asked; 0 to do that in threads of this process.
    """

    def __init__(self, processes: int = 0) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._calls, self._provers, self._teachers = Turns(_THREADS), Turns(_PROVERS), Turns(max(1, processes))

    def at_once(self, held: Held, name: str, arguments: Any) -> dict[str, Any] | None:
        """The answer to a call that takes less than a thread would; None for others, and if the session answers one."""
        if held.waiting or not is_quick(held.session, name, arguments):
            return None
        return call(held.session, name, arguments)

    async def answer(
        self, held: Held, name: str, arguments: Any, show: Callable[[dict[str, Any]], _Shown], client: str = ""
    ) -> _Shown:
        """What is made of the answer of a session to a call, once it has answered those before.

        Args:
            held: the session.
            name: of the call.
            arguments: as they came.
            show: makes of the answer what is sent.
            client: who asks, as it takes turns with others; each session by itself if empty.

        Raises Refused if too many calls wait.
        """
        if (content := self.at_once(held, name, arguments)) is not None:
            return show(content)
        session, client = held.session, client or str(id(held))
        until = monotonic() + session.limits.seconds
        if held.waiting >= MOST_WAITING:
            raise Refused(Code.BUSY, f"{held.waiting} calls of this session wait for each other; come again later.")
        held.waiting += 1
        try:
            async with held.lock:
                if is_quick(session, name, arguments):
                    return show(call(session, name, arguments))
                way = session.way(arguments) if self._processes and asks_teacher(name) else None
                if way is not None and not asks_prover(name, arguments):
                    async with self._teachers.taken(client):
                        return show(await self._elsewhere(_limited(session.limits, until), way, name, arguments))
                return await self.run(
                    partial(_worked_out, session, until, name, arguments, show),
                    asks=asks_prover(name, arguments),
                    client=client,
                )
        finally:
            held.waiting -= 1

    async def run(self, work: Callable[[], _Shown], *, asks: bool, client: str) -> _Shown:
        """What a function gives, worked out in a thread.

        Args:
            work: the function.
            asks: whether it asks a prover.
            client: who asks.

        Raises Refused if too many calls of the client wait.
        """
        async with (self._provers if asks else self._calls).taken(client):
            return await to_thread.run_sync(work)

    async def _elsewhere(self, limits: Limits, way: Way, name: str, arguments: Any) -> dict[str, Any]:
        """The answer to a call, worked out in a process that knows the way to its state."""
        pool = self._pool = self._pool or ProcessPoolExecutor(self._processes, get_context("spawn"), _give_way)
        try:
            return await asyncio.wrap_future(pool.submit(_answered, limits, way, name, arguments))
        except BrokenProcessPool:
            if self._pool is pool:  # else another call has found out before
                self.close()
            return refusal(Refused(Code.INTERNAL, "The process that worked this out has died; nothing was changed."))

    def close(self) -> None:
        """End the processes."""
        pool, self._pool = self._pool, None
        if pool is not None:
            end_pool(pool)


def _give_way() -> None:
    """Belong to the server, and leave the cores to it, as it has the small calls."""
    belong_to_parent()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)


def _limited(limits: Limits, until: float) -> Limits:
    """The limits of a call that is to be answered by some time."""
    return replace(limits, seconds=max(0.0, until - monotonic()))


def _worked_out(
    session: Session, until: float, name: str, arguments: Any, show: Callable[[dict[str, Any]], _Shown]
) -> _Shown:
    usual = session.limits
    session.limits = _limited(usual, until)
    try:
        return show(call(session, name, arguments))
    finally:
        session.limits = usual


def _answered(limits: Limits, way: Way, name: str, arguments: Any) -> dict[str, Any]:
    """The answer of a session that has the states of a way alone; for a worker process."""
    session = Session(limits)
    session.states = States.on(way, limits)
    return call(session, name, arguments)
