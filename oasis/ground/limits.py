"""Limits on time and memory: whoever works for long asks a limit now and then, and stops where it is reached."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from math import inf
from mmap import PAGESIZE
from time import monotonic
from typing import ClassVar, Final

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

_STATM: Final = "/proc/self/statm"
_BETWEEN_LOOKS: Final = 0.02
"""Seconds between two looks at the memory, whoever looks, as they take longer than those at the clock."""


def is_out_of_memory(error: Exception) -> bool:
    """Whether an error says that memory ran out, that of the machine or, as torch tells it, of a GPU."""
    is_gpu = type(error).__name__ == "OutOfMemoryError"
    return isinstance(error, MemoryError) or is_gpu or "allocate memory" in str(error)


class LimitReached(Exception):
    """The time or the memory is used up; the text says which."""


class Limit:
    """A point in time and a size of the process; both None by default, which is no limit.

    Once reached it stays so: what was broken off half-way must not be gone on with.

    Memory is what the process occupies at present, as Linux tells it; where only the most that it ever occupied is told
    (macOS), that counts; where neither is (Windows), memory is not limited.

    Args:
        seconds: from now on.
        memory: bytes that the process may occupy.
        clock: by which the seconds are counted.
    """

    _seen: ClassVar[tuple[float, int]] = -inf, 0  # when somebody looked at the memory last, and how much it was

    def __init__(
        self, seconds: float | None = None, memory: int | None = None, clock: Callable[[], float] = monotonic
    ) -> None:
        self.seconds, self.memory, self._clock = seconds, memory, clock
        self._deadline = None if seconds is None else clock() + seconds
        self._reached = ""

    def restart(self) -> None:
        """Count the seconds from now on again; a limit that was reached stays so."""
        if self.seconds is not None:
            self._deadline = self._clock() + self.seconds

    def check(self) -> None:
        """Raise LimitReached beyond the limit."""
        if not self._reached:
            now = self._clock()
            if self._deadline is not None and now > self._deadline:
                self._reached = f"{self.seconds:g} {'second was' if self.seconds == 1 else 'seconds were'} not enough"
            elif self.memory is not None:
                if abs(now - Limit._seen[0]) > _BETWEEN_LOOKS:
                    Limit._seen = now, occupied() or 0
                if Limit._seen[1] > self.memory:
                    self._reached = f"{self.memory / 2**20:,.0f} MiB of memory were not enough"
        if self._reached:
            raise LimitReached(self._reached)


def occupied() -> int | None:
    """Bytes of memory that this process occupies, or the most so far; None where the system tells neither."""
    with suppress(OSError):
        statm = os.open(_STATM, os.O_RDONLY)  # a file of Python's takes ten times as long to be opened
        try:
            return int(os.read(statm, 100).split()[1]) * PAGESIZE
        finally:
            os.close(statm)
    if resource is None:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
