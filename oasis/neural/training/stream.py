"""Portions of training data, made ahead of the training by processes of their own, in their order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from typing import Final

from oasis.neural.encoding.form import Form
from oasis.neural.training.data import DataSettings, Portion, portion
from tactics.errors import InputError

AHEAD: Final = 3
"""Portions for each process that are being made or wait to be used."""


def streamed(settings: DataSettings, form: Form, first: int = 0, workers: int = 1) -> Iterator[Portion]:
    """The portions from a number on, without end; the same ones however many processes make them.

    Args:
        settings: what they are made of.
        form: that of the network that they are for.
        first: the number of the first one.
        workers: processes besides this one; with none, this one makes each portion when it is asked for.

    Raises InputError when a process dies.
    """
    if not workers:
        for number in count(first):
            yield portion(settings, number, form)
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _prepare)
    try:
        numbers = count(first)
        waiting: deque[Future[Portion]] = deque(
            pool.submit(portion, settings, number, form) for number in islice(numbers, AHEAD * workers)
        )
        while True:
            made = waiting.popleft().result()
            waiting.append(pool.submit(portion, settings, next(numbers), form))
            yield made
    except BrokenProcessPool as error:
        raise InputError(
            "A process that makes training data has died, perhaps because memory ran out; "
            "go on with --resume and fewer --workers."
        ) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in list((pool._processes or {}).values()):
            process.kill()


def _prepare() -> None:
    """Leave Ctrl-C to the parent, and end when it ends, however it does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
