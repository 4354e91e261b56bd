"""What engines would not do of themselves with plans as small as those of the tests."""

from __future__ import annotations

import pytest

from oasis.lab.engines import base, local


@pytest.fixture
def in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any amount of work is done in other processes."""
    monkeypatch.setattr(local, "WORTH_STARTING", 0)


@pytest.fixture
def short_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job is one trial."""
    monkeypatch.setattr(base, "JOB_EFFORT", 1)
