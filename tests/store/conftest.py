"""The file of the store, and impatience."""

import sqlite3
from pathlib import Path

import pytest

from tests.store.databases import CONNECT


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "oasis.db"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store waits for no lock."""
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: CONNECT(*args, **{**options, "timeout": 0.01}))
