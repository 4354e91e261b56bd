"""Connections, counted where they are accepted: too many are closed before anything of them is read.

One that sends too much is closed as well, and one that does not read its answers.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import cast

from aiohttp import web

from oasis.server.limits import Limits, Meter
from oasis.server.names import Names, counted_address


class Crowd:
    """Whoever is connected; `door` makes what asyncio asks for at each new connection.

    Attributes:
        limits: how many connections there may be, and what each may send and leave unread.
    """

    def __init__(self, server: web.Server, names: Names, limits: Limits) -> None:
        self._server, self._names, self.limits = server, names, limits
        self._connected: Counter[str] = Counter()

    def door(self) -> asyncio.Protocol:
        """What receives the bytes of one connection."""
        return _Door(self._server(), self)

    def admits(self, peer: str) -> bool:
        """Count a connection. False, and it is not counted, where there are too many."""
        limit = self.limits.connections if self._names.is_proxy(peer) else self.limits.connections_per_address
        address = counted_address(peer)
        if self._connected.total() >= self.limits.connections or self._connected[address] >= limit:
            return False
        self._connected[address] += 1
        return True

    def leaves(self, peer: str) -> None:
        """A counted connection is closed."""
        address = counted_address(peer)
        self._connected[address] -= 1
        if self._connected[address] <= 0:
            del self._connected[address]


class _Door(asyncio.Protocol):
    """Hands everything on to what really receives the bytes, while a connection keeps to the limits."""

    def __init__(self, inside: web.RequestHandler, crowd: Crowd) -> None:
        self._inside, self._crowd = inside, crowd
        self._peer: str | None = None
        self._transport: asyncio.Transport | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._meter = Meter(crowd.limits.bytes, crowd.limits.bytes_at_once)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(asyncio.Transport, transport)
        peer = (transport.get_extra_info("peername") or ("",))[0]
        if self._crowd.admits(peer):
            self._peer = peer
            transport.set_write_buffer_limits(high=0)  # so that it is told whenever something waits to be read
            self._inside.connection_made(transport)
        else:
            transport.abort()

    def connection_lost(self, error: Exception | None) -> None:
        self._forget_deadline()
        if self._peer is not None:
            self._crowd.leaves(self._peer)
            self._inside.connection_lost(error)

    def data_received(self, data: bytes) -> None:
        if self._peer is None or self._transport is None:
            return
        if self._meter.lets(len(data)):
            self._inside.data_received(data)
        else:
            self._transport.abort()

    def eof_received(self) -> None:
        if self._peer is not None:
            self._inside.eof_received()

    def pause_writing(self) -> None:
        if self._transport is not None:
            seconds = self._crowd.limits.to_read
            self._deadline = asyncio.get_running_loop().call_later(seconds, self._transport.abort)
        self._inside.pause_writing()

    def resume_writing(self) -> None:
        self._forget_deadline()
        self._inside.resume_writing()

    def _forget_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
