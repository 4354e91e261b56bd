"""Language models need transformers, peft and trl: where one is missing, the tests that need them are left out."""

from importlib.util import find_spec
from pathlib import Path

import pytest

INSTALLED = all(find_spec(library) for library in ("torch", "transformers", "peft", "trl"))
collect_ignore = [] if INSTALLED else ["test_policy.py", "test_writing.py"]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a small model with random weights, which tests only read."""
    from tests.neural.causal.small import small_model

    return small_model(tmp_path_factory.mktemp("model"))
