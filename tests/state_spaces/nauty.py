"""Proof states as coloured graphs for nauty (McKay and Piperno 2014), the judge of states too large to try out.

The graphs are made from the formulas and share no code with the labelling. Nauty cannot be interrupted, and it is slow
on some large unions of equal graphs: give it small ones.
"""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tactics.formula import And, Atom, Binary, Formula, Or
from tactics.goal import Goal
from tests.optional import missing

try:
    from pynauty import Graph, autgrp, certificate
except ModuleNotFoundError:
    missing("pynauty is not installed: pip install '.[test]'")


class NautyGraph(NamedTuple):
    """A state as a graph.

    Attributes:
        graph: what pynauty takes.
        colours: the colour classes in the graph's order, each with its size: pynauty compares neither.
        formulas: the vertex of each distinct formula.
    """

    graph: Graph
    colours: tuple[tuple[str, int], ...]
    formulas: dict[Formula, int]


def nauty_graph(goals: tuple[Goal, ...]) -> NautyGraph:
    """A vertex for each atom, and for each distinct formula one for each of its atoms.

    A formula's first vertex bears its text, with numbers for atoms, and its parts in the goals; the others hang from
    it, bear their places, and each is joined to its atom.
    """
    parts: dict[Formula, Counter[tuple[int, str]]] = {}
    for number, goal in enumerate(goals):
        for _, formula in goal.hypotheses:
            parts.setdefault(formula, Counter())[number, "hypothesis"] += 1
        parts.setdefault(goal.conclusion, Counter())[number, "conclusion"] += 1

    vertices: dict[Atom, int] = {}
    neighbours: dict[int, list[int]] = {}
    classes: dict[str, set[int]] = {}
    first: dict[Formula, int] = {}
    texts = {formula: _text(formula) for formula in parts}
    for _, atoms in texts.values():
        for atom in atoms:
            vertices.setdefault(atom, len(vertices))
    if vertices:
        classes["atom"] = set(vertices.values())
    size = len(vertices)
    for formula, roles in parts.items():
        text, atoms = texts[formula]
        first[formula] = size
        classes.setdefault(f"{text} {sorted(roles.items())}", set()).add(size)
        for place, atom in enumerate(atoms):
            if place:
                classes.setdefault(f"place {place}", set()).add(size + place)
            neighbours[size + place] = [vertices[atom], *([first[formula]] if place else [])]
        size += max(1, len(atoms))
    ordered = sorted(classes.items())
    graph = Graph(size, adjacency_dict=neighbours, vertex_coloring=[members for _, members in ordered])
    return NautyGraph(graph, tuple((name, len(members)) for name, members in ordered), first)


def nauty_key(goals: tuple[Goal, ...]) -> tuple[object, ...]:
    """Equal for two states exactly if nauty finds their graphs isomorphic."""
    graph, colours, _ = nauty_graph(goals)
    return colours, certificate(graph) if graph.number_of_vertices else b""


def nauty_orbits(goals: tuple[Goal, ...]) -> dict[Formula, int]:
    """For each distinct formula a number that it shares with those that automorphisms exchange it with."""
    graph, _, formulas = nauty_graph(goals)
    if not formulas:
        return {}
    _, _, _, orbits, _ = autgrp(graph)
    return {formula: orbits[vertex] for formula, vertex in formulas.items()}


def _text(formula: Formula) -> tuple[str, tuple[Atom, ...]]:
    """A formula with numbers for its atoms, and the atoms in the order of their numbers."""
    numbers: dict[Atom, int] = {}

    def written(part: Formula) -> str:
        if isinstance(part, Binary):
            sign = "∧" if isinstance(part, And) else "∨" if isinstance(part, Or) else "→"
            return f"({written(part.left)}{sign}{written(part.right)})"
        return str(numbers.setdefault(part, len(numbers))) if isinstance(part, Atom) else "⊥"

    return written(formula), tuple(numbers)
