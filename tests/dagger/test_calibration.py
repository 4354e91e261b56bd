"""The calibration of beliefs on episodes, and lots that keep renamed lemmas together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.dagger.beliefs.belief import Even
from oasis.dagger.beliefs.calibration import examined, split
from oasis.dagger.episodes import played
from oasis.policy import Uniform
from tactics.formula import Formula, renamed
from tactics.parser import parse
from tests.strategies import PLAIN_NAMES, formulas


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
