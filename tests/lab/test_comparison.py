"""Summaries of made-up trials with known answers, what follows from them, and the truth and proofs beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from curricula import resolve_lemma
from curricula.lemma import Lemma
from oasis.backends.native import Native
from oasis.lab.comparison.conclusions import conclusions
from oasis.lab.comparison.summary import proof_shares
from oasis.lab.comparison.tables import tables
from oasis.lab.experiment import Experiment
from oasis.lab.proofs import certify, shortest_proofs, table
from oasis.lab.students.plan import Plan
from oasis.lab.students.truth import Truth, last_epsilon, remarks, truth, truths
from oasis.store import Store
from oasis.student.settings import Settings
from oasis.teacher.exact.values import lengths_or_why_not, shortest_proof
from tactics.claims import Certificate, Claim
from tactics.parser import parse
from tactics.script import parse_script
from tests.lab.made import compared, plan, said, trial
from tests.lab.plans import begin

SIX = ("and_comm", "and_assoc", "or_comm", "or_assoc", "exchange", "double_negation_and")
CURRICULUM = ",".join(f"textbook/{name}" for name in SIX)
"""Lemmas of which all is known at once."""


def test_each_number_of_a_variant_is_what_its_definition_says() -> None:
    made = plan("sarsa", seeds=4)
    done = trial(
        made,
        proofs=["0011", "0001", "1111", "0001"],
        greedy=[[12], [0], [11], [10]],
        value=[[0], [0], [1], [2]],
        steps=[8, 8, 4, 4],
    )
    (summary,) = compared(made, sarsa=done).summaries
    assert float(summary.proofs.value) == pytest.approx((0.5 + 0.25 + 1 + 0.25) / 4)
    assert float(summary.actions.value) == 6
    assert float(summary.first.value) == 3.5  # of 3, 4, 1 and 4
    assert float(summary.reliable.value) == 3  # once more after the checkpoint without a proof
    assert float(summary.area.value) == 0.75
    assert float(summary.states.value) == 4
    assert summary.with_proof == (4,)
    assert summary.knowing == (4,)
    assert float(summary.knowing_share[0].value) == 1
    assert float(summary.knowing_share[0].low) == pytest.approx(0.025**0.25)  # Clopper and Pearson's of 4 of 4
    assert [float(each.value) for each in (*summary.last_greedy, *summary.last_value)] == [10, 2]
    assert summary.proved.interval.value.tolist() == [0.25, 0.25, 0.5, 1]
    assert summary.greedy.interval.value.tolist() == [12, np.inf, 11, 10]
    assert summary.solved.interval.value.tolist() == [1, 0, 1, 1]


def test_pairs_say_who_has_more_proofs_and_shorter_ones_none_being_longer_than_any() -> None:
    made = plan("sarsa", "q-learning", seeds=5)
    few, most = (np.array(ends)[:, None, None] for ends in ([10, 0, 0, 0, 0], [10, 14, 12, 0, 0]))
    result = compared(made, sarsa=trial(made, greedy=few), q_learning=trial(made, greedy=most))
    assert [float(summary.last_greedy[0].value) for summary in result.summaries] == [np.inf, 14]
    assert [summary.with_proof for summary in result.summaries] == [(1,), (3,)]
    (pair,) = result.pairs
    # Of 25 pairs sarsa's is shorter in 4 (its 10 against 14, 12 and two without), the same in 1 + 8.
    assert pair.shorter == pytest.approx((4 + 9 / 2) / 25)
    made = plan("sarsa", "q-learning", "dyna-q")
    low, high = trial(made, proofs="0001"), trial(made, proofs="0111")
    result = compared(made, sarsa=low, q_learning=high, dyna_q=low)
    more = [(pair.one, pair.other, pair.more) for pair in result.pairs]
    assert more == [("sarsa", "q-learning", 0), ("sarsa", "dyna-q", 0.5), ("q-learning", "dyna-q", 1)]


def test_more_is_said_only_of_what_can_be_told_apart() -> None:
    made = plan("sarsa", "q-learning", "dyna-q", seeds=12)
    text = said(
        made,
        sarsa=trial(made, proofs=["0001", "0011", "0011", "0011"] * 3),
        q_learning=trial(made, proofs=["0111", "1111", "0111", "1111"] * 3),
        dyna_q=trial(made, proofs=["1111", "0111", "1111", "0011"] * 3),
    )
    assert "q-learning proves the largest share of its episodes, on average 87.5 %: 43.8 percentage points" in text
    assert " students of each kind, paired by their seeds, with " in text
    assert "more than sarsa (95 % interval 33.5 to 54.0)." in text
    assert "It is not told apart from dyna-q by these students." in text


def test_kinds_that_prove_as_much_share_the_first_place_and_one_that_proves_nothing_gets_advice() -> None:
    made = plan("sarsa", "q-learning", "dyna-q")
    text = said(made, sarsa=trial(made), q_learning=trial(made, proofs="0011"), dyna_q=trial(made, proofs="0011"))
    assert "q-learning and dyna-q prove the largest share of their episodes, on average 50.0 %." in text
    assert "They are not told apart from sarsa by these students." in text
    nothing = said(made, sarsa=trial(made), q_learning=trial(made), dyna_q=trial(made))
    advice = "Give them more --episodes, or an easier lemma: the shortest proof of this one has 10 actions."
    assert f"No student of any kind proved anything. {advice}" in nothing
    alone, false, several = plan("sarsa"), plan("sarsa", lemmas="p -> q"), plan("sarsa", lemmas=CURRICULUM, episodes=6)
    assert "No student proved anything. Give them more --episodes" in said(alone, sarsa=trial(alone))
    assert "whether there is a proof at all says oasis decide." in said(false, sarsa=trial(false))
    assert "or easier lemmas: the shortest proof among these has " in said(several, sarsa=trial(several))


def test_a_share_that_is_not_0_is_not_said_to_be() -> None:
    made = plan("sarsa", "q-learning", episodes=1000, seeds=4)
    trials = {"sarsa": trial(made, proofs="0" * 999 + "1"), "q-learning": trial(made)}
    few = trials["sarsa"].proved.copy()
    few[1:] = False
    trials["sarsa"] = trials["sarsa"]._replace(proved=few)
    result = compared(made, **trials)
    practice, *_ = tables(result)
    assert [row[1].split()[0] for row in practice.rows] == ["<0.1%", "0.0%"]
    assert "on average less than 0.1 %" in conclusions(result, trials)[1]


@pytest.mark.parametrize("seeds", [2, 5, 6, 9, 10])
def test_below_ten_students_the_report_says_what_it_cannot_show(seeds: int) -> None:
    made = plan("sarsa", seeds=seeds)
    text = said(made, sarsa=trial(made))
    assert ("students of each kind are few" in text) == (seeds < 10)
    assert ("the interval of a median" in text) == (seeds < 6)


def test_greedy_proofs_are_put_beside_the_shortest() -> None:
    made = plan("sarsa", "q-learning", "dyna-q", seeds=5)
    some = np.array([0, 0, 11, 12, 13])[:, None, None]
    text = said(made, sarsa=trial(made), q_learning=trial(made, greedy=10), dyna_q=trial(made, greedy=some))
    every = "every student knows the lemma, as every play of the exam proves it"
    assert "sarsa: in the end no student knows the lemma." in text
    assert f"q-learning: in the end {every}, the median play having 10 actions; the shortest proof has 10" in text
    assert "dyna-q: in the end 3 of 5 students know the lemma, as" in text
    assert "the median play having 13 actions" in text


def test_beliefs_that_no_return_can_be_are_not_put_beside_the_truth_unless_they_were_begun_with() -> None:
    made = plan("q-learning", "dyna-q", "sarsa", "and-or-q")
    wild = np.array([-2e18, 8e17, 0.3, 0.3])[:, None, None]
    text = said(
        made,
        q_learning=trial(made, value=wild),
        dyna_q=trial(made, value=-1.0),
        sarsa=trial(made, value=1.5),
        and_or_q=trial(made, value=-0.1),
    )
    assert "q-learning: 2 of 4 students believe in the end that the lemma is worth less than −1.00 or more" in text
    assert "q-learning: in the end the lemma" not in text
    assert "dyna-q: in the end the lemma is believed to be worth −1.00" in text
    assert "sarsa: 4 of 4 students" in text
    assert "and-or-q: 4 of 4 students believe in the end that the lemma is worth less than 0 or" in text
    made = plan("q-learning", initial_value=5.0)
    assert "in the end the lemma is believed to be worth 4.00" in said(made, q_learning=trial(made, value=4.0))
    paid_by_step = plan("q-learning", reward="standard")
    assert "in the end the lemma is believed" in said(paid_by_step, q_learning=trial(paid_by_step, value=10.9))
    assert "4 of 4 students" in said(paid_by_step, q_learning=trial(paid_by_step, value=11.1))


def test_beliefs_are_put_beside_the_truth_that_they_tend_to_as_far_as_digits_tell() -> None:
    made = plan("sarsa", "q-learning", "dyna-q", "uniform")
    around = np.array([0.9**9 - 0.01, 0.9**9 + 0.01] * 2)[:, None, None]
    text = said(
        made,
        sarsa=trial(made, value=0.387),
        q_learning=trial(made, value=0.1),
        dyna_q=trial(made, value=around),
        uniform=trial(made),
    )
    assert "sarsa: in the end the lemma is believed to be worth 0.387, more than the best ε-soft policy's value" in text
    assert "q-learning: in the end the lemma is believed to be worth 0.100, less than V*, which is 0.387." in text
    assert "an interval that contains V*, which is 0.387." in text
    assert "uniform: in the end the lemma is believed" not in text
    made = plan("q-learning")
    text = said(made, q_learning=trial(made, value=0.3874))
    assert "which as far as three digits tell may be V*, which is 0.387" in text


def test_lemmas_count_alike_however_often_they_were_practised() -> None:
    made = plan("fixed", "progress", lemmas="iltp/SYJ203", episodes=1, orders=True)
    number = len(made.lemmas)
    done = trial(made, proofs="1" + "0" * (number - 1))
    assert proof_shares(made, done).tolist() == [[1] + [0] * (number - 1)] * 4
    one_sided = done._replace(lemma=np.zeros_like(done.lemma))
    assert proof_shares(made, one_sided).tolist() == [[1 / number] + [0] * (number - 1)] * 4


def test_a_belief_that_never_changed_is_said_to_be_none() -> None:
    made = plan("sarsa", "q-learning", initial_value=0.5)
    text = said(made, sarsa=trial(made, value=0.5), q_learning=trial(made, value=[[[0.5]] * 4] * 3 + [[[0.6]] * 4]))
    assert "sarsa: no student has learned yet what the lemma is worth; all believe what they began with, 0.500" in text
    assert "q-learning: in the end the lemma is believed to be worth 0.525" in text


def test_an_order_is_worth_the_difference_between_students_of_the_same_seed() -> None:
    made = plan("fixed", "shuffled", "afresh", lemmas=CURRICULUM, episodes=2, seeds=20, orders=True)
    none, half, whole = (np.where(np.arange(6) < number, 10, 0) for number in (0, 3, 6))
    trials = {
        "fixed": trial(made, greedy=half, proofs="01" * 6),
        "shuffled": trial(made, greedy=whole, proofs=["11" * 2 + "01" * 4, "11" * 4 + "01" * 2] * 10),
        "afresh": trial(made, greedy=none),
    }
    result = compared(made, **trials)
    worth = {
        (order.one, order.other): [float(each.value) for each in (order.proofs, order.area, order.solved)]
        for order in result.orders
    }
    assert worth == {
        ("fixed", "afresh"): [0.5, 0.5, 0.5],
        ("shuffled", "fixed"): [0.25, 0.5, 0.5],
        ("shuffled", "afresh"): [0.75, 1, 1],
    }
    text = "\n".join(conclusions(result, trials))
    assert "shuffled proves the largest share of its episodes, on average over the lemmas 75.0 %: 25.0" in text
    assert "shuffled against fixed, student by student: proofs in 25.0 percentage points more (" in text
    assert "in the end in 50.0 percentage points more (95 % interval 18.1 to 60.6) of the greedy plays" in text
    assert "fixed: in the end every student knows textbook/and_comm, textbook/and_assoc and textbook/or_comm;" in text
    same = compared(made, **dict.fromkeys(trials, trials["fixed"]))
    assert "proofs in the same share as far as these students show" in "\n".join(conclusions(same, trials))


def test_lemmas_have_their_own_share_of_proofs_in_the_table_and_in_json() -> None:
    made = plan("sarsa", "q-learning", lemmas="thesis/41,thesis/42", episodes=4)
    halves = ["11110001", "11110011", "11110001", "11110011"]
    result = compared(made, sarsa=trial(made, proofs=halves), q_learning=trial(made, proofs="00110000"))
    _, table, *_ = tables(result)
    assert table.header == ("lemma", "variant", "proofs", "reliable from")
    assert [row[1] for row in table.rows] == ["sarsa", "q-learning"] * 2
    assert table.rows[2][2] == "37.5% (14.5%–60.5%)"  # Student's t of 1/4, 1/2, 1/4 and 1/2
    assert [each[2].split(" ")[0] for each in table.rows] == ["100.0%", "50.0%", "37.5%", "0.0%"]
    first, second = result.to_json()["variants"][0]["lemma_proofs"]
    assert (first["value"], first["high"]) == (1, 1)
    assert second == pytest.approx({"value": 0.375, "low": 0.1453, "high": 0.6047}, abs=1e-4)


def test_how_many_know_a_lemma_is_said_where_not_all_do() -> None:
    made = plan("sarsa", "q-learning", lemmas="thesis/41,thesis/42,thesis/43", episodes=4)
    greedy = np.full((4, len(made.checkpoints), 3), 10)
    greedy[0, :, 1], greedy[:, :, 2] = 0, 0
    missed = greedy.copy()
    missed[0, :, 0] = 0
    text = said(made, sarsa=trial(made, proofs="1" * 12, greedy=greedy), q_learning=trial(made, greedy=missed))
    assert ("sarsa: in the end every student knows thesis/41; 3 of 4 know thesis/42; none knows thesis/43.") in text
    assert "q-learning: in the end 3 of 4 know thesis/41 and thesis/42; none knows thesis/43." in text
    assert "in the end no student knows any of the lemmas." in said(
        made, sarsa=trial(made, proofs="1" * 12), q_learning=trial(made)
    )


def test_areas_and_orders_count_plays_and_lengths_the_median_play() -> None:
    made = plan("fixed", "afresh", lemmas=CURRICULUM, episodes=2, seeds=10, orders=True)
    often, rarely = (
        trial(made, greedy=length)._replace(share=np.full((10, len(made.checkpoints), len(made.lemmas)), share))
        for length, share in ((10, 0.75), (0, 0.25))
    )
    result = compared(made, fixed=often, afresh=rarely)
    assert [float(summary.area.value) for summary in result.summaries] == [0.75, 0.25]
    assert [summary.with_proof[0] for summary in result.summaries] == [10, 0]
    assert [summary.knowing[0] for summary in result.summaries] == [0, 0]  # a quarter of the plays proves nothing
    (order,) = result.orders
    assert [float(order.area.value), float(order.solved.value)] == [0.5, 0.5]


def test_lemmas_that_disagree_are_told_apart() -> None:
    made = plan("sarsa", "q-learning", lemmas="thesis/41,thesis/42", episodes=4, seeds=12)
    one, other = ["00011111", "00111111"] * 6, ["11110001", "11110011"] * 6
    trials = {"sarsa": trial(made, proofs=one), "q-learning": trial(made, proofs=other)}
    result = compared(made, **trials)
    assert [(pair.lemma, pair.more, pair.proofs.sign) for pair in result.lemma_pairs] == [
        ("thesis/41", 0, -1),
        ("thesis/42", 1, 1),
    ]
    assert (result.pairs[0].lemma, result.pairs[0].more) == ("", 0.5)
    assert (
        "Lemmas disagree on sarsa against q-learning: P(more), proofs, is 0.00* on thesis/41 and 1.00* on thesis/42, "
        "and 0.50 over all lemmas together"
    ) in "\n".join(conclusions(result, trials))
    more = next(table for table in tables(result) if table.title.startswith("P(more)"))
    assert "Over all lemmas together; lemma by lemma (lemma_pairs): --json." in more.note
    alike = compared(made, **dict.fromkeys(trials, trials["sarsa"]))
    assert "disagree" not in "\n".join(conclusions(alike, trials))


def test_reliable_from_is_told_lemma_by_lemma_and_counts_the_episodes_on_all() -> None:
    made = plan("sarsa", lemmas="thesis/41,thesis/42", episodes=2, seeds=6)
    greedy = np.array([[10, 0], [10, 0], [10, 8], [10, 8]])
    practice, lemma_by_lemma, *_ = tables(compared(made, sarsa=trial(made, greedy=greedy)))
    assert [row[-1] for row in lemma_by_lemma.rows] == ["≤ 1", "3"]
    assert practice.rows[0][4] == "3"
    assert "prove every lemma, counted over the episodes on all lemmas (2 on each); ≤ 1 is the first" in practice.note


def test_a_learner_that_looks_at_no_reward_is_named_if_a_reward_was_asked_for() -> None:
    made = plan("sarsa", "and-or-q", "uniform")
    usual, *_ = tables(compared(made, **dict.fromkeys(("sarsa", "and_or_q", "uniform"), trial(made))))
    assert "reward" not in usual.note
    variants = tuple(replace(each, settings=replace(each.settings, reward="standard")) for each in made.variants)
    asked = replace(made, variants=variants)
    practice, *_ = tables(compared(asked, **dict.fromkeys(("sarsa", "and_or_q", "uniform"), trial(asked))))
    assert "and-or-q looks at no reward, so --reward makes no difference to it." in practice.note
    assert practice.note.count("looks at no reward") == 1


def test_a_table_says_why_an_interval_is_wider_than_students_differ() -> None:
    made = plan("sarsa", seeds=10)
    wide, *_ = tables(compared(made, sarsa=trial(made, proofs=["0000"] * 9 + ["0001"])))
    assert "up to 31 % of such students may do what none of these 10 did" in wide.note
    assert "Intervals: Gaffke's (proofs); Student's t (actions, states); between two of the students (fi" in wide.note
    near, *_ = tables(compared(made, sarsa=trial(made, proofs=["0001", "0011"] * 5)))
    assert "such students" not in near.note
    assert "Intervals: Student's t (proofs, actions, states);" in near.note


def test_a_student_that_proves_half_of_the_plays_by_luck_does_not_know_the_lemma() -> None:
    made = plan("uniform", "q-learning", seeds=10)
    half = np.where(np.arange(10) < 4, 14, 0)[:, None, None]
    lucky = trial(made, greedy=half)._replace(share=np.full((10, len(made.checkpoints), 1), 0.5))
    trials = {"uniform": lucky, "q-learning": trial(made, greedy=10)}
    result = compared(made, **trials)
    practice, learned, *_ = tables(result)
    assert [summary.knowing for summary in result.summaries] == [(0,), (10,)]
    assert [row[4] for row in practice.rows] == ["never", "≤ 1"]
    assert learned.rows[0][2] == "0 of 10 (0–31 %)"
    assert "as that of uniform does (4 of 10 for SYJ203.2)" in learned.note
    assert "though 4 of 10 in more than half of the plays." in "\n".join(conclusions(result, trials))


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


def test_a_lemma_with_too_many_goals_is_said_to_have_no_exact_value() -> None:
    lemma = resolve_lemma("SYJ203.3")
    found = truth(lemma, Settings(), lengths_or_why_not(lemma.formula, max_goals=20))
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


@pytest.fixture
def campaign(store: Store) -> Experiment[Plan]:
    return begin(store, PLAN)


class Counting(Native):
    """A prover that counts what it is asked."""

    asked = 0

    def certify(self, claims: Sequence[Claim]) -> list[Certificate]:
        self.asked += len(claims)
        return super().certify(claims)


def test_the_shortest_of_all_episodes_and_exams_is_reported_with_how_many_found_one(campaign: Experiment[Plan]) -> None:
    made = trials([(f"{SHORT}; {SHORT}", SHORT), (SHORT, ""), ("", f"{SHORT}; intro")])
    (proof,) = shortest_proofs(campaign, PLAN.name, made)
    assert (proof.variant, proof.script, proof.finders) == ("sarsa", parse_script(SHORT), 2)
    assert shortest_proofs(campaign, PLAN.name, trials([("", "")] * 3)) == []
    (row,) = table(PLAN, [proof]).rows
    assert row == ("textbook/and_comm", "sarsa", "5", "2 of 3")


@pytest.mark.parametrize(("script", "accepted"), [(SHORT, True), (WRONG, False)])
def test_what_a_prover_says_is_kept_and_not_asked_again(
    campaign: Experiment[Plan], script: str, accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = trials([(script, "")] * 3)
    prover = Counting()
    monkeypatch.setattr("oasis.backends.certifying.backend", lambda name: prover)
    for _ in range(2):
        certify(campaign.store, campaign.number, shortest_proofs(campaign, PLAN.name, made), ["native"], pytest.fail)
    assert prover.asked == 1
    (proof,) = shortest_proofs(Experiment.resume(campaign.store), PLAN.name, made)
    assert [(word.prover, word.accepted, bool(word.reason)) for word in proof.words] == [
        ("native", accepted, not accepted)
    ]
    assert table(PLAN, [proof]).rows[0][-1] == ("native" if accepted else "not native")
