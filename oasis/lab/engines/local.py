"""Engines on this machine: this process, or several of their own.

Each worker is asked for one job at a time, and the workers are killed when all is done: nothing here waits for what may
not come.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Final, cast

from oasis.ground.signals import end_with_parent
from oasis.ground.workers import answer, started
from oasis.lab.engines.base import EngineError, Job, Jobs, Outcome, Seeds, divided, effort, work
from oasis.lab.plans import Work

WORTH_STARTING: Final = 100_000
"""Less effort than this is done here before another process has started."""
_SECONDS_TO_DIE: Final = 10
"""How long the exit code of a process that has closed its pipe is waited for."""

if TYPE_CHECKING:
    from oasis.ground.workers import Pipe, Workers


class Serial:
    """One trial after the other in this process."""

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done."""
        for job in divided(plans, seeds, workers=1):
            yield work(plans, job)


class Processes:
    """Several processes on this machine; they end when this one does, however it does. Little work is done here."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def run(self, plans: Sequence[Work], seeds: Seeds) -> Jobs:
        """Yield the outcomes of each job when it is done; leaving the iteration early kills the processes.

        Raises EngineError when one of them dies or cannot be started.
        """
        if effort(plans, seeds) < WORTH_STARTING:
            yield from Serial().run(plans, seeds)
            return
        jobs = divided(plans, seeds, self.workers)
        number = min(self.workers, len(jobs))

        def refused(why: str) -> EngineError:
            return EngineError(f"{number} worker processes cannot be started ({why}); ask for fewer --workers.")

        with started(number, _serve, refused) as workers:
            yield from _done(workers, plans, jobs)


def _done(workers: Workers, plans: Sequence[Work], jobs: Sequence[Job]) -> Jobs:
    """Have all jobs done, each worker busy with one at a time."""
    left = iter(jobs)
    busy = list(workers)
    for pipe in workers:
        with _told_if_dead(workers[pipe]):
            pipe.send(plans)
            pipe.send(next(left))
    while busy:
        answers: list[list[Outcome] | Exception] = []
        dead = None
        for pipe in cast("list[Pipe]", wait(busy)):
            try:
                with _told_if_dead(workers[pipe]):
                    answers.append(pipe.recv())
                    job = next(left, None)
                    if job is None:
                        busy.remove(pipe)
                    else:
                        pipe.send(job)
            except EngineError as error:
                dead = error
        # If something went wrong, what has been done comes first.
        for each in sorted(answers, key=lambda each: isinstance(each, Exception)):
            if isinstance(each, Exception):
                raise each
            yield each
        if dead is not None:
            raise dead


@contextmanager
def _told_if_dead(process: SpawnProcess) -> Iterator[None]:
    """Raise EngineError if the process at the other end of a pipe is no more."""
    try:
        yield
    except (EOFError, OSError) as error:
        process.join(_SECONDS_TO_DIE)
        code = process.exitcode
        how = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
        why = ", perhaps because memory ran out" if how == "SIGKILL" else ""
        raise EngineError(
            f"A worker process has died ({how}{why}); if it happens again, ask for fewer --workers."
        ) from error


# What follows runs in the worker processes.


def _serve(pipe: Pipe) -> None:
    """Do one job after the other, until the other end of the pipe is closed."""
    # What is made here stays, and has no cycles: to look for some takes a third of the time.
    gc.freeze()
    gc.set_threshold(100_000)
    end_with_parent()
    with suppress(EOFError, OSError):
        plans = pipe.recv()
        while True:
            pipe.send(answer(work, plans, pipe.recv()))
