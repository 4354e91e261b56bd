"""Numbers and lists of things as people write them."""

from __future__ import annotations

from collections.abc import Iterable


def conjunction(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, noun: str) -> str:
    """How many of something, as in "1 goal" or "1,200 goals"; the noun takes an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
