"""A classroom on this machine, served to browsers and to those who only pretend to be one.

`python -m tests.server.serving PORT` serves the pretender instead of the classroom; OASIS_TEST_SERVER has the options
of the server. The clock by which whoever types wrong codes has to wait stands still there.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import aiohttp
import psutil

from oasis.server import code as guessing
from oasis.server.code import ClassCode
from oasis.server.crowd import Crowd
from oasis.server.limits import Limits
from oasis.server.names import Names
from oasis.server.nursery import Nursery
from oasis.server.server import ClassroomServer
from oasis.server.site import Site
from oasis.server.tab import Tab as OpenTab
from oasis.server.tabs import Tabs

CODE = "linden-tree"
SECRET = bytes(32)
"""Of the file of the class, in a process that serves it by itself."""
PRETENDER = [sys.executable, "-S", str(Path(__file__).with_name("pretender.py"))]
"""The command of a tab that does what it is typed."""
CHILD = 40
"""Megabytes that a pretender takes at most."""
SLACK = 4
"""How many times as long as a quiet machine needs a busy one may take."""
SERVER = 300
"""Megabytes that the server takes at most, whatever is tried."""
_ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[a-zA-Z]")


class Served:
    """A classroom in browsers; `said` are the lines that its server has written, as far as it has."""

    def __init__(self, port: int, process: subprocess.Popen[str], file: Path) -> None:
        self.port, self.process, self.file = port, process, file
        self.said: list[str] = []
        self.url = f"http://127.0.0.1:{port}"

    def children(self) -> list[psutil.Process]:
        """Return the processes of the tabs that have not ended; some may end while they are looked for."""
        found: list[psutil.Process] = []
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.NoSuchProcess):
                found += child.children() if is_nursery(child) else [child]
        return [child for child in found if is_at_work(child)]

    def nursery(self) -> psutil.Process | None:
        """Return the process that forks for tabs, if there is one."""
        return next(filter(is_nursery, psutil.Process(self.process.pid).children()), None)

    def megabytes(self) -> float:
        """Return the resident memory of the server with all that it has started."""
        server, total = psutil.Process(self.process.pid), 0
        for process in [server, *server.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                total += process.memory_info().rss
        return total / 2**20

    async def childless(self, seconds: float) -> bool:
        """Return True if all tabs are gone within so many seconds."""
        return await soon(lambda: not self.children(), seconds)


def is_at_work(process: psutil.Process) -> bool:
    """Return True if a process has not ended."""
    with suppress(psutil.NoSuchProcess):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False


def is_nursery(process: psutil.Process) -> bool:
    """Return True if a process that the server has started forks for tabs."""
    return "--nursery" in process.cmdline()


async def soon(is_so: Callable[[], object | Awaitable[object]], seconds: float) -> bool:
    """Return True if a condition, perhaps an awaitable one, holds within so many seconds of a quiet machine."""
    for _ in range(int(SLACK * seconds * 20)):
        answer = is_so()
        if await answer if isinstance(answer, Awaitable) else answer:
            return True
        await asyncio.sleep(0.05)
    return False


def free_port() -> int:
    """Return a port of this machine at which nobody listens."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def pretending(folder: Path, **options: str) -> AbstractContextManager[Served]:
    """Serve the pretender with options of its own."""
    command = [sys.executable, "-m", "tests.server.serving"]
    return _running(command, folder, CODE, OASIS_TEST_SERVER=json.dumps(options))


def served(folder: Path, *options: str, code: str = "", port: int = 0) -> AbstractContextManager[Served]:
    """Serve the classroom of a folder, perhaps at a port where another server was."""
    return _running([sys.executable, "-m", "oasis", "classroom", "serve", *options, "--port"], folder, code, port)


@contextmanager
def _running(command: list[str], folder: Path, code: str, port: int = 0, **variables: str) -> Iterator[Served]:
    port = port or free_port()
    file = folder / "class.db"
    environment = {**os.environ, "OASIS_DB": str(file), "OASIS_CLASS_CODE": code, **variables}
    process = subprocess.Popen([*command, str(port)], env=environment, stderr=subprocess.PIPE, text=True)
    server = Served(port, process, file)
    assert process.stderr is not None
    for line in process.stderr:
        server.said.append(line)
        if "is open at" in line:
            break
    listening = threading.Thread(target=lambda: server.said.extend(process.stderr or ()), daemon=True)
    listening.start()
    try:
        yield server
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=20)
        finally:
            process.kill()
        listening.join(5)
        process.stderr.close()


class Here(NamedTuple):
    """A classroom that this process serves, and its tabs that are open."""

    port: int
    url: str
    tabs: Tabs


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run endless work beside a test."""
    task = asyncio.create_task(work)
    await asyncio.sleep(0)  # lets it begin
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def keeping(command: Sequence[str] = PRETENDER) -> AsyncIterator[Nursery]:
    """Keep a nursery of forks."""
    nursery = Nursery(command)
    async with beside(nursery.keep()):
        yield nursery


@asynccontextmanager
async def serving_here(limits: Limits, command: Sequence[str] = PRETENDER) -> AsyncIterator[Here]:
    """Serve a classroom in this process, with a code."""
    async with keeping(command) as nursery:
        names, tabs = Names("127.0.0.1"), Tabs(nursery, limits)
        runner = Site(names, ClassCode(CODE, SECRET), tabs, limits).runner()
        await runner.setup()
        assert runner.server is not None
        door = Crowd(runner.server, names, limits).door
        listening = await asyncio.get_running_loop().create_server(door, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        try:
            async with beside(tabs.watch()):
                yield Here(port, f"http://127.0.0.1:{port}", tabs)
        finally:
            listening.close()
            await tabs.close()
            await runner.cleanup()


def has_time(tab: OpenTab) -> bool:
    """Return True if an open tab is not closed although nobody signs in there any more."""
    return tab._patience is not None and tab._patience.when() is None


class Visitor:
    """A browser without a page: an address of its own on this machine, cookies, and web sockets."""

    def __init__(self, server: Served | Here, number: int = 1, **headers: str) -> None:
        self._comes(server.url, number, headers)

    def _comes(self, url: str, number: int, headers: Mapping[str, str], **options: Any) -> None:
        """Set out for an address; the options are of the connection."""
        connector = aiohttp.TCPConnector(local_addr=(f"127.0.0.{number}", 0), **options)
        jar = aiohttp.CookieJar(unsafe=True)
        self.session = aiohttp.ClientSession(url, connector=connector, cookie_jar=jar, headers=headers)
        self._tabs: list[Tab] = []

    async def __aenter__(self) -> Visitor:
        return self

    async def __aexit__(self, *_: object) -> None:
        await asyncio.gather(*(tab.close() for tab in self._tabs))
        await self.session.close()

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Return the status and the text of an answer."""
        async with self.session.get(path, headers=headers, allow_redirects=False) as answer:
            return answer.status, await answer.text()

    async def knock(self, code: str = CODE) -> tuple[int, str]:
        """Type the code of the class."""
        async with self.session.post("/", data={"code": code}, allow_redirects=False) as answer:
            status, text = answer.status, await answer.text()
        if status == 303:
            await self.get("/")  # which makes the browser known
        return status, text

    async def tab(self, width: object = 80, height: object = 24, name: str = "", **headers: str) -> Tab:
        """Open a tab, perhaps with a name. Raises WSServerHandshakeError where there is none for this visitor."""
        path, timeout = f"/ws/{name}?width={width}&height={height}", aiohttp.ClientWSTimeout(ws_close=5)
        path = path if name else path.replace("/ws/", "/ws")
        socket = await self.session.ws_connect(path, headers=headers, max_msg_size=0, timeout=timeout)
        self._tabs.append(Tab(socket))
        return self._tabs[-1]


class Tab:
    """An open tab: what was drawn and told there, and why it was closed."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket, self.shown, self.reason = socket, b"", ""
        self.told: list[Any] = []

    async def wait_for(self, text: str, seconds: float = 60) -> str:
        """Wait until something is drawn, return all that was drawn so far, and forget it."""
        async with asyncio.timeout(SLACK * seconds):
            while text.encode() not in _ESCAPES.sub(b"", self.shown):
                assert await self.receive(), f"closed before {text!r}: {self.reason!r}"
        shown, self.shown = self.shown, b""
        return shown.decode(errors="replace")

    async def announced(self, seconds: float = 60) -> str:
        """Wait until the tab hands out a file, and return its key."""
        async with asyncio.timeout(SLACK * seconds):
            while not (keys := [key for what, key in self.told if what == "deliver_file_start"]):
                assert await self.receive()
        return str(keys[0])

    async def receive(self) -> bool:
        """Take one message; return False if it says that the tab was closed."""
        message = await self.socket.receive()
        if message.type == aiohttp.WSMsgType.BINARY:
            self.shown += message.data
        elif message.type == aiohttp.WSMsgType.TEXT:
            self.told.append(json.loads(message.data))
        else:
            self.reason = (message.extra or "") if message.type == aiohttp.WSMsgType.CLOSE else ""
            return False
        return True

    async def ended(self, seconds: float = 30) -> str:
        """Wait until the tab is closed; return the reason."""
        async with asyncio.timeout(SLACK * seconds):
            while await self.receive():
                pass
        return self.reason

    async def send(self, *message: Any) -> None:
        """Send what the page sends."""
        await self.socket.send_str(json.dumps(message))

    async def type(self, text: str, shows: str = "") -> None:
        """Type a text, and wait until something is drawn."""
        await self.send("stdin", text)
        if shows:
            await self.wait_for(shows)

    async def close(self) -> None:
        """Close it as a browser does."""
        await self.socket.close()


async def come_in(visitor: Visitor) -> Tab:
    """Type the code and open a tab, which shows that it is ready."""
    await visitor.knock()
    tab = await visitor.tab()
    await tab.wait_for("ready")
    return tab


def main() -> None:
    """Serve the pretender until told to end."""
    options = json.loads(os.environ["OASIS_TEST_SERVER"])
    port, file, code = int(sys.argv[1]), Path(os.environ["OASIS_DB"]), os.environ["OASIS_CLASS_CODE"]
    server = ClassroomServer(file, [], "127.0.0.1", port, code=code, **options)
    server.command = PRETENDER
    with patch.object(guessing, "monotonic", lambda: 0.0):
        server.serve()


if __name__ == "__main__":
    main()
