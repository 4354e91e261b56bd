"""Under which names the server is reached, what each answer says of itself, and to whom files go."""

from __future__ import annotations

import asyncio

import aiohttp
import pytest

from tests.server.serving import CODE, Served, Visitor, come_in

pytestmark = pytest.mark.slow


async def answer_to(server: Served, *lines: str) -> tuple[int, str]:
    """The status and all else of the answer to a request for the first page with these headers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write("\r\n".join(["GET / HTTP/1.1", *lines, "Connection: close", "", ""]).encode())
    answer = (await reader.read()).decode()
    writer.close()
    return int(answer.split()[1]), answer


async def test_a_name_that_is_not_ours_is_sent_away_and_one_that_is_none_is_a_bad_request(server: Served) -> None:
    status, text = await answer_to(server, "Host: elsewhere.example:8000")
    assert status == 403 and "--allowed-host" in text
    bad = [
        "",
        "[::1",
        "a b",
        "ü.example",
        "http://127.0.0.1",
        "127.0.0.1:99999999",
        "[elsewhere]",
        "a@127.0.0.1",
        "a/b",
    ]
    for lines in [[], ["Host: 127.0.0.1", "Host: elsewhere.example"], *([f"Host: {host}"] for host in bad)]:
        assert (await answer_to(server, *lines))[0] == 400, lines
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
