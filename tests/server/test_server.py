"""Opening a classroom for browsers: where, under which names, with which code, and how it ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from pathlib import Path

import pytest

from oasis.server import server as opening
from oasis.server.server import ClassroomServer
from tactics.errors import InputError
from tests.commands import Oasis, environment, started
from tests.server.serving import CODE, Visitor, served, soon
from tests.thorough import thoroughly

pytestmark = pytest.mark.slow


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[ClassroomServer]:
    """The servers that commands have opened, without serving."""
    servers: list[ClassroomServer] = []

    def serve(server: ClassroomServer) -> None:
        assert os.environ.get("OASIS_CLASS_CODE", CODE) == CODE, "a code that is made up is in no environment"
        servers.append(server)

    monkeypatch.setattr(ClassroomServer, "serve", serve)
    return servers


SERVE = ("classroom", "serve")


@pytest.mark.parametrize(
    ("option", "value", "has_code"),
    [
        *(("--host", "0.0.0.0", True), ("--host", "192.0.2.1", True), ("--host", "127.0.0.1", False)),
        ("--public-url", "https://classroom.example", True),
    ],
)
def test_where_others_can_come_a_code_is_made_up(
    oasis: Oasis, opened: list[ClassroomServer], option: str, value: str, has_code: bool
) -> None:
    done = oasis.ran(*SERVE, option, value)
    assert [server.needs_code for server in opened] == [has_code]
    assert ("The code of the class is " in done.stderr) == has_code


def test_a_code_is_taken_from_the_environment_and_long_enough(oasis: Oasis, opened: list[ClassroomServer]) -> None:
    for options in ([], ["--code"]):
        oasis.ran(*SERVE, *options, env=environment(OASIS_CLASS_CODE=CODE))
    assert [server.needs_code for server in opened] == [True, True]
    assert "at least 8 characters" in oasis.refused(*SERVE, env=environment(OASIS_CLASS_CODE="sesame"))
    assert "put it into OASIS_CLASS_CODE" in oasis.refused(*SERVE, "--code")


def test_a_limit_that_lets_nobody_in_is_refused(oasis: Oasis, opened: list[ClassroomServer]) -> None:
    for option, least in (("--tabs", 1), ("--tabs-per-address", 1), ("--memory", 100)):
        said = oasis.refused(*SERVE, option, str(least - 1))
        assert f"{option} must be at least {least}, not {least - 1}." in said
    with pytest.raises(InputError, match="--port must lie between 1 and 65535, not 0"):
        ClassroomServer(Path("class.db"), [], "127.0.0.1", 0)
    assert opened == []


def test_a_lesson_that_cannot_be_done_is_given_only_if_unchecked(
    oasis: Oasis, tmp_path: Path, opened: list[ClassroomServer]
) -> None:
    lesson = tmp_path / "week.toml"
    lesson.write_text('lemmas = ["textbook/and_comm"]\n[[exercise]]\nlemma = "lost : p -> q"\n')
    assert "because of lost" in oasis.refused(*SERVE, "--lesson", "week.toml") and opened == []
    oasis.ran(*SERVE, "--lesson", "week.toml", "--unchecked")
    lesson.write_text('lemmas = ["textbook/and_comm"]')
    oasis.ran(*SERVE, "--lesson", "week.toml")
    assert [[each.name for each in server._lessons.lessons] for server in opened] == [["week"], ["week"]]


def test_where_the_classroom_is_open_is_told_by_name_and_by_number(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(host: str, number: str = "", public_url: str = "") -> str:
        monkeypatch.setattr(opening, "number_on_network", lambda: number)
        ClassroomServer(Path("class.db"), [], host, 8000, public_url=public_url)._announce()
        return capsys.readouterr().err

    name = socket.gethostname()
    assert told("127.0.0.1", "192.0.2.7") == (
        "The classroom of class.db is open at http://127.0.0.1:8000; Ctrl-C closes it.\n"
    )
    assert f"is open at http://{name}:8000 or http://192.0.2.7:8000;" in told("0.0.0.0", "192.0.2.7")
    assert f"is open at http://{name}:8000;" in told("0.0.0.0")
    assert "is open at http://[::1]:8000;" in told("::1")
    through = told("127.0.0.1", public_url="https://classroom.example/")
    assert "is open at https://classroom.example, by way of http://127.0.0.1:8000;" in through


def test_a_port_that_is_taken_is_told_in_words(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = ["classroom", "serve", "--port", str(taken.getsockname()[1])]
        refused = started(command, tmp_path, environment(OASIS_DB="class.db"))
    assert refused.returncode == 2
    assert "choose another --port" in refused.stderr


# The end.


@pytest.mark.parametrize("also", [False, *thoroughly(True)], ids=["alone", "with what forks"])
async def test_the_processes_of_the_students_end_with_the_server_however_that_ends(tmp_path: Path, also: bool) -> None:
    with served(tmp_path) as server:
        async with Visitor(server) as ada:
            await (await ada.tab()).wait_for("passphrase")
            (student,), nursery = server.children(), server.nursery()
            server.process.send_signal(signal.SIGSTOP)
            if also and nursery is not None:
                nursery.kill()
            server.process.send_signal(signal.SIGKILL)
            assert await soon(lambda: not student.is_running(), 60)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, *thoroughly(signal.SIGINT)])
async def test_told_to_end_it_closes_every_tab_hung_or_not_and_says_so(tmp_path: Path, number: int) -> None:
    with served(tmp_path) as server:
        async with Visitor(server) as ada:
            tabs = [await ada.tab() for _ in range(3)]
            for tab in tabs:
                await tab.wait_for("passphrase")
            students = server.children()
            students[0].suspend()
            server.process.send_signal(number)
            for tab in tabs:
                assert await tab.ended(10) == "The classroom was closed; your work is saved."
            assert await asyncio.to_thread(server.process.wait, 10) == 0
            assert not any(student.is_running() for student in students)
    _, *after = server.said
    assert after == [f"The classroom of {tmp_path / 'class.db'} is closed; no work is lost.\n"]
