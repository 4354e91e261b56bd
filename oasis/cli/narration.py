"""What a command says beside its answer: sentences on stderr, where nothing that was typed can steer a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from tactics.errors import printable

_NAMED: Final = 3
"""Lemmas that are named of those left out for one reason."""


def narrate(sentence: str) -> None:
    """Print a sentence on stderr; the lines below its first are indented, so that none can pass for another."""
    first, *below = printable(sentence, keep="\n").split("\n")
    lines = [first, *(line if line.startswith("  ") else f"  {line}" for line in below)]
    print("\n".join(lines), file=sys.stderr, flush=True)


def narrate_all(sentences: Iterable[str]) -> None:
    """Print sentences on stderr, one after the other."""
    for sentence in sentences:
        narrate(sentence)


def narrator(*, quiet: bool) -> Callable[[str], None]:
    """Return what tells a person a sentence: `narrate`, or nothing if it is to be quiet."""
    return (lambda sentence: None) if quiet else narrate


def tell_left_out(left_out: Mapping[str, Sequence[str]], say: Callable[[str], None]) -> None:
    """Say which lemmas are left out, and why."""
    for reason, names in left_out.items():
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        say(f"Left out, {reason}: {', '.join(names[:_NAMED])}{more}.")
