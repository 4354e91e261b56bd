"""Random lemmas and Kripke models for tests, and forcing straight from its definition."""

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from hypothesis import strategies as st

from curricula.generator import RandomSettings, random_formula, random_lemmas
from curricula.lemma import Lemma
from oasis.teacher.countermodels.kripke import Kripke
from tactics.formula import And, Atom, Formula, Implies, Or
from tests.thorough import examples

EXAMPLES: Final = examples(1_000)
"""On how many random examples a property is tried; a long run is `OASIS_EXAMPLES=20000 pytest tests/teacher`."""

NAMES: Final = ("p", "q", "r")


def forces(model: Kripke, world: int, formula: Formula) -> bool:
    """Return True if a world forces a formula, by Kripke's definition word for word."""
    match formula:
        case Atom():
            return formula in model.true[world]
        case And(left, right):
            return forces(model, world, left) and forces(model, world, right)
        case Or(left, right):
            return forces(model, world, left) or forces(model, world, right)
        case Implies(left, right):
            return all(not forces(model, other, left) or forces(model, other, right) for other in above(model, world))
        case _:
            return False


def above(model: Kripke, world: int) -> list[int]:
    """Return the worlds above a world, itself among them."""
    return [other for other in range(len(model.true)) if model.above[world] >> other & 1]


def kripke(edges: Iterable[tuple[int, int]], *true: str) -> Kripke:
    """Return the model with the least order that has these edges; for each world its own atoms, separated by spaces."""
    size = len(true)
    over = [{world} for world in range(size)]
    pairs = [*edges, *((0, world) for world in range(size))]
    for _ in range(size):
        for lower, upper in pairs:
            over[lower] |= over[upper]
    atoms: list[set[Atom]] = [set() for _ in true]
    for world, names in enumerate(true):
        for other in over[world]:
            atoms[other] |= {Atom(name) for name in names.split()}
    return Kripke(tuple(map(frozenset, atoms)), tuple(sum(1 << other for other in others) for others in over))


@st.composite
def models(draw: st.DrawFn, max_worlds: int = 6) -> Kripke:
    """Models of a few worlds, numbered so that what lies above has the larger number."""
    size = draw(st.integers(1, max_worlds))
    pairs = [(lower, upper) for upper in range(size) for lower in range(upper)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return kripke(edges, *(" ".join(draw(st.sets(st.sampled_from(NAMES)))) for _ in range(size)))


def refuted(count: int) -> Iterator[tuple[Kripke, Formula]]:
    """Yield random models with formulas that their roots do not force, the same ones every time."""
    draw = random.Random(0).random
    atoms = [Atom(name) for name in NAMES]
    while count:
        size = 1 + int(6 * draw())
        edges = [(lower, upper) for upper in range(size) for lower in range(upper) if draw() < 0.4]
        model = kripke(edges, *(" ".join(name for name in NAMES if draw() < 0.25) for _ in range(size)))
        formula = random_formula(draw, 1 + int(12 * draw()), atoms, 0.2)
        if not forces(model, 0, formula):
            count -= 1
            yield model, formula


def lemmas(kind: str, count: int, seed: int = 0) -> Iterator[Lemma]:
    """Return theorems, non-theorems or formulas of any kind, about as many of each size from 3 to 30."""
    sizes = range(3, 31)
    each = -(-count // len(sizes))
    drawn = (
        lemma
        for size in sizes
        for lemma in random_lemmas(RandomSettings(size=size, atoms=3 + size // 12, kind=kind, count=each, seed=seed))
    )
    return islice(drawn, count)
