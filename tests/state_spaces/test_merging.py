"""What each state space overlooks, and how many states it merges that a random player meets."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from state_spaces.merging import Distinct, distinct, met_at_random
from tactics.formula import Formula
from tactics.goal import Goal, Hypothesis, State
from tactics.parser import parse
from tests.strategies import formulas, states


def goal(conclusion: str, **hypotheses: str) -> Goal:
    named = tuple(Hypothesis(name, parse(text)) for name, text in hypotheses.items())
    return Goal(named, parse(conclusion))


def test_each_notion_merges_what_it_overlooks() -> None:
    waiting = goal("q")
    first = goal("p", H="p", H0="p -> q")
    some: list[State] = [
        (first,),
        (goal("p", H="p -> q", H0="p"),),  # other names and order
        (goal("r", H="r", H0="r -> p"),),  # other atoms
        (first, waiting),  # another goal waits
        (first, goal("p")),  # and another one
        (goal("p", H="p", H0="p -> p"),),  # another pattern of atoms
        (goal("p", H="p", H0="p -> q", H1="p"),),  # one hypothesis twice
    ]
    assert distinct(some) == Distinct(text=7, unordered=6, name=5, focused=4, match=3)
    assert distinct([]) == Distinct(0, 0, 0, 0, 0)


@settings(deadline=None)
@given(st.lists(states(), max_size=6))
def test_a_space_that_overlooks_more_has_no_more_states(some: list[State]) -> None:
    counts = distinct(some)
    assert counts.text == len(set(some))
    assert counts.text >= counts.unordered >= counts.name >= counts.match
    assert counts.unordered >= counts.focused >= counts.match


@settings(deadline=None)
@given(formulas(max_steps=5, max_size=15), st.integers(0, 2**32))
def test_a_random_player_meets_the_same_states_with_the_same_seed(formula: Formula, seed: int) -> None:
    met = met_at_random([formula], 3, Random(seed))
    assert met_at_random([formula], 3, Random(seed)) == met
    assert all(state for state in met)


def test_sentences_say_what_was_counted() -> None:
    none, some = Distinct(100, 60, 60, 20, 20).sentences(), Distinct(100, 60, 50, 20, 17).sentences()
    assert all("renaming atoms merges none of these" in sentence for sentence in none)
    assert "merges 10 of these (Name)" in some[0]
    assert "merges 3 of these (Match)" in some[1]
