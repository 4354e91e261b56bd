"""The door over HTTP: the same bytes as in Python, whatever is sent; who may come in, and how much of it."""

from __future__ import annotations

import json
import socket
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from oasis.api import Limits, Session, answer
from oasis.api.calls import CALLS, EXPORTS
from oasis.api.errors import Code
from oasis.api.http import ROUTES
from oasis.api.openapi import HEADER
from oasis.api.sessions import Sessions
from tactics.rules import RULES
from tests.api.conftest import Server, running
from tests.thorough import examples

_STATES = st.integers(0, 6).map(lambda number: f"s{number}")
_TACTICS = st.one_of(
    st.sampled_from([*RULES, "apply H", "wrong"]),
    st.builds("{} {}".format, st.sampled_from([*RULES]), st.sampled_from(["H", "H0"])),
    st.builds(lambda rule: {"rule": rule}, st.sampled_from([*RULES])),
)
_LEMMAS = st.sampled_from(
    ["textbook/and_comm", "SYJ203.2", "A \\/ ~A", "(A -> B) -> A -> B", "é /\\ λ -> λ", "no lemma"]
)
_CALLS = st.one_of(
    st.tuples(st.just("start"), st.fixed_dictionaries({"lemma": _LEMMAS})),
    st.tuples(
        st.just("apply"), st.fixed_dictionaries({"state_id": _STATES, "tactics": st.lists(_TACTICS, max_size=4)})
    ),
    st.tuples(
        st.just("try_all"),
        st.fixed_dictionaries(
            {"state_id": _STATES, "alternatives": st.lists(st.lists(_TACTICS, max_size=2), max_size=3)}
        ),
    ),
    st.tuples(
        st.sampled_from(["goals", "proof_graph", "simplify", "decide", "hint", "countermodel", "certify"]),
        st.fixed_dictionaries({"state_id": _STATES}),
    ),
    st.tuples(st.just("node"), st.builds(lambda state: {"id": f"{state}.0.conclusion.l"}, _STATES)),
    st.tuples(
        st.just("premise"),
        st.fixed_dictionaries(
            {"state_id": _STATES, "rule": st.sampled_from([*RULES])}, optional={"hypothesis": st.just("H")}
        ),
    ),
    st.tuples(st.just("export"), st.fixed_dictionaries({"state_id": _STATES, "to": st.sampled_from(EXPORTS)})),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(_CALLS, max_size=8))
def test_answers_do_not_depend_on_the_door(server: Server, calls: list[tuple[str, dict[str, Any]]]) -> None:
    first = [("start", {"lemma": "textbook/and_comm"}), ("simplify", {"state_id": "s0"})]
    here, there = Session(), server.begin()
    for name, arguments in [*first, *calls]:
        reply = server.call(there, name, arguments)
        assert reply.body == answer(here, name, arguments)
        assert (reply.status == 200) is ("error" not in reply.content or len(reply.content) > 1)
    server.send("DELETE", "/session", None, {HEADER: there})


_SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20), _STATES)
_ANYTHING = st.recursive(
    _SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
)
_NAMES = st.sampled_from(sorted({each.name for call in CALLS.values() for each in call.parameters}))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=examples(300))
@given(st.sampled_from(sorted(CALLS)), st.one_of(_ANYTHING, st.dictionaries(_NAMES, _ANYTHING, max_size=3)))
def test_wrong_calls_are_refused_in_words(server: Server, name: str, arguments: Any) -> None:
    session = _kept(server)
    method, path = ROUTES[name]
    if method == "GET":
        return
    reply = server.send(method, path, json.dumps(arguments).encode(), {HEADER: session})
    assert reply.status in (200, 400, 404, 409, 413, 422)
    assert "Traceback" not in reply.body.decode()
    if reply.status != 200:
        assert reply.content["error"]["code"] in set(Code) - {Code.INTERNAL}


_DEEP = "~" * 9_000 + "A"
_HUGE = [
    {"state_id": "s0", "tactics": ["intro"] * 100_000},
    {"state_id": "s0", "tactics": ["x" * 1_000_000]},
    {"state_id": "s0", "tactics": [{"rule": "x" * 900_000}]},
    {"state_id": "s" * 1_000_000, "tactics": []},
    {"lemma": "A" * 1_000_000},
    {"lemma": "A -> " * 3_900 + "A"},
    {"lemma": _DEEP},
    {"lemma": "(" * 20_000},
    {"lemma": "forall " + "A " * 9_000 + ": Prop, A"},
    {"lemma": "A <-> (" * 60 + "A" + ")" * 60},
    {"lemma": "SYJ202.100"},
    {"lemma": "SYN007.14"},
    {"lemma": "random:atoms=9/999999999"},
    {"lemma": "propl/200/" + "9" * 900},
    {"state_id": "s0", "alternatives": [["intro"] * 1_000] * 20},
    {"state_id": "s0", "alternatives": [[]] * 100_000},
]


@pytest.mark.parametrize("arguments", _HUGE, ids=map(str, range(len(_HUGE))))
def test_huge_arguments_are_answered_soon(server: Server, arguments: dict[str, Any]) -> None:
    session, name = (
        server.begin(),
        next(name for name in CALLS if arguments.keys() <= {p.name for p in CALLS[name].parameters}),
    )
    server.call(session, "start", {"lemma": "A -> A"})
    reply = server.call(session, name, arguments)
    assert reply.status in (200, 413, 422, 404)
    assert len(reply.body) < 500_000
    assert server.call(session, "goals", {"state_id": "s0"}).status == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "lemma",
    [_DEEP, "A -> " * 3_900 + "A", "A \\/ " * 3_000 + "A", "SYJ205.20", "SYJ202.8"],
    ids=["negations", "implications", "disjunctions", "SYJ205.20", "SYJ202.8"],
)
def test_every_call_on_a_large_lemma_ends_in_time(lemma: str) -> None:
    with running(Sessions(Limits(seconds=1))) as server:
        session = server.begin()
        assert server.call(session, "start", {"lemma": lemma}).status == 200
        asked: dict[str, dict[str, Any]] = {
            "node": {"id": "s0.0.conclusion"},
            "hint": {"state_id": "s0", "level": 4},
            "premise": {"state_id": "s0", "rule": "intro"},
        }
        for name in ("simplify", "goals", "proof_graph", "decide", "countermodel", "certify", *asked):
            arguments = asked.get(name, {"state_id": "s0"})
            reply = server.call(session, name, arguments)
            assert reply.status in (200, 409, 504), reply


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
    reply = server.send("POST", "/goals", body, {HEADER: _kept(server)})
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


@given(st.text(max_size=30))
@example("s0/")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_node_that_there_is_not_is_refused_in_words(server: Server, text: str) -> None:
    reply = server.send("GET", f"/node/{quote(text.encode('utf-8', 'replace'))}", None, {HEADER: _kept(server)})
    assert reply.status in (404, 405)
    assert reply.content["error"]["code"] in ("unknown_node", "unknown_state", "unknown_call")


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


_sessions: dict[int, str] = {}


def _kept(server: Server) -> str:
    """A session with a few states, begun once."""
    if server.port not in _sessions:
        _sessions[server.port] = server.begin()
        server.call(_sessions[server.port], "start", {"lemma": "textbook/and_comm"})
        server.call(_sessions[server.port], "simplify", {"state_id": "s0"})
    return _sessions[server.port]
