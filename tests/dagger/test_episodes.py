"""Episodes: what scripts and plays do, against the calculus and against the exam."""

from __future__ import annotations

import pytest
from hypothesis import given

from oasis.actions import ACTION_SPACES
from oasis.dagger.episodes import played, replayed
from oasis.exam import examine
from oasis.policy import Uniform
from tactics.parser import parse
from tactics.rules import legal_moves
from tactics.script import ScriptError, parse_script
from tests.strategies import Walk, walks

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
