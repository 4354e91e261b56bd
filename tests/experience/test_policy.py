"""Maxims as a prior: they weigh the moves they are about, and leave everything else as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from oasis.exam import examine
from oasis.experience.maxims import AVOID, PREFER, Evidence, Maxim
from oasis.experience.policy import ExperiencedPolicy
from oasis.experience.prior import MOST_ODDS, Prior
from oasis.experience.scope import ANY, Scope
from oasis.policy import Ordered, Uniform
from tactics.errors import InputError
from tactics.goal import Goal, initial
from tactics.parser import parse
from tactics.rules import legal_moves
from tests.strategies import goals

APART = Maxim(
    1, "Take it apart first.", PREFER, Scope("or", "or", "destruct_or"), "p", "now", "now", "p", Evidence(19, 0)
)
LEFT = replace(APART, id=2, content="Not left.", category=AVOID, scope=Scope(ANY, ANY, "left"), evidence=Evidence(0, 3))


@given(goals())
def test_where_no_maxim_applies_the_policy_is_as_it_was(goal: Goal) -> None:
    (shares,) = ExperiencedPolicy(Uniform(), Prior.of([APART])).probabilities([(goal,)])
    assert len(shares) == len(legal_moves(goal))
    if len(shares):
        assert shares.sum() == pytest.approx(1)
    if not any(move.rule == "destruct_or" for move in legal_moves(goal)):
        assert shares.tolist() == Uniform().probabilities([(goal,)])[0].tolist()


def test_probabilities_are_multiplied_by_odds() -> None:
    goal = Goal(initial(parse("p"))[0].hypotheses, parse("p \\/ q"))
    (shares,) = ExperiencedPolicy(Uniform(), Prior.of([LEFT])).probabilities([(goal,)])
    assert [move.rule for move in legal_moves(goal)] == ["left", "right"]
    assert shares.tolist() == pytest.approx([0.2, 0.8])
    assert ExperiencedPolicy(Uniform(), Prior.of([LEFT])).values((goal,)) is None


def test_the_most_special_maxim_counts_and_of_several_their_geometric_mean_but_never_against_its_words() -> None:
    goal = Goal((), parse("p \\/ q"))
    special = replace(LEFT, scope=Scope("or", ANY, "left"), category=PREFER, evidence=Evidence(8, 0))
    (shares,) = ExperiencedPolicy(Uniform(), Prior.of([LEFT, special])).probabilities([(goal,)])
    assert shares.tolist() == pytest.approx([0.9, 0.1])
    silent = replace(special, evidence=Evidence(0, 0))
    (shares,) = ExperiencedPolicy(Uniform(), Prior.of([special, silent])).probabilities([(goal,)])
    assert shares.tolist() == pytest.approx([0.75, 0.25])
    wrong = replace(LEFT, category=PREFER)
    (shares,) = ExperiencedPolicy(Uniform(), Prior.of([wrong])).probabilities([(Goal((), parse("p \\/ q")),)])
    assert shares.tolist() == [0.5, 0.5]


def test_a_prior_is_written_and_read_again() -> None:
    prior = Prior.of([APART, LEFT, replace(LEFT, evidence=Evidence(0, 1e300))])
    again = Prior.read(prior.text)
    assert again.text == prior.text and len(again) == 2
    goal = Goal((), parse("p \\/ q"))
    ours, theirs = prior.odds(goal), again.odds(goal)
    assert ours is not None and theirs is not None and ours.tolist() == theirs.tolist()
    assert again.odds(initial(parse("p -> p"))[0]) is None
    assert (Prior.read("").text, len(Prior.of([]))) == ("", 0)
    no_odds = ('[["or", "any", "left"]]', '[["or", "any", "left", 0]]', '[["or", "any", "left", "x"]]')
    for text in ("1", "[1]", "{", *no_odds):
        with pytest.raises(InputError):
            Prior.read(text)


def test_no_evidence_rules_a_move_out_and_a_move_that_a_policy_never_makes_is_not_made() -> None:
    sure = Prior.of([replace(LEFT, evidence=Evidence(0, 1e308))])
    (shares,) = ExperiencedPolicy(Uniform(), sure).probabilities([(Goal((), parse("p \\/ q")),)])
    assert shares.tolist() == pytest.approx([1 / (1 + MOST_ODDS), 1]) and shares[0] > 0
    (shares,) = ExperiencedPolicy(Ordered(0), Prior.of([LEFT])).probabilities([(Goal((), parse("p \\/ q")),)])
    assert shares.tolist() == [1, 0]
    nothing = ExperiencedPolicy(Uniform(), Prior.of([LEFT])).probabilities([(), initial(parse("p"))])
    assert [each.tolist() for each in nothing] == [[], []]


def test_a_good_maxim_helps_who_knows_nothing_and_is_the_same_for_the_same_seed() -> None:
    lemma = parse("p \\/ q -> q \\/ p")
    untaught = examine(Uniform(), lemma).share
    taught = [examine(ExperiencedPolicy(Uniform(), Prior.of([APART])), lemma).share for _ in range(2)]
    assert taught[0] == taught[1] > untaught + 0.1
