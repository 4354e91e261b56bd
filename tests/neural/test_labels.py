"""What the oracle says of moves, held against the other engine and against exact lengths."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from curricula import propl
from curricula.propl_lemmas import published
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.labels import Oracle, shortest_length
from oasis.proving import shortest_length as exactly_shortest
from oasis.teacher.deciding.intuit import Intuit, Proved
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tactics.rules import CAN_LOSE
from tests.strategies import formulas
from tests.thorough import examples


def is_provable(goal: tuple[Formula, ...]) -> bool:
    return isinstance(Intuit().decide(goal[1:], goal[0]), Proved)


@given(formulas(["A", "B", "C"], max_steps=8, max_size=40), st.randoms(use_true_random=False), st.booleans())
def test_labels_are_true_wherever_a_play_leads(formula: Formula, rng: Random, eager: bool) -> None:
    oracle = Oracle()
    if not oracle.provable((formula,)):
        return
    for labelled in oracle.played((formula,), rng.random, eager):
        assert any(labelled.keeps)
        assert not eager or {move.rule for move in labelled.options} <= CAN_LOSE
        for move, keeps in zip(labelled.options, labelled.keeps, strict=True):
            assert keeps == all(map(is_provable, move.premises))


@given(formulas(["A", "B", "C"], max_steps=8, max_size=40), st.randoms(use_true_random=False), st.booleans())
def test_a_play_that_is_asked_for_everything_tells_every_goal_it_comes_to(
    formula: Formula, rng: Random, eager: bool
) -> None:
    oracle = Oracle()
    if not oracle.provable((formula,)):
        return
    told = list(oracle.played((formula,), rng.random, eager, everywhere=True))
    for labelled in told:
        assert labelled.options == options(labelled.formulas)
        for move, keeps in zip(labelled.options, labelled.keeps, strict=True):
            assert keeps == all(map(is_provable, move.premises))
    closed = sum(any(not move.premises for move in labelled.options) for labelled in told)
    assert eager or told[0].formulas == (formula,)
    assert closed >= 1


@settings(max_examples=examples(60))
@given(formulas(["A", "B"], max_steps=6, max_size=16))
def test_lengths_are_the_shortest_up_to_the_bound(formula: Formula) -> None:
    exact = exactly_shortest(formula)
    for most in (1, 4, 6):
        assert shortest_length((formula,), most) == (exact if exact is not None and exact <= most else None)


def test_lengths_are_those_of_the_published_sets() -> None:
    for entry in published()["propl-test-ordinary"][:40]:
        assert shortest_length((propl.formula(entry.number, entry.n),), 6) == entry.length


def test_a_side_that_cannot_be_proved_loses() -> None:
    (goal,) = initial(parse("(A -> A) \\/ B"))
    labelled = Oracle().labelled(formulas_of(goal))
    assert {move.rule: keeps for move, keeps in zip(labelled.options, labelled.keeps, strict=True)} == {
        "left": True,
        "right": False,
    }
