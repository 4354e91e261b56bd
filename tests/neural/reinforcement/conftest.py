"""Reinforcement needs torch: where it is missing these tests are left out, as the others of networks are."""

import pytest

from tests.neural.conftest import INSTALLED

collect_ignore_glob = [] if INSTALLED else ["test_*.py"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five theorems stand for all that networks are examined on."""
    from oasis.neural.reinforcement import train
    from tests.neural.reinforcement.quick import SETS

    monkeypatch.setattr(train, "examined", lambda: SETS)
    monkeypatch.setattr(train, "hundred", lambda: SETS["hard"])
