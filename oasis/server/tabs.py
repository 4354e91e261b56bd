"""All tabs that are open: how many there may be, how much memory each may take, and closing them together."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import psutil

from oasis.server.downloads import Download
from oasis.server.limits import Limits, Meter
from oasis.server.nursery import Nursery
from oasis.server.tab import Ending, Tab

_log = logging.getLogger(__name__)

_EVERY: Final = 1.0
"""Seconds between two looks at the memory."""


class Tabs:
    """The tabs of one server.

    Args:
        nursery: where their processes come from.
        limits: what each may use.
    """

    def __init__(self, nursery: Nursery, limits: Limits) -> None:
        self._nursery, self._limits = nursery, limits
        self._open: set[Tab] = set()
        self._addresses: Counter[str] = Counter()
        self._starting = asyncio.Semaphore(max(2, os.cpu_count() or 1))
        self._telling = Meter(1 / 60, 3)
        self._is_closing = False

    def has_room(self, address: str) -> bool:
        """Whether one more may be opened from an address."""
        return len(self._open) < self._limits.tabs and self._addresses[address] < self._limits.tabs_per_address

    async def open(self, tab: Tab, size: tuple[int, int]) -> None:
        """Run a tab until it ends; one for which there is no room is told so.

        The same tab as it was before, of which nobody may have seen yet that it is gone, has ended by then.
        """
        address = tab.visitor.address
        while before := [each for each in self._open if each.visitor[2:] == tab.visitor[2:]]:
            before[0].end(Ending.AGAIN)
            await asyncio.sleep(0.01)
        if self._is_closing or not self.has_room(address):
            await tab.close(Ending.CLOSED if self._is_closing else Ending.FULL)
            return
        self._open.add(tab)
        self._addresses[address] += 1
        self._tell_if_full(address)
        try:
            await tab.run(self._nursery, size, self._starting)
        finally:
            self._open.discard(tab)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    def _tell_if_full(self, address: str) -> None:
        """Tell whoever runs the server that nobody more gets in, if that is so; not over and over."""
        is_full = len(self._open) == self._limits.tabs
        is_full_here = self._addresses[address] == self._limits.tabs_per_address
        if not (is_full or is_full_here) or not self._telling.lets(1):
            return
        if is_full:
            _log.warning("The class is full: %d tabs are open; --tabs lets more in.", self._limits.tabs)
        else:
            _log.warning(
                "From %s no more tabs can be opened: there are %d; --tabs-per-address lets more in.",
                address,
                self._limits.tabs_per_address,
            )

    def take_download(self, key: str, browser: str) -> Download | None:
        """The file of a key, for the browser to one of whose tabs it was announced; it is given once."""
        for tab in self._open if browser else ():
            if tab.visitor.browser == browser and (download := tab.downloads.take(key)):
                return download
        return None

    async def watch(self) -> None:
        """End each tab whose child takes too much memory, and the largest if all together do, until cancelled."""
        while True:
            await asyncio.sleep(_EVERY)
            children = {tab.child.pid: tab for tab in self._open if tab.child is not None}
            if not children:
                continue
            used = await asyncio.to_thread(memory, list(children))
            together, limit = sum(used.values()), self._limits.megabytes_together * 2**20
            if together > limit:  # then it is worth a closer look
                together = await asyncio.to_thread(memory_together, list(children))
            for pid in sorted(used, key=used.__getitem__, reverse=True):
                if together > limit or used[pid] > children[pid].megabytes * 2**20:
                    children[pid].end(Ending.TOO_LARGE)
                    together -= used[pid]

    async def close(self) -> None:
        """End all of them, and wait until their children have."""
        self._is_closing = True
        for tab in self._open:
            tab.end(Ending.CLOSED)
        while self._open:
            await asyncio.sleep(0.01)


def memory(pids: Sequence[int]) -> dict[int, int]:
    """The resident memory in bytes of each of these processes, with all that it has started."""
    return {pid: sum(_resident(member) for member in family) for pid, family in _families(pids).items()}


def memory_together(pids: Sequence[int]) -> int:
    """The memory in bytes of these processes with all that they have started; on Linux, what they share counts once.

    Forks share most of what they have. To tell how much, the system has to look through their memory.
    """
    return sum(_share(member) for family in _families(pids).values() for member in family)


def _families(pids: Sequence[int]) -> dict[int, list[psutil.Process]]:
    """Each of these processes that has not ended, with all that it has started."""
    found, started = {}, defaultdict(list)
    for process in psutil.process_iter(["ppid"]):
        found[process.pid] = process
        started[process.info["ppid"]].append(process)
    families = {pid: [found[pid]] for pid in pids if pid in found}
    for family in families.values():
        for member in family:  # which grows meanwhile
            family += started[member.pid]
    return families


def _resident(process: psutil.Process) -> int:
    """The resident memory of a process in bytes."""
    with suppress(psutil.Error):  # it has ended
        return int(process.memory_info().rss)
    return 0


def _share(process: psutil.Process) -> int:
    """The memory of a process in bytes, with its share of what it shares, if the system tells."""
    with suppress(psutil.Error):
        info = process.memory_full_info()
        return int(getattr(info, "pss", info.rss))
    return 0
