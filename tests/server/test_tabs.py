"""What those try who have the code: too much at once, too many tabs; how a tab ends; and where its process comes from.

Tabs run a pretender that does what it is told to; with the real application some of it is tried in `test_real_tabs`.
"""

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import psutil
import pytest
from aiohttp import WSMessage, WSMsgType

from oasis.classroom.people.guessing import Origin
from oasis.ground.forks import CAN_FORK
from oasis.server import nursery as starting
from oasis.server import tab as one_tab
from oasis.server import tabs as all_tabs
from oasis.server.child import Child
from oasis.server.limits import Limits
from oasis.server.nursery import Nursery
from oasis.server.tab import Ending, side
from oasis.server.tabs import Tabs
from tests.server.serving import (
    CHILD,
    SERVER,
    Served,
    Tab,
    Visitor,
    beside,
    come_in,
    has_time,
    is_at_work,
    keeping,
    pretending,
    serving_here,
    soon,
)

pytestmark = pytest.mark.slow

FULL, FLOOD, LATE, LEFT, DIED, NONSENSE, TOO_LARGE = (
    Ending[name].value[1] for name in ("FULL", "FLOOD", "LATE", "LEFT", "DIED", "NONSENSE", "TOO_LARGE")
)


def tab_without_child() -> one_tab.Tab:
    """Return a tab for which no process was started yet."""
    return one_tab.Tab(Origin("192.0.2.1", "browser"), AsyncMock(), Limits())


@pytest.mark.parametrize(
    ("told", "taken"),
    [(24, 24), (30000, 500), (10**30, 500), (-5, 1), (0, 1), ("x", 80), ("NaN", 80), (float("inf"), 80), (None, 80)],
)
def test_a_side_of_a_terminal_lies_between_1_and_the_most_that_there_may_be(told: object, taken: int) -> None:
    assert side(told, 80) == taken


@pytest.mark.parametrize(
    ("message", "ending"),
    [
        *((text, Ending.NONSENSE) for text in ("", "no JSON", "[]", "{}", "null", '["stdin"]', '["stdin", 5]')),
        *((text, Ending.NONSENSE) for text in ('["resize", {"width": 1}]', '["resize", null]', '["what", 1]')),
        *((text, Ending.NONSENSE) for text in ('["ping", {}]', "[" * 60_000, "1" * 60_000)),
        *((json.dumps(["stdin", typed]), Ending.FLOOD) for typed in ("a" * 60_000, "\x1b[48;1:1:1:1:1:1:" * 2500)),
        # A paste is one keystroke, but not if it holds a sequence or does not end.
        *((json.dumps(["stdin", f"\x1b[200~{typed}"]), Ending.FLOOD) for typed in ("\x1b[" * 9_000, "x" * 60_000)),
    ],
    ids=lambda message: str(message)[:30],
)
async def test_a_message_that_no_page_sends_and_too_many_keys_end_the_tab(message: str, ending: Ending) -> None:
    tab = tab_without_child()
    assert await tab._take(WSMessage(WSMsgType.TEXT, message, None)) is ending
    assert tab._early == []


@pytest.mark.parametrize(
    "message",
    [
        *(["stdin", "a"], ["stdin", ""], ["ping", "1"], ["focus"], ["resize", {"width": 9, "height": 9}]),
        *(WSMsgType.PING, WSMsgType.PONG),
    ],
    ids=str,
)
async def test_messages_without_end_are_a_flood_whatever_they_say(message: list[object] | WSMsgType) -> None:
    tab = tab_without_child()
    kind, content = (WSMsgType.TEXT, json.dumps(message)) if isinstance(message, list) else (message, b"")
    endings = [await tab._take(WSMessage(kind, content, None)) for _ in range(20_000)]
    assert endings[:2000] == [None] * 2000 and Ending.FLOOD in endings
    assert tab._socket.pong.called == (message is WSMsgType.PING)  # type: ignore[attr-defined]


@pytest.mark.parametrize("size", [30000, "x"])
async def test_no_terminal_is_larger_than_it_may_be(server: Served, size: object) -> None:
    async with Visitor(server) as eve:
        await eve.knock()
        tab = await eve.tab(size, size)
        started = (await tab.wait_for("from 127")).split()
        await tab.send("resize", {"width": size, "height": size})
        resized = (await tab.wait_for("resized")).split()
        assert [*started[1:3], *resized[-2:]] == (["500"] * 4 if size == 30000 else ["80", "24"] * 2)


async def test_what_no_page_sends_and_too_many_keys_and_frames_end_the_tab(server: Served) -> None:
    async with Visitor(server) as eve:
        await eve.knock()
        for frames, said in [
            (frame(WSMsgType.TEXT), NONSENSE),
            (frame(WSMsgType.BINARY), NONSENSE),
            (frame(WSMsgType.PING) * 10_000, FLOOD),
        ]:
            tab = await eve.tab()
            connection_of(tab).write(frames)
            assert await tab.ended() == said
        tab = await eve.tab()
        await tab.type("a" * 60_000)
        assert await tab.ended() == FLOOD and b"typed" not in tab.shown
        assert await server.childless(10)
    assert "Traceback" not in "".join(server.said)


async def test_who_leaves_while_they_are_answered_leaves_no_error(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        connection_of(tab).write(frame(WSMsgType.PING) * 1500)
        connection_of(tab).abort()
        assert await server.childless(10)
    assert server.said == []


def frame(kind: WSMsgType, *, ends: bool = True) -> bytes:
    """Return an empty frame of the protocol (RFC 6455, 5.2), masked with zeros."""
    return bytes([(0x80 if ends else 0) | int(kind), 0x80, 0, 0, 0, 0])


def connection_of(tab: Tab) -> asyncio.Transport:
    """Return the connection that the frames of a tab go through."""
    connection = tab.socket._response.connection
    assert connection is not None and connection.transport is not None
    return connection.transport


async def test_a_message_that_is_too_long_or_comes_in_pieces_without_end_is_not_read(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        with suppress(ConnectionError):  # it may be shut out while it still sends
            await tab.type("x" * 3_900_000)
        await tab.ended()
        tab = await eve.tab()
        connection_of(tab).write(frame(WSMsgType.TEXT, ends=False))
        connection_of(tab).write(frame(WSMsgType.CONTINUATION, ends=False) * 800_000)
        await tab.ended()
        assert await server.childless(10)
        assert server.megabytes() < SERVER


async def test_a_paste_of_a_page_and_quick_fingers_are_let_through(server: Served) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        await tab.type("\x1b[200~" + "intro.\n" * 5000 + "\x1b[201~", shows="typed 35012")
        for _ in range(300):  # as from somebody who waves the mouse about
            await tab.type("\x1b[<35;10;10M")
        await tab.type("done", shows="done")


@pytest.mark.thorough
async def test_what_is_drawn_for_a_page_that_does_not_read_is_not_heaped_up(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        await tab.type("paint")
        for _ in range(30):
            await asyncio.sleep(0.1)
            assert server.megabytes() < SERVER + CHILD


async def test_what_is_typed_for_a_child_that_does_not_read_is_not_heaped_up(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        server.children()[0].suspend()
        for _ in range(20):
            await tab.type("\x1b[200~" + "x" * 60_000 + "\x1b[201~")
        assert await tab.ended() == FLOOD
        assert await server.childless(10)


# Too many tabs, and too much memory


async def test_a_full_class_is_told_and_who_leaves_makes_room(caplog: pytest.LogCaptureFixture) -> None:
    async with (
        serving_here(Limits(tabs=2, tabs_per_address=1)) as server,
        Visitor(server, 7) as ada,
        Visitor(server, 8) as bob,
        Visitor(server, 9) as cem,
    ):
        first = await come_in(ada)
        assert await (await ada.tab()).ended() == FULL, "one from each address"
        await come_in(bob)
        await cem.knock()
        assert await (await cem.tab()).ended() == FULL, "two in all"
        status, text = await cem.get("/")
        assert status == 503 and FULL in text
        assert len(server.tabs._open) == 2
        await first.close()
        assert await soon(lambda: len(server.tabs._open) == 1, 10)
        assert (await cem.get("/"))[0] == 200
        await (await cem.tab()).wait_for("ready")
    assert "The class is full: 2 tabs are open; --tabs lets more in." in caplog.text
    assert "From 127.0.0.7 no more tabs can be opened: there are 1; --tabs-per-address lets more in." in caplog.text


async def test_that_the_class_is_full_is_not_told_over_and_over(caplog: pytest.LogCaptureFixture) -> None:
    tabs = Tabs(Mock(), Limits(tabs=1))
    for _ in range(6):
        await tabs.open(AsyncMock(visitor=Mock(address="192.0.2.1")), (80, 24))
    assert 1 <= caplog.text.count("The class is full") <= 3


async def test_who_does_not_sign_in_makes_room_for_others() -> None:
    async with serving_here(Limits(to_sign_in=600)) as server, Visitor(server) as eve:
        idle = await come_in(eve)
        (waiting,) = server.tabs._open
        ada = await eve.tab()
        for turn, is_patient in (("in", True), ("out", False)):
            await ada.type(f"sign {turn}", shows=f"signed {turn}")
            assert await soon(lambda: [has_time(tab) for tab in server.tabs._open - {waiting}] == [is_patient], 10)  # noqa: B023
        assert not has_time(waiting)
        waiting._wait_for_somebody(0.0)
        assert await idle.ended() == LATE
        assert await soon(lambda: len(server.tabs._open) == 1, 10)


async def test_a_child_that_takes_too_much_memory_is_ended_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(all_tabs, "_EVERY", 0.05)
    async with serving_here(Limits(megabytes=200, megabytes_before=100)) as server, Visitor(server) as visitor:
        modest, stranger, greedy, parent = [await come_in(visitor) for _ in range(4)]
        for student in (modest, greedy, parent):
            for turn in ("in", "out"):
                await student.type(f"sign {turn}", shows=f"signed {turn}")
        await modest.type("eat 120", shows="ate 120")
        for tab, meal in ((stranger, "eat 120"), (greedy, "eat 250"), (parent, "start 250")):
            await tab.type(meal)
            assert await tab.ended() == TOO_LARGE
        await modest.type("still here", shows="still here")
        assert await soon(lambda: len(server.tabs._open) == 1, 10)


@pytest.mark.parametrize(
    ("used", "limit", "ended"),
    [([60, 250], 280, [250]), ([60, 250], 300, []), ([100, 90, 80], 200, [100]), ([100, 90, 80], 100, [100, 90])],
)
async def test_of_children_that_take_too_much_together_the_largest_are_ended(
    used: list[int], limit: float, ended: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = Mock(side_effect=lambda pids: {pid: pid * 2**20 for pid in pids})
    monkeypatch.setattr(all_tabs, "_EVERY", 0.0)
    monkeypatch.setattr(all_tabs, "memory", looks)
    monkeypatch.setattr(all_tabs, "memory_together", lambda pids: (sum(pids) - 20) * 2**20)  # as they share something
    tabs = Tabs(Mock(), Limits(megabytes_together=limit))
    opened = [Mock(child=Mock(pid=each), megabytes=1000) for each in used]
    tabs._open.update(opened)
    async with beside(tabs.watch()):
        assert await soon(lambda: looks.call_count > 2, 20)
    assert [tab.child.pid for tab in opened if tab.end.called] == ended


# How a tab ends


async def test_a_child_is_gone_soon_after_its_tab_and_so_is_what_it_started(server: Served) -> None:
    started: list[psutil.Process] = []
    async with Visitor(server) as ada:
        await ada.knock()
        for first in ("sign in", "hang", "sleep"):
            tab = await ada.tab()
            await tab.type("start 1")
            number = (await tab.wait_for("started ")).partition("started ")[2].partition(".")[0]
            started.append(psutil.Process(int(number)))
            await tab.type(first, shows=first[:4])
        before = {child.pid for child in server.children()}
        await (await ada.tab()).wait_for("ready")
        (stopped,) = [child for child in server.children() if child.pid not in before]
        stopped.suspend()
    assert await server.childless(5)
    assert await soon(lambda: not any(map(is_at_work, started)), 5)


async def test_the_page_says_at_once_that_its_child_has_ended(server: Served) -> None:
    async with Visitor(server) as ada:
        await ada.knock()
        for typed, said in [("leave", LEFT), ("die 0", LEFT), ("die 3", DIED), ("boast", DIED), ("babble", DIED)]:
            tab = await ada.tab()
            await tab.type(typed)
            assert await tab.ended(5) == said, typed
        for number in (signal.SIGKILL, signal.SIGSEGV):
            assert await server.childless(5)
            tab = await ada.tab()
            await tab.wait_for("ready")
            server.children()[0].send_signal(number)
            assert await tab.ended(5) == DIED


async def test_what_a_child_complains_of_is_told_to_whoever_serves_without_its_escapes(server: Served) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        await tab.type("complain of something")
        assert await tab.ended() == DIED
        assert await soon(lambda: "of something" in "".join(server.said), 5)
    said = "".join(server.said)
    assert "From the classroom in a tab of 127.0.0.1:" in said and "\x1b" not in said


# Where the processes of tabs come from: they are forked if possible, and else each is started by itself.

forking = pytest.mark.skipif(not CAN_FORK, reason="nothing forks here")
WHO = {"COLUMNS": "80", "ROWS": "24", "OASIS_ADDRESS": "192.0.2.1"}


async def start(nursery: Nursery, **variables: str) -> Child:
    """Start a pretender that waits for what is typed."""
    child = Child(await nursery.start({**WHO, **variables}))
    assert await child.begin()
    return child


def parent(child: Child) -> psutil.Process:
    """Return the process that started a child."""
    found = psutil.Process(child.pid).parent()
    assert found is not None
    return found


@forking
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


@forking
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
from oasis.ground.forks import fork_when_told
ballast = os.urandom(2**20) * 100
fork_when_told()
os.write(1, b"begun")
os.read(0, 1)
"""


@forking
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
async def test_what_forks_share_counts_once_against_the_memory_of_all(tmp_path: Path) -> None:
    file = tmp_path / "ballast.py"
    file.write_text(BALLAST)
    async with keeping([sys.executable, "-S", str(file)]) as nursery:
        forks = [await nursery.start({}) for _ in range(4)]
        for fork in forks:
            await fork.stdout.readexactly(5)
        pids = [fork.pid for fork in forks]
        assert all_tabs.memory_together(pids) < 200 * 2**20 < 400 * 2**20 < sum(all_tabs.memory(pids).values())
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
    "dies when asked": "import socket; own = socket.socket(fileno=0); own.send(b'[\"ready\"]'); own.recv(10000)",
}


@forking
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


@forking
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


@forking
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
    assert server.said[2:] == ["The process that forks for tabs has died, with all tabs; another one is started.\n"]


@forking
async def test_a_hung_fork_is_gone_soon_after_a_server_that_was_killed(tmp_path: Path) -> None:
    with pretending(tmp_path) as server:
        async with Visitor(server) as ada:
            tab = await come_in(ada)
            for word in ("hang", "sleep"):  # deaf to signals, and to the end of what it reads
                await tab.type(word, shows=f"{word}ing")
            another = await ada.tab()
            await another.wait_for("ready")
            left, gone = [server.nursery(), server.children()[0]], server.children()[1]
            server.process.send_signal(signal.SIGSTOP)
            gone.kill()  # which the server is told, but does not hear any more
            assert await soon(lambda: not psutil.pid_exists(gone.pid), 10)
            server.process.kill()
            assert await soon(lambda: not any(each and each.is_running() for each in left), 20)


@forking
async def test_what_forks_for_the_classroom_runs_no_thread_and_has_no_file_open(classroom: Served) -> None:
    async with Visitor(classroom) as ada:
        await ada.knock()
        await (await ada.tab()).wait_for("Your passphrase")
        nursery, (child,) = classroom.nursery(), classroom.children()
        assert nursery is not None and child.parent() == nursery
        assert nursery.num_threads() == 1 < child.num_threads()
        assert nursery.open_files() == [] != child.open_files()
