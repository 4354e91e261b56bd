"""Files that the application hands to its browser, piece by piece, each asked for when the one before is on its way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final

from oasis.server.child import Child

_PIECE: Final = 64 * 1024
"""Characters or bytes of a piece."""

_PATIENCE: Final = 10.0
"""Seconds for which a piece is waited for."""

_MOST: Final = 20
"""Files that wait for one tab; the application announces each where the person asks for one."""


@dataclass
class Download:
    """One file, which is sent once.

    Attributes:
        name: under which it is saved.
        kind: its MIME type.
        encoding: of text; empty for bytes.
        is_taken: whether it is being sent, which happens once.
    """

    key: str
    child: Child
    name: str
    kind: str
    encoding: str
    label: str | None
    is_taken: bool = False
    pieces: asyncio.Queue[bytes] = field(default_factory=asyncio.Queue)

    async def content(self) -> AsyncIterator[bytes]:
        """The pieces; fewer where the application does not go on. Raises TimeoutError then."""
        while True:
            self.child.tell(type="deliver_chunk_request", key=self.key, size=_PIECE, name=self.label)
            async with asyncio.timeout(_PATIENCE):
                piece = await self.pieces.get()
            if not piece:
                return
            yield piece


class Downloads:
    """The files that wait for one tab."""

    def __init__(self) -> None:
        self._waiting: dict[str, Download] = {}

    def announce(self, child: Child, message: dict[str, Any]) -> str | None:
        """Note a file that the application has ready; its key, or None if there are too many."""
        if len(self._waiting) >= _MOST:
            return None
        key = str(message["key"])
        label = message.get("name")
        self._waiting[key] = Download(
            key,
            child,
            PurePath(str(message["path"])).name,
            str(message["mime_type"]) or "application/octet-stream",
            str(message["encoding"]),
            None if label is None else str(label),
        )
        return key

    def take(self, key: str) -> Download | None:
        """The file of a key that was announced, for who sends it; None if there is none, or if somebody has it."""
        download = self._waiting.get(key)
        if download is None or download.is_taken:
            return None
        download.is_taken = True
        return download

    def receive(self, key: str, piece: str | bytes) -> None:
        """A piece has come from the application; an empty one is the end."""
        if download := self._waiting.get(key):
            if not piece:
                del self._waiting[key]
            download.pieces.put_nowait(piece.encode(download.encoding or "utf-8") if isinstance(piece, str) else piece)
