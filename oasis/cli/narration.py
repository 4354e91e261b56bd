"""What a command says beside its answer: sentences on stderr, where nothing that was typed can steer a terminal."""

from __future__ import annotations

import sys

from tactics.errors import printable


def narrate(sentence: str) -> None:
    """Print a sentence on stderr; the lines below its first are indented, so that none can pass for another."""
    first, *below = printable(sentence, keep="\n").split("\n")
    lines = [first, *(line if line.startswith("  ") else f"  {line}" for line in below)]
    print("\n".join(lines), file=sys.stderr, flush=True)
