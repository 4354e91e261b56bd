"""What stands below the tables of a comparison, so that nobody reads more from them than they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from oasis.lab.comparison.conclusions import conclusions
from oasis.lab.comparison.summary import Comparison, compare
from oasis.lab.comparison.tables import tables
from oasis.lab.comparison.truth import truths
from oasis.lab.plan import Plan
from oasis.lab.trials import Trial
from tests.lab.made import plan, trial

pytestmark = pytest.mark.slow


def compared(made: Plan, **trials: Trial) -> Comparison:
    named = {name.replace("_", "-"): done for name, done in trials.items()}
    return compare(made, named, truths(made))


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
    result = compare(made, trials, truths(made))
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
