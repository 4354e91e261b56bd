"""Choosing by values: the probabilities that a judging policy gives, and what they come to in committed play."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given

from oasis.committed import Choosing, committed
from oasis.escalation.costs import Counter
from oasis.judging import Judging
from oasis.lab.policies import policy_named
from oasis.policy import Floats, Uniform
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.goal import Goal, State
from tactics.rules import legal_moves, premises
from tactics.sequent import parse_state
from tests.strategies import formulas, goals


class Weighing:
    """A policy whose values fall with the hypotheses, and that may not be asked for probabilities."""

    def probabilities(self, states: Sequence[State]) -> list[Floats]:
        raise AssertionError("asked for probabilities")

    def values(self, goals: Sequence[Goal]) -> Floats:
        return np.array([1 / (1 + len(goal.hypotheses)) for goal in goals])


@given(goals())
def test_a_move_is_as_likely_as_the_worst_that_it_leaves_is_good(goal: Goal) -> None:
    shares, nothing = Judging(Weighing()).probabilities([(goal,), ()])
    left = [[1 / (1 + len(each.hypotheses)) for each in premises(goal, move)] for move in legal_moves(goal)]
    worth = np.array([min(each, default=1.0) for each in left])
    assert not len(nothing) and len(shares) == len(worth)
    assert not len(worth) or shares == pytest.approx(worth / worth.sum())


def test_where_all_is_lost_moves_are_equally_likely() -> None:
    (goal,) = parse_state("⊢ A \\/ B")
    assert Judging(Exact()).probabilities([(goal,)])[0].tolist() == [0.5, 0.5]


@given(formulas(max_size=30))
def test_its_most_probable_move_is_the_one_that_judging_makes(lemma: Formula) -> None:
    by_policy = next(committed(Judging(Exact()), [lemma], Choosing(), seed=3))
    by_judge = next(committed(Exact(), [lemma], Choosing(judge=True), seed=3))
    assert by_policy.proved == by_judge.proved


def test_it_has_a_name_and_needs_values() -> None:
    (goal,) = parse_state("⊢ A \\/ (A -> A)")
    assert policy_named("judging:teacher", None).probabilities([(goal,)])[0].tolist() == [0.0, 1.0]
    with pytest.raises(InputError, match="Uniform has no values of goals"):
        Judging(Uniform()).probabilities([(goal,)])
    with pytest.raises(InputError, match="judging: takes no run"):
        policy_named("judging:3", None)


class Computing(Weighing):
    """Counts what it computes, and keeps it."""

    def __init__(self) -> None:
        self.forwards, self.gpu_seconds, self.kept = 0, 0.0, 0

    def values(self, goals: Sequence[Goal]) -> Floats:
        self.forwards += len(goals)
        self.gpu_seconds += 0.5
        self.kept += len(goals)
        return super().values(goals)

    def forget(self) -> None:
        self.kept = 0


def test_what_the_judge_computes_is_counted_and_can_be_forgotten() -> None:
    state = parse_state("⊢ A \\/ B")
    judge, counter = Computing(), Counter(lambda: 0.0)
    judging = Judging(judge)
    judging.probabilities([state])
    with counter.counting(judging) as spending:
        judging.probabilities([state])
    assert (spending.cost.forwards, spending.cost.gpu_seconds) == (judge.forwards / 2, 0.5)
    assert judge.kept == judge.forwards > 0
    judging.forget()
    assert not judge.kept
    teacher = Judging(Exact())
    with counter.counting(teacher) as spending:
        teacher.probabilities([state])
        teacher.forget()
    assert (spending.cost.forwards, spending.cost.gpu_seconds) == (0, None)
