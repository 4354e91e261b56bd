"""Best-first search, and what holds for every search: right, repeatable, within its budget, and stopped at any time."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from typing import Any, Final
from weakref import ref

import pytest
from hypothesis import given, settings

from curricula.resolve import resolve_lemma
from oasis.policy import Floats, Policy, Uniform
from oasis.search.graph import OPEN, PROVED, Status
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget, Event, Search
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.formula import Formula
from tactics.goal import State, initial
from tactics.parser import parse
from tactics.script import replay
from tests.search.players import Stubborn
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
    elif formula.size <= 7:
        assert name == "sampling"  # which cannot know that there is no proof
    script = search.script()
    assert (script is None) == (event.length is None)
    if script is not None:
        assert not replay(formula, script)[-1]
        assert len(script) == event.length


@pytest.mark.parametrize(
    ("name", "options"), [*((name, {}) for name in SEARCHES), ("rmaxts", {"workers": 4}), ("sampling", {"workers": 4})]
)
def test_the_same_seed_gives_the_same_search_however_often_it_is_stopped(name: str, options: dict[str, Any]) -> None:
    (goal,) = initial(resolve_lemma("SYJ201.2").formula)
    whole, pieces, other = (SEARCHES[name](goal, seed=seed, **options) for seed in (5, 5, 6))
    last(whole, Budget(expansions=420))
    last(other, Budget(expansions=420))
    for _ in range(60):
        last(pieces, Budget(expansions=7))
    one, same, different = (
        (each.status, each.length, each.script(), each.expansions, each.calls, each.event().goals, each.rng.state)
        for each in (whole, pieces, other)
    )
    assert one == same != different


@every_search
def test_a_budget_that_is_used_up_is_said(name: str) -> None:
    search = started(name, resolve_lemma("SYJ209.4").formula)
    event = last(search, Budget(expansions=5))
    assert event.status is Status.OPEN
    assert event.expansions == 5
    assert search.reason == "5 expansions were not enough"
    last(search, Budget(memory=1))
    assert "memory" in search.reason


@pytest.mark.parametrize("name", ["best-first", "rmaxts"])
def test_calls_are_counted_by_goals_and_limited(name: str) -> None:
    search = started(name, resolve_lemma("SYJ203.4").formula)
    assert last(search, Budget(calls=20)).calls == 20
    assert search.reason == "20 calls were not enough"


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


@pytest.mark.parametrize("name", ["best-first", "proof-number", "ao-star"])
def test_a_policy_that_knows_the_way_leads_to_a_proof_sooner(name: str) -> None:
    def until_proved(policy: Policy, seed: int) -> int:
        search = SEARCHES[name](initial(resolve_lemma("SYJ201.1").formula)[0], policy, seed=seed)
        while last(search, Budget(expansions=1)).length is None:
            pass
        return search.expansions

    assert until_proved(Exact(), 0) < min(until_proved(Uniform(), seed) for seed in range(5))


@pytest.mark.parametrize("name", ["best-first", "proof-number", "ao-star", "evolution"])
def test_moves_on_which_the_policy_puts_nothing_are_tried_in_the_end(name: str) -> None:
    search = SEARCHES[name](initial(resolve_lemma("SYJ203.2").formula)[0], Stubborn(0))
    assert last(search, Budget(expansions=20_000)).status is PROVED


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
