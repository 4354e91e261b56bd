"""Processes that a classroom starts beside itself: afresh, with a pipe between the two, and never in a person's way."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any


def start(name: str, target: Callable[..., None], *arguments: Any) -> tuple[SpawnProcess, Connection]:
    """A process that calls `target` with its end of a pipe and the arguments, and our end of the pipe.

    The pipe is at its end for either as soon as the other has ended, however that was.
    """
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=target, args=(theirs, *arguments), name=name, daemon=True)
    with _deaf_to_interrupts():
        process.start()
    theirs.close()  # else nobody here would see it end
    return process, ours


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """A process that is started here never gets Ctrl-C, not even while it starts: who started it ends it."""
    if sys.platform == "win32":
        yield
        return
    # Started on the way it would let interrupts through; and it wants a stderr that is a file, which Textual's is not.
    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
