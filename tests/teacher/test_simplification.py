"""Simplified formulas are theorems exactly if the original ones are, and their countermodels tell of these as well."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from oasis.limits import Limit
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.deciding.simplification import simplified
from tactics.formula import Formula, subformulas
from tactics.parser import parse
from tests.strategies import formulas
from tests.teacher.lemmas import lemmas
from tests.teacher.models import EXAMPLES


def agree(formula: Formula) -> None:
    """The simplified formula and the original are theorems together, or a countermodel to the one is one to both."""
    simple = simplified(formula, Limit())
    assert len(list(subformulas(simple.formula))) <= len(list(subformulas(formula)))
    theorem = Sequents().decide((), formula)
    assert Sequents().decide((), simple.formula) is theorem
    found = Intuit().decide((), simple.formula)
    assert isinstance(found, Kripke) is not theorem
    if isinstance(found, Kripke):
        check(simple.original(found), (), formula)


@settings(max_examples=EXAMPLES // 2)
@given(formulas(("p", "q", "r", "s")))
def test_any_formula_and_what_is_left_of_it_agree(formula: Formula) -> None:
    agree(formula)


@pytest.mark.parametrize("kind", ["theorem", "non-theorem"])
def test_random_lemmas_and_what_is_left_of_them_agree(kind: str) -> None:
    for lemma in lemmas(kind, EXAMPLES // 2, seed=3):
        agree(lemma.formula)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("~ ~ ~ p", "False"),
        ("p -> p", "True"),
        ("p", "False"),
        ("p -> q", "False"),
        ("~ p -> ~ p", "True"),
        ("p /\\ True -> p \\/ False", "True"),
        ("False -> p", "True"),
        ("(((p -> q) -> q) -> q) -> p -> q", "True"),
        ("p \\/ ~ p", "p \\/ ~ p"),
        ("(q \\/ ~ q) /\\ (p -> p -> r)", "False"),
        ("~ ~ ~ (p \\/ ~ p)", "~ (p \\/ ~ p)"),
        ("((p -> q) -> p) -> p", "(~ p -> p) -> p"),
        ("(p -> q) \\/ (q -> p)", "(p -> q) \\/ (q -> p)"),
        ("p -> p -> q -> p /\\ (p -> q)", "p -> q -> p /\\ (p -> q)"),
    ],
)
def test_what_is_left(text: str, left: str) -> None:
    assert simplified(parse(text), Limit()).formula is parse(left)


def test_what_was_made_true_is_true_everywhere_in_a_countermodel() -> None:
    formula = parse("r -> p \\/ ~ p")
    simple = simplified(formula, Limit())
    assert simple.formula is parse("p \\/ ~ p")
    assert [atom.name for atom in simple.true] == ["r"]
    found = Intuit().decide((), simple.formula)
    assert isinstance(found, Kripke)
    assert all(simple.true <= true for true in simple.original(found).true)
