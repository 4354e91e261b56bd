"""Goals up to renaming, and the AND/OR graph of them: what is proved or refuted, and the scripts read off it."""

from functools import partial, reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.ground.names import SEARCHES
from oasis.play.solving import OPEN, PROVED, Budget, Status
from oasis.search.best_first import BestFirst
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals, slots
from oasis.search.graph import AndOrGraph
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from state_spaces import Name
from state_spaces.canonical import label
from state_spaces.search import canonical_order
from tactics.formula import Formula
from tactics.goal import Goal, State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves, premises
from tactics.script import replay
from tests.state_spaces.graphs import cycles, edges
from tests.state_spaces.graphs import goal as goal_of
from tests.state_spaces.variants import disguised
from tests.strategies import formulas, goals
from tests.thorough import examples


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
        assert found.add(found.goal(number)) == number
        pending += [each for _, _, left in found.edges(number) for each in left if each not in pending][:3]
        if len(pending) > 20:
            break


@pytest.mark.slow
def test_a_goal_far_down_gets_its_names_back_without_recursion() -> None:
    formula = parse(" -> ".join(["p"] * 1150) + " -> q")
    found = Goals()
    number = found.add(initial(formula)[0])
    for _ in range(1100):
        number = next(left[0] for slot, _, left in found.edges(number) if slot == ("intro", None))
    assert len(found.goal(number).hypotheses) == 1100


# The graph


@given(goals(max_hypotheses=3, max_steps=2), st.integers(0, 2**32))
def test_statuses_fit_together_after_every_expansion_and_end_in_the_truth_and_a_script(goal: Goal, seed: int) -> None:
    graph, rng = AndOrGraph(Goals()), Random(seed)
    root = graph.reach(graph.goals.add(goal))
    frontier = [root]
    while frontier and len(graph.nodes) < 300:
        node = frontier.pop(rng.randrange(len(frontier)))
        if node.edges is None:
            frontier += [graph.nodes[each] for _, _, left in graph.expand(node) for each in left]
            graph.check_invariants()
    truth = Sequents().decide([formula for _, formula in goal.hypotheses], goal.conclusion)
    if root.status is not OPEN:
        assert (root.status is PROVED) == truth
    if not frontier:
        assert root.status is not OPEN
        lengths = Lengths(GoalGraph((goal,)))
        assert (lengths.shortest_proof((goal,)) or float("inf")) == root.length
    if root.status is PROVED:
        script = graph.script(goal)
        state: State = (goal,)
        assert reduce(apply, script, state) == ()
        assert len(script) == root.length


@pytest.mark.parametrize(
    "text",
    [
        "(b1 \\/ b0) -> (b0 \\/ b1) -> (a1 \\/ a0) -> (a0 \\/ a1) -> q -> q",
        "(a1 /\\ a0) -> (a0 /\\ a1) -> (b0 \\/ b1) -> (b1 \\/ b0) -> q -> q",
    ],
)
@pytest.mark.parametrize("seed", range(6, 9))
def test_a_proof_can_be_read_off_where_goals_are_too_symmetric_for_a_key(
    text: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("state_spaces.search.canonical_order", partial(canonical_order, budget=0))
    formula = parse(text)
    for kind in SEARCHES.values():
        search = kind(initial(formula)[0], seed=seed)
        for _ in search.run(Budget(expansions=500)):
            pass
        script = search.script()
        assert script is not None
        assert not replay(formula, script)[-1]


# Searches side by side: what one finds out reaches the graph of the other.


@settings(max_examples=examples(60))
@given(formula=formulas(("A", "B", "C"), max_steps=8, max_size=30), expanded=st.integers(0, 30), data=st.data())
def test_a_graph_recalls_what_others_told_the_cache(formula: Formula, expanded: int, data: st.DataObject) -> None:
    goals, cache = Goals(), GoalCache()
    (lemma,) = initial(formula)
    graph = AndOrGraph(goals, cache)
    root = graph.reach(goals.add(lemma))
    for _ in range(expanded):
        leaves = [node for node in graph.nodes.values() if node.status is OPEN and node.edges is None]
        if leaves:
            graph.expand(data.draw(st.sampled_from(leaves)))
    other = BestFirst(lemma, cache=cache, goals=goals)
    list(other.run(Budget(expansions=500)))
    for number in data.draw(st.permutations(list(graph.nodes))):
        node = graph.nodes[number]
        status = graph.recall(node)
        assert status is node.status
        if number in other.graph.nodes and other.graph.nodes[number].status is not OPEN:
            assert status is other.graph.nodes[number].status
        graph.check_invariants()
    if root.status is Status.PROVED:
        assert replay(formula, graph.script(lemma))[-1] == ()


def test_nothing_is_recalled_without_a_cache() -> None:
    goals = Goals()
    (lemma,) = initial(parse("A -> A"))
    graph = AndOrGraph(goals)
    assert graph.recall(graph.reach(goals.add(lemma))) is OPEN


def test_a_search_within_another_one_goes_on_where_it_was() -> None:
    (lemma,) = initial(parse("(A -> B) -> (B -> C) -> A -> C"))
    search = BestFirst(lemma)
    for done, _ in enumerate(search.steps(), 1):
        assert search.expansions == done
        if done == 2:
            break
    list(search.run(Budget()))
    assert search.status is Status.PROVED and search.expansions > 2
