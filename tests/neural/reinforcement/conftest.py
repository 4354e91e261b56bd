"""Reinforcement needs torch: where it is missing these tests are left out, as the others of networks are."""

from collections.abc import Iterator

import pytest

from tests.neural.conftest import INSTALLED

collect_ignore_glob = [] if INSTALLED else ["test_*.py"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Five theorems stand for all that networks are examined on."""
    import torch

    from oasis.neural.reinforcement import train
    from tests.neural.reinforcement.quick import SETS

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    monkeypatch.setattr(train, "examined", lambda: SETS)
    monkeypatch.setattr(train, "hundred", lambda: SETS["hard"])
    yield
    torch.set_num_threads(threads)
