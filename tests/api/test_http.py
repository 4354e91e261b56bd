"""The door over HTTP: who may come in, how much of it, clients that are slow, silent, endless or many, and sessions."""

import asyncio
import gc
import json
import platform
import socket
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import sleep
from typing import Any
from unittest.mock import MagicMock

import pytest
from uvicorn.server import ServerState
from websockets.sync.client import connect

from oasis.api import Limits, Session, openenv, wire
from oasis.api.calls import CALLS, HEADER, call
from oasis.api.errors import Code, Refused
from oasis.api.guard import STATUS
from oasis.api.http import ROUTES, application, configuration
from oasis.api.sessions import Held, Sessions
from oasis.api.states import Position
from oasis.api.web_socket import WebSocketConnection
from oasis.api.working import MOST_WAITING, Turns, Workers
from tactics.formula import Formula
from tactics.goal import Goal
from tests.api.conftest import Server, listening, running
from tests.api.fuzzing import fuzz

pytestmark = pytest.mark.slow
TOKEN = "a token of sixteen"
OF_THE_TEACHER: dict[str, dict[str, Any]] = {
    "decide": {}, "hint": {"level": 4}, "countermodel": {}, "prove": {}, "export": {"to": "coq"}
}  # fmt: skip


@contextmanager
def _connected(server: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        yield connection


def test_a_thousand_wrong_huge_or_right_calls_at_once_are_answered_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    with running(Sessions(Limits(seconds=2))) as server:
        found = fuzz(server.port, 1_000, 4, 1)
    assert found.wrong == []
    assert found.calls == 1_000
    assert 200 < found.codes.total() < 800
    assert {"bad_json", "bad_argument", "too_large", "unknown_state", "unknown_session"} <= found.codes.keys()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("body", "code"),
    [
        *((body, "bad_json") for body in (b"{", b"\xff\xfe", b"[" * 100_000, b'{"state_id": NaN}', b"9" * 10_000)),
        *((b"null", "bad_argument"), (b'{"state_id": "\\ud800"}', "unknown_state")),
    ],
    ids=["cut off", "no UTF-8", "deep lists", "no number", "huge number", "null", "half a sign"],
)
def test_what_is_no_json_object_is_refused(server: Server, body: bytes, code: str) -> None:
    reply = server.send("POST", "/goals", body, {HEADER: server.begin()})
    assert (reply.status, reply.content["error"]["code"]) == (STATUS.get(Code[code.upper()], 422), code)


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


def test_sessions_are_bounded_by_number() -> None:
    with running(Sessions(most=1)) as server:
        server.begin()
        reply = server.send("POST", "/session")
        assert (reply.status, reply.content["error"]["code"]) == (503, "busy")


def test_a_batch_answers_calls_of_many_sessions_each_as_by_itself() -> None:
    moves: list[tuple[str, Any]] = [
        ("start", {"lemma": "A -> A"}),
        ("apply", {"state_id": "s0", "tactics": ["intro", "assumption"]}),
        *(("decide", {"state_id": "s0"}), ("goals", {"state_id": "s9"})),
    ]
    with running() as server:
        both, fresh = (server.begin(), server.begin()), server.begin()
        calls = [{"session": each, "call": name, "arguments": told} for name, told in moves for each in both]
        calls.append({"session": "none", "call": "goals"})
        answers = server.send("POST", "/batch", json.dumps({"calls": calls}).encode()).content["answers"]
        alone = [server.call(fresh, name, told).content for name, told in moves]
    assert answers[:-1] == [answer for answer in alone for _ in both]
    assert answers[-1]["error"]["code"] == "unknown_session"


def test_a_session_is_named_in_the_header_in_the_body_or_before_the_id_of_a_state() -> None:
    with running() as server:

        def post(path: str, told: Any, headers: Any = None) -> Any:
            return server.send("POST", path, json.dumps(told).encode(), headers).content

        one, other = server.begin(), server.begin()
        assert post("/v1/start", {"lemma": "A /\\ B -> A", "session": one})["state_id"] == "s0"
        action = {"action_type": "TacticList", "payload": ["intro"]}
        answer = post("/tactic", {"state_id": f"{one}.s0", **action})
        assert (answer["state_id"], answer["cost"], answer["valid"]) == (f"{one}.s1", 1, True)
        simplified = post("/simplify", {"state_id": answer["state_id"]})
        assert (simplified["from_id"], simplified["proved"]) == (f"{one}.s1", True)
        tree = server.send("GET", f"/node/{one}.s1.0.H").content
        assert (tree["id"], tree["formula"]) == (f"{one}.s1.0.H", "A /\\ B")
        for told, headers, sentence in (
            ({"state_id": f"{one}.s0"}, {HEADER: other}, "more than one session"),
            ({"state_id": "s0"}, {}, f"{HEADER} is missing"),
            ({"state_id": f"{'x' * 32}.s0"}, {}, "no such session"),
            ({"state_id": "s0", "session": 3}, {HEADER: one}, "no argument 'session'"),
        ):
            assert sentence in post("/goals", told, headers)["error"]["message"]


def test_what_the_teacher_is_asked_is_worked_out_elsewhere_and_clients_take_turns() -> None:
    workers = Workers(1)
    with running(Sessions(most=3, of_client=2), workers=workers) as server:
        one, other = server.begin(), server.begin()
        assert (busy := server.send("POST", "/session")).status == 503 and busy.headers["retry-after"] == "1"
        for session in (one, other):
            server.call(session, "start", {"lemma": "textbook/peirce"})
        for name, more in OF_THE_TEACHER.items():
            told = {"state_id": "s0", **more}
            here, there = (server.call(session, name, told).content for session in (one, other))
            assert here == there == call(_peirce(), name, told)
        assert workers._pool is not None
        for process in workers._pool._processes.values():
            process.kill()
        replies = [server.call(one, "decide", {"state_id": "s0"}).content for _ in range(3)]
        codes = [reply.get("error", {}).get("code") for reply in replies]
        assert codes[-1] is None and {*codes} <= {None, "internal"}, "who has died is replaced"
        thread: Any = workers._pool._executor_manager_thread
    workers.close()
    assert not thread.is_alive(), "Python, as it ends, may write to the pipe that it closes"


def _peirce() -> Session:
    session = Session()
    session.start("textbook/peirce")
    return session


async def test_of_what_waits_each_client_has_one_call_begun_before_any_has_two() -> None:
    turns, begun = Turns(1), list[str]()

    async def asked(client: str) -> None:
        async with turns.taken(client):
            begun.append(client)
            await asyncio.sleep(0)

    await asyncio.gather(*map(asked, "aaaabbc"))
    assert begun == list("aabcaba")
    many = await asyncio.gather(*map(asked, "x" * (MOST_WAITING + 2)), return_exceptions=True)
    assert [type(each) for each in many if each] == [Refused]
    waits = [asyncio.ensure_future(asked(client)) for client in "pq"]
    waits[1].cancel()
    await asyncio.gather(*waits, return_exceptions=True)
    async with turns.taken("free again"):
        pass


def test_requests_have_ids_and_other_addresses_and_methods_are_refused_in_words(server: Server) -> None:
    reply = server.send("GET", "/nothing")
    assert (len(reply.headers["x-request-id"]), reply.content["error"]["code"]) == (16, "unknown_call")
    for given, is_taken in (("mine-1", True), ("not mine", False)):
        told = server.send("GET", "/nothing", None, {"X-Request-Id": given}).headers["x-request-id"]
        assert (told == given) is is_taken
    reply = server.send("GET", "/goals")
    assert (reply.status, reply.content["error"]["code"], reply.headers["allow"]) == (405, "wrong_method", "POST")


def test_a_body_that_is_too_large_or_never_comes_is_refused(server: Server) -> None:
    chunk = b"ffff\r\n" + b" " * 0xFFFF + b"\r\n"
    for sent in (b"Content-Length: 9999999\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 20):
        with _connected(server) as connection:
            connection.sendall(b"POST /goals HTTP/1.1\r\nHost: localhost\r\n" + sent)
            assert b" 413 " in connection.recv(10_000)


def test_what_is_packed_is_refused_and_never_unpacked(server: Server) -> None:
    for path in ("/session", "/goals", "/nothing"):
        reply = server.send("POST", path, zlib.compress(b" " * 2**22), {"Content-Encoding": "deflate"})
        assert (reply.status, reply.content["error"]["code"]) == (400, "bad_http")
        assert "without Content-Encoding" in reply.content["error"]["message"]


def test_pages_of_other_sites_do_not_come_in(server: Server) -> None:
    for origin in ("https://elsewhere.example", "null", "http://[", "https://[elsewhere.example]"):
        assert server.send("POST", "/session", None, {"Origin": origin}).status == 403
    assert server.send("POST", "/session", None, {"Host": "elsewhere.example"}).status == 403
    own = f"localhost:{server.port}"
    assert server.send("POST", "/session", None, {"Host": own, "Origin": f"http://{own}"}).status == 201


def test_with_a_token_nobody_else_comes_in() -> None:
    with running(token=TOKEN) as server:
        for wrong in ({}, {"Authorization": "Bearer a token"}, {"Authorization": "Bearer \xff"}):
            reply = server.send("POST", "/session", None, wrong)
            assert (reply.status, reply.content["error"]["code"]) == (403, "forbidden")
        right = {"Authorization": f"bearer {TOKEN}", "Host": "prover.example"}
        assert server.send("POST", "/session", None, right).status == 201
        assert server.send("GET", "/docs").status == 200


def test_every_call_is_documented(server: Server) -> None:
    told = server.send("GET", "/openapi.json").content
    page = server.send("GET", "/docs").body.decode()
    for name, (method, path) in ROUTES.items():
        operation = told["paths"][path][method.lower()]
        assert (operation["operationId"], operation["description"]) == (name, CALLS[name].told)
        assert path in page
    assert "https://" not in page


# Clients that are slow, silent, endless or many

_REQUEST = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n"


def _said(connection: socket.socket) -> tuple[int, str]:
    """Return the status and the code of an answer after which the server closes."""
    answer = b""
    while some := connection.recv(1 << 16):
        answer += some
    head, _, body = answer.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)["error"]["code"]


def test_a_request_that_does_not_end_is_refused_when_its_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
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


def _sent_until_cut_off(connection: socket.socket, piece: bytes) -> None:
    """Send a piece again and again, and read nothing, until the server ends the connection; it has 20 seconds."""
    with suppress(ConnectionError):
        while True:
            connection.sendall(piece)


def test_a_body_in_endless_crumbs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_BYTES", 1 << 18)
    with running() as server, _connected(server) as connection:
        connection.sendall(b"POST /goals HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        _sent_until_cut_off(connection, b"1;" + b"x" * 98 + b"\r\n1\r\n")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        *((sent, (400, "bad_http")) for sent in (b"nonsense\r\n\r\n", b"\x16\x03\x01\x02\x00" * 20)),
        (b"GET /\xff HTTP/1.1\r\n\r\n", (400, "bad_http")),
        ((_REQUEST + b"\r\n") * (wire.MOST_WAITING + 3), (400, "bad_http")),
        (_REQUEST + b"X-Long: 1\r\n" * 7_000, (413, "too_large")),
        (_REQUEST + (b"X-Long: " + b"x" * 8_000 + b"\r\n") * 10 + b"\r\n", (413, "too_large")),
    ],
    ids=["words", "TLS", "no ASCII", "too many at once", "an endless head", "a long head"],
)
def test_no_http_or_too_much_at_once_is_refused_in_json(server: Server, sent: bytes, said: tuple[int, str]) -> None:
    with _connected(server) as connection:
        connection.sendall(sent)
        assert _said(connection) == said


def test_connections_are_bounded_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "MOST_CONNECTIONS", 2)
    with running() as server, _connected(server) as one, _connected(server) as other:
        for honest in (one, other):
            honest.sendall(_REQUEST + b"\r\n")
            assert honest.recv(12) == b"HTTP/1.1 200"
        with _connected(server) as third:
            assert _said(third) == (503, "busy")


def test_a_client_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "READING_SECONDS", 0.2)
    with running() as server, _connected(server) as deaf:
        padded = _REQUEST + b"X: " + b"x" * 8_000 + b"\r\n\r\n"
        _sent_until_cut_off(deaf, padded)
        assert server.send("GET", "/docs").status == 200


def test_requests_that_come_meanwhile_do_not_put_off_taking_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "READING_SECONDS", 0.1)

    async def play() -> None:
        cut_off = asyncio.Event()
        settings = configuration(application())
        settings.load()
        connection = wire.Connection(settings, ServerState(), {})
        transport = MagicMock(spec=asyncio.Transport)
        transport.is_closing.return_value = False
        transport.get_protocol.return_value = connection
        transport.abort.side_effect = cut_off.set
        connection.connection_made(transport)
        try:
            connection.pause_writing()
            connection.data_received(_REQUEST + b"\r\n")
            await asyncio.wait_for(cut_off.wait(), 20)
        finally:
            connection.connection_lost(None)

    asyncio.run(play())


_PING = b"\x89\xfd" + bytes(4) + b"x" * 125
_MESSAGE = b"\x81\x88" + bytes(4) + b"nonsense"


@pytest.mark.parametrize("frame", [_PING, _MESSAGE], ids=["ping", "message"])
def test_who_reads_no_web_socket_is_cut_off_and_frees_a_place(monkeypatch: pytest.MonkeyPatch, frame: bytes) -> None:
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


# Sessions


async def test_a_call_that_waits_for_a_prover_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_nothing_of_sessions_that_have_ended_is_kept() -> None:
    def kept() -> dict[str, int]:
        for _ in range(100):  # a worker thread drops its last call a moment after the answer is sent
            gc.collect()
            kinds = [type(each) for each in gc.get_objects()]
            found = {of.__name__: sum(issubclass(each, of) for each in kinds) for of in (Goal, Formula, Position)}
            if not found["Position"]:
                break
            sleep(0.05)
        return found

    with running(Sessions(Limits(seconds=0.2))) as server:
        fuzz(server.port, 100, 2, 1)
        before = kept()
        fuzz(server.port, 200, 2, 2)
        after = kept()
    assert after["Position"] == before["Position"] == 0
    assert after["Goal"] <= before["Goal"] + 20
    assert after["Formula"] <= before["Formula"] + 300  # of those whose text, or parts, are remembered


_THREADS = """
import json, os, threading
from oasis.api.sessions import return_memory
from oasis.backends.processes import resident

def work():
    pieces = [bytes(5_000) for _ in range(4_000)]
    kept.append(bytes(5_000))  # which lies above what is free then

kept, sizes = [], []
for thread in [threading.Thread(target=work) for _ in range(4)]:
    thread.start()
    thread.join()
sizes.append(resident(os.getpid()))
return_memory()
sizes.append(resident(os.getpid()))
print(json.dumps(sizes))
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep no memory for each thread")
def test_memory_that_threads_freed_is_returned() -> None:
    before, after = json.loads(subprocess.run([sys.executable, "-c", _THREADS], capture_output=True, check=True).stdout)
    assert before - after > 10 << 20
