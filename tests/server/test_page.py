"""The pages in a real browser: the door, the terminal behind it, and what is said when it ends."""

from pathlib import Path

import pytest

from tests.server.serving import CODE, Served, pretending, soon
from tests.tui.browser import Page, browsing

pytestmark = pytest.mark.slow

_NOTE = "document.querySelector('#why')?.textContent"
_CONNECT = """
    window.answers = [];
    window.early = new WebSocket(
        document.querySelector(".textual-terminal").dataset.sessionWebsocketUrl + "?width=80&height=24");
    early.addEventListener("message", event => {
        if (typeof event.data === "string") answers.push(JSON.parse(event.data).join(" "));
    });
    try { early.send(JSON.stringify(["ping", "early"])) } catch (error) { answers.push(String(error)) }
"""


async def come_in(page: Page) -> None:
    """Type the code, and wait for the terminal."""
    await page.wait_for("document.activeElement?.name === 'code'")
    await page.type(CODE)
    await page.press("Enter")
    await page.wait_for("document.body.classList.contains('-first-byte')")


async def test_the_code_opens_a_terminal_whose_end_is_told_soon(chromium: str, tmp_path: Path, server: Served) -> None:
    async with browsing(chromium, tmp_path, server.url) as page:
        await page.wait_for("document.activeElement?.name === 'code'")
        await page.type("wrong-code")
        await page.press("Enter")
        await page.wait_for("document.body.textContent.includes('That is not the code of this class; try again.')")
        watch = (
            "addEventListener('securitypolicyviolation', event => (window.broken ??= []).push(event.violatedDirective))"
        )
        await page.call("Page.addScriptToEvaluateOnNewDocument", source=watch)
        await come_in(page)
        await page.wait_for("!!document.querySelector('.xterm-screen')")
        assert await page.evaluate("(window.broken ?? []).join()") == ""
        assert await page.evaluate("document.fonts.check('16px \"Roboto Mono\"')")
        assert await soon(lambda: bool(server.children()), 10)
        server.children()[0].kill()
        said = await page.wait_for(_NOTE)
        assert said == "The classroom in this tab has stopped; your work is saved up to the last move."
        # It is there again without the code.
        await page.evaluate("document.querySelector('#closed a').click()")
        await page.wait_for("document.body.classList.contains('-first-byte') && !document.querySelector('.-closed')")
        await page.evaluate(_CONNECT)
        assert await page.wait_for("answers[0]") == "pong early", "what is sent before the connection stands"
        await page.evaluate('early.send(JSON.stringify(["ping", "late"]))')
        assert await page.wait_for("answers[1]") == "pong late"


async def test_a_server_that_is_gone_is_told_on_the_page(chromium: str, tmp_path: Path) -> None:
    with pretending(tmp_path) as server:
        async with browsing(chromium, tmp_path, server.url) as page:
            await come_in(page)
            server.process.kill()
            assert await page.wait_for(_NOTE) == "The connection to the classroom was lost; your work is saved."
