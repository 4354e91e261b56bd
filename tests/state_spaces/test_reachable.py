"""Counting reachable states: what the quotient search finds is what a full enumeration finds."""

from itertools import islice

import pytest

from curricula import resolve_lemma
from curricula.library import textbook_names
from state_spaces import STATE_SPACES
from state_spaces.reachable import Census
from tactics.goal import initial
from tests.state_spaces.test_simple import distances, reachable
from tests.teacher.reached import below

ALL = list(STATE_SPACES)
SYMMETRIC = "(A -> B) /\\ (B -> C) /\\ (C -> A) -> A \\/ B \\/ C"
"""Some of its states differ by more than order and are the same after renaming."""
UNPROVABLE_FIRST = "((A -> B) -> C) -> (C -> A) -> C /\\ (A \\/ B)"
"""Its states leave goals behind one that cannot be proved."""
LEMMAS = [*(f"textbook/{name}" for name in textbook_names()), "thesis/41", "thesis/42", SYMMETRIC, UNPROVABLE_FIRST]


def counted(lemma: str, *, limit: int = 100_000) -> Census:
    """Return a census that has gone as far as it can."""
    census = Census(resolve_lemma(lemma).formula, ALL, limit)
    for counting in (census.count_goals(), census.count_states()):
        for _ in counting:
            pass
    return census


@pytest.mark.parametrize("lemma", LEMMAS)
def test_what_is_counted_is_what_a_full_enumeration_tells_apart(lemma: str) -> None:
    formula = resolve_lemma(lemma).formula
    states, goals = reachable(formula, 10_000), [(goal,) for goal in below(*initial(formula))]
    census = counted(lemma)
    assert census.complete
    for name, space in STATE_SPACES.items():
        view = space().view
        assert census.states[name].value == len({view(state).key for state in states})
        assert census.goals[name].value == len({view(goal).key for goal in goals})


@pytest.mark.parametrize(
    ("level", "states", "goals"),
    [(1, (9, 9, 9), (8, 8)), (2, (253, 143, 60), (180, 59)), (3, (17_813, 4_408, 340), (3_069, 339))],
)
def test_the_numbers_of_the_family_of_the_thesis(level: int, states: tuple[int, ...], goals: tuple[int, int]) -> None:
    census = counted(f"SYJ203.{level}")
    assert tuple(tally.value for tally in census.states.values()) == states
    assert tuple(tally.value for tally in census.goals.values()) == (goals[0], goals[1], goals[1])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("lemma", ["thesis/42", SYMMETRIC])
def test_of_each_class_one_state_is_found_the_nearest_first(lemma: str, name: str) -> None:
    formula = resolve_lemma(lemma).formula
    found = [state for _, state in Census(formula, [name], 10_000).count_states()]
    view = STATE_SPACES[name]().view
    assert len({view(state).key for state in found}) == len(found)
    distance = distances(formula, 10_000)
    assert [distance[state] for state in found] == sorted(distance[state] for state in found)
    nearest: dict[object, int] = {}
    for state, moves in distance.items():
        nearest.setdefault(view(state).key, moves)
    assert {view(state).key: distance[state] for state in found} == nearest


@pytest.mark.parametrize("limit", [1, 100, 142])
def test_beyond_the_limit_a_search_is_given_up_and_the_count_says_so(limit: int) -> None:
    census = counted("SYJ203.2", limit=limit)
    assert census.states["simple"].to_json() == {"value": limit, "complete": False}
    assert census.states["name"].to_json() == {"value": limit, "complete": False}
    assert census.states["match"].value <= min(limit, 60)
    assert not census.states["match"].complete
    assert not census.complete


def test_a_limit_that_is_just_reached_leaves_the_count_complete() -> None:
    census = counted("SYJ203.2", limit=143)
    assert census.states["name"].to_json() == {"value": 143, "complete": True}
    assert census.states["match"].to_json() == {"value": 60, "complete": True}
    assert census.states["simple"].to_json() == {"value": 143, "complete": False}


def test_a_count_that_is_broken_off_stands_at_what_was_found() -> None:
    census = Census(resolve_lemma("SYJ203.3").formula, ["simple"], 10_000)
    for tallies, counting in ((census.states, census.count_states()), (census.goals, census.count_goals())):
        assert len(list(islice(counting, 25))) == 25
        assert tallies["simple"].to_json() == {"value": 25, "complete": False}


def test_spaces_that_nobody_asked_for_are_not_counted() -> None:
    census = Census(resolve_lemma("SYJ203.1").formula, ["match"], 100)
    assert {name for name, _ in census.count_states()} == {"match"}
    assert list(census.to_json()) == ["match"]
