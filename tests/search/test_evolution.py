"""Evolution: what its drafts are, how they come about, and that it keeps what every search promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings

from curricula.resolve import resolve_lemma
from oasis.policy import Policy, Uniform
from oasis.search.evolution.drafts import HOLE, KNOWN, Draft, Line, check_invariants, end, filled
from oasis.search.evolution.evolution import Evolution
from oasis.search.evolution.raters import Symbolic, Valued
from oasis.search.evolution.settings import GENERATORS, Settings
from oasis.search.evolution.tasks import Task, side_by_side
from oasis.search.goals import Goals
from oasis.search.graph import OPEN, PROVED, REFUTED
from oasis.search.search import Budget
from oasis.splitmix import SplitMix64
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, initial
from tactics.parser import parse
from tactics.script import replay
from tests.search.players import Asked
from tests.strategies import formulas
from tests.thorough import examples, thoroughly

SMALL: Final = Settings(edits=9, queries=2, expansions=4, population=12, best=8, match=4, samples=20, burn_in=5)
"""So little in a round that small lemmas take several."""
HARD: Final = "SYJ203.3"


def goal(text: str) -> Goal:
    return initial(parse(text))[0]


def started(name: str = HARD, settings: Settings = SMALL, **options: Any) -> Evolution:
    return Evolution(initial(resolve_lemma(name).formula)[0], settings=settings, **options)


def state_of(search: Evolution) -> list[object]:
    """Everything that can be seen of a search."""
    drafts = [(d.number, d.lines, d.generator, d.parents, d.visits, d.elo) for d in search.population.drafts]
    return [search.status, search.expansions, search.calls, search.rounds, search.script(), *drafts]


def check(search: Evolution) -> None:
    search.graph.check_invariants()
    for draft in search.population.drafts:
        check_invariants(search.graph.goals, search.root.number, draft.lines)
        assert draft.open or search.status is PROVED


@pytest.mark.parametrize("remembers", [True, False])
@hypothesis_settings(max_examples=examples(60))
@given(formula=formulas(("A", "B", "C"), max_steps=8, max_size=25))
def test_what_it_settles_is_so(remembers: bool, formula: Formula) -> None:
    search = Evolution(initial(formula)[0], settings=replace(SMALL, remembers=remembers))
    for _ in search.run(Budget(expansions=400)):
        check(search)
    if search.status is not OPEN:
        assert (search.status is PROVED) == Sequents().decide((), formula)
    script = search.script()
    assert (script is None) == (search.length is None)
    if script is not None:
        assert replay(formula, script)[-1] == ()
        assert search.length == len(script)


@pytest.mark.parametrize("name", ["SYJ203.3", "SYJ209.2", "SYJ205.1", "SYJ212.2", "textbook/peirce"])
def test_it_ends_on_theorems_and_on_others(name: str) -> None:
    search = started(name)
    list(search.run(Budget(expansions=20_000)))
    assert search.reason == ""
    assert (search.status is PROVED) == Sequents().decide((), resolve_lemma(name).formula)
    check(search)


@pytest.mark.parametrize("remembers", [True, False])
def test_the_same_seed_gives_the_same_however_often_it_was_stopped(remembers: bool) -> None:
    settings = replace(SMALL, remembers=remembers)
    whole, other, pieces = started(settings=settings), started(settings=settings, seed=1), started(settings=settings)
    for search in (whole, other):
        list(search.run(Budget(expansions=150)))
    for size in (1, 2, 47, 100):
        list(pieces.run(Budget(expansions=size)))
    assert whole.rounds > 3
    assert state_of(whole) == state_of(pieces) != state_of(other)


@pytest.mark.parametrize("remembers", [True, False])
def test_a_round_keeps_to_its_edits_and_queries(remembers: bool) -> None:
    search = started("SYJ201.1", replace(SMALL, remembers=remembers))
    spent: Counter[int] = Counter()
    for _ in search.steps():
        spent[search.rounds] += 1
        if search.rounds == 12:
            break
    spent[0] -= SMALL.expansions  # the lemma itself is asked about before the first round
    assert all(number <= SMALL.edits + SMALL.queries * SMALL.expansions for number in spent.values())
    assert max(spent.values()) > SMALL.edits


TWICE: Final = "(A -> (A -> B) -> B) /\\ (A -> (A -> B) -> B)"


# Generators


def done(task: Any) -> Any:
    """What a task returns in the end."""
    while True:
        try:
            next(task)
        except StopIteration as ended:
            return ended.value


def develops(before: Sequence[Line], after: Sequence[Line], goals: Goals) -> bool:
    """Whether the lines after differ from those before only where goals were open."""
    place = 0
    for line in before:
        if line.move == HOLE:
            place = end(goals, after, place)
        elif place < len(after) and after[place] == line:
            place += 1
        else:
            return False
    return place == len(after)


@pytest.mark.parametrize("generator", GENERATORS)
def test_each_generator_does_what_it_says(generator: str) -> None:
    settings = replace(SMALL, generators=(generator,), edits=36, queries=0, remembers=False, population=1000)
    search = started("SYJ205.2", settings)
    list(search.run(Budget(expansions=400)))
    drafts = {draft.number: draft for draft in search.population.drafts}
    children = [draft for draft in drafts.values() if draft.generator != "lemma"]
    assert len(children) > 10
    for child in children:
        if generator == "anew":
            assert child.parents == ()
            assert child.lines[0].move >= 0
        else:
            assert child.lines != drafts[child.parents[0]].lines
            assert develops(drafts[child.parents[0]].lines, child.lines, search.graph.goals)
    kinds = {child.generator for child in children}
    # Where nobody has anything to give, recombination has to go on alone.
    assert kinds == ({"continue", "recombine"} if generator == "recombine" else {generator})


def test_recombination_takes_proofs_from_other_drafts() -> None:
    search = Evolution(goal(TWICE), settings=replace(SMALL, remembers=False))
    goals = search.graph.goals
    number = goals.edges(search.root.number)[0][2][0]
    lines = (Line(search.root.number, 0), Line(number, HOLE), Line(number, HOLE))
    started_on = filled(lines, 1, (Line(number, 0), Line(goals.edges(number)[0][2][0], HOLE)))
    proved = filled(lines, 2, [Line(number, KNOWN)])
    search.population.admit(Draft(started_on, "anew", number=0))
    search.population.admit(Draft(proved, "anew", number=1))
    after, donors = done(search._recombined(lines, 9, SplitMix64(1)))
    assert donors == [1, 1]
    assert after == (lines[0], Line(number, KNOWN), Line(number, KNOWN))
    search.population.drafts.pop()
    after, donors = done(search._recombined(lines, 1, SplitMix64(1)))
    assert donors == [0]  # one edit, and a beginning is better than nothing
    assert after == (*lines[:2], *started_on[1:3])


def test_plays_of_the_same_turn_ask_the_policy_together() -> None:
    policy = Asked()
    search = started("SYJ201.1", replace(SMALL, edits=90, queries=0, generators=("anew",)), policy=policy)
    list(search.run(Budget(expansions=200)))
    sizes = [*map(len, policy.batches)]
    assert max(sizes) == SMALL.offspring
    assert sum(sizes) == search.calls


# Controller


def task(name: str, length: int, asks: bool, told: list[str]) -> Task[str]:
    for step in range(length):
        told.append(f"{name}{step}")
        yield step if asks else None
    return name


def test_tasks_go_on_in_turn_and_their_results_keep_their_order() -> None:
    told: list[str] = []
    asked: list[list[int]] = []
    together = side_by_side(
        [task("a", 3, False, told), task("b", 1, False, told), task("c", 2, True, told), task("d", 2, True, told)],
        asked.append,
    )
    assert done(together) == ["a", "b", "c", "d"]
    assert told == ["a0", "b0", "c0", "d0", "a1", "c1", "d1", "a2"]
    assert asked == [[0, 0], [1, 1]]


@pytest.mark.parametrize("policy", [Uniform(), Exact()])
def test_who_values_goals_is_asked_to_rate(policy: Policy) -> None:
    search = started("SYJ203.2", policy=policy, settings=replace(SMALL, queries=0, edits=3))
    list(search.run(Budget(expansions=9)))
    assert isinstance(search._rater, Symbolic if type(policy) is Uniform else Valued)


@pytest.mark.parametrize(
    "wrong",
    [{"generators": ("guess",)}, {"generators": ()}, {"edits": 2}, {"match": 1}, {"queries": -1}, {"best": 0}],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Settings(**wrong)


def test_a_root_that_is_refuted_by_playing_alone_is_refuted() -> None:
    search = Evolution(goal("A -> B \\/ C"), settings=replace(SMALL, queries=0))
    list(search.run(Budget()))
    assert search.status is REFUTED


@pytest.mark.parametrize(
    "lemma", ["size=16,atoms=4,kind=theorem,seed=5/28", *thoroughly("size=64,atoms=4,kind=theorem,seed=5/58")]
)
def test_a_length_is_that_of_the_script_though_parts_got_shorter_after_it_was_told(lemma: str) -> None:
    for seed in range(4):
        search = started(f"random:{lemma}", seed=seed)
        *_, event = search.run(Budget(expansions=3000))
        script = search.script()
        assert script is not None and len(script) == event.length
