"""The door over HTTP: who may come in, how much of it, and that whatever is sent is answered in words."""

from __future__ import annotations

import socket

import pytest

from oasis.api import Limits
from oasis.api.calls import CALLS
from oasis.api.http import ROUTES
from oasis.api.openapi import HEADER
from oasis.api.sessions import Sessions
from tests.api.conftest import Server, running
from tests.api.fuzzing import fuzz

pytestmark = pytest.mark.slow


def test_a_thousand_wrong_huge_and_right_calls_at_once_are_answered_in_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """`benchmarks.fuzz_doors` sends more."""
    with running(Sessions(Limits(seconds=2))) as server:
        found = fuzz(server.port, 1_000, 4, 1)
    assert found.wrong == []
    assert found.calls == 1_000
    assert 200 < found.codes.total() < 800
    assert {"bad_json", "bad_argument", "too_large", "unknown_state", "unknown_session"} <= found.codes.keys()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        b'{"state_id": NaN}',
        b"9" * 10_000,
        b'{"state_id": "\\ud800"}',
        b"null",
    ],
    ids=["cut off", "no UTF-8", "deep lists", "deep objects", "no number", "huge number", "half a sign", "null"],
)
def test_what_is_no_json_object_is_refused(server: Server, body: bytes) -> None:
    reply = server.send("POST", "/goals", body, {HEADER: server.begin()})
    assert reply.status in (400, 404, 422)
    assert reply.content["error"]["code"] in ("bad_json", "bad_argument", "unknown_state")


def test_sessions_do_not_reach_each_other(server: Server) -> None:
    one, other = server.begin(), server.begin()
    assert one != other
    assert len(one) >= 32
    server.call(one, "start", {"lemma": "A -> A"})
    assert server.call(other, "goals", {"state_id": "s0"}).content["error"]["code"] == "unknown_state"
    assert server.call("", "goals", {"state_id": "s0"}).content["error"]["code"] == "bad_argument"
    for unknown in ("s0", one[:-1], one.swapcase()):
        reply = server.call(unknown, "goals", {"state_id": "s0"})
        assert (reply.status, reply.content["error"]["code"]) == (404, "unknown_session")
    assert server.send("DELETE", "/session", None, {HEADER: one}).content == {"ended": True}
    assert server.call(one, "goals", {"state_id": "s0"}).status == 404


def test_sessions_end_by_time_and_are_bounded_by_number() -> None:
    now = [0.0]
    sessions = Sessions(Limits(), most=2, seconds=10, clock=lambda: now[0])
    with running(sessions) as server:
        one, other = server.begin(), server.begin()
        reply = server.send("POST", "/session")
        assert (reply.status, reply.content["error"]["code"]) == (503, "busy")
        now[0] = 8.0
        assert server.call(one, "start", {"lemma": "A -> A"}).status == 200
        now[0] = 12.0
        assert server.call(one, "goals", {"state_id": "s0"}).status == 200
        assert server.call(other, "start", {"lemma": "A -> A"}).status == 404
        assert server.send("POST", "/session").status == 201


def test_requests_have_ids(server: Server) -> None:
    assert len(server.send("GET", "/nothing").headers["x-request-id"]) == 16
    assert server.send("GET", "/nothing", None, {"X-Request-Id": "mine-1"}).headers["x-request-id"] == "mine-1"
    assert server.send("GET", "/nothing", None, {"X-Request-Id": "not mine"}).headers["x-request-id"] != "not mine"


def test_other_addresses_and_methods_are_refused_in_words(server: Server) -> None:
    assert server.send("GET", "/nothing").content["error"]["code"] == "unknown_call"
    reply = server.send("GET", "/goals")
    assert (reply.status, reply.content["error"]["code"], reply.headers["allow"]) == (405, "wrong_method", "POST")


def test_a_body_that_is_too_large_or_never_comes_is_refused(server: Server) -> None:
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(b"POST /goals HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999999\r\n\r\n")
        said = connection.recv(10_000)
    assert b" 413 " in said
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(b"POST /goals HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in range(20):
            connection.sendall(b"ffff\r\n" + b" " * 0xFFFF + b"\r\n")
        said = connection.recv(10_000)
    assert b" 413 " in said


def test_pages_of_other_sites_do_not_come_in(server: Server) -> None:
    assert server.send("POST", "/session", None, {"Origin": "https://elsewhere.example"}).status == 403
    for origin in ("null", "http://[", "https://[elsewhere.example]"):
        assert server.send("POST", "/session", None, {"Origin": origin}).status == 403
    assert server.send("POST", "/session", None, {"Host": "elsewhere.example"}).status == 403
    own = f"localhost:{server.port}"
    assert server.send("POST", "/session", None, {"Host": own, "Origin": f"http://{own}"}).status == 201


def test_with_a_token_nobody_else_comes_in() -> None:
    with running(token="a token of sixteen") as server:
        for wrong in ({}, {"Authorization": "Bearer a token"}, {"Authorization": "Bearer \xff"}):
            reply = server.send("POST", "/session", None, wrong)
            assert (reply.status, reply.content["error"]["code"]) == (403, "forbidden")
        right = {"Authorization": "Bearer a token of sixteen", "Host": "prover.example"}
        assert server.send("POST", "/session", None, right).status == 201
        assert server.send("GET", "/docs").status == 200


def test_every_call_is_documented(server: Server) -> None:
    told = server.send("GET", "/openapi.json").content
    for name, (method, path) in ROUTES.items():
        operation = told["paths"][path][method.lower()]
        assert operation["operationId"] == name and operation["description"] == CALLS[name].told
        if method == "POST":
            schema = operation["requestBody"]["content"]["application/json"]["schema"]
            assert schema["properties"].keys() == {each.name for each in CALLS[name].parameters}
    page = server.send("GET", "/docs").body.decode()
    assert all(path in page for _, path in ROUTES.values())
    assert "https://" not in page
