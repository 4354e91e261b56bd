"""Processes that a classroom starts beside itself: afresh, with a pipe between the two, and never in a person's way."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from oasis.ground.signals import held_back


class Ended(Exception):
    """The process at the other end is gone; the text says how it ended, as in "has ended"."""


class Neighbour:
    """A process that is started beside this one, and our end of a pipe to it.

    It ends when this one ends, however that is, and can be killed at any moment. `send` and `receive` belong to one
    thread each, and `close` to any.

    Args:
        name: of the process.
        target: what it calls, with its end of the pipe and the arguments.
        arguments: can be pickled.

    Attributes:
        is_closed: whether it was ended from here.
    """

    def __init__(self, name: str, target: Callable[..., None], *arguments: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=target, args=(theirs, *arguments), name=name, daemon=True)
        self.is_closed = False
        with held_back(signal.SIGINT):
            self._process.start()
        theirs.close()  # else nobody here would see it end

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return self._process.pid

    @property
    def exitcode(self) -> int | None:
        """How it ended: an exit code, or minus the number of a signal; None if it has not."""
        return self._process.exitcode

    def send(self, message: Any) -> None:
        """Send something; if it is gone, `receive` says so."""
        with suppress(OSError):
            self._connection.send(message)

    def receive(self) -> Any:
        """Wait for what it sends next. Raises Ended, also if it ends in the midst of that."""
        try:
            return self._connection.recv()
        except (EOFError, OSError):
            raise Ended("was closed" if self.is_closed else self._how_it_ended()) from None

    def close(self) -> None:
        """End it, whatever it does."""
        self.is_closed = True
        self._process.kill()
        self._process.join()

    def _how_it_ended(self) -> str:
        self._process.join(timeout=1)
        code = self._process.exitcode
        if code is not None and code < 0:
            return f"was ended from outside (signal {-code}), perhaps because memory ran out"
        return "has ended"
