"""Coq and Lean, each started once for all tests that only ask it."""

from collections.abc import Iterator

import pytest

from oasis.backends.base import Backend, BackendMissing
from oasis.backends.coq.driver import Coq
from oasis.backends.lean.driver import Lean
from oasis.backends.native import Native
from tests.optional import missing


def required(prover: Coq | Lean) -> None:
    """Skip the test if a prover is not installed."""
    try:
        prover.version()
    except BackendMissing as error:
        missing(str(error))


@pytest.fixture(scope="session")
def native() -> Native:
    """The embedded calculus."""
    return Native()


@pytest.fixture(scope="session")
def coq() -> Iterator[Coq]:
    """Coq, if it is installed."""
    with Coq() as prover:
        required(prover)
        yield prover


@pytest.fixture(scope="session")
def lean() -> Iterator[Lean]:
    """Lean, if it is installed."""
    with Lean() as prover:
        required(prover)
        yield prover


@pytest.fixture
def prover(request: pytest.FixtureRequest) -> Backend:
    """The prover that a test names by `provers`."""
    made: Backend = request.getfixturevalue(request.param)
    return made
