"""What those try who have the code: too much at once, too many tabs; and how a tab ends.

Tabs run a pretender that does what it is told to; with the real application some of it is tried in `test_real_tabs`.
"""

from __future__ import annotations

import asyncio
import json
import signal
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from aiohttp import WSMsgType

from tests.server.serving import CHILD, CODE, SERVER, Served, Tab, Visitor, come_in, pretending, soon

pytestmark = pytest.mark.slow

FULL = "The class is full; wait until somebody leaves, and come in again."
FLOOD = "Too much was typed at once, so this tab was closed; your work is saved."
LATE = "Nobody has signed in, so this tab was closed."
LEFT = "You have left; your work is saved."
DIED = "The classroom in this tab has stopped; your work is saved up to the last move."


@pytest.mark.parametrize("size", [30000, 10**30, -5, 0, "x", "NaN", "٣"])
async def test_no_terminal_is_larger_than_it_may_be(server: Served, size: object) -> None:
    async with Visitor(server) as eve:
        await eve.knock()
        tab = await eve.tab(size, size)
        while b"from 127" not in tab.shown:
            assert await tab.receive()
        assert all(1 <= int(side) <= 500 for side in tab.shown.split()[1:3])
        await tab.send("resize", {"width": size, "height": size})
        while b"resized" not in tab.shown:
            assert await tab.receive()
        assert all(1 <= int(side) <= 500 for side in tab.shown.split()[-2:])


NONSENSE = {
    "nothing": "",
    "text": "no JSON",
    "empty": "[]",
    "object": "{}",
    "null": "null",
    "short": '["stdin"]',
    "number": '["stdin", 5]',
    "one side": '["resize", {"width": 1}]',
    "no sides": '["resize", null]',
    "deep": "[" * 60_000,
    "unknown": '["what", 1]',
    "ping": '["ping", {}]',
    "large number": "1" * 60_000,
}


@pytest.mark.parametrize("message", NONSENSE.values(), ids=NONSENSE)
async def test_a_message_that_no_page_sends_ends_the_tab(server: Served, message: str) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        await tab.socket.send_str(message)
        assert await tab.ended() == "The page sent what it never sends, so it was closed."
        assert await server.childless(10)
    assert "Traceback" not in "".join(server.said)


async def test_bytes_end_the_tab(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        await tab.socket.send_bytes(b"\x00")
        assert "never sends" in await tab.ended()


TOO_MUCH = {
    "letters": "a" * 60_000,
    "escapes": "\x1b" * 9_000,
    "sequences that do not end": "\x1b[48;1:1:1:1:1:1:" * 2500,
    "sequences in a paste": "\x1b[200~" + "\x1b[" * 9_000,
    "a paste that does not end": "\x1b[200~" + "x" * 60_000,
}


@pytest.mark.parametrize("typed", TOO_MUCH.values(), ids=TOO_MUCH)
async def test_too_many_keys_at_once_never_reach_the_application(server: Served, typed: str) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        await tab.type(typed)
        assert await tab.ended() == FLOOD
        assert b"typed" not in tab.shown
        assert await server.childless(10)


@pytest.mark.parametrize(
    "message",
    [["stdin", "a"], ["stdin", ""], ["ping", "1"], ["focus"], ["resize", {"width": 9, "height": 9}]],
    ids=["keys", "no keys", "pings", "focus", "sizes"],
)
async def test_messages_without_end_end_the_tab(server: Served, message: list[object]) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)

        async def flood() -> None:
            for _ in range(20_000):
                await tab.socket.send_str(json.dumps(message))
                await asyncio.sleep(0)  # so that it is also read why the tab ends

        flooding = asyncio.create_task(flood())
        assert await tab.ended() == FLOOD
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        assert await server.childless(10)


@pytest.mark.parametrize("kind", [WSMsgType.PING, WSMsgType.PONG])
async def test_frames_that_carry_nothing_are_counted_too(server: Served, kind: WSMsgType) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        connection_of(tab).write(frame(kind) * 10_000)
        assert await tab.ended() == FLOOD


async def test_a_message_in_pieces_without_end_ends_the_tab(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        connection_of(tab).write(frame(WSMsgType.TEXT, ends=False))
        connection_of(tab).write(frame(WSMsgType.CONTINUATION, ends=False) * 800_000)
        await tab.ended()
        assert await server.childless(10)


async def test_who_leaves_while_they_are_answered_leaves_no_error(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        connection_of(tab).write(frame(WSMsgType.PING) * 1500)
        connection_of(tab).abort()
        assert await server.childless(10)
    assert server.said == []


def frame(kind: WSMsgType, *, ends: bool = True) -> bytes:
    """An empty frame of the protocol (RFC 6455, 5.2), masked with zeros."""
    return bytes([(0x80 if ends else 0) | int(kind), 0x80, 0, 0, 0, 0])


def connection_of(tab: Tab) -> asyncio.Transport:
    """What the frames of a tab go through."""
    connection = tab.socket._response.connection
    assert connection is not None and connection.transport is not None
    return connection.transport


async def test_a_message_that_is_too_long_is_not_read(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        with suppress(ConnectionError):  # it may be shut out while it still sends
            await tab.type("x" * 3_900_000)
        await tab.ended()
        assert await server.childless(10)
        assert server.megabytes() < SERVER


async def test_a_paste_of_a_page_and_quick_fingers_are_let_through(server: Served) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        await tab.type("\x1b[200~" + "intro.\n" * 5000 + "\x1b[201~")
        await tab.wait_for("typed 35012")
        for _ in range(300):  # as from somebody who waves the mouse about
            await tab.type("\x1b[<35;10;10M")
        await tab.type("done")
        await tab.wait_for("done")


@pytest.mark.some_days
async def test_what_is_drawn_for_a_page_that_does_not_read_is_not_heaped_up(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        await tab.type("paint")
        for _ in range(30):
            await asyncio.sleep(0.1)
            assert server.megabytes() < SERVER + CHILD


@pytest.mark.some_days
async def test_what_is_typed_for_a_child_that_does_not_read_is_not_heaped_up(server: Served) -> None:
    async with Visitor(server) as eve:
        tab = await come_in(eve)
        server.children()[0].suspend()
        for _ in range(20):
            await tab.type("\x1b[200~" + "x" * 60_000 + "\x1b[201~")
        assert await tab.ended() == FLOOD
        assert await server.childless(10)


# Too many.


async def test_when_the_class_is_full_the_page_says_so_and_one_who_leaves_makes_room(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"tabs": 2, "tabs_per_address": 1}) as server:
        async with Visitor(server, 7) as ada, Visitor(server, 8) as bob, Visitor(server, 9) as cem:
            first = await come_in(ada)
            assert await (await ada.tab()).ended() == FULL, "one from each address"
            await come_in(bob)
            await cem.knock()
            assert await (await cem.tab()).ended() == FULL, "two in all"
            status, text = await cem.get("/")
            assert status == 503 and FULL in text
            assert len(server.children()) == 2
            await first.close()
            assert await soon(lambda: len(server.children()) == 1, 10)

            async def is_open() -> bool:  # which the server finds out a little later than the machine
                return (await cem.get("/"))[0] == 200

            assert await soon(is_open, 10)
            await (await cem.tab()).wait_for("ready")
    said = "".join(server.said)
    assert "The class is full: 2 tabs are open; --tabs lets more in." in said
    assert "From 127.0.0.7 no more tabs can be opened: there are 1; --tabs-per-address lets more in." in said


async def test_that_the_class_is_full_is_not_told_over_and_over(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"tabs": 1}) as server:
        async with Visitor(server) as eve:
            for _ in range(6):
                tab = await come_in(eve)
                await tab.close()
                assert await server.childless(10)
    assert 1 <= "".join(server.said).count("The class is full") <= 3


async def test_a_file_for_a_browser_that_is_not_known_is_handed_to_none(server: Served) -> None:
    async with Visitor(server, 7) as ada, Visitor(server, 8) as eve:
        for visitor in (ada, eve):
            await visitor.session.post("/", data={"code": CODE}, allow_redirects=False)
        tab = await ada.tab()
        await tab.type("hand over")
        while not tab.told:
            assert await tab.receive()
        assert tab.told == [["deliver_file_start", "key-1"]]
        assert (await eve.get("/download/key-1"))[0] == 404


@pytest.mark.some_days
async def test_a_hundred_tabs_start_no_more_children_than_there_may_be(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"tabs": 8, "tabs_per_address": 5, "connections_per_address": 200}) as server:
        async with Visitor(server, 7) as eve, Visitor(server, 8) as ada:
            await eve.knock()
            tabs = await asyncio.gather(*(eve.tab() for _ in range(95)))
            endings = await asyncio.gather(*(tab.ended(5) for tab in tabs), return_exceptions=True)
            assert sum(ending == FULL for ending in endings) == 90
            assert len(server.children()) == 5
            await come_in(ada)
            assert server.megabytes() < SERVER + 6 * CHILD


@pytest.mark.some_days
async def test_who_does_not_sign_in_makes_room_for_others(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"to_sign_in": 2}) as server:
        async with Visitor(server) as eve:
            idle, ada = await come_in(eve), await eve.tab()
            await ada.type("sign in")
            await ada.wait_for("signed in")
            assert await idle.ended() == LATE
            await asyncio.sleep(1)
            await ada.type("still here")
            await ada.wait_for("still here")
            await ada.type("sign out")
            assert await ada.ended() == LATE
            assert await server.childless(10)


@pytest.mark.some_days
async def test_a_child_that_takes_too_much_memory_is_ended_and_no_other(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"megabytes": 200}) as server:
        async with Visitor(server, 7) as eve, Visitor(server, 8) as ada:
            greedy, modest = await come_in(eve), await come_in(ada)
            await modest.type("eat 50")
            await modest.wait_for("ate 50")
            await greedy.type("eat 300")
            assert await greedy.ended() == "This tab needed too much memory and was closed; your work is saved."
            await modest.type("still here")
            await modest.wait_for("still here")
            assert await soon(lambda: len(server.children()) == 1, 10)


async def test_until_somebody_has_signed_in_a_child_takes_less_memory(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"megabytes_before": 150}) as server:
        async with Visitor(server) as eve, Visitor(server) as ada:
            stranger, student = await come_in(eve), await come_in(ada)
            for word in ("in", "out"):
                await student.type(f"sign {word}")
                await student.wait_for(f"signed {word}")
            await student.type("eat 250")
            await student.wait_for("ate 250")
            await stranger.type("eat 250")
            assert "too much memory" in await stranger.ended()
            await student.type("still here")
            await student.wait_for("still here")


@pytest.mark.some_days
async def test_of_children_that_take_too_much_together_the_largest_is_ended(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"megabytes_together": 300}) as server:
        async with Visitor(server) as eve, Visitor(server) as ada:
            greedy, modest = await come_in(eve), await come_in(ada)
            await modest.type("eat 60")
            await modest.wait_for("ate 60")
            await greedy.type("eat 250")
            assert "too much memory" in await greedy.ended()
            await modest.type("still here")
            await modest.wait_for("still here")
            assert await soon(lambda: len(server.children()) == 1, 10)


@pytest.mark.some_days
async def test_the_memory_of_what_a_child_has_started_counts_as_its_own(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"megabytes": 200}) as server:
        async with Visitor(server) as eve:
            tab = await come_in(eve)
            await tab.type("start 300")
            assert "too much memory" in await tab.ended()


# How a tab ends.


@pytest.mark.some_days
@pytest.mark.parametrize("first", ["sign in", "hang", "sleep"])
async def test_a_child_is_gone_soon_after_its_tab_and_so_is_what_it_started(server: Served, first: str) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        await tab.type("start 1")
        while b"." not in tab.shown:
            assert await tab.receive()
        started = psutil.Process(int(tab.shown.partition(b"started ")[2].partition(b".")[0]))
        await tab.type(first)
        await tab.wait_for(first[:4])
        await tab.close()
        assert await server.childless(5)
        assert await soon(lambda: not started.is_running() or started.status() == psutil.STATUS_ZOMBIE, 5)


@pytest.mark.some_days
async def test_a_stopped_child_is_gone_soon_after_its_tab(server: Served) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        server.children()[0].suspend()
        await tab.close()
        assert await server.childless(5)


@pytest.mark.parametrize(
    ("typed", "said"), [("leave", LEFT), ("die 0", LEFT), ("die 3", DIED), ("boast", DIED), ("babble", DIED)]
)
async def test_the_page_says_at_once_that_its_child_has_ended(server: Served, typed: str, said: str) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        await tab.type(typed)
        assert await tab.ended(5) == said
        assert await server.childless(5)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
async def test_the_page_says_at_once_that_its_child_was_killed(server: Served, number: int) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        server.children()[0].send_signal(number)
        assert await tab.ended(5) == DIED


@pytest.mark.some_days
async def test_what_a_child_complains_of_is_told_to_whoever_serves_without_its_escapes(server: Served) -> None:
    async with Visitor(server) as ada:
        tab = await come_in(ada)
        await tab.type("complain of something")
        assert await tab.ended() == DIED
        assert await soon(lambda: "of something" in "".join(server.said), 5)
    said = "".join(server.said)
    assert "From the classroom in a tab of 127.0.0.1:" in said and "\x1b" not in said
