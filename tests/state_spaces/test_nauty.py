"""The labelling agrees with nauty on keys and orbits, for random states and highly symmetric ones."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given

from state_spaces.canonical import Labelling, label
from tactics.goal import State
from tests.state_spaces.examples import tried
from tests.state_spaces.families import DIFFERENT, FAMILIES, SAME, Pair
from tests.state_spaces.graphs import arrows, goal, latin_square, random_regular, square, switched
from tests.state_spaces.nauty import nauty_key, nauty_orbits
from tests.state_spaces.test_simple import TEXTBOOK, reachable
from tests.state_spaces.variants import disguised, near, randoms, states
from tests.thorough import thoroughly


def parts(labels: list[int]) -> list[int]:
    """A partition, given by one label a member, with the place of each part's first member as its label."""
    return [labels.index(each) for each in labels]


def assert_orbits_are_nautys(state: State, labelling: Labelling) -> None:
    orbits = nauty_orbits(state)
    assert parts([orbits[formula] for formula in labelling.formulas]) == list(labelling.orbits)


@tried
@given(states(), randoms)
def test_nauty_finds_the_states_with_equal_keys_isomorphic_and_the_same_orbits(state: State, rng: Random) -> None:
    other = disguised(near(state, rng), rng).state
    one, two = label(state), label(other)
    assert (nauty_key(state) == nauty_key(other)) == (one.key == two.key)
    assert_orbits_are_nautys(state, one)
    assert_orbits_are_nautys(other, two)


@tried
@given(randoms)
def test_nauty_agrees_on_regular_graphs_where_only_trying_tells_points_apart(rng: Random) -> None:
    graph = random_regular(rng.randint(3, 9), rng.randint(1, 2), rng)
    state = goal(arrows(graph))
    other = disguised(goal(arrows(switched(graph, rng))), rng).state
    one, two = label(state), label(other)
    assert (nauty_key(state) == nauty_key(other)) == (one.key == two.key)
    assert_orbits_are_nautys(state, one)
    assert_orbits_are_nautys(other, two)


def test_nauty_agrees_on_the_states_of_textbook_lemmas() -> None:
    found = {state for formula in TEXTBOOK for state in reachable(formula)}
    pairs: set[tuple[bytes, object]] = set()
    for state in found:
        labelling = label(state)
        assert_orbits_are_nautys(state, labelling)
        pairs.add((labelling.key, nauty_key(state)))
    assert len(found) > len(pairs) == len({key for key, _ in pairs}) == len({key for _, key in pairs})


@pytest.mark.parametrize(("size", "number"), [(4, 50), *thoroughly((5, 50), (6, 20))])
def test_nauty_agrees_on_latin_squares_where_trials_that_look_alike_differ(size: int, number: int) -> None:
    rng = Random(size)
    found: set[tuple[bytes, object]] = set()
    for _ in range(number):
        state = goal(square(latin_square(size, rng)))
        for each in (state, disguised(state, rng).state):
            labelling = label(each)
            assert_orbits_are_nautys(each, labelling)
            found.add((labelling.key, nauty_key(each)))
    assert 1 < len(found) == len({key for key, _ in found}) == len({key for _, key in found})


@pytest.mark.parametrize("family", FAMILIES)
def test_nauty_finds_the_orbits_of_a_symmetric_state(family: str) -> None:
    state = FAMILIES[family]()
    assert_orbits_are_nautys(state, label(state))


@pytest.mark.parametrize(("pairs", "same"), [(SAME, True), (DIFFERENT, False)], ids=["same", "different"])
def test_nauty_agrees_which_symmetric_states_are_the_same(pairs: dict[str, Pair], same: bool) -> None:
    for name, pair in pairs.items():
        one, other = pair()
        assert (nauty_key(one) == nauty_key(other)) == same, name


def test_nauty_tells_all_symmetric_states_apart_that_have_different_keys() -> None:
    found = {name: disguised(family(), Random(name)).state for name, family in FAMILIES.items()}
    assert len({nauty_key(state) for state in found.values()}) == len({label(state).key for state in found.values()})
