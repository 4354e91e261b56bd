"""Sentences follow from the numbers: made-up students make them say something else."""

from __future__ import annotations

import json

import pytest

from oasis.lab.sharing.findings import findings
from state_spaces import STATE_SPACES
from tests.lab.comparisons import Episode, Episodes, made_up, quick


def episodes(proofs: str, states: int = 10) -> Episodes:
    """A proof for each 1; every episode adds `states` states."""
    return [Episode(states * number, 5, mark == "1") for number, mark in enumerate(proofs, 1)]


def same(done: list[Episodes]) -> dict[str, list[Episodes]]:
    return dict.fromkeys(STATE_SPACES, done)


def said(experiment: str, **done: list[Episodes]) -> str:
    """What is said of an experiment in which the students of each space did this."""
    found = findings(made_up(len(done["simple"]), **{experiment: done}))[experiment]
    return "\n".join(found.sentences)


def test_copies_are_one_lemma_only_where_every_episode_is_the_same() -> None:
    itself = same([episodes("0010"), episodes("0110")])
    for change in (episodes("0010", 11), episodes("1010"), [*episodes("001"), Episode(40, 6, False)]):
        changed = {**itself, "match": [change, itself["match"][1]]}
        found = findings(made_up(copies=changed, same=itself))["copies"]
        assert found.sentences[0].startswith("In Simple and Name the 3 copies are one lemma:")
        assert found.sentences[1].startswith("In Match they are not: ")
    everywhere = findings(made_up(copies=itself, same=itself))["copies"]
    assert everywhere.sentences[0].startswith("In Simple, Name and Match the 3 copies are one lemma:")
    nowhere = findings(made_up(copies=same([episodes("1111")] * 2), same=itself))["copies"]
    assert not any("one lemma" in sentence for sentence in nowhere.sentences)


def test_more_and_fewer_are_said_only_where_the_interval_leaves_out_nothing_at_all() -> None:
    few = [episodes(marks) for marks in ("1100", "1000", "1100", "1000")]
    many = [episodes(marks) for marks in ("1111", "1110", "1111", "1111")]
    other = [episodes(marks) for marks in ("1000", "1100", "1000", "1100")]
    text = said("levels", simple=few, name=many, match=few)
    assert "Name: 2.2 more proofs than in Simple (95 % interval 0.7 to 3.8)." in text
    assert "Match: 2.2 fewer proofs than in Name (95 % interval 0.7 to 3.8)." in text
    text = said("levels", simple=few, name=other, match=other)
    assert "Name: no difference to Simple in proofs that these students show (95 % interval −3.6 to 3.6)." in text
    assert "Match: with every student exactly as many proofs as in Name." in text


def test_memories_are_compared_with_the_first() -> None:
    done = {
        "simple": [episodes("0000", 100)] * 2,
        "name": [episodes("0000", 75)] * 2,
        "match": [episodes("0000", 110)] * 2,
    }
    text = said("same", **done)
    assert text.startswith("Simple keeps 400 states, Name 300 (25.0% fewer) and Match 440 (10.0% more).\n")
    text = said("same", **same(done["name"]))
    assert text.startswith("Simple keeps 300 states, Name 300 (exactly as many) and Match 300 (exactly as many).\n")


def test_a_rise_between_letterings_is_told_from_a_fall_and_from_nothing() -> None:
    done = {
        "simple": [episodes("10" * 4 + "1" * 2), *[episodes("00" * 4 + "1" * 2)] * 5],
        "name": [episodes("11" * 4 + "10"), *[episodes("11" * 4 + "00")] * 5],
        "match": [*[episodes("11" * 4 + "10")] * 3, *[episodes("10" * 4 + "11")] * 3],
    }
    rise, fall, nothing, *_ = findings(made_up(6, letterings=done))["letterings"].sentences
    assert "Simple" in rise
    assert "92 percentage points higher than in the first (95 % interval 53.9 to 100)" in rise
    assert "Name" in fall
    assert "92 percentage points lower than in the first" in fall
    assert "Match" in nothing
    assert "that of the first, as far as these students show" in nothing


def test_several_at_once_count_students_and_not_episodes() -> None:
    done = {
        "simple": [episodes("1000000000"), episodes("1000000000")],
        "name": [episodes("1010101010"), episodes("1010100000")],
        "match": [episodes("1111111111"), episodes("1111111101")],
    }
    found = findings(made_up(at_once=done))["at-once"]
    assert [part.value for part in found.summaries[1].parts] == [1, 1, 1, 0.5, 0.5]
    assert found.sentences[0] == (
        "The share of students that prove five at once: 0% in Simple, 50% in Name and 100% in Match."
    )


def test_the_growth_of_memories_is_that_of_the_last_ten_copies() -> None:
    slow = [Episode(200 + number, 5, False) for number in range(25)]
    none = [Episode(3, 5, False)] * 25
    done: dict[str, list[Episodes]] = {"simple": [episodes("0" * 25)] * 2, "name": [slow] * 2, "match": [none] * 2}
    sharing = made_up(copies=done)
    sharing.copies = 25
    text = "\n".join(findings(sharing)["copies"].sentences)
    assert "the last 10 copies brings: 10.0 in Simple, 1.0 in Name and 0.0 in Match." in text


@pytest.mark.parametrize(
    ("marks", "first"),
    [
        (["0001", "0100", "1000"], 2),
        (["0000", "0000", "0010"], None),
        (["0000", "0010", "0001"], 4),
        (["0000", "0010"], None),  # no student has a proof between the third episode and never
    ],
)
def test_the_first_proof_is_a_median_and_may_never_come(marks: list[str], first: int | None) -> None:
    found = findings(made_up(len(marks), levels=same([episodes(each) for each in marks])))["levels"]
    assert found.summaries[0].first.to_json()["value"] == first


def test_a_real_comparison_is_summed_up_in_every_space() -> None:
    found = findings(quick())
    content = json.loads(json.dumps([each.to_json() for each in found.values()]))
    for experiment in content:
        assert list(experiment["spaces"]) == list(STATE_SPACES)
        assert experiment["sentences"]
        for space in experiment["spaces"].values():
            for average in (space["states"], space["proofs"], space["steps"], *space["parts"].values()):
                assert average["low"] <= average["value"] <= average["high"]
    assert "In Name and Match the 12 copies are one lemma" in content[0]["sentences"][0]
