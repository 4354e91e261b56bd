"""What strangers try who do not know the code; every address of the loopback network is another of them."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, closing, suppress
from socket import SO_RCVBUF, SOL_SOCKET, socket

import aiohttp
import pytest

from oasis.classroom.people.guessing import BROWSERS_APART, MustWait, NotAdmitted
from oasis.server import code as guessing
from oasis.server.code import ClassCode
from oasis.server.limits import Limits
from tests.server.serving import CHILD, CODE, SERVER, Served, Visitor, come_in, serving_here, soon
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow

HOST = b"Host: 127.0.0.1\r\n"


async def test_without_the_code_nothing_is_reached_and_nothing_is_started(server: Served) -> None:
    async with Visitor(server) as stranger:
        for path in (
            *("/ws", "/ws?width=30000&height=30000", "/static/", "/static/js/textual.js", "/assets/page.js"),
            "/download/key-1",
        ):
            for cookie in ("", "oasis-pass=", "oasis-pass=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"):
                answer = await stranger.get(path, Cookie=cookie)
                assert answer == (403, "Type the code of the class first, on the first page.")
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


@pytest.mark.parametrize("many", [10, *thoroughly(40)])
async def test_strangers_who_knock_start_nothing_and_a_student_is_served(server: Served, many: int) -> None:
    async with Visitor(server, 200) as ada:
        tab = await come_in(ada)

        async def knock(number: int) -> None:
            async with Visitor(server, number) as stranger:
                for _ in range(many // 4):
                    await stranger.get("/")
                    assert (await stranger.knock("wrong-code"))[0] in (403, 429)
                    with pytest.raises(aiohttp.WSServerHandshakeError):
                        await stranger.tab(30000, 30000)

        strangers = [asyncio.create_task(knock(number)) for number in range(101, 101 + many)]
        for number in range(20):
            await tab.type(f"key {number}.")
            await tab.wait_for(f"key {number}.", seconds=10)
        await asyncio.gather(*strangers)
        assert len(server.children()) == 1
        assert server.megabytes() < SERVER + CHILD


# Guessing the code. The clock of the server by which guessing is slowed stands still.


async def test_codes_are_guessed_slowly_and_a_new_browser_is_no_new_try(server: Served) -> None:
    said = []
    for _ in range(5):
        async with Visitor(server, 21) as eve:
            said.append(await eve.knock("wrong-code"))
    assert [status for status, _ in said] == [403, 403, 403, 429, 429]
    assert "That is not the code of this class; try again." in said[0][1]
    assert "There were too many wrong tries; wait 1 second, and try again." in said[-1][1]
    async with Visitor(server, 21) as eve, Visitor(server, 22) as ada:
        assert (await eve.knock(CODE))[0] == 429
        assert (await ada.knock(CODE))[0] == 303


async def test_who_guesses_keeps_no_browser_waiting_beside_at_the_same_address(server: Served) -> None:
    async with Visitor(server, 23) as eve, Visitor(server, 23) as ada:
        await asyncio.gather(eve.get("/"), ada.get("/"))
        assert [(await eve.knock("wrong-code"))[0] for _ in range(5)] == [403, 403, 403, 429, 429]
        assert (await ada.knock(CODE))[0] == 303


def test_many_new_browsers_are_no_new_tries_and_a_wait_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(guessing, "monotonic", lambda: now)
    code = ClassCode(CODE)

    def guess(browser: str) -> type[NotAdmitted]:
        with pytest.raises(NotAdmitted) as refused:
            code.give_pass("wrong-code", "192.0.2.1", browser)
        return type(refused.value)

    for number in range(BROWSERS_APART):
        guess(f"browser {number}")
    assert [guess(f"another {number}") for number in range(4)] == [NotAdmitted] * 3 + [MustWait]
    now += 1.1
    assert [guess("another 4") for _ in range(2)] == [NotAdmitted, MustWait]
    now += 2.1
    assert code.is_known_to(code.give_pass(CODE, "192.0.2.1", "another 5"))
    assert [guess("another 6") for _ in range(4)] == [NotAdmitted] * 3 + [MustWait], "a right code ends the row"


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


# What is no request, and no reader.


async def test_a_form_that_is_none_is_refused_and_read_no_further(server: Served) -> None:
    async with Visitor(server, 24) as stranger:
        fields = b"&".join([b"a=1"] * 50)
        for body, status in [(b"x" * 100_000, 413), (b"\xff\xfe=\xff", 403), (fields, 400), (b"", 403)]:
            async with stranger.session.post("/", data=body) as answer:
                assert answer.status == status
        headers = {"Content-Type": "application/x-www-form-urlencoded; charset=nonsense"}
        async with stranger.session.post("/", data=b"code=1", headers=headers) as answer:
            assert answer.status == 403
    assert "Traceback" not in "".join(server.said)


async def answers(port: int, sent: bytes, *, ends: bool = False) -> bytes:
    """Send bytes on a connection of their own, and return all that comes until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    if ends:
        writer.write_eof()
    answered = b""
    async with asyncio.timeout(60):
        with suppress(ConnectionError):
            while piece := await reader.read(65536):
                answered += piece
    writer.close()
    return answered


async def test_a_connection_that_asks_for_nothing_is_closed() -> None:
    slow = b"POST / HTTP/1.1\r\n" + HOST + b"Content-Length: 9\r\n\r\na"
    async with serving_here(Limits(to_ask=0.2)) as server:
        await asyncio.gather(*(answers(server.port, sent) for sent in (b"", b"GET / HTTP/1.1\r\nHost: 127.", slow)))


async def test_a_stranger_is_answered_once_on_a_connection(server: Served) -> None:
    answered = await answers(server.port, (b"GET / HTTP/1.1\r\n" + HOST + b"\r\n") * 20)
    assert answered.count(b"HTTP/1.1 ") == 1 and b"Connection: close" in answered


def is_closed(connection: socket) -> bool:
    """Return True if the other end of a connection from which nothing is read has closed it."""
    try:
        connection.send(b"G")
    except BlockingIOError:
        return False
    except OSError:
        return True
    return False


@pytest.mark.parametrize("path", ["/", "/static/js/textual.js"])
async def test_a_connection_that_reads_no_answers_is_closed(path: str, caplog: pytest.LogCaptureFixture) -> None:
    async with serving_here(Limits(to_read=0.2)) as server, Visitor(server) as eve:
        await eve.knock()
        cookies = "; ".join(f"{cookie.key}={cookie.value}" for cookie in eve.session.cookie_jar)
        with closing(socket()) as deaf:
            deaf.setsockopt(SOL_SOCKET, SO_RCVBUF, 2048)
            deaf.connect(("127.0.0.1", server.port))
            deaf.setblocking(False)
            deaf.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {cookies}\r\n\r\n".encode() * 3000)
            assert await soon(lambda: is_closed(deaf), 20)
    assert caplog.text == ""


def has_ended(connection: socket) -> bool:
    """Return True if the other end of a connection on which nothing was sent has closed it."""
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


async def test_one_address_does_not_take_all_connections() -> None:
    limits = Limits(connections_per_address=10, connections=15)
    async with serving_here(limits) as server, Visitor(server, 8) as ada, Visitor(server, 7) as eve:
        with ExitStack() as opened:
            connections = [opened.enter_context(closing(socket())) for _ in range(40)]
            for each in connections:
                each.bind(("127.0.0.7", 0))
                each.connect(("127.0.0.1", server.port))
                each.setblocking(False)
            assert await soon(lambda: sum(map(has_ended, connections)) == 30, 10)
            assert (await ada.get("/"))[0] == 200
            with pytest.raises(aiohttp.ClientError):
                await eve.get("/")

        async def comes_in() -> bool:
            with suppress(aiohttp.ClientError):
                return (await eve.get("/"))[0] == 200
            return False

        assert await soon(comes_in, 10)


@pytest.mark.parametrize(
    "sent",
    [
        *(b"\x16\x03\x01\x02\x00\x01", b"\x00" * 70_000, b"\r\n" * 5000),
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 100_000,
    ],
    ids=["TLS", "zeros", "empty lines", "a long line"],
)
async def test_what_is_no_request_is_answered_or_closed_and_fills_no_log(server: Served, sent: bytes) -> None:
    for _ in range(3):
        await answers(server.port, sent, ends=True)
    async with Visitor(server) as ada:
        assert (await ada.get("/"))[0] == 200
    assert server.said == []
