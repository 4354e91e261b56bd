"""Signals that are held back while processes begin. Imports nothing of ours."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from multiprocessing import resource_tracker


@contextmanager
def held_back(*signals: signal.Signals) -> Iterator[None]:
    """Keep signals from this thread until the end of the block, and from processes that are started in it for good.

    Such a process gets them only when it lets them through itself. On Windows nothing can be held back.
    """
    if sys.platform == "win32":
        yield
        return
    # Started on the way it would let signals through; and it wants a stderr that is a file, which Textual's is not.
    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
