"""Forcing agrees with its definition, and a model that is no countermodel is told apart from one that is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.teacher.countermodels.forcing import Forcing, NotACountermodel, check, check_order
from oasis.teacher.countermodels.kripke import Kripke
from tactics.formula import FALSE, TRUTH, And, Atom, Formula, Implies, Or, equivalence
from tactics.parser import parse
from tests.strategies import formulas
from tests.teacher.models import EXAMPLES, NAMES, above, forces, kripke, models

P, Q, R = map(Atom, NAMES)


@given(models(), formulas(NAMES, max_size=40))
@settings(max_examples=EXAMPLES // 4)
def test_forcing_agrees_with_its_definition(model: Kripke, formula: Formula) -> None:
    forcing = Forcing(model)
    assert [forcing.forces(world, formula) for world in range(len(model.true))] == [
        forces(model, world, formula) for world in range(len(model.true))
    ]


@given(models(), formulas(NAMES))
@settings(max_examples=EXAMPLES // 4)
def test_what_is_forced_stays_forced_above(model: Kripke, formula: Formula) -> None:
    forcing = Forcing(model)
    for world in range(len(model.true)):
        if forcing.forces(world, formula):
            assert all(forcing.forces(other, formula) for other in above(model, world))


def _in_the_truth_table(formula: Formula, true: frozenset[Atom]) -> bool:
    match formula:
        case And(left, right):
            return _in_the_truth_table(left, true) and _in_the_truth_table(right, true)
        case Or(left, right):
            return _in_the_truth_table(left, true) or _in_the_truth_table(right, true)
        case Implies(left, right):
            return not _in_the_truth_table(left, true) or _in_the_truth_table(right, true)
        case _:
            return formula in true


@given(formulas(NAMES, max_size=60), st.frozensets(st.sampled_from([P, Q, R])))
@settings(max_examples=EXAMPLES // 4)
def test_a_model_of_one_world_is_a_row_of_the_truth_table(formula: Formula, true: frozenset[Atom]) -> None:
    assert Forcing(Kripke((true,), (1,))).forces(0, formula) == _in_the_truth_table(formula, true)


@given(models())
@settings(max_examples=EXAMPLES // 4)
def test_random_models_are_models(model: Kripke) -> None:
    check_order(model)


def test_the_order_in_which_formulas_are_asked_for_does_not_matter() -> None:
    model = kripke([(0, 1), (0, 2)], "", "p", "q")
    forcing = Forcing(model)
    assert [forcing.worlds(each) for each in (P, P | Q, ~P, ~~P, P, R, FALSE, TRUTH)] == [2, 6, 4, 2, 2, 0, 0, 7]


def test_a_shared_formula_is_looked_at_once() -> None:
    chain: Formula = P
    for _ in range(5_000):
        chain = equivalence(chain, P)
    assert chain.size > 10**1000
    assert Forcing(kripke([], "")).worlds(chain) in (0, 1)


def test_a_countermodel_passes() -> None:
    check(kripke([(0, 1)], "", "p"), (), parse("p \\/ ~ p"))
    check(kripke([(0, 1)], "", "p"), [parse("~ ~ p"), parse("p -> p")], P)


_ROW = (frozenset[Atom](), frozenset({P}), frozenset({P}))


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Kripke((), ()), "0 worlds"),
        (Kripke(_ROW, (7,)), "3 worlds, and 1 are put in order"),
        (Kripke(_ROW, (3, 2, 4)), "above the root"),
        (Kripke(_ROW, (15, 2, 4)), "above the root"),
        (Kripke(_ROW, (7, 0, 4)), "Above world 1 must be itself"),
        (Kripke(_ROW, (7, 10, 4)), "Something is above world 1 and not above world 0"),
        (Kripke(_ROW, (7, 6, 6)), "Worlds 1 and 2 are above each other"),
        (Kripke((*_ROW, frozenset({P})), (15, 6, 12, 8)), "Something is above world 2 and not above world 1"),
        (Kripke(_ROW[1:] + _ROW[:1], (7, 2, 4)), "true at world 0 and not at world 2"),
        (Kripke((_ROW[0], frozenset({P, Q}), _ROW[1]), (7, 6, 4)), "true at world 1 and not at world 2"),
    ],
)
def test_what_is_no_kripke_model_is_refused_with_the_reason(model: Kripke, reason: str) -> None:
    with pytest.raises(NotACountermodel, match=reason):
        check(model, (), P)


@pytest.mark.parametrize(
    ("hypotheses", "goal", "reason"),
    [
        ([], "~ ~ p", r"The root forces the goal ~ ~ p\."),
        (["~ ~ p", "p"], "q", r"The root does not force the hypothesis p\."),
    ],
)
def test_a_model_that_refutes_something_else_is_refused(hypotheses: list[str], goal: str, reason: str) -> None:
    with pytest.raises(NotACountermodel, match=reason):
        check(kripke([(0, 1)], "", "p"), [parse(each) for each in hypotheses], parse(goal))


@given(models(), st.lists(formulas(NAMES, max_size=12), max_size=2), formulas(NAMES, max_size=12))
@settings(max_examples=EXAMPLES // 4)
def test_check_refuses_exactly_what_the_definition_does(
    model: Kripke, hypotheses: list[Formula], goal: Formula
) -> None:
    refutes = all(forces(model, 0, each) for each in hypotheses) and not forces(model, 0, goal)
    try:
        check(model, hypotheses, goal)
    except NotACountermodel:
        assert not refutes
    else:
        assert refutes
