"""With the real application in its tabs: what is seen of the code, who signs in, and work for the browser to keep."""

import json
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from oasis.classroom.clock import now
from oasis.server.limits import Limits
from oasis.store import Store
from tests.server.serving import CODE, Served, Tab, Visitor, has_time, served, serving_here, soon

pytestmark = pytest.mark.slow

RIGHT = "correct horse"


async def fill_in(tab: Tab, name: str, passphrase: str) -> None:
    """Type a name and a passphrase, each when the one before is there."""
    await tab.wait_for("Your passphrase")
    await tab.type(name, shows=name)
    await tab.type("\r")
    await reach(tab, "our passphrase")
    await give(tab, passphrase)


async def reach(tab: Tab, line: str) -> None:
    """Wait until a line is the one that is typed in: it is drawn again and again, since its cursor blinks."""
    for _ in range(3):
        await tab.wait_for(line)


async def give(tab: Tab, passphrase: str) -> None:
    """Type a passphrase."""
    await tab.type(passphrase, shows="*" * len(passphrase))
    await tab.type("\r")


async def sign_in(tab: Tab, name: str) -> None:
    """Join the class in a tab, and skip the first look round."""
    await fill_in(tab, name, RIGHT)
    await reach(tab, "once more")
    await give(tab, RIGHT)
    await tab.wait_for("Close (Esc)")
    await tab.type("\x1b", shows="Enter begins")


async def test_nothing_of_the_code_is_seen_in_the_list_of_processes_nor_handed_to_a_student(classroom: Served) -> None:
    for process in psutil.process_iter():
        with suppress(psutil.Error):  # some have ended, and some show nothing
            assert not any(CODE in word for word in process.cmdline())
    async with Visitor(classroom) as ada:
        await ada.knock()
        await (await ada.tab()).wait_for("passphrase")
        (child,) = classroom.children()
        assert "--served" in child.cmdline()
        assert CODE not in str(child.environ())


async def test_who_signs_in_has_all_the_time_and_who_signs_out_has_not(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "oasis", "tui", "--served", "--db", str(tmp_path / "class.db")]
    async with serving_here(Limits(), command) as server, Visitor(server) as ada:
        await ada.knock()
        tab = await ada.tab()
        await sign_in(tab, "ada")
        assert [has_time(each) for each in server.tabs._open] == [True]
        await tab.type("D", shows="Take along")
        await tab.type("o", shows="Type your name")
        assert await soon(lambda: [has_time(each) for each in server.tabs._open] == [False], 10)


async def test_who_guesses_in_a_tab_keeps_nobody_out_elsewhere(classroom: Served) -> None:
    async with Visitor(classroom, 7) as ada, Visitor(classroom, 8) as eve:
        for visitor in (ada, eve):
            await visitor.knock()
        await sign_in(await ada.tab(), "ada")
        guessing = await eve.tab(100, 30)
        await fill_in(guessing, "ada", "wrong horse")
        await guessing.wait_for("That is not the passphrase of ada")
        with Store(classroom.file) as store:  # so many that the wait is long enough for a busy machine
            (key,) = store.refused("")
            for _ in range(8):
                store.settle(key, right=False, at=now(), wait=lambda *_: 0.0)
        another = await eve.tab(100, 30)
        await fill_in(another, "ada", RIGHT)
        await another.wait_for("too many wrong tries")
        await (await ada.tab()).wait_for("Enter begins")


async def test_work_is_handed_to_the_browser_it_belongs_to(classroom: Served) -> None:
    async with Visitor(classroom) as bea:
        await bea.knock()
        tab = await bea.tab()
        await sign_in(tab, "bea")
        await tab.type("D", shows="Take along")
        await tab.type("e")
        async with bea.session.get(f"/download/{await tab.announced()}") as answer:
            assert answer.headers["Content-Disposition"].startswith("attachment;")
            assert json.loads(await answer.text())["student"] == "bea"


async def test_who_comes_when_a_lesson_is_broken_has_it_as_it_was(tmp_path: Path) -> None:
    lesson = tmp_path / "week.toml"
    lesson.write_text('title = "Conjunction"\nlemmas = ["textbook/and_comm"]')
    with served(tmp_path, "--lesson", str(lesson)) as server:
        lesson.write_text("lemmas = [")
        assert await soon(lambda: any(str(lesson) in line for line in server.said), 10)
        async with Visitor(server) as ada:
            await ada.get("/")
            tab = await ada.tab()
            await sign_in(tab, "ada")
            await tab.wait_for("Conjunction")
