"""Which levels of a family somebody wants, as typed: `2`, `1-3` or `1,3-5`."""

from __future__ import annotations

import re
from typing import Final

from curricula.families import MAX_LEVEL
from tactics.errors import InputError

Levels = tuple[int, ...]
"""Levels in ascending order, none twice, each at least 1."""

_PART: Final = re.compile(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?")


def parse_levels(text: str) -> Levels:
    """The levels that `text` names, such as `1,3-5`. Raises InputError."""
    levels: set[int] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if match is None:
            raise InputError(f"{text!r} names no levels; write a level, a range or several, as in 2, 1-3 or 1,3-5.")
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if not 1 <= first <= MAX_LEVEL or not 1 <= last <= MAX_LEVEL:
            raise InputError(f"Levels run from 1 to {MAX_LEVEL}, so {part.strip()} is out of range.")
        if last < first:
            raise InputError(f"The range {part.strip()} is empty; write {last}-{first}.")
        levels.update(range(first, last + 1))
    return tuple(sorted(levels))
