"""RMaxTS with a goal cache: what one search found out is true for the next, and is put into its rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oasis.actions import ActionSpace
from oasis.policy import Policy
from oasis.search.cache import GoalCache
from oasis.search.goals import Goals, moves_at
from oasis.search.graph import OPEN, PROVED, REFUTED
from oasis.search.rollouts.play import Job, Look, Playing
from oasis.search.rollouts.players import Here
from oasis.teacher.deciding.decide import Verdict, decide
from tactics.formula import And, Formula, Implies, Or
from tactics.parser import parse
from tactics.rules import premises
from tactics.script import replay
from tests.search.rmaxts import LEMMA, NO_THEOREM, SMALL, finished, search
from tests.thorough import examples


def check_cache(cache: GoalCache, goals: Goals) -> None:
    """What is in a cache is true of the goals that a search has numbered, and a proof leaves goals that are in it."""
    for number in range(min(len(goals), 40)):
        known = cache.get(goals.key(number))
        if known is not None:
            goal = goals.goal(number)
            formula = goal.conclusion
            for _, hypothesis in goal.hypotheses:
                formula = Implies(hypothesis, formula)
            assert (decide(formula).verdict is Verdict.THEOREM) == (known.slot is not None) == (known.length < inf)
            if known.slot is not None:
                move = moves_at(goal, known.slot)[0]
                assert move is not None
                left = [cache.get(goals.key(goals.add(premise))) for premise in premises(goal, move)]
                assert all(each is not None and each.slot is not None for each in left)


@settings(max_examples=examples(60))
@given(SMALL, SMALL, st.booleans(), st.sampled_from([1, 4]))
def test_what_one_search_found_out_is_true_for_the_next(
    one: Formula, other: Formula, together: bool, workers: int
) -> None:
    cache = GoalCache()
    first = search(one, cache=cache, workers=workers)
    finished(first, 1_000)
    second_formula = And(other, one) if together else Or(one, other)
    second = search(second_formula, cache=cache, workers=workers)
    finished(second, 1_000)
    second.tree.check_invariants()
    second.graph.check_invariants()
    if second.status is PROVED:
        script = second.script()
        assert script is not None and replay(second_formula, script)[-1] == ()
    truth = decide(second_formula).verdict
    assert second.status is OPEN or (second.status is PROVED) == (truth is Verdict.THEOREM)
    for found in (first, second):
        check_cache(cache, found.graph.goals)


def test_known_proofs_are_put_into_rollouts() -> None:
    cache = GoalCache()
    assert finished(search(LEMMA, cache=cache)).status is PROVED
    both = And(LEMMA, And(LEMMA, parse("p -> p")))
    last = finished(found := search(both, cache=cache))
    assert last.status is PROVED and last.expansions == 4  # split, split, intro, assumption
    script = found.script()
    assert script is not None and replay(both, script)[-1] == ()


def test_a_rollout_ends_at_a_goal_that_is_known_to_have_no_proof() -> None:
    cache = GoalCache()
    assert finished(search(NO_THEOREM, cache=cache)).status is REFUTED
    assert finished(found := search(And(LEMMA, NO_THEOREM), cache=cache)).status is REFUTED
    assert found.expansions == 1
    assert found.rollouts == 1


class Deaf(Here):
    """Plays here, but knows as little of the cache as other processes do."""

    def play(self, policy: Policy, space: ActionSpace, jobs: Sequence[Job], look: Look | None) -> Playing:
        return super().play(policy, space, jobs, None)


@pytest.mark.parametrize("workers", [1, 3])
def test_what_is_known_is_put_in_afterwards_where_players_do_not_know_it(workers: int) -> None:
    cache = GoalCache()
    assert finished(search(LEMMA, cache=cache)).status is PROVED
    assert finished(search(NO_THEOREM, cache=cache)).status is REFUTED
    for seed in range(5):
        found = search(And(LEMMA, parse("p -> p")), cache=cache, players=Deaf(), workers=workers, seed=seed)
        assert finished(found).status is PROVED
        script = found.script()
        assert script is not None and replay(And(LEMMA, parse("p -> p")), script)[-1] == ()
        for formula in (And(LEMMA, NO_THEOREM), Or(NO_THEOREM, And(LEMMA, parse("p -> q")))):
            found = search(formula, cache=cache, players=Deaf(), workers=workers, seed=seed)
            assert finished(found).status is REFUTED
            found.tree.check_invariants()
            ways = found.tree._ways.values()
            assert all(replay(formula, way.script)[-1] == way.state for way in ways)
            assert len(ways) < 10  # nothing of what is known becomes part of the tree
