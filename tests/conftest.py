"""What all tests share: patience with single examples, commands, and the published problem files."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from curricula.tptp import ProblemFile, read_problem
from oasis.classroom.people import guessing
from oasis.store import Store
from tests.commands import Oasis
from tests.optional import missing
from tests.thorough import THOROUGH, examples

# Time limits for single examples say more about the machine than about the code.
settings.register_profile("patient", deadline=None, print_blob=True, max_examples=examples(100))
settings.load_profile("patient")

# Several threads wait for each other spinning, and the tests' networks are so small that this is most of what they do;
# beside other workers four times as long.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Started in the background the suite ignores Ctrl-C, and with nohup the end of its terminal; so would the processes to
# which it sends one of these.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a thorough run tries."""
    left_out = [] if THOROUGH else [item for item in items if item.get_closest_marker("thorough")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


@pytest.fixture(autouse=True)
def _nothing_of_another_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """What commands that run in this process do to it: a folder that they go to, a database that they name."""
    monkeypatch.chdir(Path.cwd())  # so that it is gone back to
    monkeypatch.setenv("OASIS_DB", "")  # so that what was there comes back
    monkeypatch.delenv("OASIS_DB")


@pytest.fixture
def oasis(tmp_path: Path) -> Oasis:
    """Runs `oasis` in an empty folder."""
    return Oasis(tmp_path)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty database."""
    with Store(tmp_path / "oasis.db") as opened:
        yield opened


@pytest.fixture
def no_time_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Since a wrong passphrase was typed, so that who has to wait still has to on a busy machine."""
    monkeypatch.setattr(guessing, "_elapsed", lambda _: 0.0)
    monkeypatch.setattr(guessing, "sleep", lambda _: None)


@pytest.fixture
def chromium() -> str:
    """The command of a browser."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return found or missing("there is no Chromium; on Debian apt-get install chromium")


@pytest.fixture(scope="session")
def published() -> Path:
    """The folder with the problem files of ILTP v1.1.2, which is no part of the product."""
    named = os.environ.get("OASIS_TEST_ILTP")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "iltp"
    if not next(folder.rglob("*.p"), None):
        missing(f"there are no problems of ILTP v1.1.2 in {folder}; set OASIS_TEST_ILTP to where their .p files are")
    return folder


@pytest.fixture(scope="session")
def published_problems(published: Path) -> dict[str, ProblemFile]:
    """Every published problem by its short name."""
    problems = [read_problem(path.read_text(), str(path), path.stem) for path in published.rglob("*.p")]
    return {problem.name: problem for problem in problems}
