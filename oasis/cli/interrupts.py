"""Ctrl-C that ends work at the next place where it may end, and not in the middle of a step or a line."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_wait(stop: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C ask for the end by `stop`; a second one ends the program at once, as it would without this."""

    def ask(_: int, __: object) -> None:
        stop()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
