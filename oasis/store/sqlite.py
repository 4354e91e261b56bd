"""sqlite_utils without pandas, which it imports where it is installed: half a second, for types that no table has."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast


@contextmanager
def _absent(library: str) -> Iterator[None]:
    """As if a library were not installed, unless it is imported already."""
    modules = cast("dict[str, Any]", sys.modules)
    if library in modules:
        yield
        return
    modules[library] = None  # which makes its import fail
    try:
        yield
    finally:
        del modules[library]


with _absent("pandas"):
    from sqlite_utils import Database, Migrations

__all__ = ["Database", "Migrations"]
