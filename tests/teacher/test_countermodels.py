"""Forcing agrees with its definition, and countermodels get small, as small as possible, and stay countermodels."""

import random
from collections.abc import Iterator
from functools import reduce
from itertools import permutations, product
from operator import or_

import pytest
from hypothesis import given, settings

from curricula import resolve
from curricula.generator import random_formula
from curricula.lemma import Status
from curricula.resolve import resolve_lemma
from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.countermodels.countermodel import Countermodel, refute, refute_goal
from oasis.teacher.countermodels.forcing import Forcing, NotACountermodel, check, check_order
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.countermodels.shrinking import edges, heights, quotient, shrunk, submodel, upwards
from oasis.teacher.countermodels.smallest import ORDERS, smallest
from oasis.teacher.deciding.intuit import Intuit
from tactics.formula import FALSE, TRUTH, Atom, Formula, equivalence
from tactics.goal import Goal
from tactics.parser import parse
from tests.strategies import formulas, goals
from tests.teacher.models import EXAMPLES, NAMES, above, forces, kripke, models, refuted

P, Q, R = map(Atom, NAMES)


@given(models(), formulas(NAMES, max_size=40))
@settings(max_examples=EXAMPLES // 4)
def test_forcing_agrees_with_its_definition(model: Kripke, formula: Formula) -> None:
    forcing = Forcing(model)
    assert [forcing.forces(world, formula) for world in range(len(model.true))] == [
        forces(model, world, formula) for world in range(len(model.true))
    ]


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


# Countermodels get small and stay countermodels; the quotient forgets nothing.

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


def test_textbook_non_theorems_have_the_countermodels_of_the_textbook() -> None:
    session, sizes = Intuit(), {}
    for lemma in resolve("textbook").lemmas:
        if found := refute((), lemma.formula, session):
            assert found.is_smallest
            sizes[lemma.name.removeprefix("textbook/")] = len(found.model.true)
    assert sizes == TEXTBOOK_SIZES


@pytest.mark.slow
@pytest.mark.parametrize("level", [None, 1, 9])
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
    """Yield the model without one of its worlds, or without an atom at a world where it becomes true."""
    worlds = range(len(model.true))
    for world in worlds:
        below = [other for other in worlds if other != world and world in above(model, other)]
        if world:
            yield submodel(model, [other for other in worlds if other != world])
        for atom in model.true[world]:
            if all(atom not in model.true[other] for other in below):
                true = (each - {atom} if other == world else each for other, each in enumerate(model.true))
                yield Kripke(tuple(true), model.above)


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


# Countermodels have as few worlds as possible: against every model of up to three worlds, tried one by one.


def orders(worlds: int) -> list[tuple[int, ...]]:
    """Return all partial orders of so many worlds with world 0 below all, found by trying every relation."""
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
    """Return the same order with other numbers for its worlds."""
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
    """Return every model of up to so many worlds over three atoms, those with few worlds first."""
    atoms = [Atom(name) for name in NAMES]
    found = []
    for order in (order for worlds in range(1, most_worlds + 1) for order in orders(worlds)):
        size = len(order)
        rising = [
            worlds
            for worlds in range(1 << size)
            if all(order[world] & ~worlds == 0 for world in range(size) if worlds >> world & 1)
        ]
        for where in product(rising, repeat=len(atoms)):
            true = (
                frozenset(atom for atom, worlds in zip(atoms, where, strict=True) if worlds >> world & 1)
                for world in range(size)
            )
            found.append(Kripke(tuple(true), order))
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
    """Return random formulas, and some that no world alone refutes: disjunctions of what is true classically."""
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
