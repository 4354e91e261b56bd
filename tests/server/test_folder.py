"""The folder of a server: its own, and swept away by the next one if it was killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from oasis.server.folder import own_folder, sweep

pytest.importorskip("fcntl")

KILLED = """
import os, signal
from oasis.server.folder import own_folder
with own_folder():
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def _temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))


def test_the_folder_of_a_killed_server_is_swept_away_by_the_next_one(tmp_path: Path) -> None:
    assert subprocess.run([sys.executable, "-c", KILLED], check=False).returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    with own_folder() as folder:
        assert not left.exists()
        assert list(tmp_path.iterdir()) == [folder]
        assert folder.stat().st_mode & 0o077 == 0
    assert list(tmp_path.iterdir()) == []


def test_no_other_folder_is_swept_away(tmp_path: Path) -> None:
    with own_folder() as folder:
        (lock,) = folder.iterdir()
        with_things = tmp_path / "oasis-classroom-of-somebody"
        with_things.mkdir()
        (with_things / "notes").touch()
        linked = tmp_path / "oasis-classroom-elsewhere"
        linked.symlink_to(with_things)
        of_others = tmp_path / "other"
        of_others.mkdir()
        (of_others / lock.name).touch()
        sweep()
        assert {each.name for each in tmp_path.iterdir()} == {
            folder.name, "oasis-classroom-of-somebody", "oasis-classroom-elsewhere", "other",
        }  # fmt: skip
