"""Work in the background: a thread that does one thing after the other, and keeps nobody from leaving.

Unlike those of an executor, its thread is not waited for when the program ends, however slow a prover or a disk is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

_Answer = TypeVar("_Answer")
_Arguments = ParamSpec("_Arguments")


class Background:
    """A thread with a name, which begins with the first thing that is to be done.

    Attributes:
        is_closed: whether nothing more is begun.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._queue: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self.is_closed = False

    def submit(
        self, do: Callable[_Arguments, _Answer], *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> Future[_Answer]:
        """Have something done after everything that was submitted before; it is cancelled if that is never."""
        future: Future[_Answer] = Future()

        def work() -> None:
            if self.is_closed:
                future.cancel()
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(do(*arguments, **named))
            except BaseException as error:
                future.set_exception(error)

        if self.is_closed:
            future.cancel()
            return future
        if self._thread is None:
            self._thread = Thread(target=self._work, name=self._name, daemon=True)
            self._thread.start()
        self._queue.put(work)
        return future

    async def ask(
        self, do: Callable[_Arguments, _Answer], *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Answer:
        """The same, and wait for what comes of it. Raises what it raises."""
        return await asyncio.wrap_future(self.submit(do, *arguments, **named))

    def close(self, last: Callable[[], Any] | None = None) -> None:
        """Begin nothing more but `last`, and end when what is being done is done; nobody waits for that."""
        self.is_closed = True
        if self._thread is not None:
            if last is not None:
                self._queue.put(last)
            self._queue.put(None)
        elif last is not None:
            last()

    def wait(self, seconds: float) -> bool:
        """Wait until a closed thread has ended, so many seconds at most; whether it has."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self._thread is None or not self._thread.is_alive()

    def _work(self) -> None:
        while (work := self._queue.get()) is not None:
            work()
