"""A process that has imported what many need, and forks for each of them: what runs in that process.

Imports nothing of ours. Whoever wants forks starts such a process with a socket of packets (`SOCK_SEQPACKET`) as its
standard input, and hears there, as JSON:

- `["ready"]`: everything is imported, and forks may be ordered;
- `["begun", order, pid]`: the fork for an order runs, in a session of its own;
- `["ended", order, status]`: it has ended, with an exit code, or minus the number of the signal that ended it; also
  where none could be made.

An order is `[order, variables]`, a number and what the environment of the fork holds besides, together with three file
descriptors, which are its standard streams. All ends when the other side of the socket is closed.
"""

from __future__ import annotations

import errno
import gc
import json
import os
import signal
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from select import select
from time import monotonic, sleep
from typing import Any, Final

CAN_FORK: Final = hasattr(os, "fork") and hasattr(socket, "SOCK_SEQPACKET") and sys.platform != "darwin"
"""Whether there can be such a process: on macOS, what its own libraries have begun may crash a fork."""

LARGEST_PACKET: Final = 16 * 1024

_RATHER: Final = 100
"""Thousandths of the machine's memory by which a fork counts as larger than it is when memory runs out."""

_TO_LEAVE: Final = 5.0
"""Seconds that forks may take to end when nobody is left for whom they run."""


def fork_when_told() -> None:
    """Fork for each order, and come back in the forks alone.

    No thread may run: a fork would have the locks of threads that it does not have.

    Raises SystemExit in the process that forks, when the other side of the socket is closed.
    """
    orders = socket.socket(fileno=os.dup(0))
    _put_in_place([os.open(os.devnull, os.O_RDONLY)])
    gc.collect()
    gc.freeze()  # else the first collection in each fork would copy all that was imported
    woken, waker = os.pipe()
    for end in (woken, waker):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    running: dict[int, int] = {}
    _tell(orders, "ready")
    while True:
        readable, _, _ = select([orders.fileno(), woken], [], [])
        if woken in readable:
            os.read(woken, 4096)
            for pid, status in _ended():
                _tell(orders, "ended", running.pop(pid), status)
        if orders.fileno() not in readable:
            continue
        try:
            packet, streams, *_ = socket.recv_fds(orders, LARGEST_PACKET, 3)
        except ConnectionError:  # the other side has ended before it has heard all
            packet = b""
        if not packet:
            orders.close()
            _end(running)
            raise SystemExit
        order, variables = json.loads(packet)
        try:
            pid = _fork(streams)
        except OSError as error:
            _tell(orders, "ended", order, error.errno)
            pid = -1
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            _tell(orders, "begun", order, os.getpid())
            for end in (woken, waker, orders.detach()):
                os.close(end)
            _put_in_place(streams)
            _offer_itself()
            os.environ.update(variables)
            return
        if pid > 0:
            running[pid] = order
        for stream in streams:
            os.close(stream)


def _fork(streams: list[int]) -> int:
    """Fork, as `os.fork`. Raises OSError where that is not possible, or not all streams have come."""
    if len(streams) != 3:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
    return os.fork()


def _put_in_place(streams: list[int]) -> None:
    """Make these the standard streams, the first of them the input."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)


def _offer_itself() -> None:
    """Have the system end this process rather than the one that all others end with, should memory run out (Linux)."""
    score = Path("/proc/self/oom_score_adj")
    with suppress(OSError):
        score.write_text(str(min(int(score.read_text()) + _RATHER, 1000)))


def _tell(orders: socket.socket, *message: Any) -> None:
    """Tell the other side, if it is still there; that it is not is seen elsewhere."""
    with suppress(ConnectionError):
        orders.send(json.dumps(message).encode())


def _ended() -> list[tuple[int, int]]:
    """The forks that have ended since this was asked last, and how."""
    ended = []
    with suppress(ChildProcessError):  # none is left
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            ended.append((found[0], os.waitstatus_to_exitcode(found[1])))
    return ended


def _end(running: dict[int, int]) -> None:
    """End all forks with what they have started: tell them to, and kill those that do not."""
    deadline = monotonic() + _TO_LEAVE
    _signal(running, signal.SIGTERM)
    while running and monotonic() < deadline:
        sleep(0.05)
        for pid, _ in _ended():
            del running[pid]
    _signal(running, signal.SIGKILL)


def _signal(pids: Iterable[int], number: int) -> None:
    """Send a signal to processes that lead groups, and to their groups."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.killpg(pid, number)
