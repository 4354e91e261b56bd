"""Deciding: every problem of the ILTP library, limits that hold, and words where they are reached."""

from __future__ import annotations

import pytest

from curricula import resolve
from curricula.families import FAMILIES
from curricula.lemma import Status
from curricula.resolve import resolve_lemma
from curricula.tptp import ProblemFile
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.deciding.decide import ENGINES, Verdict, decide
from oasis.teacher.deciding.intuit import Intuit, Proved
from oasis.teacher.deciding.pigeonhole import outnumbered
from tactics.errors import InputError
from tactics.formula import TRUTH, Atom, Formula, Implies
from tactics.parser import parse


def test_all_published_problems_are_decided_and_none_against_its_header(
    published_problems: dict[str, ProblemFile],
) -> None:
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


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("False", Verdict.NON_THEOREM),
        ("True", Verdict.THEOREM),
        ("A", Verdict.NON_THEOREM),
        ("A -> A", Verdict.THEOREM),
        ("False -> A", Verdict.THEOREM),
        ("(True -> A) -> A", Verdict.THEOREM),
        ("A /\\ A -> A \\/ A", Verdict.THEOREM),
        ("(A -> False -> B) /\\ (False \\/ True)", Verdict.THEOREM),
        ("(True -> False) -> A", Verdict.THEOREM),
        ("~ ~ False", Verdict.NON_THEOREM),
        ("(False -> A) -> B", Verdict.NON_THEOREM),
    ],
)
def test_the_smallest_formulas(engine: str, text: str, verdict: Verdict) -> None:
    assert decide(parse(text), engine=engine).verdict == verdict


def test_a_non_theorem_comes_with_a_countermodel() -> None:
    peirce = parse("((A -> B) -> A) -> A")
    found = decide(peirce)
    assert found.countermodel is not None
    check(found.countermodel, (), peirce)


def test_used_hypotheses_suffice() -> None:
    hypotheses = [parse(text) for text in ("A", "B", "A -> C", "C -> D", "E \\/ F")]
    answer = Intuit().decide(hypotheses, parse("D \\/ G"))
    assert isinstance(answer, Proved)
    assert set(answer.used) == {parse("A"), parse("A -> C"), parse("C -> D")}


def test_one_solver_answers_many_sequents_as_fresh_ones_do() -> None:
    session = Intuit()
    for lemma in [*resolve("textbook").lemmas, *resolve("SYJ203", levels=(1, 2, 3)).lemmas] * 2:
        kept, fresh = session.decide((), lemma.formula), Intuit().decide((), lemma.formula)
        assert isinstance(kept, Proved) == isinstance(fresh, Proved) == (lemma.status == Status.THEOREM)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_limit_that_is_reached_is_told_in_words(engine: str) -> None:
    found = decide(resolve_lemma("SYJ208.40").formula, engine=engine, seconds=0.2)
    assert found.verdict is Verdict.UNKNOWN
    assert found.reason == "0.2 seconds were not enough"


def test_memory_is_a_limit_too() -> None:
    found = decide(deep(100_000), memory=1)
    assert found.verdict is Verdict.UNKNOWN
    assert "MiB of memory were not enough" in found.reason


@pytest.mark.parametrize("engine", ENGINES)
def test_deep_formulas_need_no_deep_stack(engine: str) -> None:
    assert decide(deep(20_000), engine=engine, seconds=60).verdict is Verdict.THEOREM


def deep(connectives: int) -> Formula:
    """A -> B -> A -> … -> A."""
    formula: Formula = Atom("A")
    for number in range(connectives):
        formula = Implies(Atom("AB"[number % 2]), formula)
    return formula


def test_an_engine_that_does_not_exist_is_told_in_words() -> None:
    with pytest.raises(InputError, match="--engine is one of intuit, sequents, not 'oracle'"):
        decide(TRUTH, engine="oracle")


@pytest.mark.parametrize(("pigeons", "holes", "fit"), [(3, 2, False), (8, 7, False), (3, 3, True), (4, 7, True)])
def test_counting_sees_exactly_when_pigeons_are_too_many(pigeons: int, holes: int, fit: bool) -> None:
    hole = {(i, j): 1 + i * holes + j for i in range(pigeons) for j in range(holes)}
    clauses = [[hole[i, j] for j in range(holes)] for i in range(pigeons)]
    clauses += [[-hole[i, j], -hole[k, j]] for j in range(holes) for i in range(pigeons) for k in range(i)]
    assert outnumbered(clauses, []) == (not fit)


def test_counting_takes_what_is_assumed_into_account() -> None:
    # Three things, three places, one of which is closed.
    place = {(i, j): 1 + 3 * i + j for i in range(3) for j in range(3)}
    clauses = [[place[i, j] for j in range(3)] for i in range(3)]
    clauses += [[-place[i, j], -place[k, j]] for j in range(3) for i in range(3) for k in range(i)]
    assert not outnumbered(clauses, [])
    assert outnumbered(clauses, [-place[i, 2] for i in range(3)])


def test_a_variable_that_too_few_columns_hold_is_not_counted() -> None:
    # Each of two rows can be satisfied by its own free variable.
    assert not outnumbered([[1, 2, 5], [3, 4, 6], [-1, -3], [-2, -4]], [])
    assert not outnumbered([[1, 2], [1, 3], [-2, -3]], [])
