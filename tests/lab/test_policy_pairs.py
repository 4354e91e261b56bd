"""Two policies on the same theorems: what only one proves, and McNemar's test."""

from __future__ import annotations

from itertools import islice

import pytest
from scipy import stats

from oasis.committed import Choosing
from oasis.lab.policies import policy_named
from oasis.lab.policy_eval import Evaluation, benchmark
from oasis.lab.policy_pairs import mcnemar, paired

NAME = "propl:kind=ordinary,count=60"


def evaluation(name: str, played: int = 60) -> Evaluation:
    found = Evaluation(policy_named(name, None), benchmark(NAME), Choosing())
    list(islice(found.play(), played))
    return found


@pytest.mark.parametrize(("only_one", "only_other"), [(0, 0), (3, 3), (9, 1), (1, 9), (40, 12)])
def test_p_is_that_of_tosses_of_a_coin(only_one: int, only_other: int) -> None:
    tosses = only_one + only_other
    expected = stats.binomtest(only_one, tosses).pvalue if tosses else 1.0
    assert mcnemar(only_one, only_other) == pytest.approx(expected)


def test_theorems_are_counted_by_who_proves_them() -> None:
    one, other = evaluation("first"), evaluation("uniform")
    pair = paired(one, other)["sets"][NAME]
    proved = [{each.lemma.name for each in found.theorems if each.played.proved} for found in (one, other)]
    assert pair.theorems == 60
    assert pair.both == len(proved[0] & proved[1])
    assert (pair.only_one, pair.only_other) == (len(proved[0] - proved[1]), len(proved[1] - proved[0]))
    assert float(pair.more.value) == pytest.approx((pair.only_one - pair.only_other) / 60)
    assert pair.more.contains(float(pair.more.value))
    turned = paired(other, one)["sets"][NAME]
    assert (turned.only_one, turned.only_other, turned.p) == (pair.only_other, pair.only_one, pair.p)
    assert pair.to_json()["more"]["value"] == float(pair.more.value)


def test_only_theorems_count_that_both_have_played() -> None:
    broken_off = evaluation("uniform", played=20)
    pair = paired(evaluation("first"), broken_off)["sets"][NAME]
    assert pair.theorems == broken_off.done < 60
    assert not paired(evaluation("first"), evaluation("uniform", played=0))["sets"]
