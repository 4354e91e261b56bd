"""What holds for every search: right, repeatable, within its budget, stopped at any time, and how it is drawn."""

import gc
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise, product
from math import ceil
from time import sleep
from typing import Any, Final
from weakref import ref
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curricula.generator import RandomSettings, random_lemmas
from curricula.resolve import resolve_lemma
from oasis.ground.names import SEARCHES
from oasis.play.policy import Floats, Policy, Uniform, equal_shares
from oasis.play.solving import OPEN, PROVED, REFUTED, Budget, Status
from oasis.search.best_first import BestFirst
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals
from oasis.search.picture import Drawing
from oasis.search.proof_number import ProofNumber
from oasis.search.search import Search
from oasis.search.svg import svg
from oasis.teacher.deciding.decide import Verdict, decide
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.script import replay
from tests.search.made import Stubborn
from tests.strategies import formulas
from tests.thorough import examples

EXAMPLES: Final = examples(100)

every_search = pytest.mark.parametrize("name", SEARCHES)


def started(name: str, formula: Formula, seed: int = 0) -> Search:
    search: Search = SEARCHES[name](initial(formula)[0], seed=seed)
    return search


def last(search: Search, budget: Budget) -> Search:
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
@given(formula=formulas(("A", "B", "C", "D"), max_steps=6, max_size=20))
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


@cache
def decided(number: int) -> dict[Formula, Verdict]:
    """Return so many random formulas or a few more, half of them theorems, each with the teacher's verdict."""
    kinds = [*product((6, 10, 16), ("theorem", "non-theorem"))]
    drawn = [
        RandomSettings(size=size, atoms=4, kind=kind, count=ceil(number / len(kinds)), seed=5) for size, kind in kinds
    ]
    return {lemma.formula: decide(lemma.formula).verdict for each in drawn for lemma in random_lemmas(each)}


@pytest.mark.thorough
@every_search
def test_a_search_decides_random_formulas_as_the_teacher_does(name: str) -> None:
    plays_alone = name in ("rmaxts", "sampling")  # and may not come to an end
    for formula, verdict in decided(examples(5000)).items():
        search = started(name, formula)
        status = last(search, Budget(expansions=500 if plays_alone else 5000)).status
        settled = {PROVED: Verdict.THEOREM, REFUTED: Verdict.NON_THEOREM}
        assert settled.get(status, verdict if plays_alone else None) is verdict, formula
        if (script := search.script()) is not None:
            assert verdict is Verdict.THEOREM and not replay(formula, script)[-1]


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
        (each.status, each.length, each.script(), each.expansions, each.calls, each.reached, each.rng.state)
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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["best-first", "proof-number", "ao-star"])
def test_a_policy_that_knows_the_way_leads_to_a_proof_sooner(name: str) -> None:
    def until_proved(policy: Policy, seed: int) -> int:
        search: Search = SEARCHES[name](initial(resolve_lemma("SYJ201.1").formula)[0], policy, seed=seed)
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


# Proof-number search is not misled by goals that many ways lead to.


@settings(max_examples=max(10, EXAMPLES // 5))
@given(formulas(("A", "B", "C", "D"), max_steps=6, max_size=20), st.integers(0, 2**32))
def test_statuses_fit_together_after_every_expansion(formula: Formula, seed: int) -> None:
    search = ProofNumber(initial(formula)[0], seed=seed)
    for _ in range(200):
        *_, event = search.run(Budget(expansions=1))
        search.graph.check_invariants()
        if event.status is not OPEN:
            break


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SYJ203.6", "SYJ205.4", "SYJ201.1"])
def test_goals_to_which_many_ways_lead_do_not_look_hopeless(name: str) -> None:
    """With sums over all ways it would not get beyond what best-first search needs."""
    (goal,), goals = initial(resolve_lemma(name).formula), Goals()
    for seed in range(3):
        fewer, more = (
            last(kind(goal, seed=seed, goals=goals), Budget(expansions=20_000)) for kind in (ProofNumber, BestFirst)
        )
        assert fewer.status is not OPEN
        assert 2 * fewer.expansions < more.expansions


# Policies of a user: what they may answer, and the sentence about an answer that is none.

GOAL = initial(resolve_lemma("SYJ203.3").formula)[0]


class Answering:
    """A policy whose answers are a function of the number of moves."""

    def __init__(self, answer: Callable[[int], Any]) -> None:
        self._answer = answer

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        return [self._answer(len(legal_moves(state[0]))) for state in states]

    def values(self, goals: Sequence[Goal]) -> Floats | None:
        return None


def fails(moves: int) -> Floats:
    raise ZeroDivisionError(f"no {moves}")


def leaves(moves: int) -> Floats:
    raise SystemExit(moves)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda moves: equal_shares(moves + 1), "has to give"),
        (lambda moves: equal_shares(moves)[:-1], "has to give"),
        (lambda moves: None, "has to give"),
        (lambda moves: "half", "has to give"),
        (lambda moves: np.ones((moves, 2)), "has to give"),
        (lambda moves: np.full(moves, np.nan), "has to give"),
        (lambda moves: np.full(moves, np.inf), "has to give"),
        (lambda moves: np.full(moves, -1.0), "has to give"),
        (lambda moves: np.full(moves, 1j), "has to give"),
        (fails, "fails with ZeroDivisionError"),
        (leaves, "fails with SystemExit"),
    ],
)
@pytest.mark.parametrize("name", SEARCHES)
def test_an_answer_that_is_none_is_refused_in_a_sentence(name: str, answer: Callable[[int], Any], said: str) -> None:
    search = SEARCHES[name](GOAL, Answering(answer))
    with pytest.raises(InputError, match=said):
        list(search.run(Budget(expansions=500)))


@pytest.mark.parametrize("name", ["best-first", "sampling"])
def test_a_slow_policy_is_not_asked_long_after_the_time_is_over(name: str) -> None:
    def slowly(moves: int) -> Floats:
        sleep(0.05)
        return equal_shares(moves)

    search = SEARCHES[name](GOAL, Answering(slowly))
    *_, event = search.run(Budget(seconds=0.15))
    assert event.calls < 20
    assert search.reason == "0.15 seconds were not enough"


# The picture of a search: everything hangs below what led to it, the proof is whole, and it is an SVG file.


def drawn(formula: Formula, most: int, expansions: int = 500) -> tuple[BestFirst, Drawing]:
    search = BestFirst(initial(formula)[0])
    for _ in search.run(Budget(expansions=expansions)):
        pass
    return search, search.drawing(most)


@given(formulas(("A", "B", "C"), max_steps=6, max_size=20), st.integers(1, 40))
def test_every_goal_hangs_below_one_that_was_drawn_before_it(formula: Formula, most: int) -> None:
    search, picture = drawn(formula, most)
    assert picture.dots[0].above is None
    assert all(dot.above is not None and dot.above < place for place, dot in enumerate(picture.dots) if place)
    assert len(picture.dots) + picture.left_out == len(search.graph.nodes)
    assert len(picture.dots) <= max(most, sum(dot.on_proof for dot in picture.dots)) + 1
    assert all(picture.dots[dot.above].on_proof for dot in picture.dots[1:] if dot.on_proof and dot.above is not None)
    ElementTree.fromstring(svg(picture, "a < b"))


def test_the_proof_is_drawn_whole_however_little_there_is_room_for() -> None:
    search, picture = drawn(resolve_lemma("SYJ203.3").formula, 1)
    proof = [dot for dot in picture.dots if dot.on_proof]
    # Equal goals are drawn once, and each move of the proof leads from a goal of it.
    assert 10 < len(proof) <= len(search.script() or ())
    assert all(dot.status is PROVED for dot in proof)


def test_what_was_given_up_is_drawn_as_cut() -> None:
    _, picture = drawn(resolve_lemma("p \\/ ~p").formula, 100)
    assert picture.dots[0].status is REFUTED
    assert [dot.is_cut for dot in picture.dots[1:]] == [True] * (len(picture.dots) - 1)
    text = svg(picture, "excluded middle")
    assert text.count('class="cut"') == len(picture.dots) - 1
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize(("name", "most"), [("SYJ203.2", 30), ("SYJ203.3", 400), ("SYJ203.6", 400)])
def test_moves_are_named_where_they_cover_neither_dots_nor_each_other(name: str, most: int) -> None:
    _, picture = drawn(resolve_lemma(name).formula, most)
    image = ElementTree.fromstring(svg(picture, name))
    rows: dict[float, list[tuple[float, float]]] = {}
    for circle in image.iter("{http://www.w3.org/2000/svg}circle"):
        x, y = float(circle.get("cx", "")), float(circle.get("cy", ""))
        rows.setdefault(y, []).append((x - 7, x + 7))
    assert sum(map(len, rows.values())) == len(picture.dots)
    named = [text for text in image.iter("{http://www.w3.org/2000/svg}text") if text.get("text-anchor")]
    for text in named:
        x, y, long = float(text.get("x", "")), float(text.get("y", "")) - 4, 6.6 * len(text.text or "")
        rows[y].append((x, x + long) if text.get("text-anchor") == "start" else (x - long, x))
    for row in rows.values():
        assert all(one[1] < other[0] for one, other in pairwise(sorted(row)))
        assert all(first > 0 and last < float(image.get("width", "")) for first, last in row)
    assert len(named) > (0.8 if len(picture.dots) <= 40 else 0.1) * len(picture.dots)


@pytest.mark.parametrize("is_cached", [False, True])
@pytest.mark.parametrize("name", [name for name in SEARCHES if name != "evolution"])  # which draws drafts
def test_every_search_draws_the_proof_that_it_found(name: str, is_cached: bool) -> None:
    formula = resolve_lemma("SYJ203.3").formula
    search = SEARCHES[name](initial(formula)[0], seed=1, cache=GoalCache() if is_cached else None)
    for _ in search.run(Budget(expansions=3000)):
        pass
    picture = search.drawing(60)
    assert picture is not None
    assert picture.dots[0].status is PROVED
    assert picture.dots[0].on_proof
    assert sum(dot.on_proof for dot in picture.dots) > 8
    assert 0 <= picture.left_out < search.reached
    assert all(dot.above is not None and dot.above < place for place, dot in enumerate(picture.dots) if place)
    ElementTree.fromstring(svg(picture, name))


def test_the_goals_of_one_move_are_counted() -> None:
    _, picture = drawn(resolve_lemma("p -> (q -> q) -> p /\\ (q -> q)").formula, 100)
    assert {"split 1/2", "split 2/2"} <= {dot.move for dot in picture.dots}
