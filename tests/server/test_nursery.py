"""Where the processes of tabs come from: forks, as long as there are any, and else each started by itself."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest

from oasis.forks import CAN_FORK
from oasis.server import nursery as starting
from oasis.server import tabs
from oasis.server.child import Child
from oasis.server.limits import Limits
from oasis.server.nursery import Nursery
from oasis.server.tabs import Tabs
from tests.server.serving import Served, Visitor, come_in, keeping, pretending, soon

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not CAN_FORK, reason="nothing forks here")]

WHO = {"COLUMNS": "80", "ROWS": "24", "OASIS_ADDRESS": "192.0.2.1"}
DIED = "The classroom in this tab has stopped; your work is saved up to the last move."


async def start(nursery: Nursery, **variables: str) -> Child:
    """A pretender that waits for what is typed."""
    child = Child(await nursery.start({**WHO, **variables}))
    assert await child.begin()
    return child


def parent(child: Child) -> psutil.Process:
    """The process that has started one."""
    found = psutil.Process(child.pid).parent()
    assert found is not None
    return found


async def test_a_fork_has_a_session_streams_and_variables_of_its_own_and_tells_how_it_ended() -> None:
    async with keeping() as nursery:
        first, second = [await start(nursery, COLUMNS=each) for each in ("81", "82")]
        assert parent(first) == parent(second) != psutil.Process()
        for child, columns in ((first, "81"), (second, "82")):
            assert os.getsid(child.pid) == child.pid
            _, drawn = await anext(child.packets())
            assert drawn.decode() == f"ready {columns} 24 from 192.0.2.1"
        first.send(b"D", b"die 3")
        assert await first.ended() == 3
        await first.stop(1, 1)
        assert not psutil.pid_exists(first.pid)
        second.send(b"D", b"complain of something")
        assert await second.ended() == 1
        await second.stop(1, 1)
        assert "of something" in second.complaint()
        third = await start(nursery)
        os.kill(third.pid, signal.SIGSEGV)
        assert await third.ended() == -signal.SIGSEGV
        await third.stop(1, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_should_memory_run_out_a_fork_is_ended_rather_than_what_forks() -> None:
    async with keeping() as nursery:
        child = await start(nursery)
        own, forking = (int(Path(f"/proc/{pid}/oom_score_adj").read_text()) for pid in (child.pid, parent(child).pid))
        assert own > forking or own == 1000
        await child.stop(1, 1)


BALLAST = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from oasis.forks import fork_when_told
ballast = os.urandom(2**20) * 100
fork_when_told()
os.write(1, b"begun")
os.read(0, 1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_what_forks_share_counts_once_against_the_memory_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ballast.py"
    file.write_text(BALLAST)
    looks = Mock(side_effect=tabs.memory)
    monkeypatch.setattr(tabs, "memory", looks)
    monkeypatch.setattr(tabs, "_EVERY", 0.01)
    async with keeping([sys.executable, "-S", str(file)]) as nursery:
        forks = [await nursery.start({}) for _ in range(4)]
        for fork in forks:
            await fork.stdout.readexactly(5)
        assert sum(tabs.memory([fork.pid for fork in forks]).values()) > 400 * 2**20
        for megabytes, is_enough in ((200, True), (50, False)):
            opened = [Mock(child=fork, megabytes=1000) for fork in forks]
            watched = Tabs(nursery, Limits(megabytes_together=megabytes))
            watched._open.update(opened)
            looks.reset_mock()
            watching = asyncio.create_task(watched.watch())
            assert await soon(lambda: looks.call_count > 2, 20)
            watching.cancel()
            assert any(tab.end.called for tab in opened) is not is_enough
        for fork in forks:
            fork.stdin.close()
            await fork.wait()


FORKS_NOTHING = {
    "does not start": "raise SystemExit(1)",
    "has no room for more": (
        "import json, socket\n"
        "orders = socket.socket(fileno=0)\n"
        "orders.send(b'[\"ready\"]')\n"
        "while packet := orders.recv(10000):\n"
        "    orders.send(json.dumps(['ended', json.loads(packet)[0], 11]).encode())"
    ),
    "dies when it is asked": (
        "import socket; orders = socket.socket(fileno=0); orders.send(b'[\"ready\"]'); orders.recv(10000)"
    ),
}


@pytest.mark.parametrize("script", FORKS_NOTHING.values(), ids=FORKS_NOTHING)
async def test_what_cannot_be_forked_is_started_by_itself(script: str, tmp_path: Path) -> None:
    file = tmp_path / "forking.py"
    body = "\n".join(f"    {line}" for line in script.splitlines())
    file.write_text(f"import sys\nif '--nursery' in sys.argv:\n{body}\nelse:\n    print('hello')")
    async with keeping([sys.executable, "-S", str(file)]) as nursery:
        for _ in range(2):
            process = await nursery.start({})
            assert await process.stdout.read() == b"hello\n"
            assert await process.wait() == 0


async def test_a_fork_that_comes_too_late_is_ended_and_one_is_started_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    async with keeping() as nursery:
        first = await start(nursery)
        forking = parent(first)
        forking.suspend()
        with monkeypatch.context() as impatient:
            impatient.setattr(starting, "_PATIENCE", 0.01)
            child = await start(nursery)
        assert parent(child) == psutil.Process() and os.getsid(child.pid) == child.pid
        child.send(b"D", b"die 3")
        assert await child.ended() == 3
        await child.stop(1, 1)
        forking.resume()
        another = await start(nursery)
        assert await soon(lambda: {each.pid for each in forking.children()} == {first.pid, another.pid}, 10)
        for each in (first, another):
            await each.stop(1, 1)


async def test_when_the_process_that_forks_dies_its_tabs_end_and_another_one_forks(tmp_path: Path) -> None:
    with pretending(tmp_path) as server:
        async with Visitor(server) as ada:
            tab = await come_in(ada)
            before, (child,) = server.nursery(), server.children()
            assert before is not None and child.parent() == before
            before.kill()
            assert await tab.ended(10) == DIED
            assert await soon(lambda: not child.is_running(), 10)
            await (await ada.tab()).wait_for("ready")
            assert await soon(lambda: server.nursery() not in (None, before), 20)
            await (await ada.tab()).wait_for("ready")
            assert server.nursery() in [each.parent() for each in server.children()]
    assert (
        "".join(server.said[1:]) == "The process that forks for tabs has died, with all tabs; another one is started.\n"
    )


async def test_a_hung_fork_is_gone_soon_after_a_server_that_was_killed(tmp_path: Path) -> None:
    with pretending(tmp_path) as server:
        async with Visitor(server) as ada:
            tab = await come_in(ada)
            for word in ("hang", "sleep"):  # deaf to signals, and to the end of what it reads
                await tab.type(word)
                await tab.wait_for(f"{word}ing")
            another = await ada.tab()
            await another.wait_for("ready")
            left, gone = [server.nursery(), server.children()[0]], server.children()[1]
            server.process.send_signal(signal.SIGSTOP)
            gone.kill()  # which the server is told, but does not hear any more
            assert await soon(lambda: not psutil.pid_exists(gone.pid), 10)
            server.process.kill()
            assert await soon(lambda: not any(each and each.is_running() for each in left), 20)


async def test_what_forks_for_the_classroom_runs_no_thread_and_has_no_file_open(classroom: Served) -> None:
    async with Visitor(classroom) as ada:
        await ada.knock()
        await (await ada.tab()).wait_for("Your passphrase")
        nursery, (child,) = classroom.nursery(), classroom.children()
        assert nursery is not None and child.parent() == nursery
        assert nursery.num_threads() == 1 < child.num_threads()
        assert nursery.open_files() == [] != child.open_files()
