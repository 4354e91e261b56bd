"""Drafts with open goals, the population that they form, and the raters that put them in an order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import inf
from typing import Any, Final

import pytest

from oasis.policy import Uniform
from oasis.search.best_first import BestFirst
from oasis.search.cache import GoalCache
from oasis.search.evolution.drafts import HOLE, KNOWN, Draft, Line, Lines, check_invariants, filled, holes, up_to_date
from oasis.search.evolution.population import Population
from oasis.search.evolution.raters import Oracle, Rater, Symbolic, Valued
from oasis.search.evolution.settings import Settings
from oasis.search.goals import Goals
from oasis.search.graph import PROVED, AndOrGraph
from oasis.search.search import Budget
from oasis.splitmix import SplitMix64
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.goal import Goal, State, initial
from tactics.parser import parse


def goal(text: str) -> Goal:
    return initial(parse(text))[0]


TWICE: Final = "(A -> (A -> B) -> B) /\\ (A -> (A -> B) -> B)"


def twice() -> tuple[AndOrGraph, Lines]:
    """A draft in which the same goal is open two times."""
    graph = AndOrGraph(Goals(), GoalCache())
    root = graph.reach(graph.goals.add(goal(TWICE)))
    ((_, _, left),) = graph.expand(root)
    return graph, (Line(root.number, 0), *(Line(premise, HOLE) for premise in left))


def test_two_equal_open_goals_are_two_goals() -> None:
    graph, lines = twice()
    assert lines[1] == lines[2]
    draft = Draft(lines, "lemma")
    assert draft.open == (lines[1].goal,) * 2
    half = filled(lines, 1, [Line(lines[1].goal, KNOWN)])
    assert holes(half) == [2]
    check_invariants(graph.goals, lines[0].goal, half)
    with pytest.raises(AssertionError):
        check_invariants(graph.goals, lines[0].goal, lines[:2])


def test_what_is_proved_is_closed_wherever_it_is_open() -> None:
    graph, lines = twice()
    list(BestFirst(graph.goals.goal(lines[1].goal), goals=graph.goals, cache=graph.cache).run(Budget()))
    assert up_to_date(graph, lines) == (Line(lines[0].goal, KNOWN),)
    assert graph.reach(lines[0].goal).status is PROVED


def test_a_move_that_leaves_a_refuted_goal_is_taken_back() -> None:
    graph = AndOrGraph(Goals())
    root = graph.reach(graph.goals.add(goal("(A \\/ (B -> B)) /\\ (C -> C)")))
    left, right = graph.expand(root)[0][2]
    edges = graph.expand(graph.reach(left))
    wrong = next(place for place, (slot, _, _) in enumerate(edges) if slot[0] == "left")
    lines = (Line(root.number, 0), Line(left, wrong), Line(edges[wrong][2][0], HOLE), Line(right, HOLE))
    check_invariants(graph.goals, root.number, lines)
    assert up_to_date(graph, lines) == lines
    graph.expand(graph.reach(lines[2].goal))  # A alone has no moves
    assert up_to_date(graph, lines) == (lines[0], Line(left, HOLE), Line(right, HOLE))


def drafts_of(elos: Sequence[float], visits: Sequence[int]) -> Population:
    population = Population(Settings(best=3))
    for number, (elo, seen) in enumerate(zip(elos, visits, strict=True)):
        population.admit(Draft((Line(number, HOLE),), "anew", (), number, seen, elo))
    return population


def chosen(population: Population) -> set[int]:
    numbers = set()
    for seed in range(40):
        draft = population.select(SplitMix64.seeded(seed))
        draft.visits -= 1
        numbers.add(draft.number)
    return numbers


def test_parents_are_chosen_by_rating_and_by_how_rarely_they_were() -> None:
    assert chosen(drafts_of([1300, 1400, 1200], [0, 0, 0])) == {1}
    assert chosen(drafts_of([1300, 1300, 1200], [0, 0, 0])) == {0, 1}  # by lot
    # q = 1, 0.5, 0 and V = 9: 1 + 0.6 / 10 against 0.5 + 0.6 / 1
    assert chosen(drafts_of([1400, 1300, 1200], [9, 0, 0])) == {1}
    assert chosen(drafts_of([1400, 1290, 1200], [9, 0, 0])) == {0}
    # The fourth is not among the best three, however rarely it was chosen.
    assert 3 not in chosen(drafts_of([1400, 1300, 1200, 1199], [100, 100, 100, 0]))


def test_a_draft_that_is_there_already_is_not_taken_in() -> None:
    population = drafts_of([1200], [0])
    assert not population.admit(Draft((Line(0, HOLE),), "anew"))
    assert population.admit(Draft((Line(8, HOLE),), "anew", number=8))
    population.revise(lambda lines: (Line(5, HOLE),))
    assert [draft.number for draft in population.drafts] == [0]


def test_winners_are_rated_higher_invited_more_often_and_kept() -> None:
    population = Population(Settings(population=4, match=2, samples=300))
    for number in range(6):
        population.admit(Draft((Line(number, HOLE),), "anew", number=number))
    for _ in range(6):
        population.report(population.drafts, [5, 4, 3, 2, 0, 0])  # the last two tie
    population.rate(SplitMix64(1))
    assert [draft.number for draft in population.drafts] == [2, 3, 4, 5]
    elos = [draft.elo for draft in population.drafts]
    assert elos[0] < elos[1] < min(elos[2:])
    assert abs(elos[2] - elos[3]) < 100
    guests = Counter(draft.number for seed in range(200) for draft in population.invite(SplitMix64.seeded(seed)))
    assert guests[4] + guests[5] > 3 * (guests[2] + guests[3]) > 0
    population.rate(SplitMix64(2))  # those who are gone are left out of what they took part in
    assert all(draft.elo > 1000 for draft in population.drafts[2:])


PROVABLE: Final = goal("A -> A")
LONGER: Final = goal("A -> B -> A /\\ B")
UNPROVABLE: Final = goal("A -> B")


@pytest.mark.parametrize(
    ("rater", "places"),
    [
        (Symbolic(), [0, 3, 1, 4, 2]),
        (Valued(Exact()), [0, 0, 0, 3, 3]),
        (Oracle(lambda goal: {PROVABLE: 2, LONGER: 5, UNPROVABLE: inf}[goal]), [0, 1, 2, 3, 3]),
    ],
)
def test_raters_put_drafts_in_their_order(rater: Rater, places: list[int]) -> None:
    drafts: list[State] = [(PROVABLE,), (PROVABLE, PROVABLE), (LONGER,), (UNPROVABLE, PROVABLE), (UNPROVABLE,)]
    ranked = rater.rank(drafts)
    if isinstance(rater, Symbolic):
        assert ranked[0] == ranked[4] == 0  # as heavy as each other
        assert ranked[2] == 2 < ranked[1] == ranked[3] == 3
    else:
        assert ranked == places


def test_a_policy_without_values_is_no_rater() -> None:
    with pytest.raises(InputError, match="Uniform has no values of goals"):
        Valued(Uniform()).rank([(PROVABLE,)])


def test_values_of_somebodys_own_are_checked() -> None:
    class Own(Uniform):
        def values(self, goals: Sequence[Goal]) -> Any:
            return [value] * len(goals)

    value = 0.5
    assert Valued(Own()).rank([(PROVABLE, PROVABLE), (PROVABLE,)]) == [1, 0]
    value = 2.0
    with pytest.raises(InputError, match="Own has to give 1 values from 0 to 1"):
        Valued(Own()).rank([(PROVABLE,)])
