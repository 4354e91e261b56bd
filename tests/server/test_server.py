"""Opening a classroom for browsers, how it ends, and what is done beside serving: its folder, the disk, and lessons."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.lessons.exams import exams_in
from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import HandedLessons
from oasis.server import lessons as serving
from oasis.server import power
from oasis.server import server as opening
from oasis.server.code import SHORTEST_CODE, made_up_code
from oasis.server.folder import alone_at, own_folder, sweep
from oasis.server.power import keep_on_disk, write_down
from oasis.server.server import ClassroomServer
from tactics.errors import InputError
from tests.commands import Oasis, environment
from tests.server.serving import CODE, Visitor, beside, served, soon
from tests.thorough import thoroughly


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
    oasis.ran(*SERVE, option, value)
    assert [server.code is None for server in opened] == [has_code]


def test_a_made_up_code_is_that_of_the_class() -> None:
    codes = [made_up_code(secret) for secret in (b"one class", b"another class", b"one class")]
    assert codes[0] == codes[2] != codes[1] and all(len(code) == SHORTEST_CODE for code in codes)


def test_a_second_server_of_a_class_says_so_and_does_not_start(tmp_path: Path) -> None:
    file, link = tmp_path / "class.db", tmp_path / "link.db"
    link.symlink_to(file)
    with alone_at(file):
        with pytest.raises(InputError, match=r"Another server has the class in .*link\.db open"), alone_at(link):
            pass
        with alone_at(tmp_path / "another.db"):
            pass
    with alone_at(file):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["link.db"]


def test_a_code_is_taken_from_the_environment_and_long_enough(oasis: Oasis, opened: list[ClassroomServer]) -> None:
    for options in ([], ["--code"]):
        oasis.ran(*SERVE, *options, env=environment(OASIS_CLASS_CODE=CODE))
    assert [server.code for server in opened] == [CODE, CODE]


def test_a_lesson_nobody_can_do_is_given_unchecked(oasis: Oasis, tmp_path: Path, opened: list[ClassroomServer]) -> None:
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


# The end of a server


@pytest.mark.slow
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


# What is done beside serving

KILLED = """
import os, signal
from oasis.server.folder import own_folder
with own_folder():
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the machine for what is temporary."""
    pytest.importorskip("fcntl")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


@pytest.mark.slow
def test_the_folder_of_a_killed_server_is_swept_away_by_the_next_one(temporary: Path) -> None:
    assert subprocess.run([sys.executable, "-c", KILLED], check=False).returncode == -signal.SIGKILL
    (left,) = temporary.iterdir()
    with own_folder() as folder:
        assert not left.exists()
        assert list(temporary.iterdir()) == [folder]
        assert folder.stat().st_mode & 0o077 == 0
    assert list(temporary.iterdir()) == []


def test_no_other_folder_is_swept_away(temporary: Path) -> None:
    with own_folder() as folder:
        (lock,) = folder.iterdir()
        names = ("oasis-classroom-of-somebody", "oasis-classroom-elsewhere", "other")
        with_things, linked, of_others = (temporary / name for name in names)
        with_things.mkdir()
        (with_things / "notes").touch()
        linked.symlink_to(with_things)
        of_others.mkdir()
        (of_others / lock.name).touch()
        sweep()
        assert {*temporary.iterdir()} == {folder, with_things, linked, of_others}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were asked to be on the disk, one after the other."""
    names: list[str] = []
    ask = os.fsync

    def note(opened: int) -> None:
        names.append(Path(f"/proc/self/fd/{opened}").readlink().name)
        ask(opened)

    monkeypatch.setattr(os, "fsync", note)
    return names


def test_the_log_of_the_class_is_written_down_if_there_is_one(tmp_path: Path, written: list[str]) -> None:
    path = tmp_path / "class.db"
    open_classroom(path).close()
    write_down(path)
    assert "class.db-wal" not in written
    with open_classroom(path) as store:
        admit(store, "Ada", account="ada")
        written.clear()
        write_down(path)
        assert written == ["class.db-wal", tmp_path.name]


def test_of_a_link_the_file_behind_it_is_written_down(tmp_path: Path, written: list[str]) -> None:
    folder, link = tmp_path / "folder", tmp_path / "links" / "class.db"
    folder.mkdir()
    link.parent.mkdir()
    link.symlink_to("../folder/real.db")
    with open_classroom(link):
        written.clear()
        write_down(link)
        assert written == ["real.db-wal", "folder"]


async def test_the_log_is_written_often(tmp_path: Path, written: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(power, "EVERY", 0.01)
    with open_classroom(tmp_path / "class.db"):
        async with beside(keep_on_disk(tmp_path / "class.db")):
            assert await soon(lambda: written.count("class.db-wal") >= 3, 10)


async def test_a_lesson_that_breaks_is_told_on_the_console_and_handed_out_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "EVERY", 0.01)
    lesson, path = tmp_path / "week.toml", tmp_path / "away" / "handed"
    lesson.write_text('lemmas = ["p -> p"]')
    followed = FollowedLessons([lesson])
    lesson.write_text("lemmas = [")
    async with beside(serving.follow(followed, path, tmp_path / "class.db")):
        assert await soon(lambda: "stay as they were (No such file or directory)" in caplog.text, 10)
        assert f"A lesson cannot be read, so it stays as it was: {lesson}" in caplog.text
        path.parent.mkdir()
        assert await soon(path.exists, 10)
        handed = HandedLessons(path)
        assert [each.name for each in handed.lessons] == ["week"] and handed.trouble
        lesson.write_text('title = "Now"\nlemmas = ["p -> p"]')
        assert await soon(lambda: handed.renew() and handed.lessons[0].title == "Now" and not handed.trouble, 10)
        assert "The lessons have changed" in caplog.text
        lesson.write_text('exam = true\ncloses = 2040-01-01\nlemmas = ["p -> p"]')
        with open_classroom(tmp_path / "class.db") as store:
            assert await soon(lambda: [*exams_in(store)] == ["week"], 10), "whoever writes into the file knows the exam"
