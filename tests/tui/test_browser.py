"""The classroom in a real browser: a student comes in, and proves a lemma by keys and mouse."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import aiohttp
import pytest
from typer.testing import CliRunner

from oasis.cli.main import app
from tactics.errors import InputError
from tests.optional import missing
from tests.tui.browser import Page, browsing
from tests.tui.rooms import classroom, opened, press
from tui import serving
from tui.serving import ClassroomServer
from tui.widgets.moves import Moves

pytestmark = pytest.mark.slow


@pytest.fixture
def chromium() -> str:
    """The command of a browser."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return found or missing("there is no Chromium; on Debian apt-get install chromium")


class Served(NamedTuple):
    """A classroom in browsers: where, and by which process."""

    port: int
    process: int


@contextmanager
def served(folder: Path, *options: str, code: str = "") -> Iterator[Served]:
    """A classroom over a fresh file."""
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    command = [sys.executable, "-m", "oasis", "classroom", "serve", "--port", str(port), *options]
    environment = {**os.environ, "OASIS_DB": str(folder / "class.db"), "OASIS_CLASS_CODE": code}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    for line in process.stderr:
        if "is open at" in line:
            break
    try:
        yield Served(port, process.pid)
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


async def eventually(folder: Path, query: str, expected: object) -> None:
    """Wait until the class's file says so."""
    found = None
    for _ in range(200):
        with closing(sqlite3.connect(folder / "class.db")) as connection:
            found = connection.execute(query).fetchall()
        if found == expected:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{query} gives {found}, not {expected}")


async def where_the_move_is(folder: Path, columns: int, rows: int) -> tuple[float, float]:
    """The middle of the first move's row after intro, as a share of a screen of this size."""
    room = classroom(folder, "textbook/identity")
    async with opened(room, (columns, rows)) as pilot:
        await press(pilot, "1")
        region = room.screen.query_one(Moves).content_region
    return (region.x + 5) / columns, (region.y + 0.5) / rows


async def come_in(page: Page, folder: Path) -> None:
    await page.wait_for("document.body.classList.contains('-first-byte')")
    await asyncio.sleep(1)
    for typed in ("grace", "correct horse", "correct horse"):
        await page.type(typed)
        await page.press("Enter")
        await asyncio.sleep(0.5)
    await eventually(folder, "SELECT name FROM students", [("grace",)])


async def test_a_student_comes_in_and_proves_a_lemma_by_key_and_mouse(chromium: str, tmp_path: Path) -> None:
    done = "SELECT kind, what FROM events ORDER BY attempt, number"
    with served(tmp_path) as (port, _):
        async with browsing(chromium, tmp_path, f"http://127.0.0.1:{port}/") as page:
            await come_in(page, tmp_path)
            await asyncio.sleep(1)
            await page.press("Enter")
            await asyncio.sleep(1)
            await page.type("1")
            assert await page.evaluate("document.querySelectorAll('.xterm').length") == 1
            await eventually(tmp_path, done, [("move", "intro")])
            size = parse_qs(urlsplit(await page.evaluate("window.terminalAddress")).query)
            (tmp_path / "beside").mkdir()
            across, down = await where_the_move_is(tmp_path / "beside", int(size["width"][0]), int(size["height"][0]))
            box = "document.querySelector('.xterm-screen').getBoundingClientRect()"
            left, top, width, height = [await page.evaluate(f"{box}.{side}") for side in ("x", "y", "width", "height")]
            await page.click(left + across * width, top + down * height)
            await eventually(tmp_path, done, [("move", "intro"), ("move", "assumption")])
            await eventually(tmp_path, "SELECT outcome FROM attempts WHERE outcome != ''", [("proved",)])
            picture = os.environ.get("OASIS_PICTURES")
            await asyncio.sleep(1)
            await page.screenshot(Path(picture or tmp_path) / "browser.png")


async def test_a_page_of_another_site_is_sent_away(tmp_path: Path) -> None:
    with served(tmp_path) as (port, _):
        async with aiohttp.ClientSession() as session:
            for headers in ({"Origin": "http://elsewhere.example"}, {"Host": "elsewhere.example"}):
                async with session.get(f"http://127.0.0.1:{port}/ws", headers=headers) as answer:
                    assert answer.status == 403
            async with session.get(f"http://127.0.0.1:{port}/ws") as answer:
                assert answer.status == 400
            async with session.get(f"http://127.0.0.1:{port}/") as answer:
                text = await answer.text()
                assert answer.status == 200
            assert "http://" not in text
            assert "https://" not in text


@pytest.mark.parametrize(("host", "has_code"), [("0.0.0.0", True), ("192.0.2.1", True), ("127.0.0.1", False)])
def test_where_others_can_come_a_code_is_made_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str, has_code: bool
) -> None:
    monkeypatch.delenv("OASIS_CLASS_CODE", raising=False)
    codes = []
    monkeypatch.setattr(ClassroomServer, "serve", lambda _: codes.append(os.environ.get("OASIS_CLASS_CODE")))
    done = CliRunner().invoke(app, ["classroom", "serve", "--host", host, "--db", str(tmp_path / "class.db")])
    assert done.exit_code == 0, done.output
    assert [code is not None for code in codes] == [has_code]
    assert not has_code or f"The code of the class is {codes[0]}" in done.stderr
    monkeypatch.delenv("OASIS_CLASS_CODE", raising=False)


def test_a_lesson_that_cannot_be_done_is_not_given_unless_somebody_insists(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(ClassroomServer, "serve", lambda server: opened.append(server.command))
    lesson = tmp_path / "week.toml"
    arguments = ["classroom", "serve", "--lesson", str(lesson), "--db", str(tmp_path / "class.db")]
    lesson.write_text('lemmas = ["textbook/and_comm"]\n[[exercise]]\nlemma = "lost : p -> q"\n')
    done = CliRunner().invoke(app, arguments)
    assert "because of lost" in str(done.exception) and opened == []
    assert CliRunner().invoke(app, [*arguments, "--unchecked"]).exit_code == 0
    lesson.write_text('lemmas = ["textbook/and_comm"]')
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert [str(lesson) in command for command in opened] == [True, True]


def test_where_the_classroom_is_open_is_told_by_name_and_by_number(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(host: str, number: str) -> str:
        monkeypatch.setattr(serving, "_number", lambda: number)
        ClassroomServer(Path("class.db"), [], host, 8000)._announce("")
        return capsys.readouterr().err

    name = socket.gethostname()
    assert told("127.0.0.1", "192.0.2.7") == (
        "The classroom of class.db is open at http://127.0.0.1:8000; Ctrl-C closes it.\n"
    )
    assert f"is open at http://{name}:8000 or http://192.0.2.7:8000;" in told("0.0.0.0", "192.0.2.7")
    assert f"is open at http://{name}:8000;" in told("0.0.0.0", "")


def test_an_address_by_number_is_one_that_others_may_reach() -> None:
    number = serving._number()
    assert not number or not ip_address(number).is_unspecified


def children(parent: int) -> dict[int, str]:
    """The processes that a process has started and that have not ended, and their commands."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat=,args="], capture_output=True, text=True, check=True)
    rows = [line.split(None, 3) for line in listed.stdout.splitlines()]
    return {int(row[0]): row[3] for row in rows if int(row[1]) == parent and row[2][0] != "Z"}


def is_at_work(process: int) -> bool:
    """Whether a process has not ended."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(found.stdout.strip()) and found.stdout.strip()[0] != "Z"


async def test_the_processes_of_the_students_end_with_the_server_however_that_ends(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        address = f"http://127.0.0.1:{server.port}/ws?width=80&height=24"
        async with aiohttp.ClientSession() as session, session.ws_connect(address) as connection:
            while b"passphrase" not in (await connection.receive(timeout=60)).data:
                pass  # not drawn yet
            ((student, command),) = children(server.process).items()
            assert "--served" in command
            os.kill(server.process, signal.SIGKILL)
        for _ in range(600):
            if not is_at_work(student):
                return
            await asyncio.sleep(0.1)
        os.kill(student, signal.SIGKILL)
        raise AssertionError(f"{command} is still at work")


def test_a_port_out_of_range_is_told_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--port must lie between 1 and 65535, not 0"):
        ClassroomServer(Path("class.db"), [], "127.0.0.1", 0)


def test_a_port_that_is_taken_is_told_in_words(tmp_path: Path) -> None:
    with served(tmp_path) as (port, _):
        command = [sys.executable, "-m", "oasis", "classroom", "serve", "--port", str(port)]
        environment = {**os.environ, "OASIS_DB": str(tmp_path / "other.db")}
        refused = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert refused.returncode == 2
    assert "choose another --port" in refused.stderr
