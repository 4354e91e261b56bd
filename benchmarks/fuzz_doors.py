"""Wrong, huge and right calls to `oasis serve`, many at once: python -m benchmarks.fuzz_doors [CALLS [CLIENTS [SEED]]].

Told are how many calls were refused with which code, everything that was answered as it should not be, and the memory
of the server after each tenth of the calls.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections import Counter
from time import process_time, time

from oasis.backends.processes import resident
from tests.api.fuzzing import fuzz

PARTS = 10


def main(calls: int = 20_000, clients: int = 8, seed: int = 1) -> int:
    """Run it, and give how much was wrong."""
    command = [sys.executable, "-m", "oasis", "serve", "--port", "0"]
    codes, wrong, began = Counter[str](), list[str](), time()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        found = re.search(r":(\d+) ", server.stderr.readline())
        assert found
        try:
            for part in range(1, PARTS + 1):
                done = fuzz(int(found[1]), calls // PARTS, clients, seed * PARTS + part)
                codes += done.codes
                wrong += done.wrong
                print(f"{part * calls // PARTS:,} calls, {resident(server.pid) / 2**20:.0f} MiB", flush=True)
        finally:
            server.send_signal(signal.SIGTERM)
        said = server.stderr.read()
    refused = ", ".join(f"{code} {number:,}" for code, number in codes.most_common())
    print(f"{time() - began:.0f} seconds, of the clients {process_time():.0f} of computing; refused: {refused}")
    print(*wrong, sep="\n")
    print(f"{len(wrong)} wrong answers; the server said {said!r} and ended with {server.returncode}")
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
