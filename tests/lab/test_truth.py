"""The exact values beside what students believe, and the proofs that they found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from curricula import resolve, resolve_lemma
from curricula.lemma import Lemma
from oasis.backends.native import Native
from oasis.lab.proofs import shortest_proofs, table, with_words
from oasis.lab.students.plan import Plan, Variant
from oasis.lab.students.truth import Truth, last_epsilon, truth, truths
from oasis.play.actions import ACTION_SPACES
from oasis.rewards.named import reward
from oasis.store import Store
from oasis.student.certify import certify
from oasis.student.settings import Settings
from oasis.teacher.exact.values import lengths_or_why_not, shortest_proof
from tactics.claims import Certificate, Claim
from tactics.goal import initial
from tactics.parser import parse
from tactics.script import parse_script
from tests.student.truth import solve

SIX = ("and_comm", "and_assoc", "or_comm", "or_assoc", "exchange", "double_negation_and")
CURRICULUM = ",".join(f"textbook/{name}" for name in SIX)
"""Lemmas of which all is known at once."""


def plan(*learners: str, lemmas: str, seeds: int = 4) -> Plan:
    """Return a plan of four episodes of each lemma, whose students are asked after each."""
    found = resolve(lemmas)
    variants = tuple(Variant(name, Settings(learner=name, episodes=4)) for name in learners)
    asked = tuple(range(1, 1 + 4 * len(found.lemmas)))
    return Plan(found.name, found.lemmas, variants, tuple(range(seeds)), asked)


# The exact values beside beliefs

LEMMA = resolve_lemma("SYJ203.2")
"""Its shortest proof has 10 moves."""


def known(learner: str = "q-learning", lemma: Lemma = LEMMA, **settings: Any) -> Truth:
    return truth(lemma, Settings(learner=learner, **settings))


def test_off_policy_learners_are_compared_with_the_best_policy_and_others_with_the_best_soft_one() -> None:
    for learner in ("q-learning", "q-lambda", "dyna-q"):
        found = known(learner)
        assert (found.shortest, found.name, found.remark) == (10, "V*", "")
        assert found.value == pytest.approx(0.9**9)
    for learner in ("epsilon-soft", "sarsa", "sarsa-lambda"):
        greedy, soft, random = (known(learner, epsilon=epsilon) for epsilon in (0.0, 0.4, 1.0))
        assert greedy.value == pytest.approx(0.9**9)
        assert (greedy.value or 0) > (soft.value or 0) > (random.value or 0)
        assert soft.name == "ε-soft (ε 0.4)"


def test_and_or_values_tend_to_a_power_of_the_discount_whatever_the_reward() -> None:
    for paid in ("terminating", "standard-qed"):
        assert known("and-or-q", reward=paid, gamma=0.8).value == pytest.approx(0.8**10)
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
        ("sarsa", {"actions": "blind"}, "With --actions blind episodes have no longest"),
        ("sarsa", {"actions": "blind", "forget_errors": True}, "With --actions blind episodes have no longest"),
        ("q-learning", {"reward": "tests.student.plugins:Brief"}, "tests.student.plugins:Brief looks at more"),
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
    assert known("q-learning", reward="standard", gamma=1.0, actions="blind").value == pytest.approx(24)
    assert known("q-learning", actions="blind", forget_errors=True).value == pytest.approx(0.9**9)
    for actions in ACTION_SPACES:
        for paid in ("terminating", "tests.student.plugins:Tidy"):
            exact = solve(LEMMA.formula, actions, reward(paid), 0.9).v[initial(LEMMA.formula)]
            assert known(actions=actions, reward=paid).value == pytest.approx(exact)


def test_a_lemma_with_too_many_goals_is_said_to_have_no_exact_value() -> None:
    lemma = resolve_lemma("SYJ203.3")
    found = truth(lemma, Settings(), lengths_or_why_not(lemma.formula, max_goals=20))
    assert (found.shortest, found.value) == (None, None)
    assert found.remark == "SYJ203.3: nothing is known exactly, as 20 goals were not enough."


def test_every_variant_and_lemma_of_a_plan_has_its_truth_and_every_remark_is_said_once() -> None:
    found = truths(plan("uniform", "q-learning", lemmas="thesis/41,thesis/42,thesis/43"))
    assert [each.shortest for each in found["q-learning"]] == [4, 10, 16]
    assert len({each.remark for told in found.values() for each in told} - {""}) == 1


def test_the_shortest_proof_is_what_the_source_says_or_what_the_teacher_finds_within_limits() -> None:
    unsaid = replace(LEMMA, shortest=None)
    assert shortest_proof(LEMMA, max_goals=0) == shortest_proof(unsaid) == 10
    assert shortest_proof(unsaid, max_goals=3) is None
    assert shortest_proof(replace(unsaid, formula=parse("p \\/ ~p"))) is None
    lemma = Lemma("mine", parse("A \\/ B"), None, "")
    assert known(lemma=lemma).shortest is None
    assert known(lemma=lemma).value == pytest.approx(-1)


# Proofs, and what provers say of them

PLAN = plan("sarsa", "q-learning", lemmas="textbook/and_comm", seeds=3)
SHORT = "intro; destruct_and H; split; assumption; assumption"
WRONG = "intro; split; assumption; assumption"


def trials(sarsa: Sequence[tuple[str, str]]) -> dict[str, list[dict[str, Any]]]:
    """Return trials with a best and a last script for each student of sarsa, and none for those of q-learning."""
    none = [{"best": np.array([""]), "script": np.array([""])} for _ in PLAN.seeds]
    return {
        "sarsa": [{"best": np.array([best]), "script": np.array([last])} for best, last in sarsa],
        "q-learning": none,
    }


class Counting(Native):
    """A prover that counts what it is asked."""

    asked = 0

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        self.asked += len(claims)
        return super().certify(claims)


def test_the_shortest_of_all_episodes_and_exams_is_reported_with_how_many_found_one() -> None:
    made = trials([(f"{SHORT}; {SHORT}", SHORT), (SHORT, ""), ("", f"{SHORT}; intro")])
    (proof,) = shortest_proofs(PLAN, made)
    assert (proof.variant, proof.script, proof.finders) == ("sarsa", parse_script(SHORT), 2)
    assert shortest_proofs(PLAN, trials([("", "")] * 3)) == []
    (row,) = table(PLAN, [proof]).rows
    assert row == ("textbook/and_comm", "sarsa", "5", "2 of 3")


@pytest.mark.parametrize(("script", "accepted"), [(SHORT, True), (WRONG, False)])
def test_what_a_prover_says_is_kept_and_not_asked_again(
    store: Store, script: str, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = trials([(script, "")] * 3)
    prover = Counting()
    monkeypatch.setattr("oasis.backends.certifying.backend", lambda name, option: prover)
    for _ in range(2):
        claims = [Claim(each.formula, each.script) for each in shortest_proofs(PLAN, made)]
        certify(store, claims, ["native"], pytest.fail, again=False)
    assert prover.asked == 1
    (proof,) = with_words(store, shortest_proofs(PLAN, made))
    assert [(word.prover, word.accepted, bool(word.reason)) for word in proof.words] == [
        ("native", accepted, not accepted)
    ]
    assert table(PLAN, [proof]).rows[0][-1] == ("native" if accepted else "not native")
