"""Processes of provers: how they begin and end, and limits on time and memory of an answer. Imports nothing of ours.

Memory is what is resident, as Linux tells it in /proc; of address space Lean reserves gigabytes that it never touches.
Where there is no /proc, memory is not limited, and time alone is.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any, Final
from weakref import WeakSet, finalize

MEMORY: Final = 4 << 30
"""Bytes that a prover may take unless somebody says otherwise; files of some hundred proofs take a tenth of it."""
_PAUSE: Final = 0.1


class Exceeded(Exception):
    """A limit was exceeded; the text says which, as in `took more than 4 GiB of memory`."""


class Allowance:
    """The time and memory that one process may take for an answer, looked at while it is waited for."""

    def __init__(self, pid: int, seconds: float, memory: int = MEMORY) -> None:
        self._pid, self._seconds, self._memory = pid, seconds, memory
        self._looked = monotonic()
        self.renew()

    def renew(self) -> None:
        """Start the time anew."""
        self._end = monotonic() + self._seconds

    def pause(self) -> float:
        """Give the seconds to wait before asking again. Raises Exceeded."""
        now = monotonic()
        if now >= self._end:
            raise Exceeded(f"did not answer within {self._seconds:g} seconds")
        if now >= self._looked + _PAUSE:
            self._looked = now
            if resident(self._pid) > self._memory:
                raise Exceeded(f"took more than {self._memory / (1 << 30):g} GiB of memory")
        return min(self._end - now, _PAUSE)


class Pipes:
    """Both pipes of a running process: what is to be sent goes out while answers come in, within its allowance."""

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, memory: int) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._input, self._output = process.stdin.fileno(), process.stdout.fileno()
        self._allowance, self._unsent = Allowance(process.pid, seconds, memory), bytearray()
        self._reading, self._both = select.poll(), select.poll()
        for pipe, event in ((self._output, select.POLLIN), (self._input, select.POLLOUT)):
            os.set_blocking(pipe, False)
            self._both.register(pipe, event)
        self._reading.register(self._output, select.POLLIN)

    def renew(self) -> None:
        """Start the time for an answer anew."""
        self._allowance.renew()

    def send(self, content: bytes) -> None:
        """Have something sent, as soon as somebody waits for an answer."""
        self._unsent += content

    def receive(self) -> bytes:
        """Wait for some of what the process says. Raises Exceeded, and BrokenPipeError if it has ended."""
        while True:
            poll = self._both if self._unsent else self._reading
            ready = dict(poll.poll(self._allowance.pause() * 1000))
            if self._input in ready:
                with suppress(BlockingIOError):
                    del self._unsent[: os.write(self._input, self._unsent)]
            if self._output in ready:
                if received := os.read(self._output, 1 << 20):
                    return received
                raise BrokenPipeError


def resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 where the system does not tell, and for a process that has ended."""
    try:
        _, pages, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except (OSError, ValueError):
        return 0
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def start(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a process in a group of its own, so that Ctrl-C does not reach it and what it starts ends with it.

    Raises OSError if it cannot be started.
    """
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, start_new_session=True, **options)
    with _lock:
        _running.add(process)
    return process


def finished(process: subprocess.Popen[bytes], seconds: float, memory: int) -> bytes:
    """Wait until a process has ended; gives what it wrote to its pipe. Raises Exceeded if it takes too much.

    Whatever happens, it runs no longer then.
    """
    allowance = Allowance(process.pid, seconds, memory)
    ended = finalize(allowance, kill, process)  # also where nobody waits for the answer when the program ends
    try:
        while True:
            with suppress(subprocess.TimeoutExpired):
                return process.communicate(timeout=allowance.pause())[0] or b""
    finally:
        ended.detach()
        if process.returncode is None:
            kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and what it started, and reap it."""
    _kill_group(process)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was not written yet is not wanted any more
                stream.close()
    process.wait()


def kill_all() -> None:
    """Kill every process that was started here; whoever waits for one of them, in whichever thread, finds it dead."""
    with _lock:
        for process in _running:
            if process.returncode is None:
                _kill_group(process)


_lock: Final = Lock()
_running: Final = WeakSet[subprocess.Popen[bytes]]()


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    try:
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
