"""Deciding: every problem of the ILTP library, two engines against a plain search, and what they rest on."""

import os
import signal
import subprocess
from itertools import combinations

import pytest
from hypothesis import given, settings

from curricula import FAMILIES
from curricula.lemma import Status
from curricula.resolve import resolve_lemma
from curricula.tptp import ProblemFile
from oasis.ground.limits import Limit
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.decide import ENGINES, Verdict, decide
from oasis.teacher.deciding.intuit import Intuit, Proved
from oasis.teacher.deciding.pigeonhole import outnumbered
from oasis.teacher.deciding.sequents import Sequents, junctions
from oasis.teacher.deciding.simplification import simplified
from oasis.teacher.solver import Solver
from tactics.formula import Atom, Formula, Implies, subformulas
from tactics.goal import Goal
from tactics.parser import parse
from tests.backends.walks import provable
from tests.strategies import formulas, goals
from tests.teacher.models import EXAMPLES, lemmas


@pytest.mark.slow
def test_all_published_problems_are_decided_none_against_its_header(published_problems: dict[str, ProblemFile]) -> None:
    assert len(published_problems) == 274
    for name, problem in published_problems.items():
        found = decide(problem.problem.formula)
        assert found.verdict != Verdict.UNKNOWN, name
        # Some were unsolved when the library was made; by now their families are known.
        unsolved = Status.THEOREM if name.startswith("SYJ202") else Status.NON_THEOREM
        assert not found.contradicts(problem.status or unsolved), name


@pytest.mark.parametrize("family", [name for name in FAMILIES if name not in ("SYJ202", "SYJ208")])
def test_families_are_decided_far_beyond_the_library(family: str) -> None:
    lemma = resolve_lemma(f"{family}.40")
    found = decide(lemma.formula)
    assert found.verdict != Verdict.UNKNOWN
    assert not found.contradicts(lemma.status)


def test_used_hypotheses_suffice() -> None:
    hypotheses = [parse(text) for text in ("A", "B", "A -> C", "C -> D", "E \\/ F")]
    answer = Intuit().decide(hypotheses, parse("D \\/ G"))
    assert isinstance(answer, Proved)
    assert set(answer.used) == {parse("A"), parse("A -> C"), parse("C -> D")}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_that_is_reached_is_told_in_words(engine: str) -> None:
    found = decide(resolve_lemma("SYJ208.40").formula, engine=engine, seconds=0.2)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "0.2 seconds were not enough"


@pytest.mark.slow
def test_memory_is_a_limit_too() -> None:
    formula: Formula = Atom("A")
    for number in range(100_000):
        formula = Implies(Atom("AB"[number % 2]), formula)
    found = decide(formula, memory=1)
    assert found.verdict is Verdict.UNKNOWN
    assert "MiB of memory were not enough" in found.reason


def places(things: int, places: int) -> list[list[int]]:
    """Return clauses: each thing has a place, no two share one; thing i in place j is variable 1 + i * places + j."""
    clauses = [[1 + i * places + j for j in range(places)] for i in range(things)]
    return clauses + [
        [-(1 + i * places + j), -(1 + k * places + j)] for j in range(places) for i in range(things) for k in range(i)
    ]


@pytest.mark.parametrize(("pigeons", "holes", "fit"), [(3, 2, False), (8, 7, False), (3, 3, True), (4, 7, True)])
def test_counting_sees_exactly_when_pigeons_are_too_many(pigeons: int, holes: int, fit: bool) -> None:
    assert outnumbered(places(pigeons, holes), []) == (not fit)


def test_counting_takes_what_is_assumed_into_account() -> None:
    assert outnumbered(places(3, 3), [-3, -6, -9])  # one of three places is closed


def test_a_variable_that_too_few_columns_hold_is_not_counted() -> None:
    # Each of two rows can be satisfied by its own free variable.
    assert not outnumbered([[1, 2, 5], [3, 4, 6], [-1, -3], [-2, -4]], [])
    assert not outnumbered([[1, 2], [1, 3], [-2, -3]], [])


# The second engine: against the first, against the generator's search, and against all ways to play the rules.


@pytest.mark.parametrize("kind", ["theorem", "non-theorem"])
def test_both_engines_agree_with_each_other_and_with_a_plain_search(kind: str) -> None:
    """Half of the formulas are theorems; each is a new sequent to engines that remember all before."""
    sequents, intuit = Sequents(), Intuit()
    for lemma in lemmas(kind, EXAMPLES // 2):
        expected = lemma.status == "theorem"
        assert sequents.decide((), lemma.formula) is expected, lemma.name
        assert isinstance(intuit.decide((), lemma.formula), Proved) is expected, lemma.name


@settings(max_examples=EXAMPLES // 4)
@given(goals(), goals())
def test_a_sequent_is_provable_just_if_a_play_closes_it_whatever_was_asked_before(first: Goal, second: Goal) -> None:
    warm = Sequents()
    for goal in (first, second, first):
        hypotheses = [hypothesis.formula for hypothesis in goal.hypotheses]
        assert warm.decide(hypotheses, goal.conclusion) is provable(goal)


@pytest.mark.slow
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


# Simplified formulas are theorems exactly if the original ones are, and have their countermodels.


@settings(max_examples=EXAMPLES // 2)
@given(formulas(("p", "q", "r", "s"), max_size=30))
def test_any_formula_and_what_is_left_of_it_are_theorems_together_or_have_a_countermodel(formula: Formula) -> None:
    simple = simplified(formula, Limit())
    assert len(list(subformulas(simple.formula))) <= len(list(subformulas(formula)))
    theorem = provable(Goal((), formula))
    assert Sequents().decide((), simple.formula) is theorem
    found = Intuit().decide((), simple.formula)
    assert isinstance(found, Kripke) is not theorem
    if isinstance(found, Kripke):
        check(simple.original(found), (), formula)
    for engine in ENGINES:
        decided = decide(formula, engine=engine)
        assert decided.verdict is (Verdict.THEOREM if theorem else Verdict.NON_THEOREM)
        if decided.countermodel is not None:
            check(decided.countermodel, (), formula)
    assert theorem or decide(formula).countermodel is not None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("~ ~ ~ p", "False"),
        ("p -> q", "False"),
        ("p /\\ True -> p \\/ False", "True"),
        ("(((p -> q) -> q) -> q) -> p -> q", "True"),
        ("(q \\/ ~ q) /\\ (p -> p -> r)", "False"),
        ("~ ~ ~ (p \\/ ~ p)", "~ (p \\/ ~ p)"),
        ("((p -> q) -> p) -> p", "(~ p -> p) -> p"),
        ("(p -> q) \\/ (q -> p)", "(p -> q) \\/ (q -> p)"),
        ("p -> p -> q -> p /\\ (p -> q)", "p -> q -> p /\\ (p -> q)"),
    ],
)
def test_what_simplification_leaves(text: str, left: str) -> None:
    assert simplified(parse(text), Limit()).formula is parse(left)


# The solver


def test_propagation_tells_all_that_follows() -> None:
    solver = Solver(bootstrap_with=[[-1, 2], [-2, 3], [-3, -4]])
    assert solver.propagate([1]) == (True, [1, 2, 3, -4])
    assert solver.propagate([1, 4])[0] is False


@pytest.mark.slow
def test_ctrl_c_in_the_midst_of_work_is_nothing_but_ctrl_c() -> None:
    """Eleven pigeons in ten holes are far too much for resolution, so that the solver never ends by itself."""
    solver = Solver(bootstrap_with=[[10 * pigeon + hole + 1 for hole in range(10)] for pigeon in range(11)])
    for hole in range(10):
        for one, other in combinations(range(11), 2):
            solver.add_clause([-(10 * one + hole + 1), -(10 * other + hole + 1)])
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    pressing = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -INT {os.getpid()}"])
    try:
        with pytest.raises(KeyboardInterrupt):
            _solve_without_end(solver)
    finally:
        pressing.wait()
        signal.signal(signal.SIGINT, before)


def _solve_without_end(solver: Solver) -> None:
    while True:
        solver.conf_budget(10_000)
        solver.solve_limited([])
