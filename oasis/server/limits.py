"""How much of the machine visitors get: figures, and a meter for what comes in a stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import Final

import psutil

LARGEST_SIDE: Final = 500
"""Columns or rows of a terminal; a screen of both takes less than 100 MB."""

LARGEST_MESSAGE: Final = 64 * 1024
"""Bytes of one message from a browser."""

LARGEST_PACKET: Final = 32 * 1024 * 1024
"""Bytes of one packet from a child; a whole screen of the largest size stays below."""

LARGEST_BACKLOG: Final = 256 * 1024
"""Bytes that wait for a child that does not read."""

LARGEST_FORM: Final = 4096
"""Bytes of a form."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one server allows; times are in seconds.

    Attributes:
        tabs: children in all.
        tabs_per_address: children for one address.
        megabytes: resident memory of a child with all that it has started.
        megabytes_before: the same until somebody has signed in there.
        megabytes_together: of all children.
        to_sign_in: how long a tab may stay open in which nobody has signed in.
        to_start: how long a child may take before it draws.
        to_ask: how long a connection may take for a request.
        to_read: how long something that was sent to a connection may wait until all of it is read.
        to_quit: how long a child whose tab is gone may take to leave by itself.
        to_end: how long it may take after it was told to end; then it is killed.
        connections: in all.
        connections_per_address: for one address, unless it is the proxy's.
        bytes: what one connection may send a second for long, whatever it is.
        bytes_at_once: how much it may send besides, in one go.
        keys: keystrokes and movements of the mouse a second that a tab may send for long.
        keys_at_once: how many it may send besides, in one go.
    """

    tabs: int = 60
    tabs_per_address: int = 30
    megabytes: int = 1500
    megabytes_before: int = 400
    megabytes_together: float = field(default_factory=lambda: 0.75 * psutil.virtual_memory().total / 2**20)
    to_sign_in: float = 300.0
    to_start: float = 120.0
    to_ask: float = 10.0
    to_read: float = 10.0
    to_quit: float = 2.0
    to_end: float = 1.0
    connections: int = 1000
    connections_per_address: int = 100
    bytes: float = 128 * 1024
    bytes_at_once: float = 2 * 1024 * 1024
    keys: float = 200.0
    keys_at_once: float = 2000.0


class Meter:
    """Lets through so much a second, and some more in one go."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, monotonic()

    def lets(self, amount: float) -> bool:
        """Whether so much more is within the rate; if it is not, nothing is counted."""
        now = monotonic()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if amount > self._left:
            return False
        self._left -= amount
        return True
