"""Episodes: what scripts and plays do, against the calculus and the exam, and how beliefs are calibrated on them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oasis.actions import ACTION_SPACES
from oasis.dagger.beliefs.belief import Even
from oasis.dagger.beliefs.calibration import examined, split
from oasis.dagger.episodes import played, replayed
from oasis.exam import examine
from oasis.policy import Uniform
from tactics.formula import Formula, renamed
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.script import ScriptError, parse_script
from tests.strategies import PLAIN_NAMES, Walk, formulas, walks

LEMMA = parse("p /\\ (q \\/ r) -> p /\\ q \\/ p /\\ r")


@given(walks())
def test_a_script_is_an_episode_move_by_move(walk: Walk) -> None:
    episode = replayed(walk.formula, walk.script)
    assert tuple(step.move for step in episode.steps) == walk.script
    assert [step.before for step in episode.steps] == list(walk.states[:-1])
    assert [step.after for step in episode.steps] == list(walk.states[1:])
    assert episode.proved == (not walk.states[-1])
    assert all(step.moves == 1 for step in episode.steps)
    assert all(step.ended == (not step.after or not legal_moves(step.after[0])) for step in episode.steps)
    assert list(episode.states) == [state for state in walk.states if state]


def test_a_script_that_does_not_apply_is_refused() -> None:
    with pytest.raises(ScriptError, match="Step 2"):
        replayed(LEMMA, parse_script("intro; intro"))


@pytest.mark.parametrize("name", ACTION_SPACES)
def test_plays_are_those_of_an_exam(name: str) -> None:
    space = ACTION_SPACES[name]
    policy = Uniform(space)
    episodes = played(LEMMA, policy, 40, 5, 400, space)
    exam = examine(policy, LEMMA, plays=40, seed=5, max_steps=400, space=space)
    assert exam.lengths == tuple(len(episode.steps) for episode in episodes if episode.proved)
    assert exam.proved > 0 and len(episodes) == 40


def test_a_play_depends_on_its_seed_alone() -> None:
    assert played(LEMMA, Uniform(), 10, 1) == played(LEMMA, Uniform(), 20, 1)[:10]
    assert played(LEMMA, Uniform(), 10, 1) != played(LEMMA, Uniform(), 10, 2)


def test_a_play_that_is_cut_short_has_not_ended() -> None:
    for episode in played(LEMMA, Uniform(), 5, max_steps=2):
        assert len(episode.steps) == 2 and not episode.proved and not episode.steps[-1].ended


# How well beliefs are calibrated on them.


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
