"""Sessions of browsers, with the real application: what they outlast, what ends them, and whom they are no use to."""

import signal
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import pytest
from yarl import URL

from oasis.classroom.admission import open_classroom
from oasis.classroom.people.roll import Roll
from tests.server.serving import CODE, Served, Tab, Visitor, served
from tests.server.test_real_tabs import RIGHT, sign_in
from tests.tui.browser import browsing

pytestmark = pytest.mark.slow

TAB, ANOTHER = "0" * 32, "1" * 32
DOOR, INSIDE, MADE = "Your passphrase", "Enter begins", "H : "
LESSON = 'title = "{}"\nlemmas = ["textbook/and_comm", "textbook/{}"]'
NAMES = (f"ada{number}" for number in count(1))


async def join(visitor: Visitor) -> tuple[str, Tab]:
    """Have somebody join the class in a tab."""
    await visitor.knock()
    name, tab = next(NAMES), await visitor.tab(name=TAB)
    await sign_in(tab, name)
    return name, tab


async def begin_a_proof(tab: Tab) -> None:
    """Make the first move of the first lemma."""
    await tab.type("\r", shows="Point at a formula")
    await tab.type("0", shows=MADE)


async def test_a_tab_comes_back_to_the_same_move_after_a_reload_and_with_another_server(tmp_path: Path) -> None:
    lesson = tmp_path / "week.toml"
    lesson.write_text(LESSON.format("Week", "or_comm"))
    with served(tmp_path, "--lesson", str(lesson), code=CODE) as server:
        async with Visitor(server) as ada:
            _, tab = await join(ada)
            await begin_a_proof(tab)
            again = await ada.tab(name=TAB)  # as when nobody has seen yet that the tab is gone
            await again.wait_for(MADE)
            assert "opened a second time" in await tab.ended()
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
            cookies = {each.key: each.value for each in ada.session.cookie_jar}
    lesson.write_text(LESSON.format("Week and more", "or_assoc"))
    with served(tmp_path, "--lesson", str(lesson), code=CODE) as server:
        async with Visitor(server) as ada:
            ada.session.cookie_jar.update_cookies(cookies, URL(server.url))
            assert "The code of the class" not in (await ada.get("/"))[1]
            await (await ada.tab(name=TAB)).wait_for(MADE)
            await (await ada.tab(name=ANOTHER)).wait_for("signed in 2 times")


async def test_no_other_cookie_opens_a_session(classroom: Served, tmp_path: Path) -> None:
    async with Visitor(classroom) as ada, Visitor(classroom) as eve:
        await join(ada)
        cookie = {each.key: each.value for each in ada.session.cookie_jar}["oasis-pass"]
        with served(tmp_path, code=CODE) as another:
            async with Visitor(another) as visitor:
                await visitor.knock()
                others = {each.key: each.value for each in visitor.session.cookie_jar}["oasis-pass"]
        for forged in (others, cookie[:16] + others[16:], cookie[:-1] + ("0" if cookie[-1] != "0" else "1")):
            assert (await eve.get("/static/js/textual.js", Cookie=f"oasis-pass={forged}"))[0] == 403
        await eve.knock()
        await (await eve.tab(name=TAB)).wait_for(DOOR)


async def test_who_is_dismissed_or_signed_out_by_the_teacher_or_elsewhere_is_no_longer_in(classroom: Served) -> None:
    async with AsyncExitStack() as stack:
        visitors = [await stack.enter_async_context(Visitor(classroom)) for _ in range(4)]
        joined = [await join(each) for each in visitors]
        elsewhere = await visitors[3].tab(name=ANOTHER)
        await elsewhere.wait_for(INSIDE)
        with open_classroom(classroom.file) as store:
            roll, names = Roll(store), [name for name, _ in joined]
            roll.dismiss(names[0])
            roll.reset(names[1])
            assert roll.sign_out(names[2]) == (names[2], 1)
        await elsewhere.type("D", shows="Take along")
        await elsewhere.type("o", shows="Type your name")
        for visitor, (_, tab) in zip(visitors, joined, strict=True):
            await tab.wait_for("You were signed out")
            again = await visitor.tab(name=TAB)
            await again.wait_for(DOOR)


async def test_a_page_comes_back_to_the_same_move_by_reload_by_back_and_after_its_server(
    chromium: str, tmp_path: Path
) -> None:
    with served(tmp_path) as server:
        async with browsing(chromium, tmp_path, server.url) as page:
            await page.until_shown("Your passphrase")
            await page.type("ada")
            for shown in ("Type your name", "You are new"):
                await page.press("Enter")
                await page.until_shown(shown)
                await page.type(RIGHT)
            await page.press("Enter")
            await page.until_shown("Where things are")
            await page.press("Escape")
            await page.until_shown(INSIDE)
            await page.press("Enter")
            await page.until_shown("Point at a formula")
            await page.type("0")
            await page.until_shown(MADE)
            for leave in ("location.reload()", "location.href = '/assets/page.css'"):
                await page.evaluate(f"window.isOld = true; {leave}")
                await page.wait_for("!window.isOld")
                await page.evaluate("location.pathname !== '/' && history.back()")
                await page.until_shown(MADE)
            server.process.kill()
            server.process.wait()
            assert await page.wait_for("document.querySelector('#soon').checkVisibility()")
            with served(tmp_path, port=server.port):
                await page.until_shown(MADE)
