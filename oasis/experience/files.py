"""Journals as files, to take maxims to another database: a line that says what it is, then one line for each entry.

Every line is a JSON object, so a file that was cut short has lost what comes after its last whole line and no more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from oasis.experience.maxims import Entry, folded
from tactics.errors import InputError

_NAME: Final = "oasis experience"
_LAYOUT: Final = 2
_LAYOUTS: Final = (1, _LAYOUT)
"""Those that are read; in the first one words stood for themselves, which `Entry.read` turns into remarks."""


class Read(NamedTuple):
    """What a file holds: its whole lines, and whether it was cut short."""

    entries: list[Entry]
    cut_short: bool


def written(entries: Sequence[Entry]) -> Iterator[str]:
    """The lines of a file, with their ends."""
    for content in ({"format": _NAME, "layout": _LAYOUT, "entries": len(entries)}, *map(Entry._asdict, entries)):
        yield json.dumps(content) + "\n"


def read(text: str, name: str) -> Read:
    """What a file holds.

    Args:
        text: of the file.
        name: of the file, for people.

    Raises InputError, with the line, for a file that no export has written.
    """
    *whole, last = text.split("\n")
    header: dict[str, Any] = {}
    with suppress(InputError):
        header = _object((whole or [""])[0])
    if header.get("format") != _NAME or not isinstance(header.get("entries"), int):
        raise InputError(f"{name} is no journal of maxims; give a file that `oasis experience export` wrote.")
    if header.get("layout") not in _LAYOUTS:
        raise InputError(f"{name} was written by a newer version of Oasis; update Oasis to read it.")
    entries: list[Entry] = []
    libraries = folded(entries)  # which grow with the entries
    for number, line in enumerate(whole[1:], 2):
        try:
            entries.append(Entry.read(_object(line)))
            next(libraries)
        except InputError as error:
            raise InputError(f"{name}, line {number}: {error}") from None
    expected = header["entries"]
    if len(entries) > expected:
        raise InputError(f"{name} says that it has {expected} entries and has {len(entries)}; export it again.")
    return Read(entries, bool(last) or len(entries) < expected)


def _object(line: str) -> dict[str, Any]:
    """The JSON object of a line. Raises InputError if it is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError("This is no JSON object; export it again.")
    return found
