"""Agents of the environment as policies, which the one exam examines."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from oasis.api.gym import AgentPolicy, DyckhoffEnv
from oasis.api.gym.numbers import Observed
from oasis.exam import examine
from oasis.policy import Floats, Uniform
from tactics.goal import State, initial
from tactics.parser import parse
from tactics.rules import apply, legal_moves


def test_an_agent_without_preferences_is_the_uniform_policy() -> None:
    environment = DyckhoffEnv("SYJ203.2")
    agent = AgentPolicy(environment, lambda _, mask: mask.astype(np.float64))
    lemma = environment.lemma.formula
    assert examine(agent, lemma, seed=3) == examine(Uniform(), lemma, seed=3)


def test_an_agent_that_gives_nothing_to_any_move_on_offer_chooses_by_lot() -> None:
    environment = DyckhoffEnv("SYJ203.2")
    agent = AgentPolicy(environment, lambda _, mask: np.zeros(len(mask)))
    state = initial(environment.lemma.formula)
    assert agent.probabilities([state, ()])[0].tolist() == [1.0]
    assert agent.values(state) is None


@pytest.mark.parametrize("favourite", [0, 1])
def test_an_agent_is_asked_about_any_state_whatever_the_environment_does(favourite: int) -> None:
    environment = DyckhoffEnv("p \\/ q -> p \\/ q")
    seen: list[Observed] = []

    def likely(observation: Observed, mask: NDArray[np.bool_]) -> Floats:
        seen.append(observation)
        return np.asarray(np.eye(len(mask))[np.flatnonzero(mask)[favourite]])

    state: State = initial(parse("p \\/ q -> p \\/ q"))
    state = apply(state, legal_moves(state[0])[0])
    (shares,) = AgentPolicy(environment, likely).probabilities([state])
    moves = legal_moves(state[0])
    environment.reset()
    observation, *_ = environment.step(0)
    assert seen[0].tolist() == observation.tolist()
    assert environment.action(moves[int(shares.argmax())]) == np.flatnonzero(environment.action_masks())[favourite]
