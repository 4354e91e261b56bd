"""Which goals a policy's values are examined on, and that the groups of a benchmark are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np
import pytest

from oasis.committed import Choosing, committed
from oasis.lab.policy_calibration import Judgements
from oasis.lab.policy_eval import Evaluation, benchmark
from oasis.neural.reached import labelled, random_plays, reached
from oasis.policy import Floats, Uniform
from oasis.teacher.policy import Exact
from tactics.errors import InputError
from tactics.goal import Goal
from tactics.parser import parse
from tactics.script import parse_script

NAME = "propl:kind=hard,count=30"


class Half(Uniform):
    """Says of every goal that it is as likely provable as not."""

    def values(self, goals: Sequence[Goal]) -> Floats:
        return np.full(len(goals), 0.5)


def judgements(policy: Uniform | Exact, theorems: int = 30) -> Judgements:
    evaluation = Evaluation(policy, benchmark(NAME), Choosing())
    assert len(list(islice(evaluation.play(), theorems))) == theorems
    return Judgements(policy, evaluation, seed=4, max_moves=1_000)


@pytest.mark.some_days
def test_who_knows_the_truth_is_never_wrong_and_meets_goals_of_both_kinds() -> None:
    found = judgements(Exact())
    assert list(found.judge()) == [30]
    (of_set,) = found.calibrations("sets").values()
    assert (of_set.accuracy, of_set.auc, of_set.ece, of_set.brier) == (1, 1, 0, 0)
    assert 0.3 < of_set.happened < 1
    assert found.to_json()["sets"][NAME]["states"] == of_set.states and found.undecided == 0


def test_the_goals_are_those_of_the_policys_own_plays_and_of_random_ones() -> None:
    found = judgements(Half(), theorems=7)
    list(found.judge())
    (of_set,) = found.calibrations("sets").values()
    formulas = [lemma.formula for lemma in benchmark(NAME).lemmas[:7]]
    plays = zip(committed(Uniform(), formulas), random_plays(formulas, 4, 1_000), strict=True)
    goals = [reached(lemma, (own.script, other)) for lemma, (own, other) in zip(formulas, plays, strict=True)]
    assert of_set.states == sum(map(len, goals))
    assert of_set.brier == 0.25 and len(of_set.bins) == 1
    assert of_set.happened == pytest.approx(np.mean([provable for each in goals for _, provable in labelled(each, 10)]))


def test_goals_count_once_whatever_play_they_are_of() -> None:
    lemma = parse("A -> A -> A \\/ B")
    right, left = parse_script("intro; intro; right"), parse_script("intro; intro; left; assumption")
    found = reached(lemma, (right, left, left))
    assert len(found) == 3 + 2
    assert [provable for _, provable in labelled(found, 10)].count(False) == 1
    assert labelled(found, -1) == []


def test_a_policy_without_values_is_told_so() -> None:
    with pytest.raises(InputError, match="Uniform has no values of goals"):
        list(judgements(Uniform()).judge())
