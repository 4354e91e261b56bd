"""What the tests of screens share: what one file of them leaves behind is forgotten."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def _forgotten() -> Iterator[None]:
    """Places keep widgets out of every search for cycles (`tui.screens.room`); here dead ones would be kept, too."""
    yield
    gc.unfreeze()
    gc.collect()
