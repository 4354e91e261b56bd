"""What tests of students share."""

from __future__ import annotations

import pytest

from oasis.student import training


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of one episode, so that a run can be stopped after each."""
    monkeypatch.setattr(training, "BLOCK_SECONDS", 0.0)
