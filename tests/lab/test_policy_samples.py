"""pass@k of plays that are drawn: the estimate of each group, and which numbers can be asked for."""

from __future__ import annotations

from statistics import fmean

import pytest

from oasis.committed import Choosing, committed
from oasis.lab.policy_eval import benchmark
from oasis.lab.policy_samples import Samples
from oasis.policy import Uniform
from oasis.search.sampling import pass_at_k
from tactics.errors import InputError

NAME = "propl:kind=hard,count=120"
DRAWN = Choosing(temperature=1.0)


def samples(**how: object) -> Samples:
    return Samples(Uniform(), benchmark(NAME), DRAWN, **{"samples": 6, "seed": 2, "max_moves": 500, **how})  # type: ignore[arg-type]


def test_it_is_the_mean_of_the_unbiased_estimates() -> None:
    found = samples(ks=(6, 1, 3))
    assert list(found.play()) == [100, 120]
    formulas = [lemma.formula for lemma in benchmark(NAME).lemmas]
    plays = [
        [each.proved for each in committed(Uniform(), formulas, DRAWN, seed=2 + n, max_moves=500)] for n in range(6)
    ]
    counts = [sum(of_lemma) for of_lemma in zip(*plays, strict=True)]
    (passes,) = found.passes("sets").values()
    assert [*passes] == [1, 3, 6]
    for k, interval in passes.items():
        assert float(interval.value) == pytest.approx(fmean(pass_at_k(6, count, k) for count in counts))
        assert interval.low < interval.value < interval.high
    assert found.to_json()["sets"][NAME]["3"]["value"] == pytest.approx(float(passes[3].value))


def test_what_was_played_so_far_counts_and_round_numbers_are_told() -> None:
    found = samples()
    assert next(found.play()) == 100 and found.ks == (1, 2, 5, 6)
    assert [*found.passes("sets")] == [NAME] and found.passes("families") == {}


@pytest.mark.parametrize("how", [{"samples": 1}, {"ks": (7,)}, {"ks": (0,)}])
def test_numbers_out_of_range_are_refused(how: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"^--(samples|k) is"):
        samples(**how)
