"""The second engine: against the first, against the generator's search, and against all ways to play the rules."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from curricula import FAMILIES, resolve
from oasis.limits import Limit, LimitReached
from oasis.teacher.deciding.intuit import Intuit, Proved
from oasis.teacher.deciding.sequents import Sequents, junctions
from tactics.formula import FALSE, And, Atom, Formula, Implies, Or
from tactics.goal import Goal
from tactics.parser import parse
from tests.backends.walks import provable
from tests.strategies import goals
from tests.teacher.lemmas import lemmas
from tests.teacher.models import EXAMPLES


@pytest.mark.parametrize("kind", ["theorem", "non-theorem"])
def test_both_engines_agree_with_each_other_and_with_a_plain_search(kind: str) -> None:
    """Half of the formulas are theorems; each is a new sequent to engines that remember all before."""
    sequents, intuit = Sequents(), Intuit()
    for lemma in lemmas(kind, EXAMPLES // 2):
        expected = lemma.status == "theorem"
        assert sequents.decide((), lemma.formula) is expected, lemma.name
        assert isinstance(intuit.decide((), lemma.formula), Proved) is expected, lemma.name


@settings(max_examples=EXAMPLES // 4)
@given(goals())
def test_a_sequent_is_provable_exactly_if_some_play_of_the_rules_closes_it(goal: Goal) -> None:
    hypotheses = [hypothesis.formula for hypothesis in goal.hypotheses]
    assert Sequents().decide(hypotheses, goal.conclusion) is provable(goal)


@settings(max_examples=EXAMPLES // 4)
@given(goals(), goals())
def test_what_was_searched_before_changes_no_answer(first: Goal, second: Goal) -> None:
    warm = Sequents()
    for goal in (first, second, first):
        hypotheses = [hypothesis.formula for hypothesis in goal.hypotheses]
        assert warm.decide(hypotheses, goal.conclusion) is Sequents().decide(hypotheses, goal.conclusion)


@pytest.mark.parametrize(
    ("curriculum", "levels"), [("textbook", None), ("thesis", None), *((f, (1, 2, 3)) for f in FAMILIES)]
)
def test_lemmas_of_the_library_are_what_their_source_says(curriculum: str, levels: tuple[int, ...] | None) -> None:
    for lemma in resolve(curriculum, levels=levels).lemmas:
        assert Sequents().decide((), lemma.formula) is (lemma.status == "theorem"), lemma.name


def test_deep_formulas_need_no_deep_stack() -> None:
    p, q = Atom("p"), Atom("q")
    nested: Formula = p
    for _ in range(3_000):
        nested = (nested >> q) >> q
    assert Sequents().decide((p,), nested)
    conjunction: Formula = p
    for _ in range(20_000):
        conjunction = conjunction & (p | q)
    assert Sequents().decide((p,), conjunction)
    assert not Sequents().decide((q,), conjunction)


def test_a_shared_conjunction_is_looked_at_once() -> None:
    """Written out it would have 2^200 atoms."""
    formula: Formula = Atom("p") | Atom("q")
    for _ in range(200):
        formula = formula & formula
    assert len(junctions(formula)) == 201
    assert Sequents().decide((Atom("q"),), formula)
    assert Sequents().decide((formula,), parse("q \\/ p"))


def test_the_limit_holds() -> None:
    (lemma,) = resolve("SYJ202.12").lemmas
    with pytest.raises(LimitReached, match=r"0\.5 seconds"):
        Sequents(Limit(0.5)).decide((), lemma.formula)


@pytest.mark.parametrize("kind", [And, Or, Implies])
def test_falsum_and_repetitions_are_no_special_cases(kind: type[And | Or | Implies]) -> None:
    p = Atom("p")
    for formula in (kind(FALSE, FALSE), kind(FALSE, p), kind(p, FALSE), kind(p, p)):
        for hypotheses in ((), (p,), (p, p), (formula,), (FALSE,)):
            goal = Goal((), formula)
            for hypothesis in reversed(hypotheses):
                goal = Goal((), hypothesis >> goal.conclusion)
            assert Sequents().decide(hypotheses, formula) is provable(goal)
