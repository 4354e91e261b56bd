"""The proof of an episode as a description that can be packed: its graph, or the shapes that it worked on."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence

from oasis.dagger.shapes import Tactic
from oasis.dagger.term import Reading


def edges(opened: Sequence[int]) -> list[tuple[int, int]]:
    """The proof graph of an episode: for each step the one that opened the goal it works on, and its own number.

    Args:
        opened: for each step how many goals more are open after it than before: -1 closes the goal in focus, 0 leaves
            one in its place, 1 two, and less than -1 closes others as well. The lemma is opened by step -1.
    """
    waiting, found = [-1], []
    for step, more in enumerate(opened):
        found.append((waiting[-1], step))
        del waiting[len(waiting) - max(1, -more) :]
        waiting += [step] * (more + 1)
    return found


def packed(
    reading: Reading, compression: str, tactics: Sequence[Tactic], rules: bytes, opened: Sequence[int]
) -> tuple[int, int]:
    """The bytes of a description of a proof, and those left when it is compressed, which are at least 1.

    In the seed's reading the description is text in JSON, as the design document has it, and packed by gzip. In the
    sound one the graph is a byte for the rule of each step and one for the goals that it opens, which say the same,
    and there is no header to the packed form.

    Args:
        reading: how the term is read.
        compression: `graph`, the edges of the proof graph; or `ast`, what the steps worked on.
        tactics: of the steps that changed something; needed for `ast`.
        rules: their rules' numbers.
        opened: as for `edges`.
    """
    if compression == "ast":
        text = json.dumps(tactics, ensure_ascii=False).encode()
    elif reading is Reading.SEED:
        text = json.dumps(edges(opened)).encode()
    else:
        text = rules + bytes([min(255, more + 128) for more in opened])
    if reading is Reading.SEED:
        return len(text), len(gzip.compress(text, mtime=0))
    return len(text), deflated(text)


def deflated(text: bytes) -> int:
    """The bytes to which a text is compressed without a header, at least 1."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15, 5)
    return len(packer.compress(text)) + len(packer.flush())
