"""Wrong, huge and right calls to `oasis serve`, many at once: python -m benchmarks.fuzz_doors [CALLS [CLIENTS [SEED]]].

Told are how many calls were refused with which code, everything that was answered as it should not be, the memory of
the server after each tenth of the calls, and how long moves took meanwhile of somebody honest with 200 sessions.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from time import monotonic, process_time, sleep, time

import numpy as np

from oasis.api.client import Client
from oasis.backends.processes import resident
from tests.api.fuzzing import fuzz

PARTS = 10
HONEST = 200
"""Sessions of somebody honest, each of which makes a move in turn."""
PAUSE = 0.005
"""Seconds between two of these moves."""


def main(calls: int = 20_000, clients: int = 8, seed: int = 1) -> int:
    """Run it, and give how much was wrong."""
    command = [sys.executable, "-m", "oasis", "serve", "--port", "0"]
    codes, wrong, began = Counter[str](), list[str](), time()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r":(\d+) ", server.stderr.readline())
        assert found
        context = get_context("spawn")
        over, (took, told) = context.Event(), context.Pipe(duplex=False)
        beside = context.Process(target=honest, args=(f"http://127.0.0.1:{found[1]}", over, told))
        beside.start()
        told.close()
        try:
            for part in range(1, PARTS + 1):
                done = fuzz(int(found[1]), calls // PARTS, clients, seed * PARTS + part)
                codes += done.codes
                wrong += done.wrong
                print(f"{part * calls // PARTS:,} calls, {resident(server.pid) / 2**20:.0f} MiB", flush=True)
            over.set()
            middle, late, worst = 1000 * np.quantile(seconds := took.recv(), (0.5, 0.95, 1))
            print(f"{len(seconds):,} honest moves took {middle:.1f} ms, 95 % at most {late:.1f}, all {worst:.1f}")
        finally:
            beside.terminate()
            beside.join()
            server.send_signal(signal.SIGTERM)
        said = server.stderr.read()
    refused = ", ".join(f"{code} {number:,}" for code, number in codes.most_common())
    print(f"{time() - began:.0f} seconds, of the clients {process_time():.0f} of computing; refused: {refused}")
    print(*wrong, sep="\n")
    print(f"{len(wrong)} wrong answers; the server said {said!r} and ended with {server.returncode}")
    return len(wrong)


def honest(address: str, over: Event, told: Connection) -> None:
    """Make moves in many sessions, in turn, until it is over, and tell how many seconds each took."""
    with Client(address) as oasis:
        seconds, sessions = list[float](), [oasis.session() for _ in range(HONEST)]
        at = [session.start("SYJ203.3")["state_id"] for session in sessions]
        while not over.is_set():
            for place, session in enumerate(sessions):
                moves = session.goals(at[place])["moves"]
                begun = monotonic()
                after = session.apply(at[place], moves[:1] or ["intro"], graph=False)
                seconds.append(monotonic() - begun)
                at[place] = after["state_id"] if moves else "s0"
                sleep(PAUSE)
        told.send(seconds)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
