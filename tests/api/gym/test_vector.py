"""The vector environment, held against Gymnasium's own vector over single ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from oasis.api.gym import DyckhoffEnv, DyckhoffVectorEnv
from oasis.rewards import Dependence, Terminating, Transition, Uses
from tactics.errors import InputError
from tactics.formula import Atom, Formula, subformulas
from tactics.goal import Move, State

SEVERAL = ["thesis/42", "textbook/or_comm", "A /\\ B -> B /\\ A", "~~(A \\/ ~A)"]
MODES = [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "settings",
    [{"lemma": SEVERAL}, {"lemma": "SYJ203.2", "actions": "simplify", "reward": "standard-qed"}],
    ids=["several lemmas", "one"],
)
def test_trajectories_are_those_of_single_environments(mode: AutoresetMode, settings: dict[str, Any]) -> None:
    settings = {**settings, "max_steps": 9}
    ours = DyckhoffVectorEnv(3, autoreset_mode=mode, **settings)
    theirs = SyncVectorEnv([lambda: DyckhoffEnv(**settings)] * 3, autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.metadata == theirs.metadata
    draw, ends = np.random.default_rng(0), np.zeros(2)
    seeds: list[Any] = [[7, 7, 3], 5]
    for seed in seeds:
        told: Any = ours.reset(seed=seed)
        expected: Any = theirs.reset(seed=seed)
        assert data_equivalence(told, expected, exact=True)
        for _ in range(60):
            masks = expected[-1]["action_mask"]
            actions = np.array([draw.choice(np.flatnonzero(mask if mask.any() else 1 - mask)) for mask in masks])
            told, expected = ours.step(actions), theirs.step(actions)
            assert data_equivalence(told, expected, exact=True)
            ends += [expected[2].sum(), expected[3].sum()]
            assert ours.observation_space.contains(told[0])
    assert ends.all()


def test_a_list_of_lemmas_is_drawn_from_and_a_lemma_may_be_named() -> None:
    environment = DyckhoffVectorEnv(4, lemma=SEVERAL)
    met = {name for seed in range(10) for name in environment.reset(seed=seed)[1]["lemma"]}
    assert met == set(SEVERAL)
    assert set(environment.reset(options={"lemma": SEVERAL[2]})[1]["lemma"]) == {SEVERAL[2]}
    with pytest.raises(InputError, match=r"the option lemma is one of thesis/42, .* not 'thesis/41'"):
        environment.reset(options={"lemma": "thesis/41"})


def test_without_automatic_resets_those_that_ended_are_reset_by_name() -> None:
    environment = DyckhoffVectorEnv(2, lemma="A -> A", autoreset_mode="Disabled")
    environment.reset(seed=0)
    intro, assumption, split = 0, 1, 3
    environment.step(np.array([intro, split]))
    _, rewards, terminated, _, infos = environment.step(np.array([assumption, split]))
    assert (rewards.tolist(), terminated.tolist()) == ([1, 0], [True, False])
    assert infos["script"].tolist() == ["intro; assumption", None]
    with pytest.raises(ResetNeeded):
        environment.step(np.array([intro, intro]))
    observations, infos = environment.reset(options={"reset_mask": np.array([True, False])})
    assert infos["_action_mask"].tolist() == [True, False]
    assert np.array_equal(observations[0], observations[1])
    assert environment.action_masks()[:, intro].all()


def test_it_is_what_gymnasium_makes_of_the_id() -> None:
    environment = gymnasium.make_vec("oasis/Dyckhoff-v0", num_envs=2, lemma="A -> A", render_mode="ansi")
    assert isinstance(environment, DyckhoffVectorEnv)
    environment.reset()
    assert environment.render() == ("|- A -> A", "|- A -> A")
    assert DyckhoffVectorEnv(lemma="A -> A").render() is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"num_envs": 0}, "num_envs must be at least 1, not 0."),
        ({"lemma": []}, "lemma is an empty list; name one lemma at least."),
        ({"lemma": ["A -> A", "False"]}, "No move applies to False, so there is nothing to learn."),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as raised:
        DyckhoffVectorEnv(**arguments)
    assert str(raised.value) == sentence


class Remembering(Terminating):
    """Pays how often it has taken a round into account, and knows whose turn it is."""

    dependence, round = Dependence.HISTORY, 4

    def __init__(self) -> None:
        self.lemma: Formula | None = None
        self.rounds: list[int] = []

    def begin(self, lemma: Formula) -> None:
        self.lemma = lemma

    def step(self, before: State, move: Move, after: State, ended: bool) -> float:
        assert self.lemma is not None
        atoms = {each for each in subformulas(self.lemma) if isinstance(each, Atom)}
        assert {each for each in subformulas(before[0].conclusion) if isinstance(each, Atom)} <= atoms
        return float(len(self.rounds))

    def refresh(self, steps: Mapping[Transition, Uses]) -> None:
        self.rounds.append(sum(uses.times for uses in steps.values()))


@pytest.mark.parametrize("mode", MODES)
def test_a_reward_that_depends_on_history_learns_of_the_episodes_of_all(
    mode: AutoresetMode, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Remembering()
    monkeypatch.setattr("oasis.api.gym.player.reward_of", lambda name, option: made)
    environment = DyckhoffVectorEnv(3, lemma=["A -> A", "B -> B", "C -> C"], autoreset_mode=mode)
    environment.reset(seed=1)
    paid, steps = [], 0
    while len(made.rounds) < 3:
        before = environment.action_masks().any(axis=1)  # an episode that is over makes no step
        _, rewards, *_ = environment.step(environment.action_masks().argmax(axis=1))
        steps += int(before.sum())
        paid += rewards[before].tolist()
    assert made.rounds == [2 * 4] * 3, "four episodes of two steps each, whoever made them"
    assert sorted(paid) == paid and paid[-1] >= 2


def test_an_episode_that_is_broken_off_counts_as_far_as_it_went(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Remembering()
    monkeypatch.setattr("oasis.api.gym.player.reward_of", lambda name, option: made)
    environment = DyckhoffEnv("A -> B -> A")
    for _ in range(5):
        environment.reset()
        environment.reset()  # nothing was done
        environment.step(int(environment.action_masks().argmax()))
    assert made.rounds == [4]
