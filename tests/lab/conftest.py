"""What engines would not do of themselves with plans as small as those of the tests."""

import pytest

from oasis.lab import engines


@pytest.fixture
def in_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any amount of work is done in other processes."""
    monkeypatch.setattr(engines, "WORTH_STARTING", 0)


@pytest.fixture
def short_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job is one trial."""
    monkeypatch.setattr(engines, "JOB_EFFORT", 1)
