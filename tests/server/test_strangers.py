"""What strangers try who do not know the code; every address of the loopback network is another of them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from socket import SO_RCVBUF, SOL_SOCKET, socket

import aiohttp
import psutil
import pytest

from oasis.classroom.people.guessing import BROWSERS_APART, NotAdmitted
from oasis.server.code import ClassCode
from tests.server.serving import CHILD, CODE, SERVER, Served, Visitor, come_in, connect, pretending, soon

pytestmark = pytest.mark.slow


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Served]:
    """A server of its own, for those after whom others would have to wait."""
    with pretending(tmp_path) as opened:
        yield opened


PATHS = [
    "/ws",
    "/ws?width=30000&height=30000",
    "/static/",
    "/static/js/textual.js",
    "/assets/page.js",
    "/download/key-1",
]


@pytest.mark.parametrize("path", PATHS)
async def test_without_the_code_nothing_is_reached_and_nothing_is_started(server: Served, path: str) -> None:
    async with Visitor(server) as stranger:
        for cookie in ("", "oasis-pass=", "oasis-pass=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"):
            status, text = await stranger.get(path, Cookie=cookie)
            assert (status, text) == (403, "Type the code of the class first, on the first page.")
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await stranger.session.ws_connect(path)
    assert server.children() == []


async def test_the_door_shows_nothing_but_itself(server: Served) -> None:
    async with Visitor(server) as stranger:
        status, text = await stranger.get("/")
        assert status == 200 and "Type the code of the class" in text and "textual.js" not in text
        assert (await stranger.get("/assets/page.css"))[0] == 200
        for path in ("/assets/", "/assets/../tab.py", "/assets/%2e%2e/tab.py", "/nowhere"):
            assert (await stranger.get(path))[0] in (403, 404)


@pytest.mark.some_days
async def test_forty_strangers_who_knock_start_nothing_and_a_student_is_served(fresh: Served) -> None:
    async with Visitor(fresh, 200) as ada:
        tab = await come_in(ada)

        async def knock(number: int) -> None:
            async with Visitor(fresh, number) as stranger:
                for _ in range(10):
                    await stranger.get("/")
                    assert (await stranger.knock("wrong-code"))[0] in (403, 429)
                    with pytest.raises(aiohttp.WSServerHandshakeError):
                        await stranger.tab(30000, 30000)

        strangers = [asyncio.create_task(knock(number)) for number in range(1, 41)]
        for number in range(20):
            await tab.type(f"key {number}.")
            await tab.wait_for(f"key {number}.", seconds=10)
        await asyncio.gather(*strangers)
        assert len(fresh.children()) == 1
        assert fresh.megabytes() < SERVER + CHILD


async def test_codes_are_guessed_slowly_and_a_new_browser_is_no_new_try(fresh: Served) -> None:
    said = []
    for _ in range(5):
        async with Visitor(fresh, 7) as eve:
            said.append(await eve.knock("wrong-code"))
    assert [status for status, _ in said] == [403, 403, 403, 429, 429]
    assert "That is not the code of this class; try again." in said[0][1]
    assert "There were too many wrong tries; wait 1 second, and try again." in said[-1][1]
    async with Visitor(fresh, 7) as eve, Visitor(fresh, 8) as ada:
        assert (await eve.knock(CODE))[0] == 429
        assert (await ada.knock(CODE))[0] == 303


async def test_who_guesses_keeps_no_browser_waiting_beside_at_the_same_address(fresh: Served) -> None:
    async with Visitor(fresh, 7) as eve, Visitor(fresh, 7) as ada:
        await asyncio.gather(eve.get("/"), ada.get("/"))
        assert [(await eve.knock("wrong-code"))[0] for _ in range(5)] == [403, 403, 403, 429, 429]
        assert (await ada.knock(CODE))[0] == 303


def test_many_new_browsers_are_no_new_tries() -> None:
    code = ClassCode(CODE)

    def guess(browser: str) -> str:
        with pytest.raises(NotAdmitted) as refused:
            code.give_pass("wrong-code", "192.0.2.1", browser)
        return type(refused.value).__name__

    for number in range(BROWSERS_APART):
        guess(f"browser {number}")
    assert [guess(f"another {number}") for number in range(4)] == ["NotAdmitted"] * 3 + ["MustWait"]


def test_however_many_have_typed_the_code_whoever_did_is_not_forgotten() -> None:
    code = ClassCode(CODE)
    given = [code.give_pass(CODE, "192.0.2.1") for _ in range(10_100)]
    assert len(set(given)) == len(given) and all(code.is_known_to(each) for each in given)
    assert not any(code.is_known_to(each) for each in ("", given[0][:-1], "x" + given[0][1:], "é" + given[0], "\udcff"))
    assert not ClassCode(CODE).is_known_to(given[0])


@pytest.mark.parametrize(("code", "typed"), [("abcd2345", " ABCD2345 "), ("Open Sesame", "open sesame")])
def test_capitals_of_the_code_do_not_matter(code: str, typed: str) -> None:
    door = ClassCode(code)
    assert door.is_known_to(door.give_pass(typed, "192.0.2.1"))


async def test_a_form_that_is_none_is_refused_and_read_no_further(fresh: Served) -> None:
    async with Visitor(fresh) as stranger:
        fields = b"&".join([b"a=1"] * 50)
        for body, status in [(b"x" * 100_000, 413), (b"\xff\xfe=\xff", 403), (fields, 400), (b"", 403)]:
            async with stranger.session.post("/", data=body) as answer:
                assert answer.status == status
        headers = {"Content-Type": "application/x-www-form-urlencoded; charset=nonsense"}
        async with stranger.session.post("/", data=b"code=1", headers=headers) as answer:
            assert answer.status in (403, 429)
    assert "Traceback" not in "".join(fresh.said)


@pytest.mark.some_days
async def test_a_connection_that_asks_for_nothing_is_closed(tmp_path: Path) -> None:
    slow = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\na"
    with pretending(tmp_path, limits={"to_ask": 1}) as server:
        for sent in (b"", b"GET / HTTP/1.1\r\nHost: 127.", slow):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(sent)
            async with asyncio.timeout(30):
                while await reader.read(4096):
                    pass
            writer.close()


async def test_a_stranger_is_answered_once_on_a_connection(server: Served) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 20)
    async with asyncio.timeout(30):
        answers = b""
        with suppress(ConnectionError):
            while piece := await reader.read(65536):
                answers += piece
    writer.close()
    assert answers.count(b"HTTP/1.1 ") == 1 and b"Connection: close" in answers


@pytest.mark.some_days
@pytest.mark.parametrize("path", ["/", "/static/js/textual.js"])
async def test_a_connection_that_reads_no_answers_is_closed(tmp_path: Path, path: str) -> None:
    with pretending(tmp_path, limits={"to_read": 1}) as server, closing(socket()) as deaf:
        async with Visitor(server) as eve:
            await eve.knock()
            cookies = "; ".join(f"{cookie.key}={cookie.value}" for cookie in eve.session.cookie_jar)
        asked = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\n\r\n".encode() * 3000
        deaf.setsockopt(SOL_SOCKET, SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", server.port))
        deaf.setblocking(False)
        deaf.send(asked)

        def is_closed() -> bool:
            try:
                deaf.send(b"G")
            except BlockingIOError:
                return False
            except OSError:
                return True
            return False

        assert await soon(is_closed, 20)
    assert "Traceback" not in "".join(server.said)


async def test_one_address_does_not_take_all_connections(tmp_path: Path) -> None:
    with pretending(tmp_path, limits={"connections_per_address": 10, "connections": 15}) as server:
        with ExitStack() as connections:
            for _ in range(40):
                connections.enter_context(closing(connect(server, 7)))
            assert psutil.Process(server.process.pid).num_fds() < 60
            async with Visitor(server, 8) as ada:
                assert (await ada.get("/"))[0] == 200
        async with Visitor(server, 7) as eve:
            assert await reaches_soon(eve)


async def reaches_soon(visitor: Visitor) -> bool:
    """Whether the first page comes within a while."""
    for _ in range(100):
        try:
            return (await visitor.get("/"))[0] == 200
        except aiohttp.ClientError:
            await asyncio.sleep(0.1)
    return False


NO_REQUESTS = {
    "TLS": b"\x16\x03\x01\x02\x00\x01",
    "zeros": b"\x00" * 70_000,
    "a long line": b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 100_000,
    "empty lines": b"\r\n" * 5000,
}


@pytest.mark.parametrize("sent", NO_REQUESTS.values(), ids=NO_REQUESTS)
async def test_what_is_no_request_is_answered_or_closed_and_fills_no_log(server: Served, sent: bytes) -> None:
    for _ in range(3):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(sent)
        writer.write_eof()
        async with asyncio.timeout(30):
            with suppress(ConnectionError):
                while await reader.read(4096):
                    pass
        writer.close()
    async with Visitor(server) as ada:
        assert (await ada.get("/"))[0] == 200
    assert server.said == []
