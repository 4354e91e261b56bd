"""The memory that the sessions of a server have together, so that it stays within bounds whatever they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from weakref import WeakSet

from oasis.api.errors import Code, Refused

if TYPE_CHECKING:
    from oasis.api.states import States

OF_SESSION: Final = 400_000
"""Bytes for each session that there may be, of which one half is its own."""
LEAST: Final = 1_000 * OF_SESSION
"""Bytes for all sessions together, however few there may be."""
_PIECE: Final = 100_000
"""Bytes that a session gets at a time of what is not anybody's own."""


class Room:
    """What sessions may take: each has its own share, and what is left goes to those that want more, while it lasts.

    So who takes all that is left keeps nobody from a share. What ended sessions had is free again.

    Args:
        sessions: that there may be at the same time.
    """

    def __init__(self, sessions: int) -> None:
        self.share = OF_SESSION // 2
        self._rest = max(LEAST, OF_SESSION * sessions) - self.share * sessions
        self._beyond: WeakSet[States] = WeakSet()

    def take(self, states: States, size: int) -> None:
        """Let the states of a session take so many bytes in all. Raises Refused if there is no room."""
        more = size - self.share - states.beyond
        if more <= 0:
            return
        more = max(more, _PIECE)
        if sum(each.beyond for each in self._beyond) + more > self._rest:
            raise Refused(
                Code.BUSY, "The sessions of this server have no room for more states; go on in a new one, or later."
            )
        self._beyond.add(states)
        states.beyond += more
