"""The AND/OR graph: what is proved or refuted, whatever order goals are expanded in, and the scripts read off it."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.search.cache import CacheError, GoalCache, Known
from oasis.search.goals import Goals
from oasis.search.graph import OPEN, PROVED, REFUTED, AndOrGraph
from oasis.search.registry import SEARCHES
from oasis.search.search import Budget
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.exact.goal_graph import GoalGraph
from oasis.teacher.exact.values import Lengths
from state_spaces.search import canonical_order
from tactics.formula import Formula
from tactics.goal import Goal, initial
from tactics.parser import parse
from tactics.script import replay
from tests.strategies import formulas, goals

NAMES = ("A", "B", "C")


@given(goals(max_hypotheses=3, max_steps=2), st.integers(0, 2**32))
def test_statuses_fit_together_after_every_expansion_and_end_in_the_truth(goal: Goal, seed: int) -> None:
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


def everything(formula: Formula, graph: AndOrGraph) -> None:
    """Expand all that a lemma leads to."""
    pending = [graph.reach(graph.goals.add(initial(formula)[0]))]
    for node in pending:
        if node.edges is None:
            pending += [graph.nodes[each] for _, _, left in graph.expand(node) for each in left]


@given(formulas(NAMES, max_steps=5, max_size=14))
def test_the_script_of_a_graph_is_a_proof_of_the_length_that_it_says(formula: Formula) -> None:
    graph = AndOrGraph(Goals())
    everything(formula, graph)
    goal = initial(formula)[0]
    root = graph.reach(graph.goals.add(goal))
    if root.status is PROVED:
        script = graph.script(goal)
        assert len(script) == root.length
        assert not replay(formula, script)[-1]


def test_a_goal_without_moves_is_refuted_and_so_is_what_needs_it() -> None:
    graph = AndOrGraph(Goals())
    root = graph.reach(graph.goals.add(initial(parse("p /\\ (q -> q)"))[0]))
    graph.expand(root)
    assert root.status is OPEN
    stuck = graph.nodes[graph.goals.add(initial(parse("p"))[0])]
    graph.expand(stuck)
    assert (stuck.status, root.status) == (REFUTED, REFUTED)
    graph.check_invariants()


def test_a_proof_from_the_cache_that_is_none_is_refused_in_words() -> None:
    formula = parse("p -> p")
    goals, cache = Goals(), GoalCache()
    goal = initial(formula)[0]
    cache.put(goals.key(goals.add(goal)), Known(("split", None), 1))
    with pytest.raises(CacheError, match="something else changed it"):
        AndOrGraph(goals, cache).script(goal)


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
    monkeypatch.setattr("state_spaces.canonical.canonical_order", partial(canonical_order, budget=0))
    formula = parse(text)
    for kind in SEARCHES.values():
        search = kind(initial(formula)[0], seed=seed)
        for _ in search.run(Budget(expansions=500)):
            pass
        script = search.script()
        assert script is not None
        assert not replay(formula, script)[-1]
