"""Worker processes on this machine, each with a pipe to this process.

Each is started afresh ("spawn"), and nobody else holds an end of its pipe: when it dies, in the middle of a message or
not, reading from the pipe fails at once. No thread of this process has to do with it. Ctrl-C never reaches a worker.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any, TypeVar

from oasis.ground.signals import held_back

if TYPE_CHECKING:
    Pipe = Connection[Any, Any]
    Workers = dict[Pipe, SpawnProcess]
    """Processes by our ends of their pipes."""

T = TypeVar("T")


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
