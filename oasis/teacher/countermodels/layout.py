"""Where the worlds of a model stand in a picture: rows from the root upwards, and a good order in each row.

Sugiyama, Tagawa and Toda's scheme (1981) as far as small models need it: an edge that passes rows by gets a bend in
each, and every row is sorted by the middle of its neighbours. Coordinates are the pictures' own concern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.shrinking import edges, heights

_SWEEPS = 8


class Bend(NamedTuple):
    """Where the edge between two worlds passes a row."""

    lower: int
    upper: int
    row: int


Node = int | Bend
Row = tuple[Node, ...]


@dataclass(frozen=True)
class Layout:
    """Rows of worlds and bends, the root's first; links join nodes of neighbouring rows, the lower one first."""

    rows: tuple[Row, ...]
    links: tuple[tuple[Node, Node], ...]

    def __post_init__(self) -> None:
        row_of = {node: number for number, row in enumerate(self.rows) for node in row}
        assert all(row_of[upper] == row_of[lower] + 1 for lower, upper in self.links)


def layout(model: Kripke) -> Layout:
    """Each world as high as the longest way up to it, with few crossings."""
    height = heights(model)
    rows: list[list[Node]] = [[] for _ in range(max(height) + 1)]
    for world, row in enumerate(height):
        rows[row].append(world)
    links: list[tuple[Node, Node]] = []
    for lower, upper in edges(model):
        bends = [Bend(lower, upper, row) for row in range(height[lower] + 1, height[upper])]
        for bend in bends:
            rows[bend.row].append(bend)
        links += pairwise([lower, *bends, upper])
    return Layout(_sorted_rows(rows, links), tuple(links))


def _sorted_rows(rows: list[list[Node]], links: Sequence[tuple[Node, Node]]) -> tuple[Row, ...]:
    """The best order that sweeping upwards and downwards comes across."""
    neighbours: dict[Node, list[Node]] = {node: [] for row in rows for node in row}
    for lower, upper in links:
        neighbours[lower].append(upper)
        neighbours[upper].append(lower)
    best = tuple(map(tuple, rows))
    for sweep in range(_SWEEPS):
        upwards = sweep % 2 == 0
        numbers = range(1, len(rows)) if upwards else range(len(rows) - 2, -1, -1)
        for number in numbers:
            fixed = rows[number - 1 if upwards else number + 1]
            place = {node: position - (len(fixed) - 1) / 2 for position, node in enumerate(fixed)}

            def middle(node: Node, place: dict[Node, float] = place) -> float:
                joined = [place[other] for other in neighbours[node] if other in place]
                return sum(joined) / len(joined) if joined else 0.0

            rows[number].sort(key=middle)
        if crossings(rows, links) < crossings(best, links):
            best = tuple(map(tuple, rows))
    return best


def crossings(rows: Sequence[Sequence[Node]], links: Sequence[tuple[Node, Node]]) -> int:
    """How many pairs of links cross."""
    place = {node: (number, position) for number, row in enumerate(rows) for position, node in enumerate(row)}
    found = 0
    for number, (lower, upper) in enumerate(links):
        for other_lower, other_upper in links[:number]:
            if place[lower][0] == place[other_lower][0]:
                below = place[lower][1] - place[other_lower][1]
                found += below * (place[upper][1] - place[other_upper][1]) < 0
    return found
