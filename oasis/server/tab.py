"""One tab: the web socket of the page and the child that answers it, until one of them ends it.

The page's messages are JSON lists: `["stdin", text]`, `["resize", {"width": 80, "height": 24}]`, `["ping", text]`,
`["focus"]` and `["blur"]`. It gets what is drawn as bytes, and `["pong", text]`, `["deliver_file_start", key]` and
`["open_url", …]`. Why a tab was ended is said in the reason of the close, which the page shows.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web
from textual._binary_encode import load  # what the web driver encodes with

from oasis.classroom.people.guessing import Origin
from oasis.server.child import DATA, META, Child
from oasis.server.downloads import Downloads
from oasis.server.limits import LARGEST_BACKLOG, LARGEST_SIDE, Limits, Meter
from oasis.server.nursery import Nursery

_log = logging.getLogger(__name__)

_PASTE: Final = re.compile(r"\x1b\[200~[^\x1b]*\x1b\[201~")
_SEQUENCE: Final = re.compile(r"\x1b(?:\[[<?]?[\d;]{0,20}[A-Za-z~]|O[A-Za-z]|[^\x1b])")


class Ending(Enum):
    """Why a tab was ended: the code of the web socket, and what the page says."""

    GONE = WSCloseCode.GOING_AWAY, ""
    LEFT = WSCloseCode.OK, "You have left; your work is saved."
    DIED = WSCloseCode.INTERNAL_ERROR, "The classroom in this tab has stopped; your work is saved up to the last move."
    TOO_LARGE = WSCloseCode.INTERNAL_ERROR, "This tab needed too much memory and was closed; your work is saved."
    LATE = WSCloseCode.POLICY_VIOLATION, "Nobody has signed in, so this tab was closed."
    FLOOD = WSCloseCode.POLICY_VIOLATION, "Too much was typed at once, so this tab was closed; your work is saved."
    NONSENSE = WSCloseCode.POLICY_VIOLATION, "The page sent what it never sends, so it was closed."
    CLOSED = WSCloseCode.GOING_AWAY, "The classroom was closed; your work is saved."
    AGAIN = WSCloseCode.OK, "This tab was opened a second time, so it goes on there; your work is saved."
    FULL = WSCloseCode.TRY_AGAIN_LATER, "The class is full; wait until somebody leaves, and come in again."


def keystrokes(text: str) -> int:
    """How many keystrokes and movements a text is for the application: a paste is one, whatever else it holds.

    A sequence that is not finished counts by its characters, each of which has to be looked at.
    """
    return max(1, len(_SEQUENCE.sub("k", _PASTE.sub("p", text))))


def side(value: Any, otherwise: int) -> int:
    """A number of columns or rows between 1 and the most that there may be."""
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        return otherwise
    return min(max(number, 1), LARGEST_SIDE)


class Tab:
    """Brings a page and a child together.

    Attributes:
        visitor: who has opened it.
        downloads: the files that wait for it.
        child: its process; None before it was started.
        megabytes: how much memory that may take.
    """

    def __init__(self, visitor: Origin, socket: web.WebSocketResponse, limits: Limits) -> None:
        self.visitor, self.downloads = visitor, Downloads()
        self.child: Child | None = None
        self.megabytes = min(limits.megabytes, limits.megabytes_before)
        self._socket, self._limits = socket, limits
        self._early: list[tuple[bytes, bytes]] = []
        self._meter = Meter(limits.keys, limits.keys_at_once)
        self._ending: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()
        self._patience: asyncio.Timeout | None = None

    def end(self, ending: Ending) -> None:
        """End it; of several reasons the first is told."""
        if not self._ending.done():
            self._ending.set_result(ending)

    async def run(self, nursery: Nursery, size: tuple[int, int], starting: asyncio.Semaphore) -> None:
        """Start a child, as soon as not too many are starting, and let the two talk until one of them has gone."""
        tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._show(nursery, size, starting))]
        for task in tasks:
            task.add_done_callback(self._end_after)
        ending = Ending.GONE
        try:
            async with asyncio.timeout(None) as self._patience:
                ending = await self._ending
        except TimeoutError:
            ending = Ending.LATE
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            stopping = asyncio.create_task(self._stop(in_haste=ending is Ending.CLOSED))
            try:
                await self.close(ending)
            finally:
                await stopping

    async def _stop(self, *, in_haste: bool) -> None:
        """End the child, and tell whoever runs the server what it has complained of."""
        if self.child is None:
            return
        share = 0.5 if in_haste else 1.0
        await self.child.stop(share * self._limits.to_quit, share * self._limits.to_end)
        if complaint := self.child.complaint():
            _log.warning("From the classroom in a tab of %s:\n%s", self.visitor.address, complaint)

    async def close(self, ending: Ending) -> None:
        """Say why it has ended, or is not opened."""
        code, text = ending.value
        await self._socket.close(code=code, message=text.encode())

    def _end_after(self, task: asyncio.Task[Ending]) -> None:
        """End the tab with what one of its two sides says."""
        if task.cancelled():
            return
        match task.exception():
            case None:
                self.end(task.result())
            case ConnectionError():  # of somebody who has left while they were answered
                self.end(Ending.GONE)
            case error:
                _log.error("A tab was ended by an error.", exc_info=error)
                self.end(Ending.DIED)

    def _wait_for_somebody(self, seconds: float | None) -> None:
        """Give whoever is at the page so many seconds to sign in; None if they have."""
        if self._patience is not None and not self._ending.done():
            self._patience.reschedule(None if seconds is None else asyncio.get_running_loop().time() + seconds)

    # From the child.

    async def _show(self, nursery: Nursery, size: tuple[int, int], starting: asyncio.Semaphore) -> Ending:
        """Start the child and hand on what it draws."""
        variables = {
            "COLUMNS": str(size[0]),
            "ROWS": str(size[1]),
            **{f"OASIS_{name.upper()}": value for name, value in self.visitor._asdict().items()},
        }
        async with starting:
            self.child = child = Child(await nursery.start(variables))
            for kind, content in self._early:
                child.send(kind, content)
            try:
                async with asyncio.timeout(self._limits.to_start):
                    has_begun = await child.begin()
            except TimeoutError:
                has_begun = False
        if not has_begun:
            return Ending.DIED
        self._wait_for_somebody(self._limits.to_sign_in)
        talking, ended = asyncio.create_task(self._talk(child)), asyncio.create_task(child.ended())
        try:
            await asyncio.wait([talking, ended], return_when=asyncio.FIRST_COMPLETED)
            # What it drew at last may be on its way when it has ended, and its end when it has drawn all.
            await asyncio.wait([talking, ended], timeout=0.5)
            if talking.done():
                talking.result()
            return Ending.LEFT if ended.done() and ended.result() == 0 else Ending.DIED
        except ConnectionError:
            return Ending.GONE
        finally:
            for task in (talking, ended):
                task.cancel()
            await asyncio.gather(talking, ended, return_exceptions=True)

    async def _talk(self, child: Child) -> None:
        async for kind, content in child.packets():
            if kind == DATA:
                await self._socket.send_bytes(content)
            elif kind == META:
                await self._heed(child, json.loads(content))
            else:
                match load(content):
                    case ("deliver_chunk", str(key), str() | bytes() as piece):
                        self.downloads.receive(key, piece)

    async def _heed(self, child: Child, message: Mapping[str, Any]) -> None:
        """Do what the application asks for beside drawing."""
        match message["type"]:
            case "exit":
                self.end(Ending.LEFT)
            case "signed_in":
                self.megabytes = self._limits.megabytes  # also later, since memory that was needed once stays
                self._wait_for_somebody(None)
            case "signed_out":
                self._wait_for_somebody(self._limits.to_sign_in)
            case "open_url":
                await self._socket.send_json(["open_url", {"url": message["url"], "new_tab": message["new_tab"]}])
            case "deliver_file_start":
                if key := self.downloads.announce(child, dict(message)):
                    await self._socket.send_json(["deliver_file_start", key])

    # From the page.

    async def _listen(self) -> Ending:
        """Hand on what comes from the page."""
        async for message in self._socket:
            if ending := await self._take(message):
                return ending
        return Ending.GONE

    async def _take(self, message: WSMessage) -> Ending | None:
        """Hand one message on; a reason if it is the last."""
        if message.type in (WSMsgType.PING, WSMsgType.PONG):
            if not self._meter.lets(1):
                return Ending.FLOOD
            if message.type == WSMsgType.PING:
                await self._socket.pong(message.data)
            return None
        if message.type != WSMsgType.TEXT:
            return Ending.NONSENSE
        try:
            match json.loads(message.data):
                case ["stdin", str(text)]:
                    return self._type(text)
                case ["resize", {"width": width, "height": height}]:
                    return self._tell(type="resize", width=side(width, 80), height=side(height, 24))
                case ["ping", str(text)]:
                    if not self._meter.lets(1):
                        return Ending.FLOOD
                    await self._socket.send_json(["pong", text[:100]])
                    return None
                case ["focus" | "blur" as what]:
                    return self._tell(type=what)
        except (ValueError, RecursionError):
            pass
        return Ending.NONSENSE

    def _type(self, text: str) -> Ending | None:
        """Hand on what was typed."""
        # A surrogate that stands alone is no character.
        return self._hand_on(keystrokes(text), DATA, text.encode(errors="replace"))

    def _tell(self, **message: Any) -> Ending | None:
        """Hand on a message of the protocol."""
        return self._hand_on(1, META, json.dumps(message).encode())

    def _hand_on(self, weight: int, kind: bytes, content: bytes) -> Ending | None:
        """Send the child a packet, when there is one; a reason to end the tab if that is too much."""
        if not self._meter.lets(weight):
            return Ending.FLOOD
        if self.child is not None:
            return None if self.child.send(kind, content) else Ending.FLOOD
        self._early.append((kind, content))
        return Ending.FLOOD if sum(len(packet) for _, packet in self._early) > LARGEST_BACKLOG else None
