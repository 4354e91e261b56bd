"""Running the real command as a person would: another process, an empty folder, nothing from our environment."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli.forks import PATIENCE, Forks

Oasis = Callable[..., subprocess.CompletedProcess[str]]
START = [sys.executable, "-m", "oasis"]
OASIS = " ".join(START)


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OASIS_", "COLUMNS", "FORCE_"))}
    return {**kept, "OASIS_CERTIFY": "none", "PYTHONPATH": str(Path(__file__).resolve().parents[2]), **more}


@pytest.fixture
def oasis(tmp_path: Path, forks: Forks) -> Oasis:
    """Runs `oasis` with arguments in an empty folder, in a fork where Python would start there as in the others."""

    def run(*arguments: str, env: dict[str, str] | None = None, typed: str = "") -> subprocess.CompletedProcess[str]:
        env = environment() if env is None else env
        run_it = forks.run if forks.started_alike(env) else started
        return run_it(arguments, tmp_path, env, typed)

    return run


def started(
    arguments: Sequence[str], folder: Path, env: dict[str, str], typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Runs `oasis` in a process that Python is started in."""
    return subprocess.run(
        [*START, *arguments],
        cwd=folder,
        env=env,
        input=typed,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def interrupted(arguments: Sequence[str], folder: Path, said: str) -> subprocess.CompletedProcess[str]:
    """Runs `oasis` in a process of its own with Ctrl-C after the line on stderr in which a pattern is found.

    What it gives as stderr is what was said after that line.
    """
    command = [*START, *arguments]
    with subprocess.Popen(
        command, cwd=folder, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        assert any(re.search(said, line) for line in running.stderr), f"{said!r} was not said"
        running.send_signal(signal.SIGINT)
        stdout, stderr = running.communicate(timeout=PATIENCE)
    return subprocess.CompletedProcess(command, running.returncode, stdout, stderr)


def in_bash(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs a line of bash in a folder; a program that never ends is stopped after two minutes."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
