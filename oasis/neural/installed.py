"""Whether the libraries of the extra `neural` are there."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from tactics.errors import LibraryMissing, install_command

_LIBRARIES: Final = ("torch", "safetensors")


def check_installed() -> None:
    """Raises LibraryMissing, with the command that installs them, unless torch and safetensors are installed."""
    missing = [library for library in _LIBRARIES if find_spec(library) is None]
    if missing:
        raise LibraryMissing(f"Networks need {' and '.join(missing)}, not installed here: {install_command('neural')}")
