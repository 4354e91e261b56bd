"""A server on this machine, spoken to as by any client."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPConnection
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import quote

import anyio
import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from oasis.api import mcp, mcp_http
from oasis.api.http import ROUTES, application, configuration
from oasis.api.openapi import HEADER
from oasis.api.sessions import Sessions
from tests.commands import environment


class Reply(NamedTuple):
    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def content(self) -> Any:
        return json.loads(self.body)


class Server:
    """Requests to a server that runs in a thread."""

    def __init__(self, port: int) -> None:
        self.port = port

    def send(self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Reply:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            reply = connection.getresponse()
            return Reply(reply.status, reply.read(), {name.lower(): value for name, value in reply.getheaders()})
        finally:
            connection.close()

    def begin(self) -> str:
        session: str = self.send("POST", "/session").content["session"]
        return session

    def call(self, session: str, name: str, arguments: Any) -> Reply:
        method, path = ROUTES[name]
        if method == "GET":
            return self.send(method, path.format(id=quote(arguments["id"], safe="")), None, {HEADER: session})
        return self.send(method, path, json.dumps(arguments).encode(), {HEADER: session})


def running(sessions: Sessions | None = None, token: str = "") -> AbstractContextManager[Server]:
    return listening(configuration(application(sessions, token)))


@contextmanager
def listening(config: uvicorn.Config) -> Iterator[Server]:
    """A server of any door."""
    server = uvicorn.Server(config)
    with _in_thread(server, server.run) as port:
        yield Server(port)


@contextmanager
def speaking(sessions: Sessions | None = None, token: str = "") -> Iterator[str]:
    """The address of a server for language models."""
    opened: list[ASGIApp] = []

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        await opened[0](scope, receive, send)

    def run(sockets: list[socket.socket]) -> None:
        async def answer() -> None:
            async with mcp_http.application(mcp.server(sessions=sessions or Sessions()), token) as app:
                opened.append(app)
                await own.serve(sockets)

        anyio.run(answer)

    own = uvicorn.Server(configuration(routed))
    with _in_thread(own, run) as port:
        yield f"http://127.0.0.1:{port}{mcp_http.PATH}"


@contextmanager
def _in_thread(server: uvicorn.Server, run: Callable[[list[socket.socket]], None]) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        thread = threading.Thread(target=run, args=([sock],))
        thread.start()
        while not server.started:
            sleep(0.01)
        try:
            yield sock.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def started(*arguments: str, token: str = "", before: str = "pass") -> subprocess.Popen[str]:
    """The command `oasis` in a process of its own, before which some Python is run."""
    program = f"import sys; {before}; from oasis.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**environment(), "OASIS_TOKEN": token},
    )


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(Sessions(most=1000)) as started:
        yield started
