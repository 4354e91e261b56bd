"""How long something may take, and how much memory: whoever works for long asks now and then, and stops in time."""

from __future__ import annotations

import resource
import sys
from pathlib import Path
from time import monotonic

_STATM = Path("/proc/self/statm")


class LimitReached(Exception):
    """The time or the memory is used up; the text says which."""


class Limit:
    """A point in time and a size of the process; both None by default, which is no limit.

    Once reached it stays so: what was broken off half-way must not be gone on with.

    Args:
        seconds: from now on.
        memory: bytes that the process may occupy.
    """

    def __init__(self, seconds: float | None = None, memory: int | None = None) -> None:
        self.seconds, self.memory = seconds, memory
        self._deadline = None if seconds is None else monotonic() + seconds
        self._reached = ""

    def restart(self) -> None:
        """Count the seconds from now on again; a limit that was reached stays so."""
        if self.seconds is not None:
            self._deadline = monotonic() + self.seconds

    def check(self) -> None:
        """Raise LimitReached beyond the limit."""
        if not self._reached:
            if self._deadline is not None and monotonic() > self._deadline:
                self._reached = f"{self.seconds:g} {'second was' if self.seconds == 1 else 'seconds were'} not enough"
            elif self.memory is not None and _occupied() > self.memory:
                self._reached = f"{self.memory / 2**20:,.0f} MiB of memory were not enough"
        if self._reached:
            raise LimitReached(self._reached)


def _occupied() -> int:
    """Bytes of memory; where the present size cannot be read, the largest so far."""
    try:
        return int(_STATM.read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
