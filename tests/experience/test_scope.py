"""Where maxims apply, how they are worded, and that as a prior they weigh the moves they are about and no others."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given

from oasis.experience.maxims import AVOID, MOST_WORDS, PREFER, Evidence, Maxim
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import MOST_ODDS, Prior
from oasis.experience.scope import ANY, LEFT_SIDE, RIGHT_SIDE, SIDES, Scope, applying, scopes, shapes
from oasis.experience.wording import worded
from oasis.play.policy import Floats, Ordered, Uniform
from tactics.errors import InputError
from tactics.goal import Goal, Hypothesis, Move, initial
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


@pytest.mark.slow
@pytest.mark.parametrize("prefer", [True, False])
def test_no_maxim_is_worded_in_more_than_32_words_and_each_says_something_else(prefer: bool) -> None:
    told = {each: worded(Scope(*each), prefer=prefer) for each in product(SHAPES, [*SHAPES, *SIDES], RULES)}
    assert max(len(each.split()) for each in told.values()) <= MOST_WORDS
    assert all(each[0].isupper() and each.endswith(".") and "{" not in each for each in told.values())
    # What is said of destruct_or may be what is said of destruct_and.
    others = [words for (*_, rule), words in told.items() if rule != "destruct_or"]
    assert len(set(others)) == len(others)


@pytest.mark.parametrize(
    ("scope", "prefer", "words"),
    [
        (
            ("or", "or", "destruct_or"),
            True,
            "Where the goal is a disjunction and a hypothesis is one too, take it apart first.",
        ),
        (
            (ANY, "implies(implies,atom)", "imply4"),
            False,
            "Where a hypothesis is an implication from an implication to an atom, do not prove the premise of it yet.",
        ),
        (
            ("or", LEFT_SIDE, "left"),
            True,
            "Where the goal is a disjunction and a hypothesis is its left side, prove the goal's left side first.",
        ),
        ((ANY, ANY, "left"), False, "Do not prove the goal's left side while another move applies."),
    ],
)
def test_maxims_read_as_a_person_would_say_them(scope: tuple[str, str, str], prefer: bool, words: str) -> None:
    assert worded(Scope(*scope), prefer=prefer) == words


# Maxims as a prior over moves

APART = Maxim(
    1, "Take it apart first.", PREFER, Scope("or", "or", "destruct_or"), "p", "now", "now", "p", Evidence(19, 0)
)
LEFT = replace(APART, id=2, content="Not left.", category=AVOID, scope=Scope(ANY, ANY, "left"), evidence=Evidence(0, 3))


def shares(goal: Goal, *maxims: Maxim) -> Floats:
    """Return the probabilities of a goal's moves for a policy that knows these maxims alone."""
    (found,) = ExperiencedPolicy(Uniform(), Prior.of(maxims)).probabilities([(goal,)])
    return found


CHOICE = Goal((), parse("p \\/ q"))


@given(goals())
def test_where_no_maxim_applies_the_policy_is_as_it_was(goal: Goal) -> None:
    found = shares(goal, APART)
    assert len(found) == len(legal_moves(goal))
    if len(found):
        assert found.sum() == pytest.approx(1)
    if not any(move.rule == "destruct_or" for move in legal_moves(goal)):
        assert found.tolist() == Uniform().probabilities([(goal,)])[0].tolist()


def test_the_most_special_maxims_multiply_probabilities_by_their_odds_and_never_against_their_words() -> None:
    assert [move.rule for move in legal_moves(CHOICE)] == ["left", "right"]
    special = replace(LEFT, scope=Scope("or", ANY, "left"), category=PREFER, evidence=Evidence(8, 0))
    silent, wrong = replace(special, evidence=Evidence(0, 0)), replace(LEFT, category=PREFER)
    assert shares(CHOICE, LEFT).tolist() == pytest.approx([0.2, 0.8])
    assert shares(CHOICE, LEFT, special).tolist() == pytest.approx([0.9, 0.1])
    assert shares(CHOICE, special, silent).tolist() == pytest.approx([0.75, 0.25])  # their geometric mean
    assert shares(CHOICE, wrong).tolist() == [0.5, 0.5]
    assert ExperiencedPolicy(Uniform(), Prior.of([LEFT])).values((CHOICE,)) is None


def test_a_prior_is_written_and_read_again() -> None:
    prior = Prior.of([APART, LEFT, replace(LEFT, evidence=Evidence(0, 1e300))])
    again = Prior.read(prior.text)
    assert again.text == prior.text and len(again) == 2
    ours, theirs = prior.odds(CHOICE), again.odds(CHOICE)
    assert ours is not None and theirs is not None and ours.tolist() == theirs.tolist()
    assert again.odds(initial(parse("p -> p"))[0]) is None
    assert (Prior.read("").text, len(Prior.of([]))) == ("", 0)
    no_odds = ('[["or", "any", "left"]]', '[["or", "any", "left", 0]]', '[["or", "any", "left", "x"]]')
    for text in ("1", "[1]", "{", *no_odds):
        with pytest.raises(InputError):
            Prior.read(text)


def test_no_evidence_rules_a_move_out_and_a_move_that_a_policy_never_makes_is_not_made() -> None:
    found = shares(CHOICE, replace(LEFT, evidence=Evidence(0, 1e308)))
    assert found.tolist() == pytest.approx([1 / (1 + MOST_ODDS), 1]) and found[0] > 0
    (found,) = ExperiencedPolicy(Ordered(0), Prior.of([LEFT])).probabilities([(CHOICE,)])
    assert found.tolist() == [1, 0]
    nothing = ExperiencedPolicy(Uniform(), Prior.of([LEFT])).probabilities([(), initial(parse("p"))])
    assert [each.tolist() for each in nothing] == [[], []]
