"""A table as text, which a command prints, a page shows and a test reads alike."""

from __future__ import annotations

from typing import NamedTuple


class Table(NamedTuple):
    """A table: its columns but the first `words` hold numbers; sentences say what is to be seen in it."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1
    note: str = ""
    sentences: tuple[str, ...] = ()
