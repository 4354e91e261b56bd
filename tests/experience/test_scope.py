"""Where maxims apply, and how they are worded."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given

from oasis.experience.maxims import MOST_WORDS
from oasis.experience.scope import ANY, LEFT_SIDE, RIGHT_SIDE, SIDES, Scope, applying, scopes, shapes
from oasis.experience.wording import worded
from tactics.errors import InputError
from tactics.goal import Goal, Hypothesis, Move
from tactics.parser import parse
from tactics.rules import RULES, legal_moves
from tests.strategies import goals

KINDS = ("and", "or", "implies", "atom", "false")
SHAPES = [ANY, *KINDS, *(f"{one}({left},{right})" for one, left, right in product(KINDS[:3], KINDS, KINDS))]


def test_a_scope_is_about_formulas_to_depth_two_and_the_hypothesis_that_a_rule_takes() -> None:
    assert shapes(parse("(p -> q) \\/ ~p")) == (ANY, "or", "or(implies,implies)")
    assert shapes(parse("~p")) == (ANY, "implies", "implies(atom,false)")
    assert shapes(parse("False")) == (ANY, "false")
    goal = Goal((Hypothesis("H", parse("p \\/ q")), Hypothesis("H0", parse("p /\\ q"))), parse("q \\/ p"))
    assert Scope("or", "and", "left") in set(scopes(goal, Move("left")))
    assert Scope("or", "or", "left") in set(scopes(goal, Move("left")))
    assert Scope("or", "or", "destruct_or") in set(scopes(goal, Move("destruct_or", "H")))
    assert Scope("or", "and", "destruct_or") not in set(scopes(goal, Move("destruct_or", "H")))
    goal = Goal((Hypothesis("H", parse("p -> q")),), parse("q \\/ (p -> q)"))
    assert Scope("or", RIGHT_SIDE, "right") in set(scopes(goal, Move("right")))
    assert not any(scope.hypothesis == LEFT_SIDE for move in legal_moves(goal) for scope in scopes(goal, move))
    with pytest.raises(InputError, match="The conclusion is 'left side'"):
        Scope.read("left side", ANY, "left")


@given(goals())
def test_a_scope_is_read_as_it_is_written_and_the_most_general_one_contains_it(goal: Goal) -> None:
    for move in legal_moves(goal):
        found = list(scopes(goal, move))
        everywhere = [Scope(one, other, move.rule) for one, other in product(SHAPES, (*SHAPES, *SIDES))]
        assert set(applying(goal, move, everywhere)) == set(found)
        assert len(found) == len(set(found))
        for scope in found:
            assert Scope.read(*scope) == scope
            assert Scope(ANY, ANY, move.rule).contains(scope)
            assert all(one.depth < scope.depth for one in found if one.contains(scope) and one != scope)


@pytest.mark.parametrize("prefer", [True, False])
def test_no_maxim_is_worded_in_more_than_32_words_and_each_says_something_else(prefer: bool) -> None:
    told = [worded(Scope(*each), prefer=prefer) for each in product(SHAPES, [*SHAPES, *SIDES], RULES)]
    assert max(len(each.split()) for each in told) <= MOST_WORDS
    assert all(each[0].isupper() and each.endswith(".") and "{" not in each for each in told)
    takes = [rule for rule in RULES if rule not in ("destruct_or",)]  # which says what destruct_and does
    told = [worded(Scope(*each), prefer=prefer) for each in product(SHAPES, [*SHAPES, *SIDES], takes)]
    assert len(set(told)) == len(told)


def test_maxims_read_as_a_person_would_say_them() -> None:
    assert (
        worded(Scope("or", "or", "destruct_or"), prefer=True)
        == "Where the goal is a disjunction and a hypothesis is one too, take it apart first."
    )
    assert (
        worded(Scope(ANY, "implies(implies,atom)", "imply4"), prefer=False)
        == "Where a hypothesis is an implication from an implication to an atom, do not prove the premise of it yet."
    )
    assert (
        worded(Scope("or", "left side", "left"), prefer=True)
        == "Where the goal is a disjunction and a hypothesis is its left side, prove the goal's left side first."
    )
    assert (
        worded(Scope(ANY, ANY, "left"), prefer=False) == "Do not prove the goal's left side while another move applies."
    )
