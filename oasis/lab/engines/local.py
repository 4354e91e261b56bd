"""Engines on this machine: this process, or several of their own.

Each process is started afresh ("spawn"), so that it has nothing of this one but the plan.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from threading import Thread
from typing import Final, Self

from oasis.lab.engines.base import EngineError, Job, Jobs, Outcome, Seeds, divided, work
from oasis.lab.plan import Plan

WORTH_STARTING: Final = 100_000
"""Fewer episodes than this are done here before another process has started."""


class Serial:
    """One trial after the other in this process."""

    def run(self, plan: Plan, seeds: Seeds) -> Jobs:
        """The outcomes of each job when it is done."""
        for job in divided(plan, seeds, workers=1):
            yield work(plan, job)


class Processes:
    """Several processes on this machine; they end when this one does, however it does. Little work is done here.

    As a context manager it keeps its processes from one run to the next, and nothing is too little for them.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._pool: _Pool | None = None

    def __enter__(self) -> Self:
        self._pool = _Pool(self.workers)
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.end()
            self._pool = None

    def run(self, plan: Plan, seeds: Seeds) -> Jobs:
        """The outcomes of each job when it is done; leaving the iteration early ends the processes.

        Raises EngineError when one of them dies.
        """
        if self._pool is not None:
            yield from self._run(self._pool, plan, seeds)
        elif plan.episodes * sum(map(len, seeds.values())) < WORTH_STARTING:
            yield from Serial().run(plan, seeds)
        else:
            with self:
                yield from self.run(plan, seeds)

    def _run(self, pool: _Pool, plan: Plan, seeds: Seeds) -> Jobs:
        jobs = iter(divided(plan, seeds, self.workers))

        def submit(number: int) -> set[Future[list[Outcome]]]:
            return {pool.submit(plan, job) for job in islice(jobs, number)}

        try:
            # One job for each worker, and one more that it finds waiting.
            running = submit(2 * self.workers)
            while running:
                done, running = wait(running, return_when=FIRST_COMPLETED)
                # If a process has died, what the others finished comes first.
                for future in sorted(done, key=lambda future: future.exception() is not None):
                    outcomes = future.result()
                    running |= submit(1)
                    yield outcomes
        except BrokenProcessPool as error:
            raise EngineError(
                "A worker process was ended from outside, perhaps because memory ran out; what was done is kept, "
                "so go on with --resume, if need be with fewer --workers."
            ) from error
        except BaseException:
            pool.kill()
            raise


class _Pool:
    """The processes."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        # Nothing is ever sent: when the other end is closed, by us or because this process is gone, the workers end.
        self._lifeline, self._ours = context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(
            workers, mp_context=context, initializer=_begin_work, initargs=(self._lifeline,)
        )

    def submit(self, plan: Plan, job: Job) -> Future[list[Outcome]]:
        """Have a job done."""
        with _deaf_to_interrupts():
            return self._executor.submit(work, plan, job)

    def kill(self) -> None:
        """End the processes at once, whatever they do."""
        self._ours.close()

    def end(self) -> None:
        """End the processes when they have done what they are doing."""
        self._executor.shutdown(cancel_futures=True)
        self._ours.close()
        self._lifeline.close()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started here never get Ctrl-C, not even while they start: who started them ends them."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# What follows runs in the worker processes.


def _begin_work(lifeline: Connection[None, None]) -> None:
    # What is made here stays, and has no cycles: to look for some takes a third of the time.
    gc.freeze()
    gc.set_threshold(100_000)
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection[None, None]) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv()
    os._exit(1)
