"""The lemmas of the experiments: other letters, the same structure."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from curricula import resolve
from curricula.lemma import Status
from curricula.library import textbook_lemma
from oasis.lab.copies import at_once, copies, relettered
from oasis.lab.sharing.experiments import CHOICES
from state_spaces import Name
from tactics.errors import InputError
from tactics.formula import And, Formula, atoms
from tactics.goal import Goal, initial
from tactics.parser import parse
from tactics.printer import show
from tactics.rules import legal_moves, premises
from tests.strategies import PLAIN_NAMES, formulas


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
