"""Where maxims apply, how they are worded, and that as a prior they weigh the moves they are about and no others."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.experience.maxims import AVOID, CATEGORIES, MOST_WORDS, OPEN, PREFER, Evidence, Maxim
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import MOST_ODDS, Prior
from oasis.experience.scope import (
    ANY,
    CLASSES,
    ELSEWHERE,
    LAST,
    LEFT_SIDE,
    LOSING,
    OWN,
    REACHED,
    RIGHT_SIDE,
    SAFE,
    SHARED,
    SIDES,
    TO_GOAL,
    UNREACHED,
    Scope,
    applying,
    conditions,
    is_within_reach,
    narrower,
    scopes,
    shapes,
    wider,
)
from oasis.experience.wording import worded
from oasis.play.policy import Floats, Ordered, Uniform
from oasis.teacher.hints import Teacher
from tactics.errors import InputError
from tactics.goal import Goal, Hypothesis, Move, initial
from tactics.parser import parse
from tactics.rules import RULES, legal_moves
from tactics.script import parse_script
from tactics.sequent import parse_state
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
        plain = {scope for scope in found if scope.rule == move.rule and not scope.also}
        assert set(applying(goal, move, everywhere)) == plain
        assert applying(goal, move, found) == found and len(found) == len(set(found))
        for scope in found:
            assert Scope.read(*scope) == scope
            assert any(Scope(ANY, ANY, each).contains(scope) for each in CLASSES)
            assert all(one.depth < scope.depth for one in found if one.contains(scope) and one != scope)


@given(goals())
def test_a_scope_is_narrowed_to_parts_that_exclude_each_other_and_widened_back(goal: Goal) -> None:
    for move in legal_moves(goal):
        for scope in [*scopes(goal, move)][::7]:
            for among in narrower(scope):
                assert all(scope.contains(each) and Scope.read(*each) == each for each in among)
                assert len(applying(goal, move, among)) <= 1
            for wide in wider(scope):
                assert wide.contains(scope) and wide != scope and Scope.read(*wide) == wide
                is_parted = wide.hypothesis == scope.hypothesis or move.hypothesis is not None
                assert any(scope in among for among in narrower(wide)) == is_parted and applying(goal, move, [wide])


@pytest.mark.parametrize(
    ("hypotheses", "conclusion", "move", "held"),
    [
        ("H : p", "p \\/ q", "left", {REACHED, SHARED}),
        ("H : p", "p \\/ q", "right", {UNREACHED, SHARED}),
        ("H : r", "p \\/ q", "right", {UNREACHED, OWN}),
        ("H : (p -> q) -> r", "r", "imply4 H", {UNREACHED, LAST, TO_GOAL, SHARED}),
        ("H : (p -> q) -> r, H0 : q", "s", "imply4 H", {UNREACHED, "came earlier", ELSEWHERE, SHARED}),
        ("H : p /\\ q, H0 : False", "s", "destruct_and H", {REACHED, "came earlier", ELSEWHERE, OWN}),
        ("H : r -> p /\\ q", "s -> q", "intro", {REACHED, SHARED}),
    ],
)
def test_what_else_is_so_of_a_move(hypotheses: str, conclusion: str, move: str, held: set[str]) -> None:
    (goal,) = parse_state(f"{hypotheses} |- {conclusion}")
    (made,) = parse_script(move)
    assert set(conditions(goal, made)) == held


@given(goals())
def test_what_is_out_of_reach_has_no_proof(goal: Goal) -> None:
    assert is_within_reach(goal) or not Teacher().provable((goal,))


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ((ANY, ANY, "left", ["soon"]), "A condition is one of"),
        ((ANY, ANY, "left", "within reach"), "The conditions are 'within reach'"),
        ((ANY, ANY, "left", [LAST]), "left takes no hypothesis that came last"),
        ((ANY, ANY, "imply4", [REACHED, UNREACHED]), "no opposites"),
        ((ANY, ANY, "imply4", [REACHED, LAST, OWN]), "at most 2"),
        ((ANY, "or", LOSING), "of all rules that can lose"),
    ],
)
def test_what_is_no_scope_is_refused(told: tuple[object, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Scope.read(*told)


@pytest.mark.slow
@pytest.mark.parametrize("category", [*CATEGORIES, OPEN])
def test_each_maxim_says_something_else_and_no_more_than_32_words_without_two_conditions(category: str) -> None:
    plain = [Scope(*each) for each in product(SHAPES, [*SHAPES, *SIDES], RULES)]
    plain += [Scope(each, ANY, rule) for each, rule in product(SHAPES, CLASSES)]
    told = {each: worded(each, category) for each in plain}
    assert max(len(each.split()) for each in told.values()) <= MOST_WORDS
    for general in [each for each in plain if "(" not in f"{each.conclusion}{each.hypothesis}"]:
        for scope in [*narrower(general), *[[each] for among in narrower(general)[-1:] for each in among]]:
            told |= {each: worded(each, category) for each in scope}
            told |= {more: worded(more, category) for each in scope for among in narrower(each) for more in among}
    assert all(each[0].isupper() and each.endswith(".") and "{" not in each for each in told.values())
    assert len(set(told.values())) == len(told)


@pytest.mark.parametrize(
    ("scope", "category", "words"),
    [
        (
            ("or", "or", "destruct_or"),
            PREFER,
            "Where the goal is a disjunction and a hypothesis is one too, take it by cases first.",
        ),
        (
            (ANY, "implies(implies,atom)", "imply4"),
            AVOID,
            "Where a hypothesis is an implication from an implication to an atom, do not prove the premise of it yet.",
        ),
        (
            ("or", LEFT_SIDE, "left"),
            PREFER,
            "Where the goal is a disjunction and a hypothesis is its left side, prove the goal's left side first.",
        ),
        ((ANY, ANY, "left"), AVOID, "Do not prove the goal's left side while another move applies."),
        ((ANY, ANY, SAFE), PREFER, "Wherever you can, make a move that cannot lose first."),
        (
            ("or", ANY, LOSING, (UNREACHED, OWN)),
            AVOID,
            "Where the goal is a disjunction, what is then to be proved is out of reach and what it is about shares no "
            "atom with the rest, do not make a move that can lose yet.",
        ),
        ((ANY, ANY, "split"), OPEN, "Wherever you can, prove the goal's two sides or not."),
    ],
)
def test_maxims_read_as_a_person_would_say_them(scope: tuple[Any, ...], category: str, words: str) -> None:
    assert worded(Scope(*scope), category) == words


# Maxims as a prior over moves

APART = Maxim(1, Scope("or", "or", "destruct_or"), Evidence(19, 0), "p", "now", "now", "p")
LEFT = replace(APART, id=2, scope=Scope(ANY, ANY, "left"), evidence=Evidence(0, 3))


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


def test_an_exception_counts_in_place_of_what_it_is_from_and_all_others_multiply() -> None:
    assert [move.rule for move in legal_moves(CHOICE)] == ["left", "right"]
    special = replace(LEFT, scope=Scope("or", ANY, "left"), evidence=Evidence(8, 0))
    silent = replace(special, evidence=Evidence(0, 0))
    beside = replace(LEFT, scope=Scope(ANY, ANY, LOSING, (UNREACHED,)), evidence=Evidence(0, 8))
    assert shares(CHOICE, LEFT).tolist() == pytest.approx([0.2, 0.8])
    assert shares(CHOICE, LEFT, special).tolist() == pytest.approx([0.9, 0.1])
    assert shares(CHOICE, special, silent).tolist() == pytest.approx([0.75, 0.25])  # their geometric mean
    assert shares(CHOICE, LEFT, beside).tolist() == pytest.approx([0.2, 0.8])  # both are out of reach
    held = Goal((Hypothesis("H", parse("p")),), CHOICE.conclusion)
    assert shares(held, special, beside).tolist() == pytest.approx([81 / 82, 1 / 82])
    assert ExperiencedPolicy(Uniform(), Prior.of([LEFT])).values((CHOICE,)) is None


@given(st.tuples(st.integers(0, 30), st.integers(0, 30)), st.sampled_from([LEFT.scope, Scope("or", ANY, LOSING)]))
def test_no_maxim_does_anything_but_what_it_says(pairs: tuple[int, int], scope: Scope) -> None:
    scope = scope if scope.rule == "left" else scope._replace(also=(REACHED,))
    held = Goal((Hypothesis("H", parse("p")),), CHOICE.conclusion)
    maxim = replace(LEFT, scope=scope, evidence=Evidence(*pairs), remark="Never go right.")
    left, right = shares(held, maxim)
    wanted = {"first.": left > right, "yet.": left < right, "applies.": left < right, "not.": left == right}
    assert wanted[maxim.content.split()[-1]] and "right" not in maxim.content


def test_a_prior_is_written_and_read_again() -> None:
    prior = Prior.of([APART, LEFT, replace(LEFT, evidence=Evidence(0, 1e300))])
    again = Prior.read(prior.text)
    assert again.text == prior.text and len(again) == 2
    ours, theirs = prior.odds(CHOICE), again.odds(CHOICE)
    assert ours is not None and theirs is not None and ours.tolist() == theirs.tolist()
    assert again.odds(initial(parse("p -> p"))[0]) is None
    assert (Prior.read("").text, len(Prior.of([]))) == ("", 0)
    assert Prior.read('[["or", "any", "left", 2.0]]').text == '[["or", "any", "left", [], 2.0]]'  # as runs have it
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
