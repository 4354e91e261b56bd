"""Commands ask for passphrases often, which cost little here."""

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest


@pytest.fixture(autouse=True, scope="module")
def _passphrases_are_cheap() -> Iterator[None]:
    """Passphrases are hashed cheaply; what they cost is tested elsewhere."""
    with patch("oasis.classroom.people.passphrases._COST", 2**8):
        yield


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the test itself be in the folder of its commands, too."""
    monkeypatch.chdir(tmp_path)
