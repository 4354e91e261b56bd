"""Engines on this machine: this process, or several of their own.

Each process is started afresh ("spawn"), so that it has nothing of this one but the plan.
"""

from __future__ import annotations

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
from typing import Final

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
    """Several processes on this machine; they end when this one does, however it does. Little work is done here."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, plan: Plan, seeds: Seeds) -> Jobs:
        """The outcomes of each job when it is done; leaving the iteration early ends the processes.

        Raises EngineError when one of them dies.
        """
        if plan.episodes * sum(map(len, seeds.values())) < WORTH_STARTING:
            yield from Serial().run(plan, seeds)
            return
        jobs = iter(divided(plan, seeds, self.workers))
        context = multiprocessing.get_context("spawn")
        # Nothing is ever sent: when the other end is closed, by us or because this process is gone, the workers end.
        lifeline, ours = context.Pipe(duplex=False)
        executor = ProcessPoolExecutor(
            self.workers, mp_context=context, initializer=_begin_work, initargs=(plan, lifeline)
        )

        def submit(number: int) -> set[Future[list[Outcome]]]:
            with _deaf_to_interrupts():
                return {executor.submit(_work, job) for job in islice(jobs, number)}

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
            ours.close()
            raise
        finally:
            executor.shutdown(cancel_futures=True)
            ours.close()
            lifeline.close()


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

_plan: Plan


def _begin_work(plan: Plan, lifeline: Connection[None, None]) -> None:
    global _plan
    _plan = plan
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection[None, None]) -> None:
    with suppress(EOFError, OSError):
        lifeline.recv()
    os._exit(1)


def _work(job: Job) -> list[Outcome]:
    return work(_plan, job)
