"""With the real application in its tabs: what its size takes, who has signed in, and work for the browser to keep."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from oasis.classroom.clock import now
from oasis.forks import CAN_FORK
from oasis.store import Store
from tests.server.serving import CODE, SERVER, Served, Tab, Visitor, pretending, served, soon

pytestmark = pytest.mark.slow

LARGEST = 300
"""Megabytes that a tab of the largest size takes at most before somebody sits there."""
RIGHT = "correct horse"
LATE = "Nobody has signed in, so this tab was closed."


async def fill_in(tab: Tab, name: str, passphrase: str) -> None:
    """Type a name and a passphrase, each when the one before is there."""
    await tab.wait_for("Your passphrase")
    await tab.type(name)
    await tab.wait_for(name)
    await tab.type("\r")
    await reach(tab, "our passphrase")
    await give(tab, passphrase)


async def reach(tab: Tab, line: str) -> None:
    """Wait until a line is the one that is typed in: it is drawn again and again, since its cursor blinks."""
    for _ in range(3):
        await tab.wait_for(line)


async def give(tab: Tab, passphrase: str) -> None:
    """Type a passphrase."""
    await tab.type(passphrase)
    await tab.wait_for("*" * len(passphrase))
    await tab.type("\r")


async def sign_in(tab: Tab, name: str) -> None:
    """Join the class in a tab, and skip the first look round."""
    await fill_in(tab, name, RIGHT)
    await reach(tab, "once more")
    await give(tab, RIGHT)
    await tab.wait_for("Close (Esc)")
    await tab.type("\x1b")
    await tab.wait_for("Enter begins")


def counted(path: Path, more: int = 0) -> int:
    """How many wrong passphrases are counted, in the one place where some are, after so many more."""
    with Store(path) as store:
        (key,) = store.refused("")
        for _ in range(more):
            store.settle(key, right=False, at=now(), wait=lambda *_: 0.0)
        refusals = store.refusals(key)
    assert refusals is not None
    return refusals[0]


@pytest.mark.some_days
async def test_the_largest_screen_takes_little_memory(tmp_path: Path) -> None:
    with served(tmp_path, code=CODE) as server:
        async with Visitor(server) as eve:
            await eve.knock()
            tab = await eve.tab(30000, 30000)
            await tab.wait_for("passphrase")
            for side in (1, 20000):
                await tab.send("resize", {"width": side, "height": side})
            for typed in (
                "\x1b[48;20000;20000;0;0t",
                "\x1b[48;20000",
                ";20000;0;0t",
                "\x1b[200~\x1b[48;20000;20000;0;0t",
            ):
                await tab.type(typed)
            for _ in range(30):
                await asyncio.sleep(0.1)
                assert server.megabytes() < SERVER + LARGEST


@pytest.mark.some_days
async def test_who_signs_in_stays_and_who_signs_out_makes_room(tmp_path: Path) -> None:
    with pretending(tmp_path, real=True, limits={"to_sign_in": 15}) as server:
        async with Visitor(server) as eve:
            await eve.knock()
            ada, idle = await eve.tab(), await eve.tab()
            await sign_in(ada, "ada")
            assert await idle.ended(60) == LATE
            await ada.type("D")
            await ada.wait_for("Take along")
            await ada.type("o")
            await ada.wait_for("Type your name")
            assert await ada.ended(60) == LATE
            assert await server.childless(10)


@pytest.mark.some_days
async def test_whoever_guesses_in_a_tab_keeps_nobody_out_elsewhere_and_a_new_tab_is_no_new_try(tmp_path: Path) -> None:
    with served(tmp_path, code=CODE) as server:
        async with Visitor(server, 7) as ada, Visitor(server, 8) as eve, Visitor(server, 8) as again:
            for visitor in (ada, eve, again):
                await visitor.knock()
            await sign_in(await ada.tab(), "ada")
            guessing = await eve.tab(100, 30)
            await fill_in(guessing, "ada", "wrong horse")
            for _ in range(2):
                await guessing.wait_for("That is not the passphrase of ada")
                await give(guessing, "wrong horse")
            await guessing.wait_for("That is not the passphrase of ada")
            kept = tmp_path / "class.db"
            assert await soon(lambda: counted(kept) == 3, 10)
            await asyncio.sleep(1)  # which is the wait after three
            elsewhere = await eve.tab(100, 30)
            await fill_in(elsewhere, "ada", "wrong horse")
            await elsewhere.wait_for("That is not the passphrase of ada")
            assert counted(kept, more=5) == 9  # so that the wait is long enough for a busy machine
            await give(elsewhere, RIGHT)
            await elsewhere.wait_for("too many wrong tries")
            for visitor in (ada, again):  # in her browser, and in one that is new at the address of who guesses
                own = await visitor.tab()
                await fill_in(own, "ada", RIGHT)
                await own.wait_for("Enter begins")


@pytest.mark.some_days
@pytest.mark.parametrize("forks", [True, False])
async def test_work_is_handed_to_the_browser_it_belongs_to(tmp_path: Path, forks: bool) -> None:
    with pretending(tmp_path, real=True, forks=forks) as server:
        async with Visitor(server) as ada:
            await ada.knock()
            tab = await ada.tab()
            await sign_in(tab, "ada")
            await tab.type("D")
            await tab.wait_for("Take along")
            await tab.type("e")
            key = await announced(tab)
            assert (server.nursery() is not None) == (forks and CAN_FORK)
            async with ada.session.get(f"/download/{key}") as answer:
                assert answer.headers["Content-Disposition"].startswith("attachment;")
                assert json.loads(await answer.text())["student"] == "ada"


async def announced(tab: Tab) -> str:
    """The key of the file that a tab hands out."""
    async with asyncio.timeout(30):
        while True:
            for what, *rest in tab.told:
                if what == "deliver_file_start":
                    return str(rest[0])
            assert await tab.receive()


@pytest.mark.some_days
async def test_nothing_of_a_student_is_left_when_the_tab_is_closed_in_the_middle(tmp_path: Path) -> None:
    with served(tmp_path, code=CODE) as server:
        async with Visitor(server) as ada:
            await ada.knock()
            tab = await ada.tab()
            await sign_in(tab, "ada")
            await tab.type("T")  # an agent trains beside, in a process of its own
            assert await soon(lambda: len(family(server)) > 1, 30)
            started = family(server)
            await tab.close()
            assert await server.childless(5)
            assert await soon(lambda: not any(process.is_running() for process in started), 5)


def family(server: Served) -> list[Any]:
    """The processes of a tab and all that they have started."""
    return [process for child in server.children() for process in [child, *child.children(recursive=True)]]
