"""Numbers and lists of things as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

_LISTED: Final = 12
"""Names that a sentence has at most."""


def conjunction(parts: Iterable[str]) -> str:
    """`a, b and c`."""
    *first, last = parts
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, noun: str) -> str:
    """How many of something, as in "1 goal" or "1,200 goals"; the noun takes an s."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def named(name: str) -> str:
    """A name in a sentence: in quotation marks if it holds a space or a comma, so that its end is seen."""
    return f"“{name}”" if " " in name or "," in name else name


def listed(names: Sequence[str]) -> str:
    """The names in a sentence, at most a dozen and how many more there are."""
    more = [f"{len(names) - _LISTED} more"] if len(names) > _LISTED else []
    return conjunction([*map(named, names[:_LISTED]), *more])
