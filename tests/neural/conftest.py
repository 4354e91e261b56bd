"""Networks need torch and safetensors: where these are missing, the tests that need them are left out."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tactics.parser import parse

INSTALLED = all(find_spec(library) for library in ("torch", "safetensors"))
_FILES = {file.name for file in Path(__file__).parent.glob("test_*.py")}
collect_ignore = [] if INSTALLED else [*sorted(_FILES - {"test_data.py", "test_encoding.py"}), "reinforcement"]


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings report every third step and are kept every sixth; three theorems stand for the fixed hundred."""
    from oasis.neural.training import supervised

    monkeypatch.setattr(supervised, "REPORT_EVERY", 3)
    monkeypatch.setattr(supervised, "SAVE_EVERY", 6)
    monkeypatch.setattr(supervised, "hundred", lambda: tuple(map(parse, ("A -> A \\/ B", "A -> B \\/ A", "A -> A"))))


@pytest.fixture
def five_theorems(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reinforcement examines networks on five theorems only."""
    from oasis.neural.reinforcement import train
    from tests.neural.small import SETS

    monkeypatch.setattr(train, "examined", lambda: SETS)
    monkeypatch.setattr(train, "hundred", lambda: SETS["hard"])
