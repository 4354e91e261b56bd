"""What stands before HTTP is read: a connection that waits for nobody for long, and refuses in JSON, too.

uvicorn reads requests without a limit on the time or the length of what comes before a body, and writes answers to
whoever does not read them; here such connections end, so that they cannot take the places of others.
"""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from oasis.api.calls import dumps, refusal
from oasis.api.errors import Code, Refused

MOST_CONNECTIONS: Final = 500
"""Open at the same time, beside the web sockets that a door may have."""
SECONDS: Final = 10.0
"""In which a request's line and headers have to come."""
READING_SECONDS: Final = 30.0
"""In which an answer has to be taken, as far as it does not fit into the system's buffers."""
MOST_HEADER_BYTES: Final = 1 << 16
"""Of a request's line and headers."""
MOST_BYTES: Final = 4 << 20
"""Of a whole request as it travels: more than a body may have, since one in chunks is longer."""
MOST_WAITING: Final = 64
"""Requests that are sent on one connection before the first of them is answered."""


class Connection(HttpToolsProtocol):
    """uvicorn's connection, with limits on time, length and number."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._bytes = self._head = 0
        self._deadline: TimerHandle | None = None
        self._until_taken: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, unless there are too many connections."""
        super().connection_made(transport)
        # asyncio does that itself for a socket that says its protocol, which one made by `create_server` does not; and
        # an answer would wait until the one before was acknowledged, which takes 40 ms.
        transport.get_extra_info("socket").setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        most = self.limit_concurrency
        if most is not None and len(self.connections) >= most:
            self._refuse(503, Refused(Code.BUSY, "Too many connections are open; come again later."))
        else:
            self._set_deadline(SECONDS, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._unset_deadline()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what has come, and wait for the rest of a request that has begun."""
        if self.transport.is_closing():
            return
        self._bytes += len(data)
        super().data_received(data)
        if self.transport.is_closing() or self.transport.get_protocol() is not self:  # it is a web socket from now on
            return
        is_before_body = self.cycle is None or self.cycle.response_complete
        if self._bytes > (MOST_HEADER_BYTES if is_before_body else MOST_BYTES):
            self._refuse(413, Refused(Code.TOO_LARGE, "The request is too large."))
        elif is_before_body and self._deadline is None and self.timeout_keep_alive_task is None:
            self._set_deadline(SECONDS, self._too_slow)

    def on_message_begin(self) -> None:
        """Count the bytes of the request's headers from the beginning."""
        self._head = 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Count a header, which may have come together with all others and a body."""
        self._head += len(name) + len(value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Go on to the body. Raises ValueError, which is told, if they are too long or too many requests wait."""
        if self._head > MOST_HEADER_BYTES or len(self.pipeline) >= MOST_WAITING:
            raise ValueError
        self._unset_deadline()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Count the next request's bytes from the beginning."""
        self._bytes = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, or has too long a head."""
        if self._head > MOST_HEADER_BYTES:
            self._refuse(413, Refused(Code.TOO_LARGE, "The request is too large."))
            return
        self._refuse(400, Refused(Code.BAD_HTTP, "This is no request in HTTP/1.1, or too many at once."))

    def pause_writing(self) -> None:
        """Wait for an answer to be taken."""
        super().pause_writing()
        # A time of its own, as requests that come meanwhile set and unset the other.
        self._until_taken = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The answer was taken, or never will be."""
        if self._until_taken is not None:
            self._until_taken.cancel()
            self._until_taken = None
        super().resume_writing()

    def _refuse(self, status: int, error: Refused) -> None:
        body = dumps(refusal(error))
        head = f"HTTP/1.1 {status} \r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()

    def _too_slow(self) -> None:
        self._refuse(408, Refused(Code.OUT_OF_TIME, f"The request did not come within {SECONDS:g} seconds."))

    def _set_deadline(self, seconds: float, reached: Any) -> None:
        self._unset_deadline()
        self._deadline = self.loop.call_later(seconds, reached)

    def _unset_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
