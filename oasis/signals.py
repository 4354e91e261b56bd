"""Signals that are held back while processes begin, and Ctrl-C that is not lost. Imports nothing of ours."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from typing import Final

_AGAIN: Final = 0.05
"""Seconds after which Ctrl-C comes again that was dropped."""


def keep_interrupts() -> None:
    """Have Ctrl-C come again where Python drops what it raises, as in a callback of an import or in a finalizer."""
    before = sys.unraisablehook

    def keep(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            threading.Timer(_AGAIN, signal.raise_signal, (signal.SIGINT,)).start()
        else:
            before(unraisable)

    sys.unraisablehook = keep


@contextmanager
def held_back(*signals: signal.Signals) -> Iterator[None]:
    """Keep signals from this thread until the end of the block, and from processes that are started in it for good.

    Such a process gets them only when it lets them through itself. On Windows nothing can be held back.
    """
    if sys.platform == "win32":
        yield
        return
    from multiprocessing import resource_tracker

    # Started on the way it would let signals through; and it wants a stderr that is a file, which Textual's is not.
    with redirect_stderr(sys.__stderr__):
        resource_tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
