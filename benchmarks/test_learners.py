"""Compiled learners against the usual ways to run Q-learning, in one process: `pytest benchmarks -k learn -s`.

Nothing is asserted about time. FrozenLake is what courses use: its Q-learning loop through Gymnasium, and the same loop
on plain lists, are the measures; ratios are printed, as the machine's speed cancels out in them. What is aimed at: 250
times Gymnasium's loop, 15 times plain lists, and 1.5 million steps a second while states are still being discovered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
import pytest

from curricula.library import thesis_lemma
from oasis.ground.names import LEARNERS
from oasis.student.settings import Settings
from oasis.student.student import School

ALPHA, GAMMA, EPSILON = 0.7, 0.9, 0.4
ROUNDS = 5
LEVEL_3, LEVEL_4 = thesis_lemma("43").formula, thesis_lemma("44").formula


def through_gymnasium(steps: int) -> int:
    """Q-learning in FrozenLake as tutorials have it: numpy's table, Gymnasium's `step`."""
    environment: Any = gymnasium.make("FrozenLake-v1")
    q = np.zeros((environment.observation_space.n, environment.action_space.n))
    rng = np.random.default_rng(0)
    done = 0
    while done < steps:
        state, _ = environment.reset()
        ended = False
        while not ended:
            explores = rng.random() < EPSILON
            action = environment.action_space.sample() if explores else int(np.argmax(q[state]))
            after, reward, terminated, truncated, _ = environment.step(action)
            target = reward if terminated else reward + GAMMA * np.max(q[after])
            q[state, action] += ALPHA * (target - q[state, action])
            state, ended, done = after, terminated or truncated, done + 1
    return done


def on_plain_lists(steps: int) -> int:
    """The same without Gymnasium and numpy: transitions and values in lists."""
    lake: Any = gymnasium.make("FrozenLake-v1").unwrapped
    transitions = [[[entry[1:] for entry in lake.P[state][action]] for action in range(4)] for state in range(16)]
    q = [[0.0] * 4 for _ in range(16)]
    random = Random(0).random
    done = 0
    while done < steps:
        state, ended, length = 0, False, 0
        while not ended:
            values = q[state]
            action = int(random() * 4) if random() < EPSILON else values.index(max(values))
            outcomes = transitions[state][action]
            after, reward, terminated = outcomes[int(random() * len(outcomes))]
            target = reward if terminated else reward + GAMMA * max(q[after])
            values[action] += ALPHA * (target - values[action])
            state, length, done = after, length + 1, done + 1
            ended = terminated or length == 100
    return done


def rate(function: Callable[..., int], *arguments: object) -> float:
    """Steps a second, the median of some rounds."""
    rates = []
    for _ in range(ROUNDS):
        began = perf_counter()
        done = function(*arguments)
        rates.append(done / (perf_counter() - began))
    return float(np.median(rates))


def compiled(settings: Settings) -> Callable[[int], int]:
    """Episodes of a compiled student on SYJ203.3, whose states it knows by then."""
    student = School(settings).student(0)
    student.practise(LEVEL_3, 50_000)
    return lambda episodes: int(student.practise(LEVEL_3, episodes).steps.sum())


def test_compiled_q_learning_against_frozen_lake() -> None:
    q_learning = compiled(Settings())
    ours = rate(q_learning, 100_000)
    gym, lists = rate(through_gymnasium, 50_000), rate(on_plain_lists, 300_000)
    again = rate(q_learning, 100_000)
    print(
        f"\nsteps a second: compiled on SYJ203.3 {ours:,.0f} and {again:,.0f}, FrozenLake through Gymnasium "
        f"{gym:,.0f}, on plain lists {lists:,.0f}; ratios {ours / gym:,.0f} and {ours / lists:.1f}"
    )


@pytest.mark.parametrize("level", ["43", "44", "45", "46"])
def test_compiled_learning_while_states_are_discovered(level: str) -> None:
    School(Settings()).student(0).practise(thesis_lemma("41").formula, 1)  # compiled before anything is measured
    formula = thesis_lemma(level).formula

    def discover() -> int:
        return int(School(Settings()).student(0).practise(formula, 5000).steps.sum())

    print(f"\nthesis/{level}, the first 5,000 episodes, calculus included: {rate(discover):,.0f} steps a second")


@pytest.mark.parametrize("learner", LEARNERS)
def test_each_compiled_learner(learner: str) -> None:
    print(f"\n{learner}: {rate(compiled(Settings(learner=learner)), 20_000):,.0f} steps a second")


@pytest.mark.parametrize("kind", ["name", "match", "blind", "blind, forgetting"])
def test_compiled_q_learning_in_other_spaces(kind: str) -> None:
    settings = Settings(max_steps=400)
    if kind.startswith("blind"):
        settings = replace(settings, actions="blind", forget_errors="forgetting" in kind)
    else:
        settings = replace(settings, state_space=kind)
    print(f"\n{kind}: {rate(compiled(settings), 20_000):,.0f} steps a second")
