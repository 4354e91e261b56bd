"""Countermodels get small and stay countermodels; the quotient forgets nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings

from curricula import resolve
from curricula.generator import random_formula
from curricula.lemma import Status
from oasis.limits import Limit, LimitReached
from oasis.teacher.countermodels.countermodel import Countermodel, refute, refute_goal
from oasis.teacher.countermodels.forcing import Forcing, NotACountermodel, check, check_order
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.shrinking import edges, heights, quotient, shrunk, submodel, upwards
from oasis.teacher.deciding.intuit import Intuit
from tactics.formula import Atom, Formula, atoms
from tactics.goal import Goal
from tactics.parser import parse
from tests.strategies import formulas, goals
from tests.teacher.models import EXAMPLES, NAMES, above, forces, kripke, models, refuted

TEXTBOOK_SIZES = {
    "excluded_middle": 2,
    "double_negation_elim": 2,
    "peirce": 2,
    "weak_excluded_middle": 3,
    "de_morgan_not_and": 3,
    "contraposition_converse": 2,
    "or_from_implication": 2,
    "dummett": 3,
    "kreisel_putnam": 4,
    "scott": 4,
    "not_implication": 2,
    "implication_to_or": 3,
}


def _random_formulas() -> Iterator[Formula]:
    draw = random.Random(0).random
    for number in range(2 * EXAMPLES):
        yield random_formula(draw, 3 + number % 28, [Atom(name) for name in "pqrs"[: 2 + number % 3]], 0.1)


def test_every_refutation_is_a_countermodel_before_and_after_shrinking() -> None:
    refuted = 0
    for formula in _random_formulas():
        found = Intuit().decide((), formula)
        if isinstance(found, Kripke):
            refuted += 1
            check(found, (), formula)
            small = shrunk(found, (), formula)
            check(small, (), formula)
            assert len(small.true) <= len(found.true)
            assert frozenset().union(*small.true) <= set(atoms(formula))
    assert refuted >= EXAMPLES


_SESSION = Intuit()


@given(goals(NAMES))
@settings(max_examples=EXAMPLES // 4)
def test_goals_are_refuted_one_after_the_other(goal: Goal) -> None:
    found = refute_goal(goal, _SESSION)
    assert (found is None) == (refute_goal(goal, Intuit()) is None)
    if found is not None:
        assert found.hypotheses == tuple(hypothesis.formula for hypothesis in goal.hypotheses)
        assert all(forces(found.model, 0, formula) for formula in found.hypotheses)
        assert not forces(found.model, 0, goal.conclusion)


def test_what_is_provable_has_no_countermodel() -> None:
    assert refute([parse("A"), parse("A -> B")], parse("B"), Intuit()) is None


@pytest.mark.parametrize(("name", "worlds"), TEXTBOOK_SIZES.items())
def test_textbook_non_theorems_have_the_countermodels_of_the_textbook(name: str, worlds: int) -> None:
    formula = resolve(f"textbook/{name}").lemmas[0].formula
    found = refute((), formula, Intuit())
    assert found is not None
    assert (len(found.model.true), found.is_smallest) == (worlds, True)


def test_no_textbook_non_theorem_is_missing() -> None:
    lemmas = [lemma for lemma in resolve("textbook").lemmas if lemma.status == Status.NON_THEOREM]
    assert {lemma.name.removeprefix("textbook/") for lemma in lemmas} == set(TEXTBOOK_SIZES)


@pytest.mark.parametrize("level", [None, 1, 3, 6, 9])
def test_non_theorems_of_the_iltp_library_need_three_worlds_at_most(level: int | None) -> None:
    lemmas = [lemma for lemma in resolve("iltp").lemmas if lemma.level == level and lemma.status != Status.THEOREM]
    assert len(lemmas) >= 6
    for lemma in lemmas:
        found = refute((), lemma.formula, Intuit())
        assert found is not None, lemma.name
        assert len(found.model.true) <= 3, lemma.name


def test_nothing_can_be_left_out_of_a_shrunk_model_by_itself() -> None:
    for model, formula in refuted(EXAMPLES // 2):
        small = shrunk(model, (), formula)
        check(small, (), formula)
        assert len(small.true) <= len(model.true)
        # Nor does a world above the root refute it by itself.
        assert all(forces(small, world, formula) for world in range(1, len(small.true)))
        for smaller in _with_one_thing_less(small):
            check_order(smaller)
            assert forces(smaller, 0, formula)


def _with_one_thing_less(model: Kripke) -> Iterator[Kripke]:
    """The model without a world, without an atom where it becomes true."""
    worlds = range(len(model.true))
    for world in worlds:
        below = [other for other in worlds if other != world and world in above(model, other)]
        if world:
            yield submodel(model, [other for other in worlds if other != world])
        for atom in model.true[world]:
            if all(atom not in model.true[other] for other in below):
                true = (each - {atom} if other == world else each for other, each in enumerate(model.true))
                yield Kripke(tuple(true), model.above)


def test_unneeded_worlds_and_atoms_are_left_out() -> None:
    diamond = kripke([(0, 1), (0, 2), (1, 3), (2, 3)], "", "p", "q r", "s")
    assert shrunk(diamond, (), parse("(p -> q) \\/ (q -> p)")) == kripke([(0, 1), (0, 2)], "", "p", "q")
    assert shrunk(diamond, (), parse("p \\/ ~ p")) == kripke([(0, 1)], "", "p")
    assert shrunk(diamond, (), parse("p \\/ q")) == kripke([], "")
    assert shrunk(kripke([(0, 1)], "", "p q"), (), parse("(p \\/ ~ p) /\\ (q -> q)")) == kripke([(0, 1)], "", "p")


def test_what_is_no_countermodel_is_not_made_smaller() -> None:
    with pytest.raises(NotACountermodel, match="The root forces the goal"):
        shrunk(kripke([(0, 1)], "", "p"), (), parse("p -> p"))


class _Over(Limit):
    def check(self) -> None:
        raise LimitReached("no time at all")


def test_at_the_limit_the_best_model_so_far_is_returned() -> None:
    model = kripke([(0, 1), (0, 2), (0, 3)], "", "p", "q", "p")
    formula = parse("p \\/ ~ p")
    found = Countermodel.shrunk(model, (), formula, _Over())
    check(found.model, (), formula)
    assert len(found.model.true) == 3
    assert not found.is_smallest


@given(models())
@settings(max_examples=EXAMPLES // 4)
def test_the_quotient_tells_all_its_worlds_apart(model: Kripke) -> None:
    small = quotient(model)
    check_order(small)
    assert quotient(small) == small
    related = {(one, other) for one, other in product(range(len(small.true)), repeat=2)}
    while True:
        kept = {
            (one, other)
            for one, other in related
            if small.true[one] == small.true[other]
            and all(any((x, y) in related for y in above(small, other)) for x in above(small, one))
            and all(any((x, y) in related for x in above(small, one)) for y in above(small, other))
        }
        if kept == related:
            break
        related = kept
    assert related == {(world, world) for world in range(len(small.true))}


@given(models(), formulas(NAMES, max_size=30))
@settings(max_examples=EXAMPLES // 4)
def test_quotient_and_numbering_keep_what_the_root_forces(model: Kripke, formula: Formula) -> None:
    forced = forces(model, 0, formula)
    assert Forcing(quotient(model)).forces(0, formula) == forced
    assert Forcing(upwards(model)).forces(0, formula) == forced


@given(models())
@settings(max_examples=EXAMPLES // 4)
def test_worlds_are_numbered_upwards_and_edges_are_the_transitive_reduction(model: Kripke) -> None:
    numbered = upwards(model)
    check_order(numbered)
    assert heights(numbered) == sorted(heights(numbered))
    size = len(numbered.true)
    strictly = {(one, other) for one in range(size) for other in above(numbered, one) if one != other}
    assert set(edges(numbered)) == {
        (one, other)
        for one, other in strictly
        if not any((one, between) in strictly and (between, other) in strictly for between in range(size))
    }
