"""Commands ask for passphrases often, which cost little here."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest


@pytest.fixture(autouse=True, scope="module")
def _passphrases_are_cheap() -> Iterator[None]:
    """Passphrases are hashed cheaply; what they cost is tested elsewhere."""
    with patch("oasis.classroom.people.passphrases._COST", 2**8):
        yield
