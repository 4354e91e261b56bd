"""Which levels of a family somebody wants, as typed: `2`, `1-3`, `1,3-5`, or `1-3,none` with what has no level."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from curricula.families import MAX_LEVEL
from tactics.errors import InputError

Levels = tuple[int | None, ...]
"""Levels in ascending order, none twice, each at least 1; None at the end for lemmas without a level."""

NO_LEVEL: Final = "none"
"""How lemmas without a level are asked for beside others."""
_PART: Final = re.compile(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?")


def parse_levels(text: str) -> Levels:
    """The levels that `text` names, such as `1,3-5`. Raises InputError."""
    levels: set[int] = set()
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if part == NO_LEVEL:
            continue
        match = _PART.fullmatch(part)
        if match is None:
            raise InputError(
                f"{text!r} names no levels; write a level, a range or several, as in 2, 1-3 or 1,3-5, and none beside "
                "them for lemmas without a level."
            )
        first = int(match[1])
        last = int(match[2]) if match[2] else first
        if not 1 <= first <= MAX_LEVEL or not 1 <= last <= MAX_LEVEL:
            raise InputError(f"Levels run from 1 to {MAX_LEVEL}, so {part} is out of range.")
        if last < first:
            raise InputError(f"The range {part} is empty; write {last}-{first}.")
        levels.update(range(first, last + 1))
    return (*sorted(levels), *([None] if NO_LEVEL in parts else []))


def show_levels(levels: Iterable[int]) -> str:
    """The levels as they would be typed, such as `1,3-5`."""
    runs: list[list[int]] = []
    for level in sorted(set(levels)):
        if runs and runs[-1][-1] == level - 1:
            runs[-1].append(level)
        else:
            runs.append([level])
    return ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
