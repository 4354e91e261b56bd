"""One process that runs the classroom for a tab, and the packets that Textual's web driver exchanges with it.

A packet is a letter (D for what is drawn or typed, M for JSON, P for a piece of a file), four bytes that say how long
it is, the highest first, and so many bytes. The process has a group of its own, and what it starts ends with that.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from oasis.server.limits import LARGEST_BACKLOG, LARGEST_PACKET

DATA: Final = b"D"
META: Final = b"M"
PACKED: Final = b"P"

_PRELUDE: Final = b"__GANGLION__\n"
_LARGEST_COMPLAINT: Final = 16 * 1024
"""Bytes of what a child writes as an error that are kept."""


@dataclass(frozen=True)
class Process:
    """A running process, with a session of its own.

    Attributes:
        pid: its number.
        stdin: takes what it is to read.
        stdout: what it writes.
        stderr: what it complains of.
        wait: waits until it has ended; gives its exit code, or minus the number of the signal that ended it.
        close: closes our ends of the three.
    """

    pid: int
    stdin: asyncio.WriteTransport
    stdout: asyncio.StreamReader
    stderr: asyncio.StreamReader
    wait: Callable[[], Awaitable[int]]
    close: Callable[[], None]


class Child:
    """The application of one tab.

    Args:
        process: that runs it.

    Attributes:
        pid: its number.
    """

    def __init__(self, process: Process) -> None:
        self.pid: int = process.pid
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout
        self._complaint = bytearray()
        self._complaining = asyncio.create_task(self._hear())

    async def begin(self) -> bool:
        """Wait until the application draws. False if the process ended before, or writes something else."""
        for _ in range(10):
            try:
                line = await self._stdout.readline()
            except ValueError:  # longer than any that belongs here
                return False
            if line in (_PRELUDE, b""):
                return bool(line)
        return False

    async def packets(self) -> AsyncIterator[tuple[bytes, bytes]]:
        """The letter and the content of each packet, until the process has ended or sends something that is none."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                head = await self._stdout.readexactly(5)
                kind, size = head[:1], int.from_bytes(head[1:], "big")
                if kind not in (DATA, META, PACKED) or size > LARGEST_PACKET:
                    return
                yield kind, await self._stdout.readexactly(size)

    def send(self, kind: bytes, content: bytes) -> bool:
        """Send a packet. False if so much waits already that nobody can be reading."""
        if self._stdin.is_closing():
            return True  # that the process has ended is told elsewhere
        if self._stdin.get_write_buffer_size() > LARGEST_BACKLOG:
            return False
        self._stdin.write(kind + len(content).to_bytes(4, "big") + content)
        return True

    def tell(self, **message: Any) -> bool:
        """Send a message of the protocol, as JSON; what is given back is that of `send`."""
        return self.send(META, json.dumps(message).encode())

    async def ended(self) -> int:
        """Wait until the process has ended; its exit status."""
        return await self._process.wait()

    def complaint(self) -> str:
        """What the process has written as an error, in characters that a terminal shows as they are."""
        text = self._complaint.decode(errors="replace")
        return "".join(letter if letter.isprintable() or letter == "\n" else "\ufffd" for letter in text).strip()

    async def stop(self, to_quit: float, to_end: float) -> None:
        """End the process and all that it has started: ask it to, tell it to, kill it, each after so many seconds."""
        drain = asyncio.create_task(self._drain())  # else it might wait for somebody to read what it draws
        try:
            self.tell(type="quit")
            if not await self._has_ended_within(to_quit):
                self._signal(signal.SIGTERM)
                await self._has_ended_within(to_end)
        finally:
            self._signal(signal.SIGKILL)
            drain.cancel()
            await self._process.wait()
            self._process.close()
            self._complaining.cancel()

    async def _has_ended_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
        except TimeoutError:
            return False
        return True

    def _signal(self, number: int) -> None:
        """Send a signal to the process and to what it has started; nothing if all of them have ended."""
        with suppress(ProcessLookupError, PermissionError):  # the latter is what macOS says of a group of zombies
            os.killpg(self.pid, number)

    async def _drain(self) -> None:
        while await self._stdout.read(65536):
            pass

    async def _hear(self) -> None:
        while piece := await self._process.stderr.read(4096):
            self._complaint += piece[: _LARGEST_COMPLAINT - len(self._complaint)]
