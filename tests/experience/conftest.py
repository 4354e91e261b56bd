"""A library of maxims in a fresh database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oasis.experience.library import Library
from oasis.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "oasis.db") as opened:
        yield opened


@pytest.fixture
def library(store: Store) -> Library:
    return Library(store)
