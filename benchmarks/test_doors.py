"""What a step costs through the doors: python -m pytest benchmarks/test_doors.py -s.

A step is one request with one tactic, over a connection that is kept; the moves are those of a proof of SYJ203.3 in 16
moves, again and again. Told are the computing of the server alone, of server and client together (what one core has to
do), and the median time of a request. On a busy machine the time is that of waiting for a turn, and the computing is
not. Beside them: all 16 moves in one request, a proof graph with each answer, a tactic for each of 256 sessions in one
request, and Python without a door.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import pytest

from oasis.api import Session, answer, call

LEMMA = "SYJ203.3"
PROOFS = 10
TOGETHER = 256
"""Sessions that a batch asks."""
WINDOWS = 12
_SERVER = [sys.executable, "-m", "oasis", "serve", "--port", "0"]


class Client:
    """One connection that is kept, with as little of a client as there can be."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.session = ""
        self.took: list[float] = []

    def ask(self, path: str, content: Any = None, method: str = "POST") -> Any:
        body = json.dumps(content or {}).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nOasis-Session: {self.session}\r\n"
        began = perf_counter()
        self._socket.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        said = b""
        while b"\r\n\r\n" not in said:
            said += self._received()
        told, _, rest = said.partition(b"\r\n\r\n")
        found = re.search(rb"content-length: (\d+)", told)
        assert found
        while len(rest) < int(found[1]):
            rest += self._received()
        if path in ("/tactic", "/batch"):
            self.took.append(perf_counter() - began)
        return json.loads(rest)

    def close(self) -> None:
        self._socket.close()

    def _received(self) -> bytes:
        received = self._socket.recv(1 << 16)
        assert received
        return received


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[int, Callable[[], float]]]:
    """The port of a server, and the seconds that it has computed."""
    with subprocess.Popen(_SERVER, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = re.search(r":(\d+) ", process.stderr.readline())
        assert found
        tasks = Path(f"/proc/{process.pid}/task")

        def computed() -> float:
            return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9

        yield int(found[1]), computed
        process.terminate()


def _moves() -> list[Any]:
    session, moves = Session(), list[Any]()
    state = call(session, "start", {"lemma": LEMMA})
    while not state["proved"]:
        moves.append(call(session, "hint", {"state_id": state["state_id"], "level": 4})["move"])
        state = call(session, "apply", {"state_id": state["state_id"], "tactics": moves[-1:]})
    return moves


def _told(name: str, steps: int, server: list[float], own: list[float], took: list[float]) -> None:
    both = [one + other for one, other in zip(server, own, strict=True)]
    milliseconds = {
        "the server's computing": [1e3 * each / steps for each in server],
        "with the client's": [1e3 * each / steps for each in both],
    }
    told = "; ".join(f"{what} {median(each):.3f} ms, least {min(each):.3f}" for what, each in milliseconds.items())
    print(f"\n{name}: a step {told}: {steps / median(both):,.0f} a second; a request {1e3 * median(took):.3f} ms")


@pytest.mark.parametrize(
    ("name", "at_once", "graph"),
    [("one tactic a request", 1, False), ("with a proof graph", 1, True), ("sixteen tactics a request", 16, False)],
)
def test_a_step_over_http(served: tuple[int, Callable[[], float]], name: str, at_once: int, graph: bool) -> None:
    port, computed = served
    moves, client = _moves(), Client(port)
    server, own = list[float](), list[float]()
    for window in range(WINDOWS + 1):
        if window == 1:
            client.took, server, own = [], [], []  # what came before was to warm up
        before, mine = computed(), process_time()
        for _ in range(PROOFS):
            client.session = client.ask("/session")["session"]  # in a session that has no state yet
            state = client.ask("/start", {"lemma": LEMMA})["state_id"]
            for place in range(0, len(moves), at_once):
                tactics = moves[place : place + at_once]
                told = client.ask("/tactic", {"state_id": state, "tactics": tactics, "graph": graph})
                state = told["state_id"]
            assert told["proved"]
            client.ask("/session", method="DELETE")
        own.append(process_time() - mine)
        server.append(computed() - before)
    client.close()
    _told(name, PROOFS * len(moves), server, own, client.took)


def test_a_step_of_a_batch(served: tuple[int, Callable[[], float]]) -> None:
    port, computed = served
    moves, client = _moves(), Client(port)
    server, own = list[float](), list[float]()

    def asked(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
        answers: list[dict[str, Any]] = client.ask("/batch", {"calls": calls})["answers"]
        return answers

    for window in range(WINDOWS + 1):
        if window == 1:
            client.took, server, own = [], [], []
        sessions = [client.ask("/session")["session"] for _ in range(TOGETHER)]
        begun = [{"session": each, "call": "start", "arguments": {"lemma": LEMMA}} for each in sessions]
        states = [each["state_id"] for each in asked(begun)]
        before, mine = computed(), process_time()
        for move in moves:
            told = asked(
                [
                    {
                        "session": session,
                        "call": "apply",
                        "arguments": {"state_id": state, "tactics": [move], "graph": False},
                    }
                    for session, state in zip(sessions, states, strict=True)
                ]
            )
            states = [each["state_id"] for each in told]
        own.append(process_time() - mine)
        server.append(computed() - before)
        assert all(each["proved"] for each in told)
        for client.session in sessions:
            client.ask("/session", method="DELETE")
        client.session = ""
    client.close()
    _told(f"a batch of {TOGETHER}", TOGETHER * len(moves), server, own, client.took)


def test_a_step_in_python() -> None:
    moves, own, took = _moves(), list[float](), list[float]()
    for _ in range(WINDOWS):
        mine = process_time()
        for _ in range(PROOFS):
            session = Session()
            state = json.loads(answer(session, "start", {"lemma": LEMMA}))["state_id"]
            for move in moves:
                began = perf_counter()
                asked = {"state_id": state, "tactics": [move], "graph": False}
                state = json.loads(answer(session, "apply", asked))["state_id"]
                took.append(perf_counter() - began)
        own.append(process_time() - mine)
    _told("in Python", PROOFS * len(moves), [0.0] * WINDOWS, own, took)
