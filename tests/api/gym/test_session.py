"""`oasis/Session-v0`: calls in words, and which of them are paid."""

from __future__ import annotations

import json
from typing import Any

import gymnasium
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from oasis.api import Limits, Session, answer, call
from oasis.api.episode import ADVICE
from oasis.api.gym import DyckhoffEnv, SessionEnv
from oasis.api.gym.session import written
from tactics.errors import InputError

PROOF = ["intro", "destruct_and H", "split", "assumption", "assumption"]


def error(observation: str) -> tuple[str, str]:
    told: dict[str, str] = json.loads(observation)["error"]
    return told["code"], told["message"]


def apply(tactics: list[str], state_id: str = "s0") -> str:
    return written("apply", {"state_id": state_id, "tactics": tactics})


def test_gymnasiums_own_check_passes_without_a_warning() -> None:
    check_env(gymnasium.make("oasis/Session-v0", lemma="A -> A", max_steps=3).unwrapped)


def test_the_call_that_proves_the_lemma_is_paid() -> None:
    environment, session = SessionEnv("textbook/and_comm", render_mode="ansi"), Session()
    observation, info = environment.reset()
    assert observation.encode() == answer(session, "start", {"lemma": "textbook/and_comm"})
    assert info == {"proved": False}
    observation, *ends, info = environment.step(apply(PROOF[:2]))
    assert observation.encode() == answer(session, "apply", {"state_id": "s0", "tactics": PROOF[:2]})
    assert (ends, info) == ([0.0, False, False], {"proved": False})
    observation, *ends, info = environment.step(apply(PROOF[2:], "s2"))
    assert environment.render() == observation
    assert (ends, info) == ([1.0, True, False], {"proved": True})
    with pytest.raises(ResetNeeded):
        environment.step(apply([]))


def test_the_proof_of_another_lemma_is_worth_nothing() -> None:
    environment = SessionEnv("A \\/ ~A")
    environment.reset()
    environment.step(written("start", {"lemma": "A -> A"}))
    observation, *ends, info = environment.step(apply(["intro", "assumption"], "s1"))
    assert json.loads(observation)["proved"]
    assert (ends, info) == ([0.0, False, False], {"proved": False})


def test_without_a_task_nothing_is_paid_and_nothing_ends() -> None:
    environment = SessionEnv("")
    assert environment.reset()[0] == "{}"
    environment.step(written("start", {"lemma": "A -> A"}))
    assert environment.step(apply(["intro", "assumption"]))[1:4] == (0.0, False, False)
    observation, _ = environment.reset(options={"lemma": "B -> B"})
    assert json.loads(observation)["goals"][0]["conclusion"] == "B -> B"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("", "bad_json"),
        ("[" * 100_000, "bad_json"),
        ("\ud800", "bad_json"),
        ("[]", "bad_argument"),
        ('{"call": "goals", "state_id": "s0"}', "bad_argument"),
        ("{}", "unknown_call"),
        ('{"call": ["goals"]}', "unknown_call"),
        ('{"call": "goals"}', "bad_argument"),
        ('{"call": "goals", "arguments": 3}', "bad_argument"),
    ],
)
def test_what_is_no_call_is_answered_in_words_and_costs_a_step(action: str, code: str) -> None:
    environment = SessionEnv("A -> A", max_steps=1)
    environment.reset()
    observation, reward, terminated, truncated, _ = environment.step(action)
    assert error(observation)[0] == code
    assert (reward, terminated, truncated) == (0.0, False, True)


def test_whoever_writes_no_json_is_told_what_an_action_is() -> None:
    environment = SessionEnv("A -> A")
    environment.reset()
    said = error(environment.step("intro")[0])[1]
    assert said.startswith("This is no JSON: ")
    assert said.endswith('. An action is an object such as {"call": "start", "arguments": {"lemma": "A -> A"}}.')


def test_the_teachers_advice_can_be_left_out() -> None:
    environment = SessionEnv("A -> A", without=ADVICE)
    environment.reset()
    for name in ADVICE:
        observation = environment.step(written(name, {"state_id": "s0"}))[0]
        assert error(observation) == ("unknown_call", f"{name} is not on offer in this episode.")
    assert "moves" in json.loads(environment.step(written("goals", {"state_id": "s0"}))[0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"lemma": "nonsense"}, "There is no lemma called 'nonsense'"),
        ({"lemma": "A -> A", "limits": Limits(size=1)}, "more than 1 nodes"),
        ({"without": ["help"]}, "There is no call 'help' to leave out; there is start, "),
        ({"max_steps": 0}, "max_steps must be at least 1, not 0."),
        ({"render_mode": "human"}, "render_mode is 'ansi' or None, not 'human'."),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError) as raised:
        SessionEnv(**arguments)
    assert sentence in str(raised.value)


def test_the_environment_in_numbers_can_be_asked_in_words_about_its_states() -> None:
    environment = DyckhoffEnv("A -> A")
    _, info = environment.reset()
    for action in (0, 1):
        *_, info = environment.step(action)
    said = call(environment.session, "certify", {"state_id": info["state_id"]})
    assert said["certificate"]["accepted"]
    assert info["state_id"] == "s2"
