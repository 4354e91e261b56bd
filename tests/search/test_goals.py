"""Goals up to renaming: which are one, which moves they have, and how they get their names back."""

from __future__ import annotations

from random import Random

from hypothesis import given

from oasis.search.goals import Goals, moves_at, slots
from state_spaces import Name
from state_spaces.canonical import label
from tactics.goal import Goal, Hypothesis, initial
from tactics.parser import parse
from tactics.rules import legal_moves, premises
from tests.state_spaces.graphs import cycles, edges
from tests.state_spaces.graphs import goal as goal_of
from tests.state_spaces.variants import disguised
from tests.strategies import goals


def goal(hypotheses: str, conclusion: str) -> Goal:
    named = [Hypothesis(f"H{place}", parse(text)) for place, text in enumerate(hypotheses.split(",")) if text]
    return Goal(tuple(named), parse(conclusion))


def test_goals_that_only_their_keys_tell_apart_are_two() -> None:
    found = Goals()
    hexagon, triangles = goal_of(edges(cycles(6))), goal_of(edges(cycles(3, 3)))
    number = found.add(hexagon[0])
    assert found.add(triangles[0]) != number
    assert found.add(disguised(hexagon, Random(1)).state[0]) == number
    assert found.key(number) == label(hexagon).key


@given(goals(), goals())
def test_two_goals_have_one_number_exactly_if_they_are_the_same_in_name(one: Goal, other: Goal) -> None:
    found, name = Goals(), Name()
    same = name.view((one,)).key == name.view((other,)).key
    assert (found.add(one) == found.add(other)) == same


@given(goals())
def test_moves_leave_the_same_goals_as_in_the_calculus(goal: Goal) -> None:
    found = Goals()
    number = found.add(goal)
    edges = {slot: (times, left) for slot, times, left in found.edges(number)}
    called = slots(goal)
    assert tuple(called) == legal_moves(goal)
    assert set(called.values()) == set(edges)
    for move, slot in called.items():
        assert edges[slot][1] == tuple(map(found.add, premises(goal, move)))
    assert sum(times for times, _ in edges.values()) == len(called)


@given(goals())
def test_the_order_of_moves_depends_on_nothing_but_the_goal(one: Goal) -> None:
    fresh, used = Goals(), Goals()
    for move in legal_moves(one):
        for premise in premises(one, move):
            used.edges(used.add(premise))
    keyed = [
        [(slot, times, [*map(found.key, left)]) for slot, times, left in found.edges(found.add(one))]
        for found in (fresh, used)
    ]
    assert keyed[0] == keyed[1]


@given(goals())
def test_every_goal_gets_names_back_under_which_it_can_be_reached(goal: Goal) -> None:
    found = Goals()
    pending = [found.add(goal)]
    for number in pending:
        named = found.goal(number)
        assert found.add(named) == number
        pending += [each for _, _, left in found.edges(number) for each in left if each not in pending][:3]
        if len(pending) > 20:
            break


def test_a_goal_far_down_gets_its_names_back_without_recursion() -> None:
    formula = parse(" -> ".join(["p"] * 1150) + " -> q")
    found = Goals()
    number = found.add(initial(formula)[0])
    for _ in range(1100):
        number = next(left[0] for slot, _, left in found.edges(number) if slot == ("intro", None))
    assert len(found.goal(number).hypotheses) == 1100


def test_a_move_that_a_goal_does_not_have_has_no_slot() -> None:
    assert moves_at(goal("p", "q"), ("split", None)) == ()
