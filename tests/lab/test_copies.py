"""The lemmas of the experiments: other letters, the same structure; and what each thing overlooked merges of them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from curricula import resolve, resolve_lemma
from curricula.lemma import Status
from curricula.library import textbook_lemma
from oasis.lab.copies import at_once, copies, relettered
from oasis.lab.sharing.experiments import CHOICES
from oasis.lab.sharing.merging import Distinct, distinct, met_at_random
from state_spaces import Name
from tactics.errors import InputError
from tactics.formula import And, Formula, atoms
from tactics.goal import Goal, Hypothesis, State, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import legal_moves, premises
from tests.strategies import PLAIN_NAMES, formulas, states


def key(formula: Formula) -> object:
    return Name().view(initial(formula)).key


@settings(deadline=None)
@given(formulas(PLAIN_NAMES), st.integers(0, 30), st.randoms(use_true_random=False))
def test_copies_read_differently_and_are_the_same_lemma(formula: Formula, number: int, rng: Random) -> None:
    assume(atoms(formula))
    found = copies(formula, number, rng)
    assert len({show(copy) for copy in found}) == number
    assert {key(copy) for copy in found} <= {key(formula)}


def test_copies_draw_their_letters_anew_and_by_seed_and_there_are_enough() -> None:
    formula = textbook_lemma("exchange").formula
    assert copies(formula, 5, Random(1)) == copies(formula, 5, Random(1))
    assert not set(copies(formula, 5, Random(1))) & set(copies(formula, 5, Random(2)))
    found = copies(parse("p -> p"), 200, Random(0))
    assert len(set(found)) == 200
    with pytest.raises(InputError, match="no atoms"):
        copies(parse("False -> False"), 3, Random(0))


def test_every_formula_of_a_sequence_gets_letters_that_no_other_has() -> None:
    theorems = [textbook_lemma(name).formula for name in CHOICES]
    drawn = relettered(3 * theorems, Random(4))
    assert len(set(drawn)) == 3 * len(CHOICES)
    assert [key(formula) for formula in drawn] == 3 * [key(formula) for formula in theorems]
    assert relettered(3 * theorems, Random(4)) == drawn != relettered(3 * theorems, Random(5))


def test_several_at_once_are_joined_copies_with_letters_of_their_own() -> None:
    formula = textbook_lemma("or_comm").formula
    for number, joined in enumerate(at_once(formula, 5), 1):
        assert len(atoms(joined)) == 2 * number
        parts: list[Formula] = []
        while len(parts) < number - 1:
            assert isinstance(joined, And)
            parts.append(joined.left)
            joined = joined.right
        assert {key(part) for part in [*parts, joined]} == {key(formula)}


def can_get_stuck(formula: Formula) -> bool:
    """Whether some moves end in a goal that allows none."""
    (start,) = initial(formula)
    seen: dict[Goal, None] = {start: None}
    for goal in (pending := [start]):
        moves = legal_moves(goal)
        if not moves:
            return True
        for premise in (premise for move in moves for premise in premises(goal, move)):
            if premise not in seen:
                seen[premise] = None
                pending.append(premise)
    return False


def test_the_lemmas_with_choices_are_the_textbooks_theorems_in_which_one_can_get_stuck() -> None:
    theorems = [lemma for lemma in resolve("textbook").lemmas if lemma.status is Status.THEOREM]
    stuck = [lemma.name.removeprefix("textbook/") for lemma in theorems if can_get_stuck(lemma.formula)]
    assert len(theorems) > 4 * len(stuck)
    assert stuck == [*CHOICES]


# What merges.


def goal(conclusion: str, **hypotheses: str) -> Goal:
    named = tuple(Hypothesis(name, parse(text)) for name, text in hypotheses.items())
    return Goal(named, parse(conclusion))


def test_each_notion_merges_what_it_overlooks() -> None:
    waiting = goal("q")
    first = goal("p", H="p", H0="p -> q")
    some: list[State] = [
        (first,),
        (goal("p", H="p -> q", H0="p"),),  # other names and order
        (goal("r", H="r", H0="r -> p"),),  # other atoms
        (first, waiting),  # another goal waits
        (first, goal("p")),  # and another one
        (goal("p", H="p", H0="p -> p"),),  # another pattern of atoms
        (goal("p", H="p", H0="p -> q", H1="p"),),  # one hypothesis twice
    ]
    assert distinct(some) == Distinct(text=7, unordered=6, name=5, focused=4, match=3)
    assert distinct([]) == Distinct(0, 0, 0, 0, 0)


@settings(deadline=None)
@given(st.lists(states(), max_size=6))
def test_whoever_overlooks_more_sees_no_more_states(some: list[State]) -> None:
    counts = distinct(some)
    assert counts.text == len(set(some))
    assert counts.text >= counts.unordered >= counts.name >= counts.match
    assert counts.unordered >= counts.focused >= counts.match


@settings(deadline=None)
@given(formulas(max_steps=5, max_size=15), st.integers(0, 2**32))
def test_a_random_player_meets_the_same_states_with_the_same_seed(formula: Formula, seed: int) -> None:
    met = met_at_random([formula], 3, Random(seed))
    assert met_at_random([formula], 3, Random(seed)) == met
    assert () not in met
    assert all(state for state in met)


@pytest.mark.parametrize("lemma", ["SYJ203.2", "SYJ203.3", "SYJ203.4"])
def test_inside_syj203_renaming_merges_nothing(lemma: str) -> None:
    counts = distinct(met_at_random([resolve_lemma(lemma).formula], 300, Random(0)))
    assert counts.name == counts.unordered < counts.text
    assert counts.match == counts.focused < counts.name


def test_renaming_merges_copies_with_their_lemma() -> None:
    lemma = resolve_lemma("SYJ203.2").formula
    alone = distinct(met_at_random([lemma], 400, Random(0)))
    together = distinct(met_at_random([lemma, *copies(lemma, 2, Random(5))], 400, Random(0)))
    assert together.text > 2.5 * alone.text
    assert together.match == alone.match


def test_sentences_say_what_was_counted() -> None:
    none, some = Distinct(100, 60, 60, 20, 20).sentences(), Distinct(100, 60, 50, 20, 17).sentences()
    assert all("renaming atoms merges none of these" in sentence for sentence in none)
    assert "Of 100 states" in none[0]
    assert "60 are left" in none[0]
    assert "merges 10 of these (Name)" in some[0]
    assert "merges 3 of these (Match)" in some[1]
