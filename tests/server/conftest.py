"""A server for tests."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.server.serving import Served, pretending


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a code and the usual limits, whose tabs run the pretender."""
    with pretending(tmp_path_factory.mktemp("served")) as opened:
        yield opened


@pytest.fixture
def server(shared: Served) -> Served:
    """The same, without tabs of the test before, and with nothing said."""
    for _ in range(200):
        if not shared.children():
            break
        time.sleep(0.05)
    shared.said.clear()
    return shared
