"""Ctrl-C that ends work at the next place where it may end, and not in the middle of a step or a line."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def interrupts_wait(stop: Callable[[int], None], *others: int) -> Iterator[None]:
    """Let Ctrl-C ask for the end by `stop`; a second one ends the program at once.

    Args:
        stop: called with the number of the signal.
        others: signals that ask for it as well, such as SIGTERM, a polite kill.
    """

    def ask(number: int, _: object) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stop(number)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, *others)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
