"""What one search finds out reaches the graph of another one that goes on beside it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.search.best_first import BestFirst
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals
from oasis.search.graph import OPEN, AndOrGraph, Status
from oasis.search.search import Budget
from tactics.formula import Formula
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import replay
from tests.strategies import formulas
from tests.thorough import examples


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
