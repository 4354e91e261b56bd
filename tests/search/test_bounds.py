"""The bounds: below the truth, everywhere, and what they leave out is not missed."""

from __future__ import annotations

from functools import reduce
from math import inf
from operator import and_

import pytest
from hypothesis import given, settings

from curricula.resolve import resolve_lemma
from oasis.search.bounds import Outlook, Relaxation
from oasis.search.countermodels import ALL_MODELS, Countermodels
from oasis.teacher.deciding.sequents import Sequents
from tactics.goal import Goal
from tactics.parser import parse
from tests.search.sequents import EXAMPLES, lengths_of, named, sequents


def looked_at(goal: Goal) -> tuple[Relaxation, Outlook | None]:
    """A goal's relaxation, and its outlook."""
    formulas = tuple(formula for _, formula in goal.hypotheses)
    relaxation = Relaxation(goal.conclusion, formulas)
    numbers = tuple(sorted(relaxation.number[each.id] for each in formulas))
    return relaxation, relaxation.outlook(relaxation.number[goal.conclusion.id], numbers)


def bound(text: str) -> float:
    _, outlook = looked_at(named(parse(text), ()))
    return inf if outlook is None else outlook.bound


@settings(max_examples=EXAMPLES)
@given(sequents())
def test_no_proof_is_shorter_than_the_bound(goal: Goal) -> None:
    lengths = lengths_of([goal])
    if lengths is not None:
        _, outlook = looked_at(goal)
        assert (inf if outlook is None else outlook.bound) <= lengths[0]


@settings(max_examples=EXAMPLES)
@given(sequents())
def test_a_shortest_proof_does_not_miss_the_hypotheses_that_are_left_out(goal: Goal) -> None:
    relaxation, outlook = looked_at(goal)
    if outlook is not None:
        rest = named(goal.conclusion, (relaxation.formulas[each] for each in outlook.hypotheses))
        lengths = lengths_of([goal, rest])
        assert lengths is None or lengths[0] == lengths[1]


@settings(max_examples=EXAMPLES)
@given(sequents())
def test_another_hypothesis_never_makes_a_shortest_proof_longer(goal: Goal) -> None:
    """Which the bounds, and leaving something out, rest on."""
    fewer = [
        Goal(goal.hypotheses[:place] + goal.hypotheses[place + 1 :], goal.conclusion)
        for place in range(len(goal.hypotheses))
    ]
    lengths = lengths_of([goal, *fewer])
    if lengths is not None:
        assert all(lengths[0] <= length for length in lengths[1:])


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 8, 20])
def test_the_bound_is_the_length_of_the_shortest_proof_where_every_move_is_a_landmark(level: int) -> None:
    for name in (f"SYJ203.{level}", f"SYJ204.{level}"):
        lemma = resolve_lemma(name)
        _, outlook = looked_at(named(lemma.formula, ()))
        assert outlook is not None
        assert outlook.bound == lemma.shortest


def test_a_move_that_can_be_replaced_counts_only_as_one_of_several() -> None:
    assert bound("A -> A") == 2
    assert bound("A /\\ B -> A") == 3
    assert bound("A -> A \\/ A \\/ A") == 3  # intro, and left or right
    assert bound("A -> B") == inf


def test_what_no_chain_of_needs_leads_to_is_left_out() -> None:
    goal = named(parse("C"), map(parse, ["A", "A -> B", "D -> C", "C -> A", "A -> A -> C", "A"]))
    relaxation, outlook = looked_at(goal)
    assert outlook is not None
    kept = {relaxation.formulas[each] for each in outlook.hypotheses}
    assert kept == {parse("A"), parse("A -> A -> C")}


@settings(max_examples=EXAMPLES)
@given(sequents())
def test_what_a_random_model_refutes_has_no_proof(goal: Goal) -> None:
    models = Countermodels()
    formulas = (goal.conclusion, *(formula for _, formula in goal.hypotheses))
    worlds = zip(*map(models.having, formulas), strict=True)
    for conclusion, *hypotheses in worlds:
        if reduce(and_, hypotheses, ALL_MODELS & ~conclusion):
            assert not Sequents().decide([formula for _, formula in goal.hypotheses], goal.conclusion)


def test_random_models_are_models() -> None:
    models = Countermodels()
    below, one, other = models.having(parse("A -> B \\/ C"))
    assert below & ~one == below & ~other == 0
    classical = models.having(parse("A \\/ ~A"))
    assert classical[0] != ALL_MODELS == classical[1] == classical[2]
    assert models.having(parse("~A \\/ ~~A"))[0] != ALL_MODELS
    assert models.having(parse("A /\\ B -> B /\\ A")) == (ALL_MODELS, ALL_MODELS, ALL_MODELS)
