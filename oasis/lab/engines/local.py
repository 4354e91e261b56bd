"""Engines on this machine: this process, or several of their own.

Each process is started afresh ("spawn") and has a pipe to this one, of which nobody else holds an end: when a process
dies, in the middle of a message or not, reading from its pipe fails at once. No thread of this process has to do with
it, each worker is asked for one job at a time, and the workers are killed when all is done: nothing here waits for what
may not come.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any, Final, cast

from oasis.ground.signals import held_back
from oasis.lab.engines.base import EngineError, Job, Jobs, Outcome, Seeds, divided, effort, work
from oasis.lab.plans import Work

WORTH_STARTING: Final = 100_000
"""Less effort than this is done here before another process has started."""
_SECONDS_TO_DIE: Final = 10
"""How long the exit code of a process that has closed its pipe is waited for."""

if TYPE_CHECKING:
    Pipe = Connection[Any, Any]
    Workers = dict[Pipe, SpawnProcess]
    """Processes by our ends of their pipes."""


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
        with _started(min(self.workers, len(jobs))) as workers:
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
        for answer in sorted(answers, key=lambda answer: isinstance(answer, Exception)):
            if isinstance(answer, Exception):
                raise answer
            yield answer
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


@contextmanager
def _started(number: int) -> Iterator[Workers]:
    """So many worker processes, which are killed in the end."""
    context = multiprocessing.get_context("spawn")
    workers: Workers = {}
    try:
        try:
            with _interrupts_held_back():
                for _ in range(number):
                    ours, theirs = context.Pipe()
                    with theirs:
                        process = context.Process(target=_serve, args=(theirs,), daemon=True)
                        process.start()
                    workers[ours] = process
        except OSError as error:
            raise EngineError(
                f"{number} worker processes cannot be started ({error.strerror}); ask for fewer --workers."
            ) from error
        yield workers
    finally:
        with _interrupts_held_back():
            for process in workers.values():
                process.kill()
            for pipe, process in workers.items():
                process.join()
                pipe.close()


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block; processes that are started in it never get one."""
    came: list[int] = []
    is_main = threading.current_thread() is threading.main_thread()
    # Another thread may be given the signal that this one masks; the handler runs in this one all the same.
    handler = signal.signal(signal.SIGINT, lambda number, _: came.append(number)) if is_main else None
    try:
        with held_back(signal.SIGINT):
            yield
    finally:
        if is_main:
            signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


# What follows runs in the worker processes.


def _serve(pipe: Pipe) -> None:
    """Do one job after the other, until the other end of the pipe is closed."""
    # What is made here stays, and has no cycles: to look for some takes a third of the time.
    gc.freeze()
    gc.set_threshold(100_000)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):
        plans = pipe.recv()
        while True:
            pipe.send(_answer(plans, pipe.recv()))


def _answer(plans: Sequence[Work], job: Job) -> list[Outcome] | Exception:
    """The outcomes of a job, or what went wrong, with where it did as a note."""
    try:
        return work(plans, job)
    except Exception as error:
        error.add_note(traceback.format_exc())
        return error


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
