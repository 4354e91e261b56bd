"""Canonical order and automorphisms of what looks alike: individualisation and refinement.

The structure is a set of items, each a class and a tuple of atoms; isomorphic structures get corresponding orders.
Where refinement leaves atoms that look alike, each of them is tried first, and automorphisms found on the way say which
trials can be left out. After McKay and Piperno (2014), "Practical graph isomorphism, II"; what proof states are is not
known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from state_spaces.partition import Graph, Partition, Trace
from state_spaces.union_find import UnionFind

BUDGET: Final = 2_000_000
"""How many edges refinement may look at within one connected part, equivalent trials counted once: some ten seconds."""

Automorphism = Mapping[int, int]
"""Where it takes the atoms that it moves."""


class BudgetExceeded(Exception):
    """A structure that looks too much alike. Renaming it does not help: what is counted depends on the structure."""


class Item(NamedTuple):
    """Some atoms in order, no atom twice, in one of several classes."""

    class_: int
    atoms: tuple[int, ...]


class Order(NamedTuple):
    """All atoms, in canonical order, and automorphisms that generate the group."""

    atoms: list[int]
    automorphisms: list[Automorphism]


Certificate = tuple[tuple[int, tuple[int, ...]], ...]
"""A structure whose atoms are replaced by places in an order; equal for two orders exactly if they correspond."""


def canonical_order(items: Sequence[Item], budget: int = BUDGET) -> Order:
    """The atoms of the items in canonical order. Raises BudgetExceeded.

    Each item must have an atom, and none may be listed twice.
    """
    atoms = list(dict.fromkeys(atom for item in items for atom in item.atoms))
    # Vertices are the atoms and, behind them, the items; an edge bears the atom's position in the item.
    vertex_of = {item: vertex for vertex, item in enumerate(items, max(atoms) + 1)}
    graph: dict[int, list[tuple[int, int]]] = {vertex: [] for vertex in [*atoms, *vertex_of.values()]}
    classes: dict[int, list[int]] = {}
    for item, vertex in vertex_of.items():
        classes.setdefault(item.class_, []).append(vertex)
        for position, atom in enumerate(item.atoms):
            graph[vertex].append((position, atom))
            graph[atom].append((position, vertex))
    partition = Partition.of([atoms, *(classes[class_] for class_ in sorted(classes))])
    partition.refine(list(partition.cells), graph)

    alone = {atom for atom in atoms if len(partition.cells[partition.cell_of[atom]]) == 1}
    graph = {
        vertex: [edge for edge in edges if edge[1] not in alone]
        for vertex, edges in graph.items()
        if vertex not in alone
    }
    found = [
        _Search(graph, partition.restricted(part), set(atoms) & part, budget).run()
        for part in _connected(graph)
        if not part.isdisjoint(atoms)
    ]
    found.sort(key=lambda part: part.certificate)
    automorphisms = [automorphism for part in found for automorphism in part.automorphisms]
    for one, other in pairwise(found):
        if one.certificate == other.certificate:
            automorphisms.append(dict(zip([*one.atoms, *other.atoms], [*other.atoms, *one.atoms], strict=True)))
    order = sorted(alone, key=partition.cell_of.__getitem__)
    return Order(order + [atom for part in found for atom in part.atoms], automorphisms)


def _connected(graph: Graph) -> Iterator[set[int]]:
    """The connected parts of a graph."""
    left = set(graph)
    while left:
        part: set[int] = set()
        pending = [left.pop()]
        while pending:
            vertex = pending.pop()
            part.add(vertex)
            for _, other in graph[vertex]:
                if other in left:
                    left.remove(other)
                    pending.append(other)
        yield part


class _Part(NamedTuple):
    """A connected part: its atoms in canonical order, what it is then, and its automorphisms."""

    atoms: list[int]
    certificate: Certificate
    automorphisms: list[Automorphism]


@dataclass(slots=True)
class _Explored:
    """What is known of a trial after all trials below it.

    Attributes:
        leaves: the orders that it leads to, none equivalent to another, by their certificates.
        path: the traces on the way to the first of them.
        automorphisms: some that generate all those which keep what was tried so far in place.
        work: edges looked at, equivalent trials counted once.
    """

    leaves: dict[Certificate, list[int]] = field(default_factory=dict)
    path: list[Trace] = field(default_factory=list)
    automorphisms: list[Automorphism] = field(default_factory=list)
    work: int = 0


class _Search:
    """The search tree over one connected part."""

    def __init__(self, graph: Graph, root: Partition, atoms: set[int], budget: int) -> None:
        self._graph, self._root, self._atoms, self._budget = graph, root, atoms, budget
        self._items = [
            (cell, [atom for _, atom in graph[vertex]]) for vertex, cell in root.cell_of.items() if vertex not in atoms
        ]

    def run(self) -> _Part:
        explored = self._explore(self._root)
        certificate = min(explored.leaves)
        return _Part(explored.leaves[certificate], certificate, explored.automorphisms)

    def _explore(self, partition: Partition) -> _Explored:
        """All orders below a partition, up to automorphisms that respect it."""
        cell = self._cell_to_try(partition)
        if cell is None:
            order, certificate = self._leaf(partition)
            return _Explored({certificate: order})
        explored = _Explored()
        candidates, least, work = self._least(partition, cell)
        self._charge(explored, work)
        orbits = UnionFind(cell)
        tried: list[int] = []
        for atom in candidates:
            if any(orbits.find(atom) == orbits.find(other) for other in tried):
                continue
            child, _, _ = partition.individualised(atom, self._graph)
            automorphism = self._equivalent(child, explored) if tried else None
            if automorphism is not None:
                found = [automorphism]
            else:
                tried.append(atom)
                below = self._explore(child)
                explored.path = explored.path or [least, *below.path]
                explored.leaves |= below.leaves
                self._charge(explored, below.work)
                found = below.automorphisms
            explored.automorphisms += found
            for automorphism in found:
                for one in cell:
                    orbits.unite(one, automorphism.get(one, one))
        return explored

    def _equivalent(self, partition: Partition, explored: _Explored) -> Automorphism | None:
        """What takes a trial to an explored one, or None if no automorphism does.

        Were there one, it would take every order of least traces to an explored one, up to automorphisms; so it is
        enough to look at any. Most often the traces of the first explored order lead there, without all others.
        """
        for leaf in self._leaves(partition, explored.path[1:]):
            order, certificate = self._leaf(leaf)
            if certificate in explored.leaves:
                return dict(zip(explored.leaves[certificate], order, strict=True))
        return None

    def _leaves(self, partition: Partition, path: Sequence[Trace]) -> Iterator[Partition]:
        """Where the trials with given traces lead, if there are such, and then those of least traces."""
        followed = self._follow(partition, path)
        if followed is not None:
            yield followed
        yield self._descend(partition)

    def _least(self, partition: Partition, cell: Collection[int]) -> tuple[list[int], Trace, int]:
        """The atoms of a cell whose trace is least when they are tried, that trace, and the work of trying all."""
        least: Trace | None = None
        candidates: list[int] = []
        total = 0
        for atom in cell:
            _, trace, work = partition.individualised(atom, self._graph)
            total += work
            if total > self._budget:
                raise BudgetExceeded
            if least is None or trace < least:
                least, candidates = trace, []
            if trace == least:
                candidates.append(atom)
        assert least is not None
        return candidates, least, total

    def _follow(self, partition: Partition, path: Sequence[Trace]) -> Partition | None:
        """Where the first trials with given traces lead; None if there are none."""
        for trace in path:
            cell = self._cell_to_try(partition)
            assert cell is not None
            for atom in cell:
                child, its_trace, _ = partition.individualised(atom, self._graph)
                if its_trace == trace:
                    partition = child
                    break
            else:
                return None
        return partition

    def _descend(self, partition: Partition) -> Partition:
        """Where trials of least traces lead."""
        while (cell := self._cell_to_try(partition)) is not None:
            candidates, _, _ = self._least(partition, cell)
            partition, _, _ = partition.individualised(candidates[0], self._graph)
        return partition

    def _cell_to_try(self, partition: Partition) -> set[int] | None:
        """The cell of atoms that look alike whose trial tells most: it divides the most cells of items, or is smaller.

        None if no atoms look alike.
        """
        best = None
        for start, cell in partition.cells.items():
            if len(cell) > 1 and not cell.isdisjoint(self._atoms):
                met = Counter(partition.cell_of[item] for _, item in self._graph[next(iter(cell))])
                divided = sum(count < len(partition.cells[items]) for items, count in met.items())
                rank = (-divided, len(cell), start)
                if best is None or rank < best:
                    best = rank
        return None if best is None else partition.cells[best[-1]]

    def _leaf(self, partition: Partition) -> tuple[list[int], Certificate]:
        """The order that a partition with one atom to a cell gives, and what the part then looks like."""
        place = partition.cell_of
        certificate = sorted((cell, tuple([place[atom] for atom in atoms])) for cell, atoms in self._items)
        return sorted(self._atoms, key=place.__getitem__), tuple(certificate)

    def _charge(self, explored: _Explored, work: int) -> None:
        explored.work += work
        if explored.work > self._budget:
            raise BudgetExceeded
