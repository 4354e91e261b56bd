"""What a canonical key costs, beside pynauty in the same run: `python -m pytest benchmarks/test_state_spaces.py -s`.

Nothing is asserted about time. The targets for a cold key of a reachable goal are 20 µs in the median, 150 µs at the
99th percentile, and less than pynauty; 1 ms for 110 atoms; 0.5 µs for a view that is known. Cold means that the goal
was never labelled; the shapes of its formulas are known to both sides, and what working those out costs is given too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, product
from statistics import median
from time import perf_counter_ns
from typing import Any

import pytest
from pynauty import Graph, autgrp, certificate

from benchmarks.goals import goals_below
from curricula.library import textbook_lemma, textbook_names
from curricula.resolve import resolve_lemma
from state_spaces import Match, Name
from state_spaces.canonical import label
from state_spaces.shape import shape
from tactics.goal import Goal, State, initial
from tactics.rules import apply, legal_moves
from tests.state_spaces.graphs import Pairs, complete, cycles, edges, goal, pigeonhole


def states_below(root: State, limit: int) -> list[State]:
    """The states that can be reached, until there are enough."""
    seen = {root: None}
    for reached in (pending := [root]):
        for move in legal_moves(reached[0]) if reached and len(seen) < limit else ():
            after = apply(reached, move)
            if after and after not in seen:
                seen[after] = None
                pending.append(after)
    return list(seen)


def nauty_graph(sequent: Goal) -> Graph:
    """A vertex for each atom; for each distinct formula one for each of its atoms, the first of which stands for it."""
    parts: dict[Any, tuple[int, ...]] = {}
    for _, formula in sequent.hypotheses:
        parts[formula] = (*parts.get(formula, ()), 0)
    parts[sequent.conclusion] = (*parts.get(sequent.conclusion, ()), 1)
    vertex: dict[object, int] = {}
    for formula in parts:
        for atom in shape(formula).atoms:
            vertex.setdefault(atom, len(vertex))
    classes: dict[object, set[int]] = {(): set(vertex.values())} if vertex else {}
    neighbours: dict[int, list[int]] = {}
    size = len(vertex)
    for formula, part in parts.items():
        digest, atoms = shape(formula)
        classes.setdefault((digest, part), set()).add(size)
        for place, atom in enumerate(atoms):
            if place:
                classes.setdefault((b"", place), set()).add(size + place)
            neighbours[size + place] = [vertex[atom], size] if place else [vertex[atom]]
        size += max(1, len(atoms))
    colouring = [classes[colour] for colour in sorted(classes, key=repr)]
    return Graph(size, adjacency_dict=neighbours, vertex_coloring=colouring)


def nauty_key(sequent: Goal) -> object:
    return certificate(nauty_graph(sequent))


def nauty_key_and_orbits(sequent: Goal) -> object:
    graph = nauty_graph(sequent)
    return certificate(graph), autgrp(graph)[3]


def our_key_and_orbits(sequent: Goal) -> object:
    return label((sequent,))


def microseconds(function: Callable[[Any], object], arguments: Sequence[Any], rounds: int = 3) -> list[float]:
    """What each call costs, the best of some rounds, in increasing order."""
    best = [float("inf")] * len(arguments)
    for _ in range(rounds):
        for place, argument in enumerate(arguments):
            began = perf_counter_ns()
            function(argument)
            best[place] = min(best[place], (perf_counter_ns() - began) / 1000)
    return sorted(best)


def told(times: Sequence[float]) -> str:
    return f"median {median(times):.1f} µs, p99 {times[int(0.99 * len(times))]:.1f} µs, most {times[-1]:.1f} µs"


def forget_shapes(*goals: Goal) -> None:
    """Make the shapes of all formulas in some goals unknown again."""
    for each in goals:
        for formula in (each.conclusion, *(formula for _, formula in each.hypotheses)):
            formula.shape = None


def lemma_goals(*names: str, limit: int = 1_000_000) -> list[Goal]:
    return goals_below(*(initial(resolve_lemma(name).formula)[0] for name in names), limit=limit)


CORPORA: dict[str, Callable[[], list[Goal]]] = {
    **{f"SYJ203.{n}": lambda n=n: lemma_goals(f"SYJ203.{n}") for n in range(1, 5)},  # type: ignore[misc]
    "textbook": lambda: lemma_goals(*(f"textbook/{name}" for name in textbook_names())),
    "SYJ201.1": lambda: lemma_goals("SYJ201.1", limit=5000),
    "SYJ204.4": lambda: lemma_goals("SYJ204.4", limit=5000),
    "SYJ205.2": lambda: lemma_goals("SYJ205.2", limit=5000),
    "SYJ206.3": lambda: lemma_goals("SYJ206.3", limit=5000),
}


@pytest.mark.parametrize("corpus", CORPORA)
def test_cold_keys_of_all_reachable_goals(corpus: str, benchmark: Any) -> None:
    goals = CORPORA[corpus]()
    forget_shapes(*goals)
    began = perf_counter_ns()
    for reached in goals:
        label((reached,))
    without_shapes = (perf_counter_ns() - began) / 1000 / len(goals)
    # So many that one round each tells the same.
    rounds = 1 if len(goals) > 10_000 else 3
    ours, theirs, theirs_with_orbits = (
        microseconds(function, goals, rounds) for function in (our_key_and_orbits, nauty_key, nauty_key_and_orbits)
    )
    benchmark.pedantic(lambda: [label((reached,)) for reached in goals], rounds=3, iterations=1)
    benchmark.extra_info |= {"goals": len(goals), "ours": told(ours), "pynauty": told(theirs)}
    print(f"\n{corpus}, {len(goals):,} goals: {told(ours)}; with shapes to work out {without_shapes:.1f} µs on average")
    print(f"    pynauty, certificate alone: {told(theirs)}: {median(theirs) / median(ours):.1f} times ours")
    print(
        f"    pynauty, with orbits: {told(theirs_with_orbits)}: {median(theirs_with_orbits) / median(ours):.1f} times"
    )


@pytest.mark.parametrize("lemma", ["SYJ203.3", "SYJ203.4"])
def test_cold_keys_of_states_with_several_goals(lemma: str, benchmark: Any) -> None:
    states = states_below(initial(resolve_lemma(lemma).formula), 20_000)
    times = microseconds(label, states, 1)
    benchmark.pedantic(lambda: [label(state) for state in states], rounds=1, iterations=1)
    goals = sum(map(len, states)) / len(states)
    print(f"\n{lemma}, {len(states):,} states of {goals:.1f} goals on average: {told(times)}")


def test_a_goal_of_110_atoms(benchmark: Any) -> None:
    state = initial(resolve_lemma("SYJ202.010").formula)
    known = microseconds(label, [state] * 20)

    def cold() -> None:
        forget_shapes(*state)
        label(state)

    benchmark.pedantic(cold, rounds=20, iterations=1)
    if benchmark.stats is not None:
        cold_milliseconds = 1000 * benchmark.stats.stats.median
        print(f"\nSYJ202.010: {cold_milliseconds:.2f} ms, and {told(known)} when its shape is known")


@pytest.mark.parametrize("space", [Name, Match])
def test_views_that_are_known(space: type[Name], benchmark: Any) -> None:
    view = space().view
    states = states_below(initial(textbook_lemma("and_comm").formula), 100)
    states += states_below(initial(resolve_lemma("SYJ203.3").formula), 1000)
    for state in states:
        view(state)

    def look_all_up() -> None:
        for state in states:
            view(state)

    benchmark.pedantic(look_all_up, rounds=50, iterations=1)
    if benchmark.stats is not None:
        print(f"\n{type(space).__name__}: {1e9 * benchmark.stats.stats.median / len(states):.0f} ns a look-up")


def rook(size: int) -> Pairs:
    """The squares of a board, joined where a rook can go."""
    squares = combinations(product(range(size), repeat=2), 2)
    return [(one, other) for one, other in squares if one[0] == other[0] or one[1] == other[1]]


FAMILIES: dict[str, Callable[[], State]] = {
    "a cycle of 100 atoms": lambda: goal(edges(cycles(100))),
    "a cycle of 200 atoms": lambda: goal(edges(cycles(200))),
    "30 cycles of 10 atoms": lambda: goal(edges(cycles(*[10] * 30))),
    "10 cycles of 10 atoms": lambda: goal(edges(cycles(*[10] * 10))),
    "all pairs of 10 atoms": lambda: goal(edges(complete(10))),
    "all pairs of 20 atoms": lambda: goal(edges(complete(20))),
    "rook's graph, 4 x 4": lambda: goal(edges(rook(4))),
    "rook's graph, 8 x 8": lambda: goal(edges(rook(8))),
    "6 pigeons in 5 holes": lambda: goal(pigeonhole(6, 5)),
    "11 pigeons in 10 holes": lambda: goal(pigeonhole(11, 10)),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_highly_symmetric_states(family: str, benchmark: Any) -> None:
    state = FAMILIES[family]()
    benchmark.pedantic(label, args=(state,), rounds=1, iterations=1)
    if benchmark.stats is not None:
        print(f"\n{family}: {1000 * benchmark.stats.stats.median:.0f} ms")
