"""Proofs: every script replays and has the length that was announced, is short, and satisfies Coq and Lean."""

from functools import reduce

import pytest
from hypothesis import given, settings

from curricula import FAMILIES, resolve, resolve_lemma
from oasis.escalation.proving import Teaching
from oasis.ground.limits import Limit
from oasis.play.solving import OPEN, PROVED, Budget, solve
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.proofs import Proof, Prover, Step, prove
from tactics.formula import Atom, Formula
from tactics.goal import Goal, State
from tactics.parser import parse
from tactics.rules import apply
from tactics.script import Script, replay, show_script
from tactics.sequent import parse_state
from tests.backends.walks import provable
from tests.strategies import goals
from tests.teacher.models import EXAMPLES


def proved(formula: Formula) -> Script:
    """Return the script of a theorem; check that it replays."""
    found = prove(formula)
    assert isinstance(found, Proof) and found.script is not None
    assert replay(formula, found.script)[-1] == ()
    assert len(found.script) == found.length
    return found.script


@settings(max_examples=EXAMPLES // 2)
@given(goals(), goals())
def test_any_goal_is_proved_under_its_names_or_refuted_whatever_was_proved_before(first: Goal, second: Goal) -> None:
    prover = Prover(Intuit())
    for goal in (first, second, first):
        hypotheses = [hypothesis.formula for hypothesis in goal.hypotheses]
        found = prover.prove(hypotheses, goal.conclusion)
        if isinstance(found, Kripke):
            check(found, hypotheses, goal.conclusion)
            assert not provable(goal)
        else:
            assert found.used <= set(hypotheses)
            state: State = (goal,)
            assert reduce(apply, found.script(goal), state) == ()


def test_textbook_lemmas_are_proved_by_scripts_that_are_hardly_longer_than_the_shortest() -> None:
    total = shortest = 0
    for lemma in resolve("textbook").lemmas:
        if lemma.status == "non-theorem":
            assert isinstance(prove(lemma.formula), Kripke)
            continue
        assert lemma.shortest is not None
        length = len(proved(lemma.formula))
        assert length >= lemma.shortest, lemma.name
        total, shortest = total + length, shortest + lemma.shortest
    assert total <= 1.05 * shortest


@pytest.mark.slow
def test_published_theorems_are_proved() -> None:
    """Up to level 20 in a long run, except pigeonholes, of which even the number of moves takes long to find."""
    for lemma in resolve("iltp", levels=tuple(range(1, 21 if EXAMPLES >= 5000 else 7))).lemmas:
        hopeless = lemma.name.startswith("SYJ202") and (lemma.level or 0) > 4
        if lemma.status == "theorem" and not hopeless:
            found = prove(lemma.formula, Limit(60))
            assert isinstance(found, Proof), lemma.name
            if found.script is not None:
                assert replay(lemma.formula, found.script)[-1] == (), lemma.name
            else:
                assert found.length > 10_000


@pytest.mark.parametrize(
    ("family", "length"),
    [
        ("SYJ203", lambda n: 6 * n - 2),  # shortest, see docs/measurements.md
        ("SYJ204", lambda n: 3 * n + 2),
        ("SYJ205", lambda n: 8 * n + 15),
    ],
)
def test_three_families_are_proved_in_a_number_of_moves_that_grows_linearly(family: str, length: object) -> None:
    assert callable(length)
    for level in (1, 2, 3, 7, 20):
        assert len(proved(FAMILIES[family].lemma(level).formula)) == length(level)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SYJ202.4", "SYJ201.4", "SYJ206.8"])
def test_the_length_is_known_without_the_script(name: str) -> None:
    formula = resolve_lemma(name).formula
    assert prove(formula, max_proof=100) == Proof(len(proved(formula)), None)


def test_millions_of_moves_are_counted_at_once() -> None:
    found = prove(resolve_lemma("SYJ206.20").formula)
    assert isinstance(found, Proof) and found.script is None
    assert found.length > 1_000_000


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("A -> A", "intro; assumption"),
        ("(A /\\ B -> C) -> A -> B -> C", "intro; imply2 H; assumption"),
        ("A -> (B \\/ C) /\\ (D \\/ E) /\\ (F -> G \\/ E) -> A", "intro; intro; assumption"),
        ("False /\\ A -> (B \\/ C) /\\ (C -> D)", "intro; destruct_and H; contradiction"),
        ("A /\\ B -> (C \\/ A) \\/ A", "intro; destruct_and H; right; assumption"),
    ],
)
def test_no_move_is_wasted(text: str, script: str) -> None:
    assert show_script(proved(parse(text))) == script


def test_hypotheses_that_do_not_matter_are_left_alone() -> None:
    (goal,) = parse_state("X \\/ Y, (X -> Y) -> Z, X /\\ ~ Y, A \\/ A, A -> C |- B \\/ C")
    found = Prover(Intuit()).prove([hypothesis.formula for hypothesis in goal.hypotheses], goal.conclusion)
    assert isinstance(found, Step)
    assert found.used == {Atom("A") | Atom("A"), Atom("A") >> Atom("C")}


def test_long_lemmas_need_no_deep_stack() -> None:
    formula: Formula = Atom("p0")
    for number in range(300):
        formula = Atom(f"p{number + 1}") >> (formula & Atom(f"p{number + 1}"))
    assert len(proved(Atom("p0") >> formula)) > 900


def test_an_answer_has_a_shortest_proof_where_one_is_asked_for() -> None:
    formula = resolve_lemma("textbook/iff_comm").formula
    found = solve(formula, Teaching(shortest=True))
    assert found.status is PROVED and found.is_shortest and found.script is not None
    assert found.length == resolve_lemma("textbook/iff_comm").shortest == len(found.script)
    unwritten = solve(formula, Teaching(shortest=True, longest=3))
    assert (unwritten.length, unwritten.script) == (found.length, None)


@pytest.mark.slow
def test_an_answer_falls_back_on_a_proof_that_may_be_longer() -> None:
    found = solve(resolve_lemma("SYJ201.4").formula, Teaching(shortest=True), Budget(seconds=1))
    assert not found.is_shortest
    assert found.reason == "1 second was not enough"
    assert found.script is not None
    assert 10 < found.bound <= len(found.script)


def doubled(times: int) -> Formula:
    """Return a conjunction of 2^times parts; its proof has two moves for each."""
    formula: Formula = Atom("p") | Atom("p")
    for _ in range(times):
        formula = formula & formula
    return Atom("p") >> formula


def test_the_length_of_a_shortest_proof_is_known_where_nobody_could_write_it() -> None:
    found = solve(doubled(30), Teaching(shortest=True))
    assert found.is_shortest
    assert (found.length, found.script) == (
        3 * 2**30,
        None,
    )  # intro, 2^30 - 1 times split, and for each part left and assumption


@pytest.mark.slow
def test_writing_a_shortest_proof_obeys_the_limit() -> None:
    found = solve(doubled(30), Teaching(shortest=True, longest=2**40), Budget(seconds=0.5))
    assert found.status is OPEN
    assert found.reason == "it is a theorem, and no proof was found: 0.5 seconds were not enough"
