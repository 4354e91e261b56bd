"""What strangers try who do not know the code, and what they are told; each address of the loopback network is one."""

import asyncio
import zlib
from contextlib import closing, suppress
from functools import partial
from socket import SO_RCVBUF, SOL_SOCKET, socket
from unittest.mock import Mock

import aiohttp
import pytest

from oasis.classroom.people.guessing import BROWSERS_APART, NotAdmitted
from oasis.server import code as guessing
from oasis.server.code import LONGEST_DELAY, ClassCode
from oasis.server.limits import Limits
from tests.server.serving import CODE, SECRET, Served, Visitor, come_in, serving_here, soon

pytestmark = pytest.mark.slow

HOST = b"Host: 127.0.0.1\r\n"


async def test_without_the_code_nothing_but_the_door_is_reached_and_nothing_is_started(server: Served) -> None:
    async with Visitor(server) as stranger:
        for path in ("/ws?width=30000", "/static/", "/static/js/textual.js", "/assets/page.js", "/download/key-1"):
            for cookie in ("", "oasis-pass=", "oasis-pass=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"):
                answer = await stranger.get(path, Cookie=cookie)
                assert answer == (403, "Type the code of the class first, on the first page.")
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await stranger.session.ws_connect(path)
        status, text = await stranger.get("/")
        assert status == 200 and "Type the code of the class" in text and "textual.js" not in text
        assert (await stranger.get("/assets/page.css"))[0] == 200
        for path in ("/assets/", "/assets/../tab.py", "/assets/%2e%2e/tab.py", "/nowhere"):
            assert (await stranger.get(path))[0] in (403, 404)
    assert server.children() == []


# Guessing the code. The clock of the server by which guessing is slowed stands still.


async def test_codes_are_guessed_slowly_and_keep_nobody_out_who_knows_the_code(server: Served) -> None:
    async with Visitor(server, 21) as eve, Visitor(server, 21) as ada:
        await asyncio.gather(eve.get("/"), ada.get("/"))
        said = [await eve.knock("wrong-code") for _ in range(5)]
        assert [status for status, _ in said] == [403, 403, 403, 429, 429]
        assert "That is not the code of this class; try again." in said[0][1]
        assert "There were too many wrong tries; wait 1 second, and try again." in said[-1][1]
        assert (await ada.knock(CODE))[0] == 303, "another browser, which has asked for the page before"

    async def guesses(_: int) -> int:
        async with Visitor(server, 22) as unknown:
            return (await unknown.knock("wrong-code"))[0]

    async def comes(_: int) -> int:
        async with Visitor(server, 22) as newcomer:
            await newcomer.get("/")
            return (await newcomer.knock(CODE))[0]

    assert set(await asyncio.gather(*map(guesses, range(40)))) == {403}
    assert set(await asyncio.gather(*map(guesses, range(40)), *map(comes, range(20)))) == {303, 403}
    assert set(await asyncio.gather(*map(comes, range(20)))) == {303}


def test_what_comes_from_many_browsers_is_looked_at_later_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(guessing, "monotonic", lambda: now)
    code, address = ClassCode(CODE, SECRET), "192.0.2.1"
    for number in range(BROWSERS_APART + 20):
        with pytest.raises(NotAdmitted):
            code.give_pass("wrong-code", address, f"browser {number}")
    assert code.delay(address, "a new one") == code.delay(address) == LONGEST_DELAY
    assert code.delay(address, "browser 0") == code.delay("192.0.2.2", "a new one") == 0
    now += 61
    assert code.delay(address, "a new one") == 0
    assert code.is_known_to(code.give_pass(CODE, address, "a new one"))
    with pytest.raises(NotAdmitted):
        code.give_pass("wrong-code", address, "another one")
    assert code.delay(address, "another one") == 0, "a right code ends the row"


def test_however_many_have_typed_the_code_whoever_did_is_not_forgotten() -> None:
    code = ClassCode(CODE, SECRET)
    given = [code.give_pass(CODE, "192.0.2.1") for _ in range(10_100)]
    assert len(set(given)) == len(given) and all(code.is_known_to(each) for each in given)
    other = "x" if given[0][0] != "x" else "y"
    assert not any(
        code.is_known_to(each) for each in ("", given[0][:-1], other + given[0][1:], "é" + given[0], "\udcff")
    )
    for another in (ClassCode(CODE, b"another class"), ClassCode("another-code", SECRET)):
        assert not another.is_known_to(given[0]) and another.session_of(given[0]) == ""
    assert ClassCode(CODE, SECRET).is_known_to(given[0]), "another server of this class"


@pytest.mark.parametrize(("code", "typed"), [("abcd2345", " ABCD2345 "), ("Open Sesame", "open sesame")])
def test_capitals_of_the_code_do_not_matter(code: str, typed: str) -> None:
    door = ClassCode(code, SECRET)
    assert door.is_known_to(door.give_pass(typed, "192.0.2.1"))


# Connections that send no request, or read no answer


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


async def test_what_is_packed_is_refused_and_never_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    unpacker = Mock(side_effect=AssertionError("it was unpacked"))
    monkeypatch.setattr("aiohttp.http_parser.ZLibDecompressor", unpacker)
    body = zlib.compress(b"code=" + bytes(2**22))
    requests = [
        b"POST %s HTTP/1.1\r\n%sContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (path, HOST, how, len(body))
        for path in (b"/", b"/ws", b"/nowhere")
        for how in (b"deflate", b"gzip", b"br", b"identity")
    ]
    async with serving_here(Limits()) as server:
        said = await asyncio.gather(*(answers(server.port, request + body) for request in requests))
    assert all(b" 415 " in each and b"send it without Content-Encoding." in each for each in said)
    assert not unpacker.called


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


async def test_one_address_does_not_take_all_connections() -> None:
    limits = Limits(connections_per_address=10, connections=15)
    async with serving_here(limits) as server, Visitor(server, 8) as ada, Visitor(server, 7) as eve:
        connect = partial(asyncio.open_connection, "127.0.0.1", server.port, local_addr=("127.0.0.7", 0))
        connections = [await connect() for _ in range(40)]
        assert await soon(lambda: sum(each.at_eof() or bool(each.exception()) for each, _ in connections) == 30, 10)
        assert (await ada.get("/"))[0] == 200
        with pytest.raises(aiohttp.ClientError):
            await eve.get("/")
        for _, writer in connections:
            writer.close()

        async def comes_in() -> bool:
            with suppress(aiohttp.ClientError):
                return (await eve.get("/"))[0] == 200
            return False

        assert await soon(comes_in, 10)


async def test_what_is_no_request_is_answered_or_closed_and_fills_no_log(server: Served) -> None:
    too_long = b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 100_000
    for sent in (b"\x16\x03\x01\x02\x00\x01", b"\x00" * 70_000, b"\r\n" * 5000, too_long):
        await answers(server.port, sent, ends=True)
    async with Visitor(server) as ada:
        assert (await ada.get("/"))[0] == 200
    assert server.said == []


# Names of the server, headers of its answers, and files


async def test_a_name_that_is_not_ours_is_sent_away_and_one_that_is_none_is_a_bad_request(server: Served) -> None:
    async def answered(*lines: str) -> str:
        return (await answers(server.port, "\r\n".join(["GET / HTTP/1.1", *lines, "", ""]).encode())).decode()

    said = await answered("Host: elsewhere.example:8000")
    assert said.split()[1] == "403" and "--allowed-host" in said
    bad = ["", "[::1", "a b", "ü.example", "http://127.0.0.1", "127.0.0.1:99999999", "[elsewhere]", "a@127.0.0.1"]
    for lines in [[], ["Host: 127.0.0.1", "Host: elsewhere.example"], *([f"Host: {host}"] for host in bad)]:
        assert (await answered(*lines)).split()[1] == "400", lines
    assert "Traceback" not in "".join(server.said)


async def test_a_page_of_another_site_opens_nothing(server: Served) -> None:
    async with Visitor(server) as ada:
        await ada.knock()
        for origin in ("http://elsewhere.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await ada.tab(Origin=origin)
            assert refused.value.status == 403
            async with ada.session.post("/", data={"code": CODE}, headers={"Origin": origin}) as answer:
                assert answer.status == 403
        own = await ada.tab(Origin=server.url)
        await own.wait_for("ready")


async def test_every_answer_says_how_it_may_be_used(server: Served) -> None:
    async with Visitor(server) as ada:
        asked = ["/", "/nowhere", "/assets/page.css", "/ws"]
        for has_code in (False, True):
            for path in [*asked, "/static/js/textual.js"] if has_code else asked:
                async with ada.session.get(path) as answer:
                    headers = answer.headers
                    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"], path
                    assert headers["X-Content-Type-Options"] == "nosniff"
                    assert headers["Referrer-Policy"] == "same-origin"
                    assert headers["Server"] == "Oasis"
            await ada.knock()
        assert (await ada.get("/static/"))[0] in (403, 404), "no index"
        cookies = list(ada.session.cookie_jar)
        assert {cookie.key for cookie in cookies} == {"oasis-pass", "oasis-browser"}
        assert all(cookie["httponly"] and cookie["samesite"] == "Strict" for cookie in cookies)


async def test_a_file_goes_once_to_the_browser_it_is_for_and_is_never_shown_as_a_page(server: Served) -> None:
    async with Visitor(server, 7) as ada, Visitor(server, 8) as eve:
        tab = await come_in(ada)
        await come_in(eve)
        await tab.type("hand name;points")
        assert await tab.announced() == "key-1"
        assert (await eve.get("/download/key-1"))[0] == 404
        async with ada.session.get("/download/key-1") as answer:
            assert await answer.text() == "name;points"
            assert answer.headers["Content-Disposition"].startswith("attachment; filename*=UTF-8''Zo%C3%AB%0D%0A")
            assert "X-Bad" not in answer.headers
        assert (await ada.get("/download/key-1"))[0] == 404


async def test_a_file_for_a_browser_that_is_not_known_is_handed_to_none(server: Served) -> None:
    async with Visitor(server, 7) as ada, Visitor(server, 8) as eve:
        for visitor in (ada, eve):
            await visitor.session.post("/", data={"code": CODE}, allow_redirects=False)
        tab = await ada.tab()
        await tab.type("hand over")
        assert (await eve.get(f"/download/{await tab.announced()}"))[0] == 404
