"""`oasis/Dyckhoff-v0` as Gymnasium and its agents see it, held against the calculus and the student's environment."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from random import Random
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

from curricula import resolve_lemma
from oasis.actions import ACTION_SPACES
from oasis.api.gym import DyckhoffEnv
from oasis.rewards import REWARDS
from oasis.student.calculus import Embedded
from oasis.student.environment import PerceivedEnvironment
from oasis.student.memory import Memory
from state_spaces import STATE_SPACES
from tactics.errors import InputError, install_command
from tactics.goal import State
from tactics.rules import legal_moves
from tactics.script import parse_script, replay

LEMMAS = ["thesis/41", "thesis/42", "SYJ205.1", "SYN047", "textbook/or_comm", "~~(A \\/ ~A)"]


def random_states(environment: DyckhoffEnv, episodes: int) -> list[tuple[State, bytes]]:
    """The states that a random player meets, with what is observed of them."""
    met = []
    for _ in range(episodes):
        observation, info = environment.reset()
        met.append((environment.state, observation.tobytes()))
        ended = False
        while not ended:
            action = environment.action_space.sample(info["action_mask"])
            observation, _, terminated, truncated, info = environment.step(action)
            ended = terminated or truncated
            met.append((environment.state, observation.tobytes()))
    return met


def without_names(state: State) -> object:
    """A state as its formulas in their order."""
    return tuple((goal.conclusion, tuple(formula for _, formula in goal.hypotheses)) for goal in state)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("actions", ACTION_SPACES)
def test_gymnasiums_own_check_passes_without_a_warning(actions: str, reward: str) -> None:
    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma="SYJ203.2", actions=actions, reward=reward)
    check_env(environment.unwrapped)


@pytest.mark.parametrize("lemma", LEMMAS)
def test_two_states_look_the_same_exactly_if_only_names_differ(lemma: str) -> None:
    met = random_states(DyckhoffEnv(lemma), 200)
    looks = {without_names(state): seen for state, seen in met}
    assert len(set(looks.values())) == len(looks)
    assert all(looks[without_names(state)] == seen for state, seen in met)


@pytest.mark.parametrize("lemma", LEMMAS)
def test_the_mask_offers_exactly_the_legal_moves_and_each_number_leads_back_to_its_move(lemma: str) -> None:
    environment, rng = DyckhoffEnv(lemma), Random(lemma)
    for _ in range(20):
        environment.reset()
        while legal := legal_moves(environment.state[0]) if environment.state else ():
            offered = np.flatnonzero(environment.action_masks())
            assert {environment.move(int(action)) for action in offered} == set(legal)
            assert {environment.action(move) for move in legal} == set(offered)
            environment.step(rng.choice(offered))
        assert not environment.action_masks().any()


@given(actions=st.lists(st.integers(0, 47), max_size=60), reward=st.sampled_from(sorted(REWARDS)))
def test_any_actions_at_all_do_what_they_do_to_the_student_who_acts_blindly(actions: list[int], reward: str) -> None:
    environment = DyckhoffEnv("SYJ203.3", reward, "blind", max_steps=50)
    memory = Memory(STATE_SPACES["simple"](), ACTION_SPACES["blind"])
    student = PerceivedEnvironment(Embedded(environment.lemma.formula), memory, REWARDS[reward](), max_steps=50)
    environment.reset()
    observation, _ = student.reset()
    for number in actions:
        move = environment.move(number)
        action = next((action for action in observation.actions if action.move == move), None)
        if action is None:
            continue
        observation, *expected, _ = student.step(action)
        _, *ours, info = environment.step(number)
        assert ours == expected
        assert environment.state == student.state
        assert environment.script == student.script
        assert info["proved"] == student.proved
        if expected[1] or expected[2]:
            break


def test_an_action_that_does_not_apply_costs_a_step_and_changes_nothing() -> None:
    environment = DyckhoffEnv("thesis/41", "standard")
    before, info = environment.reset()
    refused = [action for action, offered in enumerate(info["action_mask"]) if not offered]
    for action in refused:
        after, reward, terminated, truncated, _ = environment.step(action)
        assert np.array_equal(after, before)
        assert (reward, terminated, truncated) == (-1.0, False, False)
    assert environment.steps == len(refused)
    assert environment.script == []


def test_masked_samples_end_every_episode_and_a_script_that_is_reported_proves_the_lemma() -> None:
    environment = gymnasium.make("oasis/Dyckhoff-v0", lemma="thesis/42")
    environment.action_space.seed(1)
    formula = resolve_lemma("thesis/42").formula
    ends = set()
    for _ in range(100):
        _, info = environment.reset()
        terminated = False
        while not terminated:
            _, reward, terminated, truncated, info = environment.step(
                environment.action_space.sample(info["action_mask"])
            )
            assert not truncated
        assert not info["action_mask"].any()
        ends.add((info["proved"], reward))
        if info["proved"]:
            assert replay(formula, parse_script(info["script"]))[-1] == ()
        else:
            assert "script" not in info
    assert ends == {(True, 1.0), (False, -1.0)}


def test_an_episode_that_goes_on_too_long_is_truncated_and_not_terminated() -> None:
    environment = DyckhoffEnv("thesis/42", max_steps=3)
    environment.reset()
    ends = [environment.step(1)[2:4] for _ in range(3)]  # nothing to assume yet
    assert ends == [(False, False), (False, False), (False, True)]


def test_an_episode_that_is_over_wants_a_reset() -> None:
    environment = DyckhoffEnv("A -> A")
    with pytest.raises(ResetNeeded):
        environment.step(0)
    environment.reset()
    environment.step(0)
    assert environment.step(1)[2]
    with pytest.raises(ResetNeeded):
        environment.step(0)


def test_rendering_gives_the_line_of_the_state() -> None:
    environment = DyckhoffEnv("A -> A", render_mode="ansi")
    environment.reset()
    lines = [environment.render()]
    for action in (0, 1):
        environment.step(action)
        lines.append(environment.render())
    assert lines == ["|- A -> A", "H : A |- A", "proved"]


def test_the_action_that_simplifies_makes_several_moves_in_one_step() -> None:
    environment = DyckhoffEnv("A -> B -> A", actions="simplify")
    _, info = environment.reset()
    (simplify,) = np.flatnonzero(info["action_mask"])
    assert simplify == len(info["action_mask"]) - 1
    _, reward, terminated, _, info = environment.step(simplify)
    assert (reward, terminated, info["script"]) == (1.0, True, "intro; intro; assumption")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"lemma": "nonsense"}, "nonsense"),
        ({"lemma": "SYJ203"}, "has 20 lemmas and here one is needed"),
        ({"lemma": "False"}, "No move applies to False, so there is nothing to learn."),
        ({"lemma": "SYN007.14"}, "choose a smaller lemma"),
        (
            {"reward": "high"},
            "reward is one of terminating, standard, standard-qed, dagger, or module:object, not 'high'",
        ),
        ({"actions": "all"}, "actions is one of legal, blind, simplify, not 'all'."),
        ({"max_steps": 0}, "max_steps must be at least 1, not 0."),
        ({"render_mode": "human"}, "render_mode is 'ansi' or None, not 'human'."),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as raised:
        DyckhoffEnv(**arguments)
    assert sentence in str(raised.value)


@pytest.mark.parametrize("action", [-1, 36])
def test_a_number_beyond_the_actions_is_refused(action: int) -> None:
    environment = DyckhoffEnv("thesis/42")
    environment.reset()
    with pytest.raises(InputError, match="from 0 to 35"):
        environment.step(action)


@pytest.mark.slow
def test_the_room_in_front_of_the_id_is_enough_to_find_it() -> None:
    code = "import gymnasium; print(gymnasium.make('oasis.api.gym:oasis/Dyckhoff-v0').action_space)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "Discrete(48)\n"


def test_without_gymnasium_the_room_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [each for each in sys.modules if each.startswith("oasis.api.gym")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ModuleNotFoundError) as raised:
        import_module("oasis.api.gym")
    needs = "oasis.api.gym needs Gymnasium, which is not installed: "
    assert str(raised.value) == needs + install_command("gym")
