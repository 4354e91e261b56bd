"""The sessions of a server: known only to whoever holds an id that nobody can guess, and ended by time and number."""

from __future__ import annotations

import ctypes
import sys
from asyncio import Lock
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic
from typing import Final

from oasis.api.errors import Code, Refused
from oasis.api.limits import Limits, Served
from oasis.api.room import Room
from oasis.api.session import Session

UNBEGUN_SECONDS: Final = 60.0
"""After which a session ends in which no proof was begun."""
_RETURN_SECONDS: Final = 1.0
"""Between two returns of memory, each of which takes a millisecond or more."""


@dataclass
class Held:
    """A session of a server.

    Attributes:
        session: itself.
        used: when it was last asked something.
        client: who began it; empty if that is not known.
        lock: held while it answers, since it answers one call after the other.
        waiting: calls that are answered or wait to be.
    """

    session: Session
    used: float
    client: str = ""
    lock: Lock = field(default_factory=Lock)
    waiting: int = 0


class Sessions:
    """Sessions by their ids; none is found by any other, and there is no list of them to be had.

    Args:
        limits: of each session.
        most: sessions open at the same time.
        seconds: after which one ends that is not used.
        clock: tells the time.
        of_client: sessions that one client may have open; None for as many as there may be.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        most: int = Served.sessions,
        seconds: float = Served.idle,
        clock: Callable[[], float] = monotonic,
        of_client: int | None = None,
    ) -> None:
        self.limits, self.most, self.seconds, self._clock = limits or Limits(), most, seconds, clock
        self._of_client, self._room = of_client, Room(most)
        self._held: dict[str, Held] = {}
        self._returned = -_RETURN_SECONDS

    def open(self, client: str = "") -> str:
        """The id of a session that a client begins. Raises Refused if there are too many; nobody else's ends for it."""
        self._end_unused()
        if len(self._held) >= self.most:
            raise Refused(Code.BUSY, f"{self.most} sessions are open; end one of yours, or come again later.")
        if (
            self._of_client is not None
            and sum(each.client == client for each in self._held.values()) >= self._of_client
        ):
            raise Refused(Code.BUSY, f"You have {self._of_client} sessions open; end one of them.")
        session_id = token_urlsafe(24)
        self._held[session_id] = Held(Session(self.limits, self._room), self._clock(), client)
        return session_id

    def get(self, session_id: str) -> Held:
        """The session of an id, from now on in use. Raises Refused."""
        self._end_unused()
        held = self._held.get(session_id)
        if held is None:
            raise Refused(
                Code.UNKNOWN_SESSION,
                "There is no such session, or it has ended; begin one with POST /session, and send its id in the "
                "header Oasis-Session.",
            )
        held.used = self._clock()
        self._held[session_id] = self._held.pop(session_id)  # the one used last is the last
        return held

    def close(self, session_id: str) -> None:
        """End a session. Raises Refused if there is none."""
        self.get(session_id)
        del self._held[session_id]
        self._return_memory()

    def _end_unused(self) -> None:
        oldest = next(iter(self._held.values()), None)
        if oldest is None or oldest.used >= self._clock() - min(self.seconds, UNBEGUN_SECONDS):
            return
        unused = list(self._unused())
        for session_id in unused:
            del self._held[session_id]
        if unused:
            self._return_memory()

    def _unused(self) -> Iterator[str]:
        now = self._clock()
        for session_id, held in self._held.items():
            if held.used >= now - min(self.seconds, UNBEGUN_SECONDS):
                break
            is_over = held.used < now - self.seconds or not held.session.is_begun
            if is_over and not held.lock.locked():
                yield session_id

    def _return_memory(self) -> None:
        """Return what ended sessions took to the system, at most once in `_RETURN_SECONDS`."""
        if (now := self._clock()) - self._returned >= _RETURN_SECONDS:
            self._returned = now
            return_memory()


def return_memory() -> None:
    """Return memory that is free to the system, as far as the C library can.

    That of GNU keeps what a thread gave free for that thread; as each call is worked out in some thread, a server that
    holds no more than before would take more and more.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)) is not None:
        trim(0)
