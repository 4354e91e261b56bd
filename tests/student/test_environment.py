"""What the environment promises, held against a model of it over random play in every action space."""

from collections import defaultdict
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oasis.play.actions import ACTION_SPACES
from oasis.rewards import REWARDS
from tactics.formula import Formula
from tactics.goal import Move, State, initial
from tactics.parser import parse
from tactics.script import replay
from tests.strategies import PAID_BY_KIND
from tests.student.pupils import SPACES, empty_memory, environment, lemmas
from tests.student.truth import successors

every_space = pytest.mark.parametrize("space", SPACES)
seeds = st.integers(0, 2**32)


@every_space
@example(lemma=parse("p"), reward="terminating", max_steps=40, seed=0)  # whoever forgets all errors is stuck
@example(lemma=parse("p -> p"), reward="standard", max_steps=2, seed=0)  # what ends with its last step is not cut short
@given(lemma=lemmas(20), reward=st.sampled_from(PAID_BY_KIND), max_steps=st.integers(1, 40), seed=seeds)
def test_random_play_keeps_the_contract(space: str, lemma: Formula, reward: str, max_steps: int, seed: int) -> None:
    memory, rng = empty_memory(space), Random(seed)
    proving = environment(lemma, memory, reward, max_steps)
    given_up: defaultdict[State, set[Move]] = defaultdict(set)
    for _ in range(3):
        observation, info = proving.reset()
        state, steps, truncated = initial(lemma), 0, False
        terminated = not observation.actions
        assert (proving.steps, proving.script) == (0, [])
        while True:
            offered = successors(state, ACTION_SPACES[space.split(",")[0]].name)
            left = [move for move in observation.offered if move not in given_up[state]]
            assert observation.state == proving.state == state
            assert len(observation.offered) == len(offered)
            assert set(observation.offered) == set(offered)
            assert [action.move for action in observation.actions] == left
            assert info == {"action_mask": tuple(move in left for move in observation.offered)}
            assert terminated == (not left)
            assert truncated == (bool(left) and steps == max_steps)
            assert proving.proved == (state == ())
            assert proving.steps == steps
            if terminated or truncated:
                break
            action = rng.choice(observation.actions)
            before, state, steps = state, offered[action.move], steps + 1
            if SPACES[space] and state == before:
                given_up[state].add(action.move)
            observation, received, terminated, truncated, info = proving.step(action)
            stuck = bool(state) and given_up[state].issuperset(successors(state, space.split(",")[0]))
            assert received == REWARDS[reward]().step(before, action.move, state, not state or stuck)
        assert replay(lemma, proving.script)[-1] == state


@every_space
@given(lemma=lemmas(), seed=seeds)
def test_an_action_has_the_same_pair_whenever_its_state_comes_back(space: str, lemma: Formula, seed: int) -> None:
    memory, rng = empty_memory(space), Random(seed)
    proving = environment(lemma, memory, max_steps=20)
    pairs: dict[tuple[State, Move], int] = {}
    for _ in range(4):
        observation, _ = proving.reset()
        truncated = False
        while observation.actions and not truncated:
            for move, pair in observation.actions:
                assert pairs.setdefault((observation.state, move), pair) == pair
            observation, _, _, truncated, _ = proving.step(rng.choice(observation.actions))
    assert len(set(pairs.values())) == len(pairs)
