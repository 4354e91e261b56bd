"""What is counted without writing a formula out agrees with writing it out."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.dagger.anatomy import SMALL, _walked, anatomy, depth, literals
from oasis.dagger.valuations import refuted, truth_table
from tactics.formula import And, Atom, Binary, Formula, Implies, Or
from tactics.goal import Goal, State
from tactics.parser import parse
from tests.state_spaces.variants import made, state_of
from tests.strategies import PLAIN_NAMES, formulas


def written_out(formula: Formula, positive: bool = True) -> Iterator[tuple[Formula, bool]]:
    """Every subformula as often as it occurs, and whether it does so positively."""
    yield formula, positive
    if isinstance(formula, Binary):
        yield from written_out(formula.left, positive != isinstance(formula, Implies))
        yield from written_out(formula.right, positive)


def deep(formula: Formula) -> int:
    return 1 + max(deep(formula.left), deep(formula.right)) if isinstance(formula, Binary) else 0


def holds(formula: Formula, true: frozenset[Formula]) -> bool:
    if isinstance(formula, Binary):
        left, right = holds(formula.left, true), holds(formula.right, true)
        if isinstance(formula, And):
            return left and right
        return left or right if isinstance(formula, Or) else not left or right
    return formula in true


def valuations(atoms: Sequence[Atom]) -> Iterator[frozenset[Formula]]:
    """Every set of atoms that may be true."""
    for bits in product((False, True), repeat=len(atoms)):
        yield frozenset[Formula](atom for atom, bit in zip(atoms, bits, strict=True) if bit)


@given(formula=formulas(max_size=2 * SMALL))
def test_subformulas_and_literals_are_counted_as_if_written_out(formula: Formula) -> None:
    found = anatomy(formula)
    every = list(written_out(formula))
    assert found.occurrences == Counter(node for node, _ in every)
    assert found.literals == Counter((node, sign) for node, sign in every if isinstance(node, Atom))
    assert found.atoms == {node for node, _ in every if isinstance(node, Atom)}
    assert found.depth == deep(formula)


@given(sides=st.lists(st.tuples(formulas(max_size=12), st.sampled_from([And, Or, Implies]), st.booleans()), min_size=1))
def test_a_large_formula_that_is_taken_apart_is_counted_as_one_by_itself(
    sides: list[tuple[Formula, type[Binary], bool]],
) -> None:
    whole = parse(" /\\ ".join(f"(a{number} -> b)" for number in range(SMALL)))
    parts = [whole]
    for side, connective, is_left in sides:
        parts.append(connective(side, parts[-1]) if is_left else connective(parts[-1], side))
    parts[:1] = [*chain(whole)][::-1]
    for part in reversed(parts):
        assert anatomy(part) == _walked(part)[0]


def chain(formula: Formula) -> Iterator[Formula]:
    """The first large parts of a formula, from the whole inwards."""
    for _ in range(5):
        yield formula
        assert isinstance(formula, Binary)
        formula = max(formula.left, formula.right, key=lambda side: side.size)


@given(state=made())
def test_a_goal_has_the_literals_of_its_hypotheses_on_the_left_of_an_implication(state: State) -> None:
    goal = state[0]
    formula = goal.conclusion
    for _, hypothesis in goal.hypotheses:
        formula = hypothesis >> formula
    assert literals(goal) == anatomy(formula).literals


@given(formula=formulas(PLAIN_NAMES))
def test_a_truth_table_has_a_bit_for_each_valuation(formula: Formula) -> None:
    atoms = tuple(map(Atom, PLAIN_NAMES))
    table = truth_table(formula, atoms)
    assert table.bit_count() == sum(holds(formula, true) for true in valuations(atoms))
    for atom in atoms:
        assert (table & truth_table(atom, atoms)).bit_count() == sum(
            holds(formula & atom, true) for true in valuations(atoms)
        )


@given(state=made())
def test_a_state_is_refuted_by_the_valuations_that_refute_a_goal(state: State) -> None:
    atoms = sorted(
        {
            atom
            for goal in state
            for formula in (goal.conclusion, *(f for _, f in goal.hypotheses))
            for atom in anatomy(formula).atoms
        },
        key=lambda atom: atom.name,
    )
    refuting = [
        true
        for true in valuations(atoms)
        if any(all(holds(f, true) for _, f in goal.hypotheses) and not holds(goal.conclusion, true) for goal in state)
    ]
    assert refuted(state) == len(refuting) / 2 ** len(atoms)


@pytest.mark.parametrize("function", [depth, lambda goal: refuted((goal,))], ids=["depth", "refuted"])
def test_goals_are_forgotten_with_what_was_worked_out_about_them(function: object) -> None:
    assert callable(function)
    (goal,) = state_of([([parse("forgotten /\\ b")], parse("forgotten -> b"))])
    known: weakref.ref[Goal] = weakref.ref(goal)
    function(goal)
    del goal
    gc.collect()
    assert known() is None
