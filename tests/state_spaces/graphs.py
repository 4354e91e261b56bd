"""Highly symmetric structures written as hypotheses.

Points are atoms and lines are hypotheses: an arrow of a graph is `A -> B`, an edge is two of them, and a row of a
ternary relation is `A ∧ B -> C`. Below stand states that are hard to label, and pairs of them that look alike.
"""

from collections.abc import Callable, Iterable
from itertools import combinations, permutations, product
from operator import contains
from random import Random
from typing import Final

from tactics.formula import FALSE, Atom, Formula, Or, negation
from tactics.goal import State
from tests.state_spaces.variants import state_of

Point = object
"""Anything hashable: what an atom stands for."""

Pairs = Iterable[tuple[Point, Point]]


class Atoms:
    """An atom for each point that is asked for, in the order of asking."""

    def __init__(self) -> None:
        self._atoms: dict[Point, Atom] = {}

    def __getitem__(self, point: Point) -> Atom:
        return self._atoms.setdefault(point, Atom(f"p{len(self._atoms)}"))


def arrows(pairs: Pairs) -> list[Formula]:
    """Return a directed graph as hypotheses, one for each arrow."""
    atoms = Atoms()
    return [atoms[one] >> atoms[other] for one, other in pairs]


def edges(pairs: Pairs) -> list[Formula]:
    """Return a graph as hypotheses, two for each edge that is given in either direction."""
    atoms = Atoms()
    return [arrow for one, other in pairs for arrow in (atoms[one] >> atoms[other], atoms[other] >> atoms[one])]


def triples(rows: Iterable[tuple[Point, Point, Point]]) -> list[Formula]:
    """Return a ternary relation as hypotheses, one for each row."""
    atoms = Atoms()
    return [atoms[one] & atoms[other] >> atoms[third] for one, other, third in rows]


def goal(hypotheses: Iterable[Formula], conclusion: Formula = FALSE) -> State:
    """Return one goal with these hypotheses."""
    return state_of([(hypotheses, conclusion)])


# Graphs, each as a list of pairs of points


def cycles(*lengths: int) -> Pairs:
    """Return cycles side by side."""
    return [
        ((which, step), (which, (step + 1) % length)) for which, length in enumerate(lengths) for step in range(length)
    ]


def complete(size: int) -> Pairs:
    """Return the complete graph of a size."""
    return combinations(range(size), 2)


def petersen() -> Pairs:
    """Return Petersen's graph: the pairs of five things, joined where they are disjoint."""
    pairs = combinations(combinations(range(5), 2), 2)
    return [(one, other) for one, other in pairs if not set(one) & set(other)]


def prism(size: int) -> Pairs:
    """Return two cycles, joined point by point."""
    return [*cycles(size, size), *(((0, step), (1, step)) for step in range(size))]


def random_regular(size: int, degree: int, rng: Random) -> list[tuple[int, int]]:
    """Return as many arrows to each point as from it, no loop and none twice; the degree is less than the size."""
    arrows_: set[tuple[int, int]] = set()
    while len(arrows_) < size * degree:
        more = set(enumerate(rng.sample(range(size), size)))
        if arrows_.isdisjoint(more) and all(one != other for one, other in more):
            arrows_ |= more
    return sorted(arrows_)


def switched(pairs: list[tuple[int, int]], rng: Random) -> list[tuple[int, int]]:
    """Return another directed graph with the same degrees: two arrows exchange their heads."""
    (one, its_head), (other, other_head) = rng.sample(pairs, 2)
    exchanged = {(one, other_head), (other, its_head)}
    if exchanged & set(pairs) or one == other_head or other == its_head:
        return pairs
    return sorted(exchanged.union(pairs) - {(one, its_head), (other, other_head)})


def rook() -> Pairs:
    """Return the rook's graph: the squares of a 4 x 4 board, joined where a rook can go."""
    squares = combinations(product(range(4), repeat=2), 2)
    return [(one, other) for one, other in squares if one[0] == other[0] or one[1] == other[1]]


def shrikhande() -> Pairs:
    """Return the graph with the rook's parameters (16, 6, 2, 2) that is not the rook's (Shrikhande 1959)."""
    return [
        ((x, y), ((x + right) % 4, (y + up) % 4))
        for x, y in product(range(4), repeat=2)
        for right, up in ((0, 1), (1, 0), (1, 1))
    ]


def cfi(base: Pairs, *twisted: Point) -> list[Formula]:
    """Return Cai, Fürer and Immerman's graph (1992) over a cubic graph, with gadgets twisted at some points.

    Two of them are isomorphic exactly if the numbers of twists are both even or both odd.
    """
    lines = list(base)
    pairs: list[tuple[Point, Point]] = []
    for point in dict.fromkeys(end for line in lines for end in line):
        at = [line for line in lines if point in line]
        for bits in product((0, 1), repeat=len(at)):
            if sum(bits) % 2 == (point in twisted):
                pairs += [((point, bits), (line, bit)) for line, bit in zip(at, bits, strict=True)]
    return arrows(pairs)


# Ternary relations

Table = dict[tuple[Point, Point], Point]
"""The products of all pairs of elements."""


def table(products: Table) -> list[Formula]:
    """Return the multiplication table of a group."""
    return triples((one, other, result) for (one, other), result in products.items())


def square(products: Table) -> list[Formula]:
    """Return the same table as a Latin square: rows, columns and symbols are points of three sorts."""
    return triples((("row", one), ("column", other), ("symbol", result)) for (one, other), result in products.items())


def cyclic(size: int) -> Table:
    """Return the table of the integers modulo `size`."""
    return {(one, other): (one + other) % size for one, other in product(range(size), repeat=2)}


def booleans(dimension: int) -> Table:
    """Return the table of words of 0 and 1 under exclusive or."""
    return {(one, other): one ^ other for one, other in product(range(1 << dimension), repeat=2)}


def symmetric(size: int) -> Table:
    """Return the table of the permutations of some things."""
    pairs = product(permutations(range(size)), repeat=2)
    return {(one, other): tuple(one[place] for place in other) for one, other in pairs}


def latin_square(size: int, rng: Random) -> Table:
    """Return a random Latin square, row by row: there is always a row that fits (Hall 1945)."""
    rows: list[tuple[int, ...]] = []
    for _ in range(size):
        taken = [{row[column] for row in rows} for column in range(size)]
        fitting = [row for row in permutations(range(size)) if not any(map(contains, taken, row))]
        rows.append(rng.choice(fitting))
    return {(row, column): rows[row][column] for row, column in product(range(size), repeat=2)}


def steiner(size: int, rng: Random) -> list[Formula]:
    """Return a random Steiner triple system: triples that hold every pair of points once; the size is 1 or 3 modulo 6.

    Found by hill-climbing (Stinson 1985): a triple is added and, if it takes a pair from another, that one is dropped.
    From 15 points on most have no symmetry, but every point looks like every other.
    """
    third: dict[tuple[int, int], int] = {}
    while len(third) < size * (size - 1):
        unmet = {point: [other for other in range(size) if (point, other) not in third] for point in range(size)}
        one = rng.choice([point for point, others in unmet.items() if len(others) > 1])
        other, another = rng.sample([point for point in unmet[one] if point != one], 2)
        if (other, another) in third:
            for pair in permutations((other, another, third[other, another]), 2):
                del third[pair]
        for first, second, last in permutations((one, other, another)):
            third[first, second] = last
    return triples((one, other, last) for (one, other), last in third.items())


# Lemmas


def pigeonhole(pigeons: int, holes: int) -> list[Formula]:
    """Return pigeonhole hypotheses; the holes come in one order, so only pigeons look alike."""
    atoms = Atoms()
    sits = [_any([atoms[pigeon, hole] for hole in range(holes)]) for pigeon in range(pigeons)]
    shared = product(permutations(range(pigeons), 2), range(holes))
    return [*sits, *(negation(atoms[one, hole] & atoms[other, hole]) for (one, other), hole in shared)]


def _any(formulas: list[Atom]) -> Formula:
    *others, last = formulas
    whole: Formula = last
    for formula in reversed(others):
        whole = Or(formula, whole)
    return whole


def chain(length: int) -> Pairs:
    """Return points in a row."""
    return [(step, step + 1) for step in range(length)]


# States by name

K4: Final = tuple(complete(4))
PRISM: Final = tuple(prism(3))
A, B, C = map(Atom, "ABC")

FAMILIES: Final[dict[str, Callable[[], State]]] = {
    "pigeonhole 4 in 3": lambda: goal(pigeonhole(4, 3)),
    "atoms alone": lambda: goal([Atom(f"p{number}") for number in range(20)]),
    "Petersen": lambda: goal(edges(petersen())),
    "complete 8": lambda: goal(edges(complete(8))),
    "cycle of 12 arrows": lambda: goal(arrows(cycles(12))),
    "3 cycles of 4": lambda: goal(edges(cycles(4, 4, 4))),
    "cycles of 3, 3, 4 and 5": lambda: goal(arrows(cycles(3, 3, 4, 5))),
    "rook": lambda: goal(edges(rook())),
    "Shrikhande": lambda: goal(edges(shrikhande())),
    "CFI over K4": lambda: goal(cfi(K4)),
    "CFI over K4, twisted": lambda: goal(cfi(K4, 0)),
    "square of Z4": lambda: goal(square(cyclic(4))),
    "square of Z2 x Z2": lambda: goal(square(booleans(2))),
    "a random square of order 5": lambda: goal(square(latin_square(5, Random(0)))),
    "table of Z6": lambda: goal(table(cyclic(6))),
    "table of S3": lambda: goal(table(symmetric(3))),
    "Steiner triples 7": lambda: goal(steiner(7, Random(1))),
    "Steiner triples 9": lambda: goal(steiner(9, Random(1))),
}
"""States of one goal."""

Pair = Callable[[], tuple[State, State]]


def _graphs(one: list[Formula], other: list[Formula]) -> tuple[State, State]:
    return goal(one), goal(other)


def _beside(one: list[Formula], other: list[Formula]) -> State:
    """Return two goals with the same atoms."""
    return state_of([(one, C), (other, C)])


def _doubled(hypotheses: list[Formula], *places: int) -> State:
    """Return a goal with some hypotheses twice."""
    return goal([*hypotheses, *(hypotheses[place] for place in places)])


SAME: Final[dict[str, Pair]] = {
    "two twists and none": lambda: _graphs(cfi(K4), cfi(K4, 0, 2)),
    "a twist here and a twist there": lambda: _graphs(cfi(PRISM, PRISM[0][0]), cfi(PRISM, PRISM[-1][1])),
    "either arrow of a cycle doubled": lambda: (_doubled(arrows(cycles(6)), 0), _doubled(arrows(cycles(6)), 3)),
    "a cycle in one goal, any arrow of it in the other": lambda: (
        _beside(arrows(cycles(5)), arrows(cycles(5))[:1]),
        _beside(arrows(cycles(5)), arrows(cycles(5))[3:4]),
    ),
}
"""Two ways to build one state."""

DIFFERENT: Final[dict[str, Pair]] = {
    "two triangles and a hexagon": lambda: _graphs(edges(cycles(3, 3)), edges(cycles(6))),
    "cycles 3 + 5 and 4 + 4": lambda: _graphs(arrows(cycles(3, 5)), arrows(cycles(4, 4))),
    "a chain and a cycle with a tail": lambda: _graphs(arrows(chain(6)), arrows([*cycles(5), ((0, 0), 5)])),
    "Petersen's graph and a prism": lambda: _graphs(edges(petersen()), edges(prism(5))),
    "the rook's graph and Shrikhande's": lambda: _graphs(edges(rook()), edges(shrikhande())),
    "CFI over K4": lambda: _graphs(cfi(K4), cfi(K4, 0)),
    "CFI over a prism": lambda: _graphs(cfi(PRISM), cfi(PRISM, PRISM[0][0])),
    "squares of Z4 and Z2 x Z2": lambda: _graphs(square(cyclic(4)), square(booleans(2))),
    "tables of Z6 and S3": lambda: _graphs(table(cyclic(6)), table(symmetric(3))),
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
"""Two states that differ; colour refinement alone tells few of these pairs apart."""
