"""States that are hard to label, by name, and pairs of them that look alike: what `graphs` builds, put to use."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from tactics.formula import Atom, Formula
from tactics.goal import State
from tests.state_spaces.graphs import (
    arrows,
    booleans,
    cfi,
    chain,
    circulant,
    complete,
    cycles,
    cyclic,
    cyclic_steiner_13,
    dihedral,
    edges,
    equivalences,
    goal,
    hypercube,
    latin_square,
    moebius_ladder,
    paley,
    petersen,
    pigeonhole,
    prism,
    rook,
    shrikhande,
    square,
    steiner,
    symmetric,
    table,
    twice,
)
from tests.state_spaces.variants import state_of

K4: Final = tuple(complete(4))
PRISM: Final = tuple(prism(3))
A, B, C = map(Atom, "ABC")

FAMILIES: Final[dict[str, Callable[[], State]]] = {
    "pigeonhole 4 in 3": lambda: goal(pigeonhole(4, 3)),
    "pigeonhole 6 in 5": lambda: goal(pigeonhole(6, 5)),
    "chain of equivalences": lambda: goal(equivalences(chain(12))),
    "cycle of equivalences": lambda: goal(equivalences(cycles(12))),
    "atoms alone": lambda: goal([Atom(f"p{number}") for number in range(20)]),
    "complete 8": lambda: goal(edges(complete(8))),
    "cycle of 12 arrows": lambda: goal(arrows(cycles(12))),
    "cycle of 12 edges": lambda: goal(edges(cycles(12))),
    "3 cycles of 4": lambda: goal(edges(cycles(4, 4, 4))),
    "cycles of 3, 3, 4 and 5": lambda: goal(arrows(cycles(3, 3, 4, 5))),
    "circulant 13 (1, 5)": lambda: goal(edges(circulant(13, 1, 5))),
    "Paley 13": lambda: goal(edges(paley(13))),
    "Paley 17": lambda: goal(edges(paley(17))),
    "Petersen": lambda: goal(edges(petersen())),
    "two Petersens": lambda: goal(edges(twice(petersen()))),
    "hypercube 3": lambda: goal(edges(hypercube(3))),
    "hypercube 4": lambda: goal(edges(hypercube(4))),
    "rook": lambda: goal(edges(rook())),
    "Shrikhande": lambda: goal(edges(shrikhande())),
    "CFI over K4": lambda: goal(cfi(K4)),
    "CFI over K4, twisted": lambda: goal(cfi(K4, 0)),
    "CFI over a prism": lambda: goal(cfi(PRISM)),
    "square of Z4": lambda: goal(square(cyclic(4))),
    "square of Z2 x Z2": lambda: goal(square(booleans(2))),
    "square of Z5": lambda: goal(square(cyclic(5))),
    "a random square of order 6": lambda: goal(square(latin_square(6, Random(0)))),
    "table of Z6": lambda: goal(table(cyclic(6))),
    "table of S3": lambda: goal(table(symmetric(3))),
    "table of Z2 x Z2 x Z2": lambda: goal(table(booleans(3))),
    "Steiner triples 7": lambda: goal(steiner(7, Random(1))),
    "Steiner triples 9": lambda: goal(steiner(9, Random(1))),
}
"""States of one goal, by name."""


Pair = Callable[[], tuple[State, State]]


def _graphs(one: list[Formula], other: list[Formula]) -> tuple[State, State]:
    return goal(one), goal(other)


def _beside(one: list[Formula], other: list[Formula]) -> State:
    """Two goals with the same atoms."""
    return state_of([(one, C), (other, C)])


def _doubled(hypotheses: list[Formula], *places: int) -> State:
    """A goal with some hypotheses twice."""
    return goal([*hypotheses, *(hypotheses[place] for place in places)])


SAME: Final[dict[str, Pair]] = {
    "Paley's graph of 5 and a cycle": lambda: _graphs(edges(paley(5)), edges(cycles(5))),
    "a cube and a prism": lambda: _graphs(edges(hypercube(3)), edges(prism(4))),
    "circulants with multiplied steps": lambda: _graphs(edges(circulant(13, 1, 5)), edges(circulant(13, 2, 3))),
    "Petersen's graph, drawn as star and pentagon": lambda: _graphs(edges(petersen()), edges(_star_and_pentagon())),
    "Moebius ladder and K3,3": lambda: _graphs(edges(moebius_ladder(6)), edges([(a, b) for a in "abc" for b in "def"])),
    "the group of a triangle and of three things": lambda: _graphs(table(dihedral(3)), table(symmetric(3))),
    "two twists and none": lambda: _graphs(cfi(K4), cfi(K4, 0, 2)),
    "a twist here and a twist there": lambda: _graphs(cfi(PRISM, PRISM[0][0]), cfi(PRISM, PRISM[-1][1])),
    "either arrow of a cycle doubled": lambda: (_doubled(arrows(cycles(6)), 0), _doubled(arrows(cycles(6)), 3)),
    "a cycle in one goal, any arrow of it in the other": lambda: (
        _beside(arrows(cycles(5)), arrows(cycles(5))[:1]),
        _beside(arrows(cycles(5)), arrows(cycles(5))[3:4]),
    ),
}
"""Two ways to build one state, by name."""

DIFFERENT: Final[dict[str, Pair]] = {
    "two triangles and a hexagon": lambda: _graphs(edges(cycles(3, 3)), edges(cycles(6))),
    "two triangles and a hexagon, of arrows": lambda: _graphs(arrows(cycles(3, 3)), arrows(cycles(6))),
    "cycles 4 + 4 + 4 and 6 + 6": lambda: _graphs(edges(cycles(4, 4, 4)), edges(cycles(6, 6))),
    "cycles 3 + 5 and 4 + 4": lambda: _graphs(arrows(cycles(3, 5)), arrows(cycles(4, 4))),
    "cycles of equivalences": lambda: _graphs(equivalences(cycles(3, 3)), equivalences(cycles(6))),
    "a chain and a cycle with a tail": lambda: _graphs(arrows(chain(6)), arrows([*cycles(5), ((0, 0), 5)])),
    "a cube and Wagner's graph": lambda: _graphs(edges(hypercube(3)), edges(moebius_ladder(8))),
    "Petersen's graph and a prism": lambda: _graphs(edges(petersen()), edges(prism(5))),
    "Petersen's graph and a Moebius ladder": lambda: _graphs(edges(petersen()), edges(moebius_ladder(10))),
    "Paley's graph of 13 and another circulant": lambda: _graphs(edges(paley(13)), edges(circulant(13, 1, 2, 3))),
    "the rook's graph and Shrikhande's": lambda: _graphs(edges(rook()), edges(shrikhande())),
    "CFI over K4": lambda: _graphs(cfi(K4), cfi(K4, 0)),
    "CFI over a prism": lambda: _graphs(cfi(PRISM), cfi(PRISM, PRISM[0][0])),
    "CFI over K4, two twists and three": lambda: _graphs(cfi(K4, 0, 1), cfi(K4, 0, 1, 2)),
    "squares of Z4 and Z2 x Z2": lambda: _graphs(square(cyclic(4)), square(booleans(2))),
    "squares of Z6 and S3": lambda: _graphs(square(cyclic(6)), square(symmetric(3))),
    "tables of Z8 and Z2 x Z2 x Z2": lambda: _graphs(table(cyclic(8)), table(booleans(3))),
    "tables of Z8 and of a square's symmetries": lambda: _graphs(table(cyclic(8)), table(dihedral(4))),
    "the two Steiner systems of 13 points": lambda: _graphs(steiner(13, Random(0)), cyclic_steiner_13()),
    "neighbours and others doubled": lambda: (_doubled(arrows(cycles(6)), 0, 1), _doubled(arrows(cycles(6)), 0, 2)),
    "one arrow twice and another": lambda: (_doubled(arrows(cycles(6)), 0, 0), _doubled(arrows(cycles(6)), 0, 3)),
    "an atom once and twice": lambda: (goal([A]), goal([A, A])),
    "the conclusion among the hypotheses and not": lambda: (goal([A, B], A), goal([A, B], C)),
    "an arrow there and back in two goals": lambda: (_beside([A >> B], [B >> A]), _beside([A >> B], [A >> B])),
    "the same goals the other way round": lambda: (_beside([A], [A, A]), _beside([A, A], [A])),
    "a cycle in one goal, two of its arrows in the other": lambda: (
        _beside(arrows(cycles(6)), arrows(cycles(6))[:1] + arrows(cycles(6))[2:3]),
        _beside(arrows(cycles(6)), arrows(cycles(6))[:1] + arrows(cycles(6))[3:4]),
    ),
}
"""Two states that differ, by name; colour refinement alone tells few of these pairs apart."""


def _star_and_pentagon() -> list[tuple[object, object]]:
    return [
        pair
        for place in range(5)
        for pair in (
            (("outer", place), ("outer", (place + 1) % 5)),
            (("inner", place), ("inner", (place + 2) % 5)),
            (("outer", place), ("inner", place)),
        )
    ]
