"""Bounds below the truth, and AO*: exactly the shortest proofs, and lemmas that no full graph of goals reaches."""

from functools import reduce
from math import inf
from operator import and_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.resolve import resolve_lemma
from oasis.play.solving import OPEN, PROVED, REFUTED, Budget
from oasis.search.ao_star import AOStar
from oasis.search.bounds import ALL_MODELS, Countermodels, Outlook, Relaxation
from oasis.search.cache import GoalCache
from oasis.search.proof_number import ProofNumber
from oasis.teacher.deciding.sequents import Sequents
from tactics.formula import TRUTH, Atom, Formula, negation
from tactics.goal import Goal, initial
from tactics.parser import parse
from tactics.script import replay
from tests.search.made import EXAMPLES, lengths_of, named, sequents


def looked_at(goal: Goal) -> tuple[Relaxation, Outlook | None]:
    """Return a goal's relaxation and its outlook."""
    formulas = tuple(formula for _, formula in goal.hypotheses)
    relaxation = Relaxation(goal.conclusion, formulas)
    numbers = tuple(sorted(relaxation.number[each.id] for each in formulas))
    return relaxation, relaxation.outlook(relaxation.number[goal.conclusion.id], numbers)


def bound(text: str) -> float:
    _, outlook = looked_at(named(parse(text), ()))
    return inf if outlook is None else outlook.bound


@settings(max_examples=EXAMPLES)
@given(sequents())
def test_a_shortest_proof_does_not_miss_the_hypotheses_that_are_left_out(goal: Goal) -> None:
    relaxation, outlook = looked_at(goal)
    if outlook is not None:
        rest = named(goal.conclusion, (relaxation.formulas[each] for each in outlook.hypotheses))
        lengths = lengths_of([goal, rest])
        assert lengths is None or lengths[0] == lengths[1]


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, 8, 20])
def test_the_bound_is_the_length_of_the_shortest_proof_where_every_move_is_a_landmark(level: int) -> None:
    for name in (f"SYJ203.{level}", f"SYJ204.{level}"):
        lemma = resolve_lemma(name)
        _, outlook = looked_at(named(lemma.formula, ()))
        assert outlook is not None
        assert outlook.bound == lemma.shortest


def test_a_move_that_can_be_replaced_counts_only_as_one_of_several() -> None:
    assert bound("A -> A") == 2
    assert bound("A /\\ B -> A") == 3
    assert bound("A -> A \\/ A \\/ A") == 3  # intro, and left or right
    assert bound("A -> B") == inf


def test_what_no_chain_of_needs_leads_to_is_left_out() -> None:
    goal = named(parse("C"), map(parse, ["A", "A -> B", "D -> C", "C -> A", "A -> A -> C", "A"]))
    relaxation, outlook = looked_at(goal)
    assert outlook is not None
    kept = {relaxation.formulas[each] for each in outlook.hypotheses}
    assert kept == {parse("A"), parse("A -> A -> C")}


@settings(max_examples=EXAMPLES)
@given(sequents())
def test_what_a_random_model_refutes_has_no_proof(goal: Goal) -> None:
    models = Countermodels()
    formulas = (goal.conclusion, *(formula for _, formula in goal.hypotheses))
    worlds = zip(*map(models.having, formulas), strict=True)
    for conclusion, *hypotheses in worlds:
        if reduce(and_, hypotheses, ALL_MODELS & ~conclusion):
            assert not Sequents().decide([formula for _, formula in goal.hypotheses], goal.conclusion)


# AO*


def goal_of(name: str) -> Goal:
    return initial(resolve_lemma(name).formula)[0]


def ended(search: AOStar, **budget: float) -> AOStar:
    *_, event = search.run(Budget(seconds=60) if not budget else Budget(**budget))  # type: ignore[arg-type]
    return event


@settings(max_examples=EXAMPLES)
@given(sequents(), st.integers(0, 2**32))
def test_it_finds_the_length_of_the_shortest_proof_or_that_there_is_none(goal: Goal, seed: int) -> None:
    lengths = lengths_of([goal])
    if lengths is None:
        return
    search = AOStar(goal, seed=seed)
    event = ended(search)
    assert event.status is (REFUTED if lengths[0] == inf else PROVED)
    if event.status is PROVED:
        script = search.script()
        assert script is not None
        assert len(script) == event.length == event.bound == lengths[0]


@settings(max_examples=max(10, EXAMPLES // 5), deadline=None)
@given(sequents(), st.integers(0, 2**32))
def test_bounds_bracket_the_truth_of_every_goal_that_was_reached(goal: Goal, seed: int) -> None:
    search = AOStar(goal, seed=seed)
    for _ in range(4):
        ended(search, expansions=10)
        known = list(search.brackets())
        lengths = lengths_of(each for each, _, _ in known)
        if lengths is None:
            return
        for (_, lower, upper), length in zip(known, lengths, strict=True):
            assert lower <= length <= upper


@settings(max_examples=max(10, EXAMPLES // 5), deadline=None)
@given(sequents(), st.integers(0, 2**32))
def test_what_is_kept_fits_together_after_every_expansion_and_bounds_only_tighten(goal: Goal, seed: int) -> None:
    search = AOStar(goal, seed=seed)
    bound, length = 1, inf
    for _ in range(100):
        event = ended(search, expansions=1)
        search.check_invariants()
        if event.status is REFUTED:
            break
        assert event.bound >= bound
        assert (event.length or inf) <= length
        bound, length = event.bound, event.length or inf
        if bound == length:
            break


@pytest.mark.parametrize(("name", "length"), [("SYJ203.12", 70), ("SYJ203.20", 118), ("SYJ205.12", 111)])
def test_it_reaches_lemmas_whose_goals_are_beyond_counting(name: str, length: int) -> None:
    search = AOStar(goal_of(name))
    event = ended(search, expansions=500)
    assert event.bound == event.length == length
    script = search.script()
    assert script is not None
    assert not replay(resolve_lemma(name).formula, script)[-1]


def test_a_proof_comes_before_it_is_known_to_be_a_shortest() -> None:
    search = AOStar(goal_of("SYJ206.4"), seed=1)
    lengths = {event.length for _ in range(100) for event in search.run(Budget(expansions=10))}
    assert {None, 75} < lengths
    assert all(length is None or length >= 75 for length in lengths)


def test_a_proof_in_the_cache_is_where_it_starts_and_is_made_shorter() -> None:
    goal, cache = goal_of("SYJ203.6"), GoalCache()
    list(ProofNumber(goal, cache=cache, seed=1).run(Budget()))
    search = AOStar(goal, cache=cache)
    assert search.length is not None
    assert search.length > 34
    assert ended(search).length == 34
    again = AOStar(goal, cache=cache)
    assert ended(again).bound == 34
    assert len(again.script() or ()) == 34


def test_a_lemma_with_too_many_formulas_is_refused_in_words_whenever_it_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oasis.search.bounds.MAX_FORMULAS", 50)
    search = AOStar(goal_of("SYJ203.10"))
    for _ in range(2):
        assert ended(search).status is OPEN
        assert search.reason == "50 formulas were not enough"


def test_deep_lemmas_need_no_deep_stack() -> None:
    formula: Formula = Atom("p")
    for _ in range(3000):
        formula = negation(formula)
    assert ended(AOStar(initial(formula >> TRUTH)[0])).length == 3
