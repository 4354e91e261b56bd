"""Servers that many tests share; each test leaves them without tabs."""

import time
from collections.abc import Iterator

import pytest

from tests.server.serving import CODE, Served, pretending, served


def _without_tabs(shared: Served) -> Served:
    """Wait for the tabs of the test before, and forget what was said."""
    for _ in range(200):
        if not shared.children():
            break
        time.sleep(0.05)
    shared.said.clear()
    return shared


@pytest.fixture(scope="session")
def pretended(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with a code and the usual limits, whose tabs run the pretender."""
    with pretending(tmp_path_factory.mktemp("pretended")) as opened:
        yield opened


@pytest.fixture
def server(pretended: Served) -> Served:
    """The server of the pretender, without tabs."""
    return _without_tabs(pretended)


@pytest.fixture(scope="session")
def really_served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A classroom with a code and the usual limits."""
    with served(tmp_path_factory.mktemp("really_served"), code=CODE) as opened:
        yield opened


@pytest.fixture
def classroom(really_served: Served) -> Served:
    """The classroom itself, without tabs."""
    return _without_tabs(really_served)
