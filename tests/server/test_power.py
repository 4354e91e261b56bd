"""What is stored while the server runs is asked to be on the disk soon."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from oasis.classroom.admission import admit, open_classroom
from oasis.server import power
from oasis.server.power import keep_on_disk, write_down
from oasis.store import Store


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


def test_the_log_of_the_class_is_written_down_and_nobody_loses_the_file_by_it(
    tmp_path: Path, written: list[str]
) -> None:
    path = tmp_path / "class.db"
    with open_classroom(path) as store:
        admit(store, "Ada", account="ada")
        write_down(path)
        assert written == ["class.db-wal", tmp_path.name]
        admit(store, "Bob", account="bob")
        with Store(path) as other:
            assert [student.name for student in other.students()] == ["Ada", "Bob"]


def test_without_a_log_there_is_nothing_to_write_down(tmp_path: Path, written: list[str]) -> None:
    open_classroom(tmp_path / "class.db").close()
    write_down(tmp_path / "class.db")
    assert "class.db-wal" not in written


async def test_it_is_asked_for_again_and_again(
    tmp_path: Path, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power, "EVERY", 0.01)
    with open_classroom(tmp_path / "class.db"):
        keeping = asyncio.create_task(keep_on_disk(tmp_path / "class.db"))
        async with asyncio.timeout(30):
            while written.count("class.db-wal") < 3:
                await asyncio.sleep(0.01)
        keeping.cancel()
