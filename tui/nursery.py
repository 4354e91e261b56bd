"""The process that has imported the classroom, and forks for each tab of a browser."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import walk_packages

import tui
from oasis.ground.forks import fork_when_told


def fork_for_tabs() -> int:
    """Import all that a tab may show, and fork for each tab; come back in those alone, with whose end ends them.

    Raises SystemExit in the process that forks, when nobody serves any more.
    """
    with _one_thread_for_numbers():
        for module in walk_packages(tui.__path__, "tui."):
            import_module(module.name)
    nursery = os.getpid()
    fork_when_told()
    return nursery


@contextmanager
def _one_thread_for_numbers() -> Iterator[None]:
    """Keep what numpy calculates with from starting threads when it is imported."""
    name = "OMP_NUM_THREADS"
    before = os.environ.get(name)
    os.environ[name] = "1"
    yield
    if before is None:
        del os.environ[name]
    else:
        os.environ[name] = before
