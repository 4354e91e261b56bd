"""What most tests of the classroom begin with: a student of a class."""

from collections.abc import Iterator

import pytest

from oasis.classroom.desk.desk import Desk
from oasis.store import Store
from tests.classroom.people import empty, local


@pytest.fixture
def desk(store: Store) -> Desk:
    """The desk of Ann."""
    return local(store)


@pytest.fixture
def abroad() -> Iterator[Desk]:
    """A desk of the same student on another machine."""
    with empty() as elsewhere:
        yield local(elsewhere)
