"""Clients that are slow, silent, endless or many, against a server on this machine."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import pytest
from websockets.sync.client import connect

from oasis.api import Limits, Session, call, openenv, wire
from oasis.api.calls import is_quick
from oasis.api.http import configuration
from oasis.api.sessions import Held, Sessions
from oasis.api.web_socket import WebSocketConnection
from oasis.api.working import Workers
from tests.api.conftest import Server, listening, running


@contextmanager
def _connected(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        yield connection


def _said(connection: socket.socket) -> tuple[int, str]:
    """The status and the code of an answer after which the server closes."""
    answer = b""
    while some := connection.recv(1 << 16):
        answer += some
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


def _sent_until_cut_off(connection: socket.socket, piece: bytes) -> None:
    """Send a piece again and again, and read nothing, until the server ends the connection; it has 20 seconds."""
    with suppress(ConnectionError):
        while True:
            connection.sendall(piece)


pytestmark = pytest.mark.slow
_REQUEST = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n"


def test_who_does_not_end_a_request_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = (b"", b"\r\n", b"GET /do", _REQUEST + b"X: 1\r\n")
    with running() as server, ExitStack() as stack:
        used = [stack.enter_context(_connected(server)) for _ in begun]
        for connection in used:
            connection.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b""
            while not answer.endswith(b"}}"):
                answer += connection.recv(1 << 16)
        monkeypatch.setattr(wire, "SECONDS", 1.0)
        fresh = [stack.enter_context(_connected(server)) for _ in begun]
        for connection, sent in zip((*fresh, *used), (*begun, b"\r\n", *begun[1:]), strict=True):
            connection.sendall(sent)
        for connection in (*fresh, *used):
            assert _said(connection) == (408, "out_of_time")


def test_a_web_socket_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "SECONDS", 1.0)
    application = openenv.application()
    with listening(configuration(application, WebSocketConnection)) as server:
        url = f"ws://127.0.0.1:{server.port}/ws"
        with connect(url) as silent, _connected(server) as other:
            assert _said(other) == (408, "out_of_time")  # the time is over by now
            silent.send("nonsense")
            assert json.loads(silent.recv(timeout=20))


@pytest.mark.parametrize(
    "headers",
    [b"X-Long: 1\r\n" * 7_000, (b"X-Long: " + b"x" * 8_000 + b"\r\n") * 10 + b"\r\n"],
    ids=["endless", "long"],
)
def test_a_head_that_is_too_long_is_refused_also_if_it_comes_at_once(server: Server, headers: bytes) -> None:
    with _connected(server) as connection:
        connection.sendall(_REQUEST + headers)
        assert _said(connection) == (413, "too_large")


def test_a_body_in_endless_crumbs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_BYTES", 1 << 18)
    with running() as server, _connected(server) as connection:
        connection.sendall(b"POST /goals HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        _sent_until_cut_off(connection, b"1;" + b"x" * 98 + b"\r\n1\r\n")


@pytest.mark.parametrize(
    "sent",
    [
        *(b"nonsense\r\n\r\n", b"\x16\x03\x01\x02\x00" * 20, b"GET /\xff HTTP/1.1\r\n\r\n"),
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * (wire.MOST_WAITING + 3),
    ],
    ids=["words", "TLS", "no ASCII", "too many at once"],
)
def test_what_is_no_http_and_too_many_requests_at_once_are_refused_in_json(server: Server, sent: bytes) -> None:
    with _connected(server) as connection:
        connection.sendall(sent)
        assert _said(connection) == (400, "bad_http")


def test_connections_are_bounded_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_CONNECTIONS", 2)
    with running() as server, _connected(server) as one, _connected(server) as other:
        for honest in (one, other):
            honest.sendall(_REQUEST + b"\r\n")
            assert honest.recv(12) == b"HTTP/1.1 200"
        with _connected(server) as third:
            assert _said(third) == (503, "busy")


def test_who_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "READING_SECONDS", 0.2)
    with running() as server, _connected(server) as deaf:
        padded = _REQUEST + b"X: " + b"x" * 8_000 + b"\r\n\r\n"
        _sent_until_cut_off(deaf, padded)
        assert server.send("GET", "/docs").status == 200


_PING = b"\x89\xfd" + bytes(4) + b"x" * 125
_MESSAGE = b"\x81\x88" + bytes(4) + b"nonsense"


@pytest.mark.parametrize("frame", [_PING, _MESSAGE], ids=["ping", "message"])
def test_whoever_does_not_read_a_web_socket_is_cut_off_and_gives_the_place_back(
    monkeypatch: pytest.MonkeyPatch, frame: bytes
) -> None:
    monkeypatch.setattr(wire, "READING_SECONDS", 0.2)
    door = openenv.application(openenv.Door(most=1))
    with listening(configuration(door, WebSocketConnection)) as server:
        with _connected(server) as deaf:
            deaf.sendall(
                b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
            )
            assert deaf.recv(12) == b"HTTP/1.1 101"
            _sent_until_cut_off(deaf, frame * 1000)
        with connect(f"ws://127.0.0.1:{server.port}/ws") as other:
            other.send("nonsense")
            assert json.loads(other.recv(timeout=20))["data"]["code"] == "INVALID_JSON"


async def test_whoever_waits_for_a_prover_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    over, workers = threading.Event(), Workers()
    monkeypatch.setattr(Session, "certify", lambda session, state_id, prover: {"waited": over.wait(60)})

    async def ask(held: Held, name: str, **arguments: str) -> dict[str, Any]:
        return await workers.answer(held, name, {"state_id": "s0", **arguments}, lambda content: content)

    own, *others = [Held(Session(), 0.0) for _ in range(7)]
    asking = [asyncio.ensure_future(ask(held, "certify", prover="coq")) for held in others]
    assert "error" in await asyncio.wait_for(ask(own, "decide"), 30)
    assert not any(each.done() for each in asking)
    over.set()
    assert await asyncio.gather(*asking) == [{"waited": True}] * 6


def test_only_what_is_small_is_worked_out_while_others_wait() -> None:
    session = Session(Limits())
    for lemma in ("A -> A", "A -> " * 2_500 + "A"):
        call(session, "start", {"lemma": lemma})
    small, large = {"state_id": "s0"}, {"state_id": "s1"}
    assert is_quick(session, "apply", {**small, "tactics": ["intro"] * 8})
    assert is_quick(session, "node", {"id": "s0.0.conclusion"})
    assert not is_quick(session, "apply", {**small, "tactics": ["intro"] * 9})
    assert not is_quick(session, "apply", {**large, "tactics": ["intro"]})
    assert not is_quick(session, "node", {"id": "s1.0.conclusion"})
    assert not is_quick(session, "hint", small)


def test_a_session_without_a_proof_ends_before_others() -> None:
    now = [0.0]
    sessions = Sessions(most=2, clock=lambda: now[0])
    begun, unbegun = sessions.open(), sessions.open()
    call(sessions.get(begun).session, "start", {"lemma": "A -> A"})
    now[0] = 61.0
    assert sessions.open() not in (begun, unbegun)
    assert sessions.get(begun).session.is_begun
