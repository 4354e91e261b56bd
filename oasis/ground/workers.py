"""Worker processes on this machine, each with a pipe to this process.

Each is started afresh ("spawn"), and nobody else holds an end of its pipe: when it dies, in the middle of a message or
not, reading from the pipe fails at once. No thread of this process has to do with it. Ctrl-C never reaches a worker.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from oasis.ground.signals import held_back

if TYPE_CHECKING:
    Pipe = Connection[Any, Any]
    Workers = dict[Pipe, SpawnProcess]
    """Processes by our ends of their pipes."""

T = TypeVar("T")

_SECONDS_TO_DIE: Final = 10
"""How long the exit code of a process that has closed its pipe is waited for."""


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def started(number: int, serve: Callable[[Pipe], None], refused: Callable[[str], Exception]) -> Iterator[Workers]:
    """Start so many processes, which are killed at the end of the block.

    Args:
        number: of processes.
        serve: what each does with its end of its pipe.
        refused: gives, from a reason, what is raised if the system does not start them.
    """
    context = multiprocessing.get_context("spawn")
    workers: Workers = {}
    try:
        try:
            with _interrupts_held_back():
                for _ in range(number):
                    ours, theirs = context.Pipe()
                    with theirs:
                        process = context.Process(target=serve, args=(theirs,), daemon=True)
                        process.start()
                    workers[ours] = process
        except OSError as error:
            raise refused(str(error.strerror)) from error
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


def answer(work: Callable[..., T], *asked: Any) -> T | Exception:
    """Return what some work gives, or what goes wrong in it, with where it did as a note; for a worker process."""
    try:
        return work(*asked)
    except Exception as error:
        error.add_note(traceback.format_exc())
        return error


def answers(
    workers: Workers, shared: object, jobs: Iterable[object], died: Callable[[str], Exception]
) -> Iterator[Any]:
    """Have jobs done by workers that first take what all jobs share; yield what comes of each, as it comes.

    Each worker is busy with one job at a time. What goes wrong in one is raised here; what was done before comes first.

    Args:
        workers: that `answer` what they are sent, from the second thing on.
        shared: by all jobs.
        jobs: at least as many as workers.
        died: gives, from how it ended, what is raised if a worker is no more.
    """
    left, busy = iter(jobs), list(workers)
    for pipe, process in workers.items():
        try:
            pipe.send(shared)
            pipe.send(next(left))
        except OSError as error:
            raise died(_end(process)) from error
    while busy:
        came, ends = [], []
        for pipe in cast("list[Pipe]", wait(busy)):
            try:
                came.append(pipe.recv())
                job = next(left, None)
                if job is None:
                    busy.remove(pipe)
                else:
                    pipe.send(job)
            except (EOFError, OSError):
                ends.append(_end(workers[pipe]))
        for each in sorted(came, key=lambda each: isinstance(each, Exception)):
            if isinstance(each, Exception):
                raise each
            yield each
        for end in ends:
            raise died(end)


def _end(process: SpawnProcess) -> str:
    """Say how a process ended that has closed its pipe."""
    process.join(_SECONDS_TO_DIE)
    code = process.exitcode
    how = signal.Signals(-code).name if code is not None and code < 0 else f"exit code {code}"
    return f"{how}, perhaps because memory ran out" if how == "SIGKILL" else how
