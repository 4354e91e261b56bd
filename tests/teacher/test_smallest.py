"""Countermodels have as few worlds as possible: against every model of up to three worlds, tried one by one."""

from __future__ import annotations

import random
from functools import reduce
from itertools import permutations, product
from operator import or_

import pytest

from curricula.generator import random_formula
from curricula.resolve import resolve_lemma
from oasis.limits import Limit
from oasis.teacher.countermodels.countermodel import refute
from oasis.teacher.countermodels.forcing import NotACountermodel, check, check_order
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.smallest import ORDERS, smallest
from oasis.teacher.deciding.intuit import Intuit
from tactics.formula import FALSE, Atom, Formula
from tactics.parser import parse
from tests.teacher.models import EXAMPLES, NAMES, forces, kripke


def orders(worlds: int) -> list[tuple[int, ...]]:
    """All partial orders of so many numbered worlds in which world 0 lies below all, found by trying every relation."""
    found = []
    for chosen in product((False, True), repeat=worlds * worlds):
        above = tuple(
            sum(1 << other for other in range(worlds) if chosen[world * worlds + other]) for world in range(worlds)
        )
        try:
            check_order(Kripke((frozenset(),) * worlds, above))
        except NotACountermodel:
            continue
        found.append(above)
    return found


def renumbered(above: tuple[int, ...], number: tuple[int, ...]) -> tuple[int, ...]:
    """The same order with other numbers for its worlds."""
    renamed = dict(zip(number, above, strict=True))
    return tuple(
        sum(1 << number[other] for other in range(len(above)) if renamed[world] >> other & 1)
        for world in range(len(above))
    )


@pytest.mark.parametrize("worlds", [1, 2, 3, 4])
def test_every_order_of_up_to_four_worlds_is_tried_once(worlds: int) -> None:
    tried = [above for above in ORDERS if len(above) == worlds]
    numberings = [(0, *rest) for rest in permutations(range(1, worlds))]
    same = [{renumbered(above, number) for number in numberings} for above in tried]
    assert set().union(*same) == set(orders(worlds))
    assert sum(map(len, same)) == len(orders(worlds))


def _all_models(most_worlds: int) -> list[Kripke]:
    """Every model of up to so many worlds over three atoms, those with few worlds first."""
    atoms = [Atom(name) for name in NAMES]
    found = []
    for above in (above for worlds in range(1, most_worlds + 1) for above in orders(worlds)):
        size = len(above)
        rising = [
            worlds
            for worlds in range(1 << size)
            if all(above[world] & ~worlds == 0 for world in range(size) if worlds >> world & 1)
        ]
        for where in product(rising, repeat=len(atoms)):
            true = (
                frozenset(atom for atom, worlds in zip(atoms, where, strict=True) if worlds >> world & 1)
                for world in range(size)
            )
            found.append(Kripke(tuple(true), above))
    return found


def test_no_countermodel_has_fewer_worlds_than_the_one_shown() -> None:
    models = _all_models(3)
    sizes = dict.fromkeys(range(1, 5), 0)
    session = Intuit()
    for formula in _formulas():
        found = refute((), formula, session)
        if found is None:
            continue
        assert found.is_smallest
        worlds = len(found.model.true)
        fewest = next((len(model.true) for model in models if not forces(model, 0, formula)), None)
        assert worlds == fewest or (fewest is None and worlds > 3)
        sizes[worlds] += 1
    assert EXAMPLES < 100 or (sizes[1] and sizes[2] >= EXAMPLES // 50 and sizes[3] >= EXAMPLES // 200)


def _formulas() -> list[Formula]:
    """Random formulas, and some that no world alone refutes: disjunctions of what is true classically."""
    draw = random.Random(0).random
    atoms = [Atom(name) for name in NAMES]
    drawn = [random_formula(draw, 3 + number % 15, atoms, 0.1) for number in range(EXAMPLES // 5)]
    hard = []
    for _ in range(EXAMPLES // 10):
        one, other, third = (random_formula(draw, 1 + int(4 * draw()), atoms, 0.2) for _ in range(3))
        hard.append((one >> other) | (other >> (one & third)) | (third >> ~one))
        hard.append(~one | (~~one >> other) | (other >> third))
    return [*drawn, *hard]


def test_two_worlds_are_enough_where_leaving_out_leaves_three() -> None:
    formula = parse("((r -> (p -> r) /\\ p) \\/ (p -> p <-> s)) \\/ s")
    found = refute((), formula, Intuit())
    assert found is not None
    check(found.model, (), formula)
    assert (len(found.model.true), found.is_smallest) == (2, True)


def test_hypotheses_count_as_well() -> None:
    hypotheses, goal = [parse("~ ~ p"), parse("q -> p")], parse("p")
    found, certain = smallest(kripke([(0, 1), (1, 2)], "", "q p", "p"), hypotheses, goal)
    check(found, hypotheses, goal)
    assert (len(found.true), certain) == (2, True)


@pytest.mark.parametrize(("atoms", "certain"), [(2, True), (3, True), (4, True), (5, False)])
def test_what_needs_more_than_five_worlds_is_not_called_smallest(atoms: int, certain: bool) -> None:
    """No atom follows from another: each needs a world of its own above the root."""
    names = [Atom(f"p{number}") for number in range(atoms)]
    others = [reduce(or_, (each for each in names if each is not name), FALSE) for name in names]
    found = refute((), reduce(or_, (name >> rest for name, rest in zip(names, others, strict=True))), Intuit())
    assert found is not None
    assert (len(found.model.true), found.is_smallest) == (atoms + 1, certain)


def test_a_question_that_is_too_hard_for_the_solver_is_given_up() -> None:
    formula = resolve_lemma("SYJ208.12").formula
    found = Intuit().decide((), formula)
    assert isinstance(found, Kripke)
    model, certain = smallest(found, (), formula)
    check(model, (), formula)
    assert not certain


def test_at_the_limit_the_model_stays_as_it_is() -> None:
    model = kripke([(0, 1)], "", "p")
    assert smallest(model, (), Atom("p"), Limit(0)) == (model, False)
