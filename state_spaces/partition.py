"""Colour refinement: the coarsest partition of a graph's vertices in which vertices of a cell have equal neighbours.

Cells are ordered and everything is decided by what renaming the vertices cannot change, so isomorphic graphs get
corresponding partitions. McKay and Piperno (2014), section 3, for graphs whose edges carry numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter

Graph = Mapping[int, Sequence[tuple[int, int]]]
"""For each vertex its edges: the number of the edge and the vertex at its other end; no edge stays within a cell."""

Trace = list[tuple[object, ...]]
"""What a refinement did, in its order: equal for vertices that an automorphism exchanges; traces are ordered."""


class Partition:
    """Ordered cells of vertices.

    Attributes:
        cells: the vertices of each cell by its number; a cell's number is the place where it begins.
        cell_of: the number of each vertex's cell.
    """

    __slots__ = ("cell_of", "cells")

    def __init__(self, cells: dict[int, set[int]], cell_of: dict[int, int]) -> None:
        self.cells, self.cell_of = cells, cell_of

    @classmethod
    def of(cls, cells: Sequence[Collection[int]]) -> Partition:
        """The partition with these cells."""
        partition = cls({}, {})
        start = 0
        for cell in cells:
            partition._put(start, cell)
            start += len(cell)
        return partition

    def restricted(self, vertices: Collection[int]) -> Partition:
        """The cells that hold some of the vertices, with these alone and under the old numbers."""
        part = Partition({}, {})
        for vertex in vertices:
            cell = part.cell_of[vertex] = self.cell_of[vertex]
            part.cells.setdefault(cell, set()).add(vertex)
        return part

    def individualised(self, vertex: int, graph: Graph) -> tuple[Partition, Trace, int]:
        """The refinement after a vertex got a cell of its own, before the others of its cell; and `refine`'s answer."""
        start = self.cell_of[vertex]
        cells = {number: set(cell) if len(cell) > 1 else cell for number, cell in self.cells.items()}
        child = Partition(cells, dict(self.cell_of))
        others = child.cells[start] - {vertex}
        child._put(start, [vertex])
        child._put(start + 1, others)
        trace, work = child.refine([start], graph)
        return child, trace, work

    def refine(self, splitters: Sequence[int], graph: Graph) -> tuple[Trace, int]:
        """Split cells until the neighbours of a cell's vertices agree, looking from the `splitters` first.

        Returns what was done, and how many edges were looked at.
        """
        trace: Trace = []
        work = 0
        queue, waiting = deque(splitters), set(splitters)
        while queue:
            splitter = queue.popleft()
            waiting.remove(splitter)
            seen: dict[int, list[int]] = {}
            for vertex in self.cells[splitter]:
                for number, other in graph[vertex]:
                    seen.setdefault(other, []).append(number)
                    work += 1
            fragments: dict[int, dict[tuple[int, ...], list[int]]] = {}
            for vertex, numbers in seen.items():
                numbers.sort()
                fragments.setdefault(self.cell_of[vertex], {}).setdefault(tuple(numbers), []).append(vertex)
            for cell in sorted(fragments):
                parts = sorted(fragments[cell].items(), key=itemgetter(0))
                trace.append((splitter, cell, *((numbers, len(part)) for numbers, part in parts)))
                for new in self._split(cell, [part for _, part in parts], waiting):
                    waiting.add(new)
                    queue.append(new)
        return trace, work

    def _split(self, cell: int, parts: list[list[int]], waiting: Collection[int]) -> Sequence[int]:
        """Set apart the parts of a cell that the splitter touches; return the cells to look from."""
        rest = self.cells[cell]
        if len(rest) == len(parts[0]):
            return ()
        # What is not touched keeps its place, so the time this takes does not depend on how much that is.
        for part in parts:
            rest.difference_update(part)
        starts = [cell] if rest else []
        start = cell + len(rest)
        for part in parts:
            starts.append(start)
            self._put(start, part)
            start += len(part)
        # Looking from all parts but one tells the same as looking from all (Hopcroft 1971); the largest costs most.
        spared = cell if cell in waiting else max(starts, key=lambda start: len(self.cells[start]))
        return [start for start in starts if start != spared]

    def _put(self, start: int, cell: Collection[int]) -> None:
        self.cells[start] = set(cell)
        for vertex in cell:
            self.cell_of[vertex] = start
