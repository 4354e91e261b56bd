"""The classroom in a real browser: a student comes in, and proves a lemma by keys and mouse."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.serving import served, soon
from tests.tui.browser import Page, browsing

pytestmark = pytest.mark.slow

PASSPHRASE = "correct horse"


async def eventually(folder: Path, query: str, expected: object) -> None:
    """Wait until the class's file says so."""

    def found() -> object:
        with closing(sqlite3.connect(folder / "class.db")) as connection:
            return connection.execute(query).fetchall()

    assert await soon(lambda: found() == expected, 30), f"{query} gives {found()}, not {expected}"


async def come_in(page: Page, folder: Path) -> None:
    """Sign in as somebody new, with all lines typed at once, and look no further round."""
    await page.until_shown("Your name")
    for typed in ("grace", PASSPHRASE, PASSPHRASE):
        await page.type(typed)
        await page.press("Enter")
    await eventually(folder, "SELECT name FROM students", [("grace",)])
    await page.until_shown("Where things are")
    await page.press("Escape")
    await page.until_shown("Worlds", without="Where things are")


async def test_a_student_comes_in_and_proves_by_key_and_mouse_or_pastes_it(chromium: str, tmp_path: Path) -> None:
    done = "SELECT kind, what FROM events ORDER BY attempt, number"
    with served(tmp_path) as server:
        async with browsing(chromium, tmp_path, server.url) as page:
            await come_in(page, tmp_path)
            await page.press("Enter")
            await page.until_shown("To prove", "no hypotheses yet")
            await page.type("0")
            await page.until_shown("H : p")
            await eventually(tmp_path, done, [("move", "intro")])
            await page.click_at("p", within="⊢ ")
            await page.until_shown("Nothing is left to prove.", "Proved in 2 moves.")
            await eventually(tmp_path, done, [("move", "intro"), ("move", "assumption")])
            await eventually(tmp_path, "SELECT outcome FROM attempts WHERE outcome != ''", [("proved",)])
            await page.type("a")
            await page.until_shown("no hypotheses yet")
            await page.type("/")
            await page.evaluate("""window.theTerminal.paste("Proof.\\n- intro.\\n- assumption.\\n"); 1""")
            await page.until_shown("Nothing is left to prove.", "Proved in 2 moves.")
            await eventually(tmp_path, done, [("move", "intro"), ("move", "assumption")] * 2)
            await page.screenshot(Path(os.environ.get("OASIS_PICTURES") or tmp_path) / "browser.png")


@pytest.mark.thorough
async def test_a_work_of_any_length_is_pasted_and_enter_comes_after_it(chromium: str, tmp_path: Path) -> None:
    with served(tmp_path) as server:
        async with browsing(chromium, tmp_path, server.url) as page:
            await come_in(page, tmp_path)
            await page.type("D")
            await page.until_shown("What you have done")
            await page.type("i")
            await page.until_shown("Bring it back")
            await page.evaluate("""window.theTerminal.paste('{"format": 99' + "\\n".repeat(400000) + "}"); 1""")
            await page.press("Tab")
            await page.press("Enter")
            await page.until_shown("This work was exported by a newer version of Oasis")
