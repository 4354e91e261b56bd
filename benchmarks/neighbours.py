"""What a small call waits beside sessions with hard hints, and how many steps a second come through one batch.

Run:  python -m benchmarks.neighbours [PROCESSES]

Sixteen sessions ask for hints on a lemma that takes all of the time allowed, over and over; meanwhile others begin,
one after the other, start a lemma and make a move. Without PROCESSES one is taken for each core; 0 works hints out in
threads.
"""

from __future__ import annotations

import json
import sys
from http.client import HTTPConnection
from threading import Event, Thread
from time import monotonic, process_time, sleep
from typing import Any

import numpy as np

from oasis.api.sessions import Sessions
from oasis.api.working import Workers
from oasis.ground.workers import cores
from tests.api.conftest import Server, running

SESSIONS, HONEST, SECONDS = 16, 20, 6.0
HARD = "SYJ202.4"
BATCH, PROOF = 256, ("intro", "imply3 H", "imply3 H0", "imply4 H0", "intro", "imply3 H1", "imply2 H", "imply1 H")


def small_calls(server: Server) -> list[float]:
    """Return the seconds of each small call beside the hard ones."""
    over = Event()

    def hard() -> None:
        session = server.begin()
        server.call(session, "start", {"lemma": HARD})
        while not over.is_set():
            server.call(session, "hint", {"state_id": "s0", "level": 4})
            sleep(0.05)

    for _ in range(SESSIONS):
        Thread(target=hard, daemon=True).start()
    sleep(SECONDS)
    took: list[float] = []
    for _ in range(HONEST):
        session = server.begin()
        for name, told in (("start", {"lemma": "A -> A"}), ("apply", {"state_id": "s0", "tactics": ["intro"]})):
            began = monotonic()
            assert server.call(session, name, told).status == 200
            took.append(monotonic() - began)
    over.set()
    return took


def batched(server: Server) -> tuple[float, float]:
    """Return the steps a second by the clock, and of the processor, of batches with a move in each session."""
    sessions, connection = [server.begin() for _ in range(BATCH)], HTTPConnection("127.0.0.1", server.port)

    def asked(calls: list[dict[str, Any]]) -> list[Any]:
        connection.request("POST", "/batch", json.dumps({"calls": calls}))
        answers: list[Any] = json.loads(connection.getresponse().read())["answers"]
        return answers

    states = asked([{"session": each, "call": "start", "arguments": {"lemma": "SYJ203.3"}} for each in sessions])
    began, used = monotonic(), process_time()
    for tactic in PROOF:
        told = {"tactics": [tactic], "graph": False}
        states = asked([
            {"session": session, "call": "apply", "arguments": {"state_id": state["state_id"], **told}}
            for session, state in zip(sessions, states, strict=True)
        ])  # fmt: skip
        assert all(state["valid"] for state in states)
    steps = BATCH * len(PROOF)
    return steps / (monotonic() - began), steps / (process_time() - used)


if __name__ == "__main__":
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else cores()
    workers = Workers(processes)
    with running(Sessions(), workers=workers) as server:
        print(
            "a batch of {}: {:,.0f} steps a second, {:,.0f} of the processor, client's included".format(
                BATCH, *batched(server)
            )
        )
        middle, late, worst = 1000 * np.quantile(small_calls(server), (0.5, 0.95, 1))
        print(
            f"{processes} processes: a small call takes {middle:.0f} ms, 95 % at most {late:.0f}, all {worst:.0f}",
            flush=True,
        )
        workers.close()
