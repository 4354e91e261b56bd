"""Whether the libraries of the extra `neural` are there."""

from __future__ import annotations

from typing import Final

from tactics import errors

_LIBRARIES: Final = ("torch", "safetensors")


def check_installed() -> None:
    """Raises LibraryMissing, with the command that installs them, unless torch and safetensors are installed."""
    errors.check_installed("Networks need", "neural", *_LIBRARIES)
