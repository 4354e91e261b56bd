"""What a server does beside serving: its folder, what is written on the disk, and lessons that change."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from oasis.classroom.admission import admit, open_classroom
from oasis.classroom.lessons.following import FollowedLessons
from oasis.classroom.lessons.handing import HandedLessons
from oasis.server import lessons as serving
from oasis.server import power
from oasis.server.folder import own_folder, sweep
from oasis.server.power import keep_on_disk, write_down
from oasis.store import Store
from tests.server.serving import soon

KILLED = """
import os, signal
from oasis.server.folder import own_folder
with own_folder():
    os.kill(os.getpid(), signal.SIGKILL)
"""


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Do something without end, until the test is over."""
    task = asyncio.create_task(work)
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


# The folder of a server is its own, and swept away by the next one if it was killed.


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
        with_things, linked, of_others = (
            temporary / name for name in ("oasis-classroom-of-somebody", "oasis-classroom-elsewhere", "other")
        )
        with_things.mkdir()
        (with_things / "notes").touch()
        linked.symlink_to(with_things)
        of_others.mkdir()
        (of_others / lock.name).touch()
        sweep()
        assert {*temporary.iterdir()} == {folder, with_things, linked, of_others}


# What is stored while the server runs is asked to be on the disk soon.


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
        admit(store, "Bob", account="bob")
        with Store(path) as other:
            assert [student.name for student in other.students()] == ["Ada", "Bob"]


async def test_the_log_is_written_down_again_and_again(
    tmp_path: Path, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power, "EVERY", 0.01)
    with open_classroom(tmp_path / "class.db"):
        async with beside(keep_on_disk(tmp_path / "class.db")):
            assert await soon(lambda: written.count("class.db-wal") >= 3, 10)


# Lessons are read by the server, told on its console, and handed to the tabs.


async def test_a_lesson_that_breaks_is_told_on_the_console_and_handed_out_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(serving, "EVERY", 0.01)
    lesson, path = tmp_path / "week.toml", tmp_path / "away" / "handed"
    lesson.write_text('lemmas = ["p -> p"]')
    followed = FollowedLessons([lesson])
    lesson.write_text("lemmas = [")
    async with beside(serving.follow(followed, path)):
        assert await soon(lambda: "stay as they were (No such file or directory)" in caplog.text, 10)
        assert f"A lesson cannot be read, so it stays as it was: {lesson}" in caplog.text
        path.parent.mkdir()
        assert await soon(path.exists, 10)
        handed = HandedLessons(path)
        assert [each.name for each in handed.lessons] == ["week"] and handed.trouble
        lesson.write_text('title = "Now"\nlemmas = ["p -> p"]')
        assert await soon(lambda: handed.renew() and handed.lessons[0].title == "Now" and not handed.trouble, 10)
        assert "The lessons have changed" in caplog.text
