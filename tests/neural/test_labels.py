"""What the oracle says of moves, held against another engine and exact lengths, and examples as text."""

from __future__ import annotations

from itertools import chain, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula import propl
from curricula.propl_lemmas import published
from oasis.neural.encoding.moves import formulas_of, options
from oasis.neural.labels import Labelled, Oracle, answered, shortest_length
from oasis.neural.training import data
from oasis.neural.training.data import DataSettings, losing, theorems
from oasis.neural.training.writing import read, written
from oasis.proving import shortest_length as exactly_shortest
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tactics.rules import CAN_LOSE
from tests.neural.small import is_provable
from tests.strategies import formulas
from tests.thorough import examples


@given(
    formulas(["A", "B", "C"], max_steps=8, max_size=40),
    st.randoms(use_true_random=False),
    st.booleans(),
    st.booleans(),
)
def test_labels_are_true_wherever_a_play_leads(formula: Formula, rng: Random, eager: bool, everywhere: bool) -> None:
    oracle = Oracle()
    if not oracle.provable((formula,)):
        return
    met = list(oracle.played((formula,), rng.random, eager, everywhere))
    for labelled in met:
        for move, keeps in zip(labelled.options, labelled.keeps, strict=True):
            assert keeps == all(map(is_provable, move.premises))
        assert any(labelled.keeps)
        if everywhere:
            assert labelled.options == options(labelled.formulas)
        else:
            assert not eager or {move.rule for move in labelled.options} <= CAN_LOSE
    if everywhere:
        assert any(not move.premises for labelled in met for move in labelled.options), "a goal was closed"
        assert eager or met[0].formulas == (formula,)


@pytest.mark.parametrize(("eager", "provable"), product((True, False), (True, False)))
def test_plays_that_somebody_chooses_for_meet_truly_labelled_goals(eager: bool, provable: bool) -> None:
    play = Oracle().play((parse("A -> (B \\/ C) \\/ (B \\/ A)"),), lambda: 0.5, eager)
    labelled: Labelled | None = next(play)
    seen = []
    while labelled is not None:
        seen.append(labelled)
        assert labelled.provable == is_provable(labelled.formulas)
        wanted = [place for place, keeps in enumerate(labelled.keeps) if keeps == provable]
        labelled = answered(play, (wanted or [0])[0])
    assert provable == all(each.provable for each in seen)
    assert losing(seen)


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
    found = {move.rule: keeps for move, keeps in zip(labelled.options, labelled.keeps, strict=True)}
    assert found == {"left": True, "right": False}


def test_examples_come_back_as_they_were() -> None:
    met = theorems(DataSettings(theorems=5, plays=2), 0)
    found = list(chain.from_iterable(data.examples(each.labelled) for each in met))
    assert {example.provable for example in found} == {True, False}
    assert read(written(found)) == found
    assert read(written(found[:1]) + written(found[1:])) == found
    assert read("") == []


FORMULA = '["A \\\\/ B"]'


@pytest.mark.parametrize("labels", [",", ", true]", ", true, [0]]", ", true, [0, 0]]", ", true, [1, 0, 1]]"])
def test_examples_with_other_labels_are_refused(labels: str) -> None:
    assert read(f"[{FORMULA}, true, [1, 0]]")
    with pytest.raises((TypeError, ValueError)):
        read(f"[{FORMULA}{labels}")


@pytest.mark.parametrize("line", ["{", "[]", "3", "[[], true, []]", '[["A /\\\\"], true, []]', "[[3], true, []]"])
def test_other_text_is_refused(line: str) -> None:
    with pytest.raises((TypeError, ValueError)):
        read(line)
