"""Where the processes of tabs come from: forks of one that has imported the classroom, or each started by itself.

A process that is started has to import the classroom first, which takes most of the time until it draws. So it is done
where there are no forks, and while the process that forks has died.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import socket
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from io import FileIO
from itertools import count
from typing import Final

from oasis.ground.forks import CAN_FORK, LARGEST_PACKET
from oasis.server.child import Process

DRIVER: Final = "tui.served:ServedDriver"
"""What reads and draws for the application in a tab."""

_SOON: Final = 1.0
_LATER: Final = 60.0
"""Seconds until another process is to fork after one that did, and after one that never could."""

_PATIENCE: Final = 30.0
"""Seconds for which a fork is waited for."""

_log = logging.getLogger(__name__)


class Nursery:
    """Starts processes that run one command, as forks while `keep` runs.

    Args:
        command: what they run, without a shell. With `--nursery` it forks when told, as `oasis.ground.forks` says.
    """

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._numbers = count(1)
        self._orders: dict[int, _Order] = {}
        self._way: asyncio.Future[socket.socket | None] | None = None

    async def keep(self) -> None:
        """Keep a process that forks, and another one when it has died, until cancelled; its forks end with it."""
        while CAN_FORK:
            self._way = asyncio.get_running_loop().create_future()
            has_forked = False
            try:
                with suppress(OSError):
                    await self._keep_one()
            finally:
                has_forked = self._way.done()
                if not has_forked:
                    self._way.set_result(None)
                self._way = None
                while self._orders:
                    self._orders.popitem()[1].end(-signal.SIGKILL)
            if has_forked:
                _log.warning("The process that forks for tabs has died, with all tabs; another one is started.")
            else:
                _log.warning("The process that forks for tabs did not start, so every tab takes longer to open.")
            await asyncio.sleep(_SOON if has_forked else _LATER)

    async def _keep_one(self) -> None:
        """Start a process that forks, and heed what it says until it ends. Raises OSError if it cannot be started."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            ours.setblocking(False)
            with theirs:
                process = await asyncio.create_subprocess_exec(
                    *self._command,
                    "--nursery",
                    stdin=theirs.fileno(),
                    stdout=DEVNULL,
                    env=_environment({}),
                    start_new_session=True,
                )
            try:
                while packet := await asyncio.get_running_loop().sock_recv(ours, LARGEST_PACKET):
                    self._heed(ours, *json.loads(packet))
            finally:
                _kill(process.pid)  # asyncio's own way might take the status that it waits for
                await process.wait()

    def _heed(self, ours: socket.socket, what: str, number: int = 0, told: int = 0) -> None:
        """Do what a packet of the process that forks asks for."""
        match what:
            case "ready":
                assert self._way is not None
                self._way.set_result(ours)
            case "begun":
                self._orders[number].begin(told)
            case "ended":
                self._orders.pop(number).end(told)

    async def start(self, variables: Mapping[str, str]) -> Process:
        """Start a process whose environment holds these variables besides.

        Raises OSError where none can be started.
        """
        try:
            async with asyncio.timeout(_PATIENCE):
                return await self._fork(variables)
        except OSError:  # as is that it takes too long
            return await self._execute(variables)

    async def _fork(self, variables: Mapping[str, str]) -> Process:
        """Have a process forked. Raises OSError where that is not possible."""
        way = None if self._way is None else await asyncio.shield(self._way)
        if way is None:
            raise ConnectionError("nothing forks")
        number, order, streams = next(self._numbers), _Order(), _Streams()
        try:
            with ExitStack() as theirs:
                ends = [theirs.enter_context(end).fileno() for end in await streams.open()]
                socket.send_fds(way, [json.dumps([number, dict(variables)]).encode()], ends)
            self._orders[number] = order
            pid = await order.begun()
        except BaseException:
            streams.close()
            raise
        return Process(pid, streams.stdin, streams.stdout, streams.stderr, order.ended, streams.close)

    async def _execute(self, variables: Mapping[str, str]) -> Process:
        """Start a process by itself. Raises OSError where that is not possible."""
        process = await asyncio.create_subprocess_exec(
            *self._command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=_environment(variables), start_new_session=True
        )
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        # asyncio closes what it reads from when the process has ended.
        stdin = process.stdin.transport
        return Process(process.pid, stdin, process.stdout, process.stderr, process.wait, stdin.close)


class _Order:
    """A fork that was ordered: when it begins, and when it ends."""

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self._pid: asyncio.Future[int] = loop.create_future()
        self._status: asyncio.Future[int] = loop.create_future()

    def begin(self, pid: int) -> None:
        """It runs; but if nobody waits for it any more, it ends at once."""
        if self._pid.cancelled():
            _kill(pid)
        else:
            self._pid.set_result(pid)

    def end(self, status: int) -> None:
        """It has ended, or could not be made."""
        if not self._pid.done():
            self._pid.set_exception(ChildProcessError(f"no fork ({status})"))
        self._status.set_result(status)

    async def begun(self) -> int:
        """Wait until it runs; its number. Raises OSError if it could not be made."""
        try:
            return await self._pid
        except asyncio.CancelledError:
            if not self._pid.cancelled():
                _kill(self._pid.result())
            raise

    async def ended(self) -> int:
        """Wait until it has ended; an exit code, or minus the number of a signal."""
        return await asyncio.shield(self._status)


def _kill(pid: int) -> None:
    """End a process that leads a group, and its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


class _Streams:
    """Our ends of the standard streams of a fork, which close themselves when it has ended.

    Attributes:
        stdin: takes what it is to read.
        stdout: what it writes.
        stderr: what it complains of.
    """

    stdin: asyncio.WriteTransport

    def __init__(self) -> None:
        self.stdout, self.stderr = asyncio.StreamReader(), asyncio.StreamReader()
        self._transports: list[asyncio.BaseTransport] = []

    async def open(self) -> tuple[FileIO, FileIO, FileIO]:
        """Open them; the other ends, which are the fork's. Raises OSError."""
        (stdin, typed), (drawn, stdout), (complained, stderr) = _pipe(), _pipe(), _pipe()
        loop = asyncio.get_running_loop()
        self.stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, typed)
        self._transports.append(self.stdin)
        for reader, file in ((self.stdout, drawn), (self.stderr, complained)):
            transport, _ = await loop.connect_read_pipe(partial(asyncio.StreamReaderProtocol, reader), file)
            self._transports.append(transport)
        return stdin, stdout, stderr

    def close(self) -> None:
        """Close them."""
        for transport in self._transports:
            transport.close()


def _pipe() -> tuple[FileIO, FileIO]:
    """The two ends of a pipe: what is read from, and what is written to."""
    read, written = os.pipe()
    return FileIO(read, "rb"), FileIO(written, "wb")


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment of a process: the server's without the code of the class, and more."""
    environment = {name: value for name, value in os.environ.items() if name != "OASIS_CLASS_CODE"}
    return environment | {
        "TEXTUAL_DRIVER": DRIVER,
        "TEXTUAL_COLOR_SYSTEM": "truecolor",
        "TERM_PROGRAM": "textual",
        **variables,
    }
