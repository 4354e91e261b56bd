"""Numbers and lists of things as people write them."""

from __future__ import annotations

from collections.abc import Sequence


def counted(number: int, noun: str) -> str:
    """How many of something, as in "1 goal" or "1,200 goals"; the noun takes an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def enumerated(texts: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, or `a, b and c`."""
    return f" {last} ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
