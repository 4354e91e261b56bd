"""What an honest student in a browser notices of others: python -m pytest benchmarks/test_server.py -s.

Of strangers at the door: the time from a key that is sent to the sentence that answers it, over a web socket, and the
memory of the server with all its tabs. The strangers are in a process of their own on the same machine. They knock:
each asks for the first page, types wrong codes, and asks for terminals of any size, again and again. Or they flood:
each sends a form of 400 MB, packed into 380 kB, again and again.

Of a class that comes all at once (`-k whole_class`): the time until a tab shows where to sign in, and the computing and
the memory of the server with all its tabs.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import psutil
import pytest

from tests.server.serving import CODE, Served, Visitor, served
from tests.server.test_real_tabs import sign_in

TABS = 30
KEYS, SECONDS = 200, 90.0
"""Keys that are typed, unless they take longer than so many seconds."""
ANSWERS = (("c", "c shows why"), ("u", "no move to take back"))
"""Keys that are answered with a sentence at once."""

KNOCKING = """
import asyncio, contextlib, sys
import aiohttp

async def knock(number, url):
    connector = aiohttp.TCPConnector(local_addr=(f"127.0.1.{number}", 0))
    async with aiohttp.ClientSession(url, connector=connector) as session:
        for _ in range(int(sys.argv[3])):
            with contextlib.suppress(aiohttp.ClientError):
                await (await session.get("/")).read()
                await (await session.post("/", data={"code": f"guess-{number}"})).read()
                await session.ws_connect("/ws?width=30000&height=30000")

async def main():
    await asyncio.gather(*(knock(number, sys.argv[1]) for number in range(1, int(sys.argv[2]) + 1)))

print("knocking", flush=True)
asyncio.run(main())
"""

FLOODING = """
import contextlib, socket, sys, threading, zlib
from urllib.parse import urlsplit

def flood(number, there):
    while True:
        here = f"127.0.1.{number}", 0
        with contextlib.suppress(OSError), socket.create_connection(there, source_address=here) as sent:
            sent.sendall(HEAD + BODY)
            while sent.recv(65536):
                pass

packing = zlib.compressobj(9)
BODY = b"".join(packing.compress(b"code=" + bytes(2**20)) for _ in range(400)) + packing.flush()
LINES = b"POST / HTTP/1.1", b"Host: 127.0.0.1", b"Content-Encoding: deflate", b"Content-Length: %d" % len(BODY)
HEAD = b"".join(line + b"\\r\\n" for line in (*LINES, b""))
url = urlsplit(sys.argv[1])
print("flooding", flush=True)
for number in range(1, int(sys.argv[2]) + 1):
    threading.Thread(target=flood, args=(number, (url.hostname, url.port))).start()
"""


@pytest.mark.parametrize(
    ("doing", "strangers"), [(KNOCKING, 0), (KNOCKING, 40), (FLOODING, 20)], ids=["alone", "knocking", "flooding"]
)
async def test_the_time_of_a_key_in_a_browser(
    tmp_path: Path, doing: str, strangers: int, request: pytest.FixtureRequest
) -> None:
    times, most = [], 0.0
    with served(tmp_path, code=CODE) as server:
        async with Visitor(server, 200) as ada:
            await ada.knock()
            tab = await ada.tab(120, 40)
            await sign_in(tab, "ada")
            await tab.type("P")
            await tab.wait_for("To prove")
            await asyncio.sleep(1)
            knocking = subprocess.Popen(
                [sys.executable, "-c", doing, server.url, str(strangers), "1000000"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            assert knocking.stdout is not None
            await asyncio.to_thread(knocking.stdout.readline)
            await asyncio.sleep(1)
            try:
                end = time.perf_counter() + SECONDS
                for number in range(KEYS):
                    key, sentence = ANSWERS[number % 2]
                    began = time.perf_counter()
                    if began > end:
                        break
                    await tab.type(key)
                    await tab.wait_for(sentence)
                    times.append((time.perf_counter() - began) * 1000)
                    most = max(most, server.megabytes()) if number % 10 == 0 else most
                    await asyncio.sleep(0.05)
            finally:
                knocking.kill()
                knocking.wait()
                knocking.stdout.close()
            assert len(server.children()) == 1
    times.sort()
    print(
        f"\n{request.node.callspec.id}, {strangers} strangers: {len(times)} keys, median {median(times):.0f} ms, "
        f"p99 {times[-2 if len(times) > 1 else -1]:.0f} ms, most {times[-1]:.0f} ms; "
        f"server and tab {most:.0f} MB; load {os.getloadavg()[0]:.1f}"
    )


async def test_the_time_until_a_whole_class_can_sign_in(tmp_path: Path) -> None:
    async def come(number: int) -> float:
        tab = await visitors[number].tab(120, 40)
        await tab.wait_for("Your passphrase", 300)
        staying.append(asyncio.create_task(tab.ended(600)))  # who does not answer is taken for gone
        return time.perf_counter() - began

    staying: list[asyncio.Task[str]] = []
    with served(tmp_path, code=CODE) as server:
        visitors = [Visitor(server, number) for number in range(1, TABS + 2)]
        for visitor in visitors:
            await visitor.knock()
        began = time.perf_counter()
        first = await come(TABS)
        before, began = seconds_of_computing(server), time.perf_counter()
        times = sorted(await asyncio.gather(*(come(number) for number in range(TABS))))
        computing, memory = seconds_of_computing(server) - before, proportional_megabytes(server)
        assert len(server.children()) == TABS + 1
        for visitor in visitors:
            await visitor.__aexit__()
        await asyncio.gather(*staying, return_exceptions=True)
    print(
        f"\none after the start: {first:.1f} s; then {TABS} at once: the first {times[0]:.1f} s, median "
        f"{median(times):.1f} s, the last {times[-1]:.1f} s; {computing:.0f} s of computing; server and tabs "
        f"{memory:.0f} MB (Pss); load {os.getloadavg()[0]:.1f}"
    )


def family(server: Served) -> list[psutil.Process]:
    """The server and all that it has started."""
    process = psutil.Process(server.process.pid)
    return [process, *process.children(recursive=True)]


def seconds_of_computing(server: Served) -> float:
    """Seconds of computing that the server and all that runs for it have taken so far."""
    return sum(sum(process.cpu_times()[:2]) for process in family(server))


def proportional_megabytes(server: Served) -> float:
    """Memory of the server with its tabs, what they share counted once (Linux)."""
    return float(sum(process.memory_full_info().pss for process in family(server))) / 2**20
