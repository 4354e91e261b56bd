"""Summaries of made-up trials with known answers, and the sentences and tables that follow from them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from oasis.lab.comparison.conclusions import conclusions, leaders
from oasis.lab.comparison.summary import DEFINITIONS, proof_shares
from oasis.lab.comparison.tables import tables
from oasis.lab.statistics import Interval
from tests.lab.made import compared, plan, said, trial

SIX = ("and_comm", "and_assoc", "or_comm", "or_assoc", "exchange", "double_negation_and")
CURRICULUM = ",".join(f"textbook/{name}" for name in SIX)
"""Lemmas of which all is known at once."""


def by_steps(*lengths: int) -> Any:
    """A greedy length for each of four checkpoints."""
    return np.array(lengths)[:, None]


def test_each_number_of_a_variant_is_what_its_definition_says() -> None:
    made = plan("sarsa", seeds=4)
    done = trial(
        made,
        proofs=["0011", "0001", "1111", "0001"],
        greedy=by_steps(12, 0, 11, 10),
        value=by_steps(0, 0, 1, 2),
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
    result = compared(
        made, sarsa=trial(made, proofs="0001"), q_learning=trial(made, proofs="0111"), dyna_q=trial(made, proofs="0001")
    )
    assert {(pair.one, pair.other): pair.more for pair in result.pairs} == {
        ("sarsa", "q-learning"): 0,
        ("sarsa", "dyna-q"): 0.5,
        ("q-learning", "dyna-q"): 1,
    }


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


def test_names_with_commas_stand_in_quotation_marks() -> None:
    shares = {"sarsa, ε 0.1": 0.5, "sarsa, ε 0.2": 0.5, "sarsa": 0.25}
    lead = leaders(shares, {("sarsa, ε 0.1", "sarsa"): Interval(*map(np.asarray, (0.25, -0.1, 0.5)))})
    assert lead.subject == "“sarsa, ε 0.1” and “sarsa, ε 0.2”"
    assert lead.nor_told == "They are not told apart from sarsa"


def test_tables_and_sentences_agree_on_who_is_ahead() -> None:
    # Eight of ten students do all of it and two none: the middle half of them would say 100 %.
    made = plan("sarsa", "q-learning", seeds=10)
    trials = {
        "sarsa": trial(made, proofs=["1111"] * 8 + ["0000"] * 2),
        "q-learning": trial(made, proofs=["1111"] * 7 + ["0111"] * 3),
    }
    result = compared(made, **trials)
    practice, *_ = tables(result)
    assert [row[1].split()[0] for row in practice.rows] == ["80.0%", "92.5%"]
    assert conclusions(result, trials)[0].startswith(
        "q-learning proves the largest share of its episodes, on average 92"
    )


def test_kinds_that_prove_as_much_share_the_first_place_and_who_proves_nothing_hears_what_may_help() -> None:
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


def test_a_lemma_that_ten_of_ten_students_prove_is_not_said_to_be_proved_by_all() -> None:
    made = plan("sarsa", seeds=10)
    _, learned, *_ = tables(compared(made, sarsa=trial(made, greedy=10)))
    assert learned.rows[0][1:3] == ("10", "10 of 10 (69–100 %)")


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
    assert (
        "fixed: in the end every student knows textbook/and_comm, textbook/and_assoc and textbook/or_comm; none knows"
        in text
    )
    same = compared(made, **dict.fromkeys(trials, trials["fixed"]))
    assert "proofs in the same share as far as these students show" in "\n".join(conclusions(same, trials))


def test_a_difference_that_these_students_do_not_show_is_not_claimed() -> None:
    made = plan("fixed", "shuffled", lemmas=CURRICULUM, episodes=2, seeds=4, orders=True)
    one, other = ([marks * 6 for marks in each] for each in (("01", "00", "01", "00"), ("00", "01", "01", "00")))
    trials = {"fixed": trial(made, proofs=one), "shuffled": trial(made, proofs=other)}
    text = said(made, **trials)
    assert "the same share as far as these students show" in text
    assert "percentage points more" not in text


def test_the_summary_is_one_json_object_without_numbers_that_json_lacks() -> None:
    made = plan("sarsa", "q-learning")
    result = compared(made, sarsa=trial(made), q_learning=trial(made, proofs="0011", greedy=12))
    content = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert [variant["name"] for variant in content["variants"]] == ["sarsa", "q-learning"]
    assert content["variants"][0]["first"] == {"value": None, "low": 1, "high": None}
    assert content["pairs"][0]["more"] == 0
    assert content["pairs"][0]["proofs"]["value"] == -0.5
    assert content["variants"][1]["truths"][0]["shortest"] == 10
    assert content["variants"][1]["settings"]["learner"] == "q-learning"
    assert (content["seeds"], content["episodes"]) == ([0, 1, 2, 3], 4)


def test_tables_have_a_row_for_each_variant_and_a_square_of_pairs() -> None:
    made = plan("sarsa", "q-learning", "uniform", seeds=30)
    practice, learned, more, shorter = tables(
        compared(
            made,
            sarsa=trial(made, proofs="0001"),
            q_learning=trial(made, proofs="0011", greedy=12, value=0.25),
            uniform=trial(made),
        )
    )
    assert practice.rows[1] == ("q-learning", "50.0% (44.1%–55.9%)", "10.0", "3", "≤ 1", "4")
    assert practice.rows[2][3:5] == ("never", "never")
    assert learned.rows[1] == ("q-learning", "12", "30 of 30 (88–100 %)", "10", "0.250", "V* 0.387")
    assert learned.rows[2] == ("uniform", "none", "0 of 30 (0–12 %)", "10", "0", "–")
    assert more.rows[0] == ("1 sarsa", "", "0.00*", "1.00*")
    assert shorter.rows[2] == ("3 uniform", "0.50", "0.00*", "")
    for table in (practice, learned, more, shorter):
        assert {len(row) for row in table.rows} == {len(table.header)}


def test_every_number_of_a_table_is_defined() -> None:
    made = plan("fixed", "afresh", lemmas=CURRICULUM, episodes=2, orders=True)
    one, several = plan("sarsa"), compared(made, fixed=trial(made), afresh=trial(made))
    headers = {
        name
        for result in (compared(one, sarsa=trial(one)), several)
        for table in tables(result)
        for name in table.header
    }
    plain = {"", "lemma", "variant", "against", "shortest", "states", "tends to"}
    assert {name for name in headers - plain if not name.isdigit()} <= set(DEFINITIONS)


def test_lemmas_have_their_own_share_of_proofs_in_the_table_and_in_json() -> None:
    made = plan("sarsa", "q-learning", lemmas="thesis/41,thesis/42", episodes=4)
    halves = ["11110001", "11110011", "11110001", "11110011"]
    result = compared(made, sarsa=trial(made, proofs=halves), q_learning=trial(made, proofs="00110000"))
    _, table, *_ = tables(result)
    assert table.header == ("lemma", "variant", "proofs", "reliable from")
    assert [row[:2] for row in table.rows] == [
        (lemma, learner) for lemma in ("thesis/41", "thesis/42") for learner in ("sarsa", "q-learning")
    ]
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
    assert [pair["lemma"] for pair in result.to_json()["lemma_pairs"]] == ["thesis/41", "thesis/42"]
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


# What stands below the tables, so that nobody reads more from them than they say.


def test_who_looks_at_no_reward_is_named_where_one_was_asked_for() -> None:
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
    wide = compared(made, sarsa=trial(made, proofs=["0000"] * 9 + ["0001"]))
    practice, *_ = tables(wide)
    wide_note = practice.note
    assert "up to 31 % of such students may do what none of these 10 did" in wide_note
    assert (
        "Intervals: Gaffke's (proofs); Student's t (actions, states); between two of the students (first" in wide_note
    )
    near = compared(made, sarsa=trial(made, proofs=["0001", "0011"] * 5))
    practice, *_ = tables(near)
    assert "such students" not in practice.note
    assert "Intervals: Student's t (proofs, actions, states);" in practice.note
    assert near.to_json()["variants"][0]["methods"]["proofs"] == ["Student's t"]


def test_who_proves_half_of_the_plays_by_luck_does_not_know_the_lemma() -> None:
    made = plan("uniform", "q-learning", seeds=10)
    half = np.where(np.arange(10) < 4, 14, 0)[:, None, None]
    lucky = trial(made, greedy=half)._replace(share=np.full((10, len(made.checkpoints), 1), 0.5))
    trials = {"uniform": lucky, "q-learning": trial(made, greedy=10)}
    result = compared(made, **trials)
    practice, learned, *_ = tables(result)
    assert [summary.knowing for summary in result.summaries] == [(0,), (10,)]
    assert [row[4] for row in practice.rows] == ["never", "≤ 1"]
    assert learned.rows[0][2] == "0 of 10 (0–31 %)"
    assert "every one of the 100 plays of the last exam proves" in learned.note
    assert "as that of uniform does (4 of 10 for SYJ203.2)" in learned.note
    assert "all 20 plays of every exam from there on prove the lemma; ≤ 1 is the first exam." in practice.note
    said = "\n".join(conclusions(result, trials))
    assert (
        "uniform: in the end no student knows the lemma: none proves it in every play of the exam, though 4 of 10 in "
        "more than half of the plays."
    ) in said
