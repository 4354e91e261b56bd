"""Tasks of an event loop that overlap, and lie still between two steps: for work that may be stopped after any step.

Knows nothing of ours.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator, Sequence
from concurrent.futures import Executor
from threading import Thread
from typing import Any, Final, Self, TypeAlias, TypeVar

T = TypeVar("T")
Q = TypeVar("Q")

Job: TypeAlias = Generator[int, None, T]
"""Work in steps, each a number that is to be counted, with a result."""
Task: TypeAlias = Generator[Q | None, None, T]
"""Work that yields None after a step, or a question that somebody has to answer before it goes on."""
_WAIT: Final = 0.02
"""Seconds for which processes are waited for in a step."""


class Overlap:
    """An event loop whose tasks have work done by whoever goes through the steps, one job after the other.

    Between two steps nothing goes on here, so that they may lie still for days, or be let go of in the middle.

    Args:
        processes: do other work meanwhile; None to have all of it done here.

    Attributes:
        processes: these.
    """

    def __init__(self, processes: Executor | None = None) -> None:
        self.processes = processes

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._jobs: deque[tuple[Job[Any], asyncio.Future[Any]]] = deque()
        self._awaited = 0
        self._main: asyncio.Task[None] | None = None
        return self

    def __exit__(self, *_: object) -> None:
        while self._main is not None and not self._main.done():  # its own tasks are done before it is
            self._main.cancel()
            self._turn()
        self._loop.close()

    async def done(self, job: Job[T]) -> T:
        """Have a job done by whoever goes through the steps."""
        future: asyncio.Future[T] = self._loop.create_future()
        self._jobs.append((job, future))
        return await future

    async def worked(self, work: Callable[..., T], *asked: Any) -> T:
        """Have work done by a process, or here if there is none."""
        if self.processes is None:
            return work(*asked)
        self._awaited += 1
        try:
            return await self._loop.run_in_executor(self.processes, work, *asked)
        finally:
            self._awaited -= 1
            self._loop.stop()

    def steps(self, main: Coroutine[Any, Any, None]) -> Iterator[int]:
        """Go through the jobs that a coroutine and its tasks ask for; yields what they yield, and 0 after each."""
        self._main = task = self._loop.create_task(main)
        while not task.done():
            self._turn()
            if self._jobs:
                job, future = self._jobs.popleft()
                future.set_result((yield from job))
            yield 0
        task.result()

    def _turn(self) -> None:
        """Let the tasks go on; in another thread if this one runs a loop already, as in a notebook."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._run()
        else:
            thread = Thread(target=self._run)
            thread.start()
            thread.join()

    def _run(self) -> None:
        if self._awaited and not self._jobs:
            timer = self._loop.call_later(_WAIT, self._loop.stop)
            self._loop.run_forever()
            timer.cancel()
        else:
            self._loop.call_soon(self._loop.stop)
            self._loop.run_forever()


def counted(number: int) -> Job[None]:
    """Steps that were made elsewhere, so many of them."""
    for _ in range(number):
        yield 1


def side_by_side(tasks: Sequence[Task[Q, T]], ask: Callable[[list[Q]], object]) -> Job[list[T]]:
    """Resume tasks in turn until all are done; yields 1 after each step, and returns their results in their order.

    Args:
        tasks: any number of them.
        ask: is told at once what the tasks want to hear in the same turn.
    """
    results: dict[int, T] = {}
    while len(results) < len(tasks):
        waiting: list[Q] = []
        for number, task in enumerate(tasks):
            if number not in results:
                try:
                    question = next(task)
                except StopIteration as done:
                    results[number] = done.value
                else:
                    if question is None:
                        yield 1
                    else:
                        waiting.append(question)
        if waiting:
            ask(waiting)
    return [results[number] for number in range(len(tasks))]
