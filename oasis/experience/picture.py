"""How a library came to be, as one picture: how large it was, what was done to it, and what it was worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from oasis.experience.maxims import OPERATIONS, Entry, folded
from oasis.ground.pictures import styles

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LATELY: Final = 10
"""Lines of the journal over which shares are taken."""


class Moment(NamedTuple):
    """What a line of the journal led to.

    Attributes:
        size: of the library after it.
        shares: of each of `OPERATIONS` among the last lines up to this one.
        score: the held-out score with the library after it, and without any; None if none was taken.
    """

    size: int
    shares: tuple[float, ...]
    score: tuple[float, float] | None


def moments(entries: Sequence[Entry]) -> list[Moment]:
    """What each line led to. Raises InputError for a line that cannot follow those before it."""
    found = []
    for number, (entry, library) in enumerate(zip(entries, folded(entries), strict=True), 1):
        lately = [each.operation for each in entries[max(0, number - _LATELY) : number]]
        shares = tuple(lately.count(operation) / len(lately) for operation in OPERATIONS)
        score = None if entry.score is None else (entry.score[2], entry.score[0])
        found.append(Moment(len(library), shares, score))
    return found


def figure(entries: Sequence[Entry]) -> Figure:
    """A curve for the size, one for the share of each operation, and one for the score with and without the library."""
    from matplotlib.figure import Figure

    found = moments(entries)
    drawing = Figure(figsize=(8, 8), layout="constrained")
    sizes, shares, scores = drawing.subplots(3, 1, sharex=True)
    lines = np.arange(1, len(found) + 1)
    sizes.step([0, *lines], [0, *(each.size for each in found)], where="post", color="#1a1a1a")
    sizes.set(title="What was learned", ylabel="maxims", ylim=(0, None))
    kinds = styles((*OPERATIONS, "with maxims", "without"))
    for place, operation in enumerate(OPERATIONS):
        told = [each.shares[place] for each in found]
        shares.plot(lines, told, label=operation, markevery=_LATELY, **kinds[operation].keywords)
    shares.set(ylabel=f"share of the last {_LATELY} changes", ylim=(-0.05, 1.05))
    scored = [(line, each.score) for line, each in zip(lines, found, strict=True) if each.score is not None]
    for place, name in enumerate(("with maxims", "without")):
        scores.plot(
            [line for line, _ in scored], [score[place] for _, score in scored], label=name, **kinds[name].keywords
        )
    scores.set(xlabel="change, the oldest first", ylabel="held-out score", ylim=(-0.05, 1.05))
    for axes in (shares, scores):
        axes.legend(frameon=False, fontsize=10)
    return drawing
