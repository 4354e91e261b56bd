"""Networks need torch and safetensors: where these are missing, the tests that do are one that skips."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from tactics.parser import parse

INSTALLED = all(find_spec(library) for library in ("torch", "safetensors"))
_NEED_TORCH = (
    "test_belief.py",
    "test_network.py",
    "test_checkpoint.py",
    "test_cloning.py",
    "test_cooling.py",
    "test_decoder.py",
    "test_imitation.py",
    "test_listed.py",
    "test_shipped.py",
    "test_showing.py",
    "test_together.py",
    "test_training.py",
)
collect_ignore = [] if INSTALLED else list(_NEED_TORCH)


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Trainings report every third step and are kept every sixth; three theorems stand for the fixed hundred."""
    import torch

    from oasis.neural.training import supervised

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    monkeypatch.setattr(supervised, "REPORT_EVERY", 3)
    monkeypatch.setattr(supervised, "SAVE_EVERY", 6)
    monkeypatch.setattr(supervised, "hundred", lambda: tuple(map(parse, ("A -> A \\/ B", "A -> B \\/ A", "A -> A"))))
    yield
    torch.set_num_threads(threads)
