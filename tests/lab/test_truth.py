"""The exact lines of a comparison: known values, and where there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from curricula import resolve_lemma
from curricula.lemma import Lemma
from oasis.lab.comparison import truth as room
from oasis.lab.comparison.truth import last_epsilon, remarks, shortest_proof, truth, truths
from oasis.student.settings import Settings
from tactics.parser import parse
from tests.lab.made import plan

LEMMA = resolve_lemma("SYJ203.2")
"""Its shortest proof has 10 moves."""


def known(learner: str = "q-learning", lemma: Lemma = LEMMA, **settings: Any) -> room.Truth:
    return truth(lemma, Settings(learner=learner, **settings))


@pytest.mark.parametrize("learner", ["q-learning", "q-lambda", "dyna-q"])
def test_off_policy_learners_are_held_against_the_best_policy(learner: str) -> None:
    found = known(learner)
    assert (found.shortest, found.name, found.remark) == (10, "V*", "")
    assert found.value == pytest.approx(0.9**9)


@pytest.mark.parametrize("learner", ["epsilon-soft", "sarsa", "sarsa-lambda"])
def test_on_policy_learners_are_held_against_the_best_soft_policy(learner: str) -> None:
    greedy, soft, random = (known(learner, epsilon=epsilon) for epsilon in (0.0, 0.4, 1.0))
    assert greedy.value == pytest.approx(0.9**9)
    assert (greedy.value or 0) > (soft.value or 0) > (random.value or 0)
    assert soft.name == "ε-soft (ε 0.4)"


def test_and_or_values_tend_to_a_power_of_the_discount_whatever_the_reward() -> None:
    for reward in ("terminating", "standard-qed"):
        assert known("and-or-q", reward=reward, gamma=0.8).value == pytest.approx(0.8**10)
    blind = known("and-or-q", actions="blind")
    assert blind.value == pytest.approx(0.9**10)
    assert blind.name == "γ^L"
    assert known("and-or-q", resolve_lemma("textbook/peirce")).value == 0


def test_the_last_epsilon_of_a_schedule_counts() -> None:
    for epsilon, last in (("0.5..0.05", 0.05), ("1/n", 0.01), ("0.4", 0.4)):
        assert last_epsilon(Settings(epsilon=epsilon, episodes=100)) == pytest.approx(last)
    assert known("sarsa", epsilon="0.5..0.05").value == pytest.approx(known("sarsa", epsilon=0.05).value)


@pytest.mark.parametrize(
    ("learner", "settings", "reason"),
    [
        ("uniform", {}, "The uniform player learns nothing"),
        ("q-learning", {"actions": "blind"}, "With --actions blind values differ"),
        ("sarsa", {"actions": "blind", "forget_errors": True}, "With --actions blind values differ"),
        ("q-learning", {"actions": "simplify"}, "one action makes several moves"),
        ("q-learning", {"max_steps": 9}, "SYJ203.2: episodes of 10 moves would count, more than --max-steps 9"),
        ("q-learning", {"max_steps": 23, "reward": "standard"}, "SYJ203.2: episodes of 24 moves would count"),
    ],
)
def test_where_no_exact_value_is_known_a_sentence_says_why(learner: str, settings: dict[str, Any], reason: str) -> None:
    found = known(learner, **settings)
    assert found.value is None
    assert reason in found.remark


def test_rewards_and_spaces_change_what_a_value_is_and_what_is_said_of_it() -> None:
    found = known("q-learning", state_space="match")
    assert found.value == pytest.approx(0.9**9)
    assert "may tend elsewhere" in found.remark
    found = known("q-learning", reward="standard", gamma=1.0)
    assert found.shortest == 10
    assert found.value == pytest.approx(24)  # +1 for each move of it
    assert known("q-learning", actions="blind", forget_errors=True).value == pytest.approx(0.9**9)
    found = truth(resolve_lemma("thesis/41"), Settings(reward="tests.test_rewards:ByWeight"))
    assert (found.shortest, found.value) == (4, None)
    assert "tests.test_rewards:ByWeight looks at more" in found.remark


def test_what_is_out_of_reach_is_said_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_GOALS", 20)
    found = known(lemma=resolve_lemma("SYJ203.3"))
    assert (found.shortest, found.value) == (None, None)
    assert found.remark == "SYJ203.3: nothing is known exactly, as 20 goals were not enough."


def test_every_variant_and_lemma_of_a_plan_has_its_truth_and_every_remark_is_said_once() -> None:
    found = truths(plan("uniform", "q-learning", lemmas="thesis/41,thesis/42,thesis/43"))
    assert [each.shortest for each in found["q-learning"]] == [4, 10, 16]
    assert len(remarks([*found.values()])) == 1


def test_the_shortest_proof_is_what_the_source_says_or_what_the_teacher_finds_within_limits() -> None:
    unsaid = replace(LEMMA, shortest=None)
    assert shortest_proof(LEMMA, max_goals=0) == shortest_proof(unsaid) == 10
    assert shortest_proof(unsaid, max_goals=3) is None
    assert shortest_proof(replace(unsaid, formula=parse("p \\/ ~p"))) is None
    lemma = Lemma("mine", parse("A \\/ B"), None, "")
    assert known(lemma=lemma).shortest is None
    assert known(lemma=lemma).value == pytest.approx(-1)
