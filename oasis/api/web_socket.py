"""A web socket that waits for nobody for long, as `oasis.api.wire` has it for requests.

uvicorn answers every ping at once, and keeps the answers for whoever does not read them; here such a web socket ends.
"""

from __future__ import annotations

from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from oasis.api import wire


class WebSocketConnection(WebSocketsSansIOProtocol):
    """uvicorn's web socket, which reads nothing from whoever does not take what was sent, and cuts them off."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._deadline: TimerHandle | None = None

    def pause_writing(self) -> None:
        """Read nothing more, and wait for what was sent to be taken."""
        super().pause_writing()
        self.transport.pause_reading()
        self._deadline = self.loop.call_later(wire.READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """What was sent was taken."""
        super().resume_writing()
        self._unset_deadline()
        if not self.read_paused:  # else a message waits to be answered
            self.transport.resume_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._unset_deadline()
        super().connection_lost(exc)

    def _unset_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
