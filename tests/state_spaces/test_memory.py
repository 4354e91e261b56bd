"""What is worked out about a lemma is forgotten with it, so memory stays flat however many lemmas are met."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from curricula.generator import random_formula
from oasis.teacher.deciding.decide import decide
from state_spaces import STATE_SPACES
from tactics.formula import Atom, Formula
from tactics.goal import Goal, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import apply, legal_moves

pytestmark = pytest.mark.slow

WALKED, DECIDED = 10_000, 200


FEW = 20
"""Formulas that whatever else runs in this process may make meanwhile: far fewer than a lemma in a hundred."""


def lemmas(number: int, name: str) -> Iterator[Formula]:
    """Random lemmas, each with an atom that no other has."""
    draw = Random(0).random
    for place in range(number):
        yield random_formula(draw, 4, [Atom(f"{name}{place}"), Atom("q")], falsum=0.2)


def walk(lemma: Formula) -> None:
    """Read a lemma, see its first state in every space, make all its moves, and follow the last one to an end."""
    state = initial(parse(show(lemma)))
    for space in STATE_SPACES.values():
        space().view(state)
    while state and (moves := legal_moves(state[0])):
        state = [apply(state, move) for move in moves][-1]


def alive() -> Counter[str]:
    """How many formulas and goals there are, by kind, once what nobody can reach is gone."""
    gc.collect()
    return Counter(type(each).__name__ for each in gc.get_objects() if isinstance(each, Formula | Goal))


def test_lemmas_that_were_walked_leave_no_formula_and_no_goal_behind() -> None:
    walk(parse("p -> q"))
    before = alive().total()
    for lemma in lemmas(WALKED, "walked"):
        walk(lemma)
    del lemma
    assert alive().total() <= before + FEW


def test_lemmas_that_were_decided_leave_no_formula_and_no_goal_behind() -> None:
    decide(parse("p -> q"))
    before = alive().total()
    for lemma in lemmas(DECIDED, "decided"):
        decide(lemma)
    del lemma
    assert alive().total() <= before + FEW
