"""What all tests share: patience with single examples, and the published problem files."""

import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings

from curricula.tptp import ProblemFile, read_problem
from tests.cli.conftest import environment
from tests.cli.forks import Forks
from tests.optional import missing

# Time limits for single examples say more about the machine than about the code.
settings.register_profile("patient", deadline=None, print_blob=True)
settings.register_profile("quick", settings.get_profile("patient"), max_examples=10)
settings.load_profile("patient")

# Started in the background the suite ignores Ctrl-C, and so would the processes that it sends one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_database_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that run in this process name their database in the environment, for processes that they start."""
    monkeypatch.setenv("OASIS_DB", "")  # so that what was there comes back
    monkeypatch.delenv("OASIS_DB")


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """Where commands are forked."""
    with closing(Forks(environment())) as forks:
        yield forks


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder with the problem files of ILTP v1.1.2, which is no part of the product."""
    folder = Path(__file__).resolve().parents[2] / "shared" / "iltp"
    if not folder.is_dir():
        missing(f"the published ILTP problems are not at {folder}")
    return folder


@pytest.fixture(scope="session")
def published_problems(published: Path) -> dict[str, ProblemFile]:
    """Every published problem by its short name."""
    problems = [read_problem(path.read_text(), str(path), path.stem) for path in published.rglob("*.p")]
    return {problem.name: problem for problem in problems}
