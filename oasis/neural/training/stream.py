"""Numbered pieces of work, done ahead of whoever needs them by processes of their own, in their order."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from typing import Any, Final, TypeVar

from oasis.ground.signals import belong_to_parent, end_pool
from tactics.errors import InputError

AHEAD: Final = 3
"""Pieces for each process that are being made or wait to be used."""

T = TypeVar("T")


def streamed(make: Callable[[int], T], first: int = 0, workers: int = 1, last: int | None = None) -> Iterator[T]:
    """What is made of the numbers from one on; the same however many processes make it.

    Args:
        make: makes something of a number; it is pickled once for each process.
        first: the first number.
        workers: processes besides this one; with none, this one makes each piece when it is asked for.
        last: the number before which it ends; None for never.

    Raises InputError when a process dies.
    """
    numbers: Iterator[int] = count(first) if last is None else iter(range(first, last))
    if not workers:
        yield from map(make, numbers)
        return
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _prepare, (make,))
    try:
        waiting: deque[Future[T]] = deque(pool.submit(_made, number) for number in islice(numbers, AHEAD * workers))
        while waiting:
            made = waiting.popleft().result()
            waiting.extend(pool.submit(_made, number) for number in islice(numbers, 1))
            yield made
    except BrokenProcessPool as error:
        raise InputError(
            "A process that makes training data has died, perhaps because memory ran out; go on with fewer --workers."
        ) from error
    finally:
        end_pool(pool)


_make: Callable[[int], Any] | None = None
"""What this process makes of numbers."""


def _made(number: int) -> Any:
    assert _make is not None
    return _make(number)


def _prepare(make: Callable[[int], Any]) -> None:
    """Know what to make."""
    global _make
    _make = make
    belong_to_parent()
