"""A server on this machine, spoken to as by any client, and what may be sent: calls that are refused, and any JSON."""

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from http.client import HTTPConnection
from time import sleep
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import anyio
import pytest
import uvicorn
from hypothesis import strategies as st
from starlette.types import ASGIApp, Receive, Scope, Send

from oasis.api import mcp, mcp_http
from oasis.api.calls import HEADER
from oasis.api.http import ROUTES, application, configuration
from oasis.api.sessions import Sessions
from oasis.api.working import Workers
from tests.commands import environment

ANYTHING: Final[st.SearchStrategy[Any]] = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False)),
        *(st.text(max_size=20), st.integers(0, 6).map(lambda number: f"s{number}")),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)

WRONG: Final[tuple[tuple[str, Any, str], ...]] = (
    ("start", {"lemma": "no lemma"}, "bad_lemma"),
    ("start", {"lemma": "A /\\"}, "bad_lemma"),
    ("start", {"lemma": "SYJ203.9999"}, "too_large"),
    ("start", {"lemma": 3}, "bad_argument"),
    ("start", {"formula": "A"}, "bad_argument"),
    ("start", {}, "bad_argument"),
    ("start", {"lemma": "A", "more": 1}, "bad_argument"),
    ("apply", {"state_id": "s9", "tactics": []}, "unknown_state"),
    ("apply", {"state_id": "s0", "tactics": ["intro"] * 1_001}, "too_large"),
    ("apply", {"state_id": "s0", "tactics": "intro"}, "bad_argument"),
    ("apply", {"state_id": "s0", "tactics": [3]}, "bad_argument"),
    ("apply", {"state_id": "s0", "tactics": [{"rule": None}]}, "bad_argument"),
    ("apply", {"state_id": "s0", "tactics": [{"rule": "intro", "x": 1}]}, "bad_argument"),
    *(
        ("apply", {"state_id": "s0", "tactics": [tactic]}, "bad_tactic")
        for tactic in ("intro; intro", "", "intros", "imply1 H H0")
    ),
    ("apply", {"state_id": "s0", "tactics": [], "graph": 1}, "bad_argument"),
    ("try_all", {"state_id": "s0", "alternatives": [[]] * 21}, "too_large"),
    ("goals", {"state_id": "s4999"}, "unknown_state"),
    ("goals", {"state_id": 0}, "bad_argument"),
    ("node", {"id": "s0.9.conclusion"}, "unknown_node"),
    ("node", {"id": "s0/\u00e9 %2F?#"}, "unknown_state"),
    ("premise", {"state_id": "s0", "rule": "cut"}, "bad_tactic"),
    ("hint", {"state_id": "s0", "level": 5}, "bad_argument"),
    ("hint", {"state_id": "s0", "level": True}, "bad_argument"),
    ("export", {"state_id": "s0", "to": "coq"}, "not_proved"),
    ("export", {"state_id": "s0", "to": "word"}, "bad_argument"),
    ("certify", {"state_id": "s0"}, "not_proved"),
    ("certify", {"state_id": "s0", "prover": "lean-dojo"}, "bad_argument"),
)
"""Names of calls, arguments, and the code with which a session refuses them that has one state, which is open."""
AND_COMM: Final = ["intro", "destruct_and H", "split", "assumption", "assumption"]
"""A proof of `textbook/and_comm`."""


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


def running(
    sessions: Sessions | None = None, token: str = "", workers: Workers | None = None
) -> AbstractContextManager[Server]:
    return listening(configuration(application(sessions, token, workers)))


@contextmanager
def listening(config: uvicorn.Config) -> Iterator[Server]:
    """Run a server of any door in a thread."""
    server = uvicorn.Server(config)
    with _in_thread(server, server.run) as port:
        yield Server(port)


@contextmanager
def speaking(sessions: Sessions | None = None, token: str = "") -> Iterator[str]:
    """Run a server for language models; yield its address."""
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


def started(*arguments: str) -> subprocess.Popen[str]:
    """Start the command `oasis` in a process of its own."""
    command, piped = [sys.executable, "-m", "oasis", *arguments], subprocess.PIPE
    return subprocess.Popen(command, stdin=piped, stdout=piped, stderr=piped, text=True, env=environment())


@contextmanager
def serving(*options: str) -> Iterator[tuple[subprocess.Popen[str], Server]]:
    """Run `oasis serve` in a process of its own; yield the process and its server."""
    with started("serve", "--port", "0", *options) as process:
        assert process.stderr is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)", said := process.stderr.readline())
        assert found, said
        try:
            yield process, Server(int(found[1]))
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(Sessions(most=1000)) as started:
        yield started
