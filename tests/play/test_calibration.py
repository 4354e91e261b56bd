"""Calibration: probabilities whose calibration is known by construction, and the temperature that mends them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import mannwhitneyu

from oasis.play.calibration import COLDEST, HOTTEST, SAME, Scale, calibration, cooled, scale, temperature


def test_numbers_by_hand() -> None:
    found = calibration([0.0, 0.1, 0.8, 1.0], [0, 1, 1, 1], bins=2)
    assert [each[:3] for each in found.bins] == [(0.0, 0.5, 2), (0.5, 1.0, 2)]
    assert found.bins[0][3:] == pytest.approx((0.05, 0.5)) and found.bins[1][3:] == pytest.approx((0.9, 1.0))
    assert found.ece == pytest.approx((2 * 0.45 + 2 * 0.1) / 4)
    assert found.brier == pytest.approx((0.81 + 0.04) / 4)
    assert found.base == pytest.approx(3 / 16)
    assert calibration([0.8, 0.5], [1, 0]).log_loss == pytest.approx(-np.log([0.8, 0.5]).mean())
    assert calibration([0.55], [1]).bins[0][:2] == (0.5, 0.6), "ten bins if nothing is said"


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())), st.integers(1, 20))
def test_every_state_is_in_one_bin(pairs: list[tuple[float, bool]], bins: int) -> None:
    found = calibration([each for each, _ in pairs], [proved for _, proved in pairs], bins)
    assert sum(each.states for each in found.bins) == found.states == len(pairs)
    assert all(each.least <= each.believed <= each.most + 1e-12 for each in found.bins)
    if pairs:
        assert 0 <= found.ece <= 1 and found.ece**2 <= found.brier + 1e-9  # by Jensen's inequality
    assert "NaN" not in json.dumps(found.to_json())


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.2, 0.5, 0.7, 1.0]), st.booleans()), min_size=1))
def test_accuracy_and_the_area_are_what_others_compute(pairs: list[tuple[float, bool]]) -> None:
    likely, happened = (np.array(each) for each in zip(*pairs, strict=True))
    found = calibration(likely, happened)
    assert found.happened == pytest.approx(happened.mean())
    assert found.accuracy == pytest.approx(np.mean((likely > 0.5) == happened))
    yes, no = likely[happened], likely[~happened]
    if len(yes) and len(no):
        assert found.auc == pytest.approx(mannwhitneyu(yes, no).statistic / (len(yes) * len(no)))
    else:
        assert np.isnan(found.auc) and found.to_json()["auc"] is None


@pytest.mark.parametrize("true", [0.5, 1.0, 3.0])
def test_the_temperature_that_was_used_is_found_again(true: float) -> None:
    random = np.random.default_rng(3)
    odds = random.normal(0, 3, 40_000)
    happened = random.random(40_000) < expit(odds / true)
    said = expit(odds)
    found = temperature(said, happened)
    assert found == pytest.approx(true, rel=0.05)
    assert calibration(cooled(said, found), happened).ece < 0.01
    assert calibration(cooled(said, found), happened).auc == pytest.approx(calibration(said, happened).auc)


def test_temperatures_have_ends() -> None:
    assert temperature([0.9, 0.1], [True, False]) == pytest.approx(COLDEST, rel=1e-3)
    assert temperature([0.0, 1.0, 0.9], [True, False, False]) == pytest.approx(HOTTEST, rel=1e-3)


@given(st.lists(st.floats(0.001, 0.999), min_size=1), st.floats(COLDEST, HOTTEST))
def test_cooling_keeps_the_order_and_one_half(likely: list[float], heat: float) -> None:
    after = cooled(likely, heat)
    assert (np.diff(after[np.argsort(likely)]) >= 0).all()
    assert cooled([0.5], heat)[0] == 0.5
    assert logit(cooled([0.7], heat)[0]) == pytest.approx(logit(0.7) / heat)


def test_a_scale_mends_what_is_said_and_few_cases_change_little() -> None:
    chance = np.random.default_rng(0)
    true = chance.random(20_000)
    happened = chance.random(len(true)) < true
    said = Scale(2.0, 1.0).applied(true)
    found = scale(said, happened)
    assert found == pytest.approx((0.5, -0.5), abs=0.03)
    assert calibration(found.applied(said), happened).ece < 0.015 < calibration(said, happened).ece
    assert scale([], []) == SAME and SAME.applied([0.0, 0.25, 1.0]) == pytest.approx([0, 0.25, 1], abs=2e-4)
    assert scale(said, happened, independent=1) == pytest.approx(SAME, abs=0.15)
