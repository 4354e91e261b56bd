"""A store, and what engines would not do of themselves with plans as small as those of the tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oasis.lab.engines import base, local
from oasis.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "oasis.db") as opened:
        yield opened


@pytest.fixture
def in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any amount of work is done in other processes."""
    monkeypatch.setattr(local, "WORTH_STARTING", 0)


@pytest.fixture
def short_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job is one trial."""
    monkeypatch.setattr(base, "JOB_EFFORT", 1)
