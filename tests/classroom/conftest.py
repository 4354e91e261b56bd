"""What most tests of the classroom begin with: the file of a class, and a student of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from oasis.classroom.desk.desk import Desk
from oasis.store import Store
from tests.classroom.people import empty, local


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A class of its own in a file."""
    with Store(tmp_path / "oasis.db") as opened:
        yield opened


@pytest.fixture
def desk(store: Store) -> Desk:
    """The desk of Ann."""
    return local(store)


@pytest.fixture
def abroad() -> Iterator[Desk]:
    """A desk of the same student on another machine."""
    with empty() as elsewhere:
        yield local(elsewhere)
