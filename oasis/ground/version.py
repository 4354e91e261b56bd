"""Which Oasis this is: its version, and the git commit it was built from. Imports nothing of ours."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path


@cache
def version() -> str:
    """The installed version, or `unknown` when the sources run without being installed."""
    try:
        return installed_version("oasis-student")
    except PackageNotFoundError:
        return "unknown"


@cache
def commit() -> str | None:
    """The commit checked out where the sources lie, else the one in the version, else None."""
    checkout = Path(__file__).resolve().parents[2]
    if (checkout / ".git").exists():
        try:
            asked = subprocess.run(
                ["git", "-C", str(checkout), "rev-parse", "HEAD"], capture_output=True, text=True, timeout=5, check=True
            )
            return asked.stdout.strip()
        except (OSError, subprocess.SubprocessError):
            pass  # no git here, or it does not trust the folder: the version may still say it
    built_from = re.search(r"\+g([0-9a-f]+)", version())
    return built_from[1] if built_from else None
