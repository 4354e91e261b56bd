"""The labelling agrees with nauty (McKay and Piperno 2014) on keys and orbits, for random and highly symmetric states.

Nauty gets proof states as coloured graphs that are made from the formulas and share no code with the labelling. It
cannot be interrupted, and it is slow on some large unions of equal graphs: give it small ones.
"""

from collections import Counter
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given

from state_spaces.canonical import Labelling, label
from tactics.formula import And, Atom, Binary, Formula, Or
from tactics.goal import Goal, State
from tests.optional import missing
from tests.state_spaces.graphs import FAMILIES, arrows, goal, latin_square, random_regular, square, switched
from tests.state_spaces.variants import disguised, randoms, tried
from tests.thorough import thoroughly

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
    """Return a graph with a vertex for each atom, and one for each atom of each distinct formula.

    A formula's first vertex bears its text, with numbers for atoms, and its parts in the goals; the others hang from
    it, bear their places, and each is joined to its atom.
    """
    parts: dict[Formula, Counter[tuple[int, str]]] = {}
    for number, each in enumerate(goals):
        for _, formula in each.hypotheses:
            parts.setdefault(formula, Counter())[number, "hypothesis"] += 1
        parts.setdefault(each.conclusion, Counter())[number, "conclusion"] += 1

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
    """Return a key, equal for two states exactly if nauty finds their graphs isomorphic."""
    graph, colours, _ = nauty_graph(goals)
    return colours, certificate(graph) if graph.number_of_vertices else b""


def nauty_orbits(goals: tuple[Goal, ...]) -> dict[Formula, int]:
    """Return a number for each distinct formula, shared by those that automorphisms exchange."""
    graph, _, formulas = nauty_graph(goals)
    if not formulas:
        return {}
    _, _, _, orbits, _ = autgrp(graph)
    return {formula: orbits[vertex] for formula, vertex in formulas.items()}


def _text(formula: Formula) -> tuple[str, tuple[Atom, ...]]:
    """Return a formula with numbers for its atoms, and the atoms in the order of their numbers."""
    numbers: dict[Atom, int] = {}

    def written(part: Formula) -> str:
        if isinstance(part, Binary):
            sign = "∧" if isinstance(part, And) else "∨" if isinstance(part, Or) else "→"
            return f"({written(part.left)}{sign}{written(part.right)})"
        return str(numbers.setdefault(part, len(numbers))) if isinstance(part, Atom) else "⊥"

    return written(formula), tuple(numbers)


def parts(labels: list[int]) -> list[int]:
    """Return a partition, given by one label a member, with the place of each part's first member as its label."""
    return [labels.index(each) for each in labels]


def assert_orbits_are_nautys(state: State, labelling: Labelling) -> None:
    orbits = nauty_orbits(state)
    assert parts([orbits[formula] for formula in labelling.formulas]) == list(labelling.orbits)


def assert_nauty_agrees(state: State, other: State) -> None:
    """Check that nauty agrees on the keys of two states and on the orbits of each."""
    one, two = label(state), label(other)
    assert (nauty_key(state) == nauty_key(other)) == (one.key == two.key)
    assert_orbits_are_nautys(state, one)
    assert_orbits_are_nautys(other, two)


@tried
@given(randoms)
def test_nauty_agrees_on_regular_graphs_where_only_trying_tells_points_apart(rng: Random) -> None:
    graph = random_regular(rng.randint(3, 9), rng.randint(1, 2), rng)
    assert_nauty_agrees(goal(arrows(graph)), disguised(goal(arrows(switched(graph, rng))), rng).state)


@pytest.mark.parametrize(("size", "number"), [(4, 20), *thoroughly((5, 50), (6, 20))])
def test_nauty_agrees_on_latin_squares_where_trials_that_look_alike_differ(size: int, number: int) -> None:
    rng = Random(size)
    found: set[tuple[bytes, object]] = set()
    for _ in range(number):
        state = goal(square(latin_square(size, rng)))
        for each in (state, disguised(state, rng).state):
            labelling = label(each)
            assert_orbits_are_nautys(each, labelling)
            found.add((labelling.key, nauty_key(each)))
    assert 1 < len(found) == len({key for key, _ in found}) == len({key for _, key in found})


@pytest.mark.parametrize("family", FAMILIES)
def test_nauty_finds_the_orbits_of_a_symmetric_state(family: str) -> None:
    state = FAMILIES[family]()
    assert_orbits_are_nautys(state, label(state))
