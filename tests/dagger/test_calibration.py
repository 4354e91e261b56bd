"""Calibration: beliefs whose calibration is known by construction, and lots that keep renamed lemmas together."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.dagger.beliefs.belief import Even
from oasis.dagger.beliefs.calibration import calibration, examined, split
from oasis.dagger.episodes import played
from oasis.policy import Uniform
from tactics.formula import Formula, renamed
from tactics.parser import parse
from tests.strategies import PLAIN_NAMES, formulas


def test_who_is_right_as_often_as_it_says_has_hardly_any_error() -> None:
    random = np.random.default_rng(7)
    likely = random.random(40_000)
    found = calibration(likely, random.random(40_000) < likely)
    assert found.ece < 0.01
    assert found.brier == pytest.approx(1 / 6, abs=0.005)  # E p(1-p) for p uniform
    assert found.base == pytest.approx(1 / 4, abs=0.001)
    assert len(found.bins) == 10
    assert all(each.believed == pytest.approx(each.happened, abs=0.03) for each in found.bins)


def test_who_exaggerates_is_found_out() -> None:
    random = np.random.default_rng(7)
    happens = random.random(10_000) < 0.5
    assert calibration(np.full(10_000, 0.9), happens).ece == pytest.approx(0.4, abs=0.02)
    assert calibration(~happens, happens).ece == calibration(~happens, happens).brier == 1
    assert calibration(happens, happens).ece == calibration(happens, happens).brier == 0


def test_numbers_by_hand() -> None:
    found = calibration([0.0, 0.1, 0.8, 1.0], [0, 1, 1, 1], bins=2)
    assert [each[:3] for each in found.bins] == [(0.0, 0.5, 2), (0.5, 1.0, 2)]
    assert found.bins[0][3:] == pytest.approx((0.05, 0.5)) and found.bins[1][3:] == pytest.approx((0.9, 1.0))
    assert found.ece == pytest.approx((2 * 0.45 + 2 * 0.1) / 4)
    assert found.brier == pytest.approx((0.81 + 0.04) / 4)
    assert found.base == pytest.approx(3 / 16)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans())), st.integers(1, 20))
def test_every_state_is_in_one_bin(pairs: list[tuple[float, bool]], bins: int) -> None:
    found = calibration([each for each, _ in pairs], [proved for _, proved in pairs], bins)
    assert sum(each.states for each in found.bins) == found.states == len(pairs)
    assert all(each.least <= each.believed <= each.most + 1e-12 for each in found.bins)
    if pairs:
        assert 0 <= found.ece <= 1 and found.ece**2 <= found.brier + 1e-9  # by Jensen's inequality
    assert "NaN" not in json.dumps(found.to_json())


def test_a_belief_is_asked_about_the_states_of_steps() -> None:
    episodes = played(parse("p -> q \\/ (r \\/ p)"), Uniform(), 40)
    found = examined(Even(), episodes)
    steps = [episode.proved for episode in episodes for _ in episode.steps]
    assert found.states == len(steps) and found.brier == pytest.approx(0.25)
    assert found.ece == pytest.approx(abs(0.5 - np.mean(steps)))


@given(st.lists(formulas(PLAIN_NAMES, 4), max_size=12), st.floats(0, 0.99), st.integers(0, 2**31))
def test_lots_keep_what_differs_only_in_names_together(lemmas: list[Formula], share: float, seed: int) -> None:
    names = dict(zip(PLAIN_NAMES, ("z", "y", "x"), strict=True))
    others = [renamed(lemma, names) for lemma in lemmas]
    train, test = split([*lemmas, *others], share, seed)
    assert sorted(each.id for each in [*train, *test]) == sorted(each.id for each in [*lemmas, *others])
    assert not set(train) & set(test)
    assert all((one in test) == (other in test) for one, other in zip(lemmas, others, strict=True))
    assert split([*lemmas, *others], share, seed) == (train, test)
    assert train or not lemmas
    assert split(others, share, seed)[1] == [other for other in others if other in test]


def test_so_many_are_held_out() -> None:
    lemmas = [parse(f"{' -> '.join(['p'] * number)} -> q") for number in range(1, 21)]
    assert [len(split(lemmas, share, 0)[1]) for share in (0, 0.01, 0.25, 0.5, 0.99)] == [0, 1, 5, 10, 19]
    assert split(lemmas, 0.5, 0) != split(lemmas, 0.5, 1)
    assert split(lemmas[:1], 0.5, 0) == (lemmas[:1], [])
