"""Best-first search, and what holds for every search: right, repeatable, within its budget, and stopped at any time."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Final
from weakref import ref

import pytest
from hypothesis import given, settings

from curricula.resolve import resolve_lemma
from oasis.policy import Floats, Uniform
from oasis.search.best_first import BestFirst
from oasis.search.graph import OPEN, PROVED, Status
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget, Event, Search
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.parser import parse
from tactics.script import replay
from tests.strategies import formulas
from tests.thorough import examples

EXAMPLES: Final = examples(100)
NAMES: Final = ("A", "B", "C", "D")

every_search = pytest.mark.parametrize("name", SEARCHES)


def started(name: str, formula: Formula, seed: int = 0) -> Search:
    return SEARCHES[name](initial(formula)[0], seed=seed)


def last(search: Search, budget: Budget) -> Event:
    return list(search.run(budget))[-1]


@pytest.mark.parametrize("name", ["best-first", "proof-number", "ao-star"])
def test_a_search_that_is_let_go_of_half_way_is_freed_at_once(name: str) -> None:
    search = started(name, resolve_lemma("SYJ202.3").formula)
    assert last(search, Budget(expansions=20)).status is OPEN
    gc.disable()  # which finds cycles later
    try:
        graph = ref(search.graph)
        del search
        assert graph() is None
    finally:
        gc.enable()


@every_search
@settings(max_examples=EXAMPLES)
@given(formula=formulas(NAMES, max_steps=6, max_size=20))
def test_what_a_search_settles_is_so(name: str, formula: Formula) -> None:
    search = started(name, formula)
    event = last(search, Budget(expansions=3000))
    if event.status is not OPEN:
        assert (event.status is PROVED) == Sequents().decide((), formula)
    script = search.script()
    assert (script is None) == (event.length is None)
    if script is not None:
        assert not replay(formula, script)[-1]


@every_search
def test_the_same_seed_gives_the_same_search(name: str) -> None:
    formula = resolve_lemma("SYJ203.2").formula
    one, other = (started(name, formula, seed=5) for _ in range(2))
    last(one, Budget(expansions=500))
    last(other, Budget(expansions=500))
    assert (one.expansions, one.calls, one.status, one.script()) == (
        other.expansions,
        other.calls,
        other.status,
        other.script(),
    )


@every_search
def test_a_search_that_was_stopped_goes_on_where_it_was(name: str) -> None:
    formula = resolve_lemma("SYJ203.2").formula
    whole, pieces = started(name, formula, seed=3), started(name, formula, seed=3)
    last(whole, Budget(expansions=210))
    for _ in range(30):
        last(pieces, Budget(expansions=7))
    assert (whole.status, whole.length, whole.script()) == (pieces.status, pieces.length, pieces.script())
    assert whole.expansions == pieces.expansions


@every_search
def test_a_budget_that_is_used_up_is_said(name: str) -> None:
    search = started(name, resolve_lemma("SYJ209.4").formula)
    event = last(search, Budget(expansions=5))
    assert event.status is Status.OPEN
    assert event.expansions == 5
    assert search.reason == "5 expansions were not enough"
    last(search, Budget(memory=1))
    assert "memory" in search.reason


@every_search
def test_a_search_that_was_broken_off_keeps_what_it_found_and_says_that_it_cannot_go_on(name: str) -> None:
    class Breaking(Uniform):
        asked = 0

        def probabilities(self, states: Sequence[State]) -> list[Floats]:
            self.asked += len(states)
            if self.asked > 1:
                raise KeyboardInterrupt
            return super().probabilities(states)

    search = SEARCHES[name](initial(resolve_lemma("SYJ203.4").formula)[0], Breaking())
    with pytest.raises(KeyboardInterrupt):
        last(search, Budget(expansions=1000))
    event = last(search, Budget(expansions=1000))
    assert (event.status, search.reason) == (OPEN, "it was broken off and cannot go on; begin it anew")


def test_calls_are_counted_by_goals_and_limited() -> None:
    search = started("best-first", resolve_lemma("SYJ203.4").formula)
    assert last(search, Budget(calls=20)).calls == 20
    assert search.reason == "20 calls were not enough"


def test_a_policy_that_knows_the_way_expands_nothing_else() -> None:
    formula = resolve_lemma("SYJ203.3").formula
    search = BestFirst(initial(formula)[0], Exact())
    event = last(search, Budget(expansions=1000))
    assert event.status is PROVED
    uniform = BestFirst(initial(formula)[0], Uniform())
    assert event.expansions < last(uniform, Budget(expansions=1000)).expansions / 2


def test_what_cannot_matter_any_more_is_not_expanded() -> None:
    hopeless = "x /\\ (((p -> q) -> r) -> ((q -> p) -> s) -> ((s -> r) -> t) -> t)"
    search = started("best-first", parse(hopeless))
    event = last(search, Budget())
    assert event.status is Status.REFUTED
    assert event.expansions <= 40


@every_search
@pytest.mark.parametrize("seed", range(3))
def test_a_goal_that_did_not_matter_for_a_while_is_not_lost(name: str, seed: int) -> None:
    search = started(name, resolve_lemma("random:size=32,atoms=4,kind=theorem,seed=2/1").formula, seed)
    event = last(search, Budget(expansions=4000))
    assert event.status is PROVED or search.reason  # it never ends for want of anything to do
