"""Running the real command as a person would: another process, an empty folder, nothing from our environment."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Oasis = Callable[..., subprocess.CompletedProcess[str]]
START = [sys.executable, "-m", "oasis"]
OASIS = " ".join(START)


def environment(**more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OASIS_", "COLUMNS", "FORCE_"))}
    return {**kept, "OASIS_CERTIFY": "none", "PYTHONPATH": str(Path(__file__).resolve().parents[2]), **more}


@pytest.fixture
def oasis(tmp_path: Path) -> Oasis:
    """Runs `oasis` with arguments in an empty folder."""

    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        options.setdefault("env", environment())
        options.setdefault("stdin", None if "input" in options else subprocess.DEVNULL)
        return subprocess.run(
            [*START, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False, **options
        )

    return run


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
