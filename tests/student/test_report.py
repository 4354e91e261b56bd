"""What came of a run, as it is read from the store."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from oasis.play.exam import Exam
from oasis.store import Store, StoreError
from oasis.student.report import LemmaReport, Tally, episodes, exam_to_text, packed, report, unpacked
from oasis.student.student import Practice
from tactics.goal import Move
from tactics.script import Script
from tests.store.databases import start

SHORT, LONG = (Move("intro"), Move("assumption")), (Move("intro"), Move("imply1", "H"), Move("assumption"))
PASSED, FAILED = Exam(3, (3, 3), LONG), Exam(3, (), None)
UNTAUGHT = Exam(3, (3,), LONG)


def practice(proved: list[bool], steps: list[int]) -> Practice:
    """Return episodes with these numbers."""
    return Practice(np.array(proved), np.array(steps, np.int32), np.ones(len(steps), np.int32))


def stored(store: Store, practices: list[Practice], best: Script | None, exam: Exam | None) -> LemmaReport:
    """Return the report on one lemma after these blocks of episodes, which brought this best proof, and this exam."""
    run = start(store, "the lemma", settings={"seed": 7})
    tally = Tally.of(store.lemmas(run)[0])
    for block in practices:
        first = tally.episodes + 1
        tally.add(block, best, met=1, seconds=1.0)
        stored_block = first, len(block.proved), packed([block])
        store.checkpoint(run, 0, tally=tally.columns(), block=stored_block, rng=0)
    if exam is not None:
        tally.consider(exam.script)
        result = {"exam": exam_to_text(exam), "untaught": exam_to_text(UNTAUGHT), "optimum": 2, "finished": 1}
        store.checkpoint(run, 0, tally=tally.columns() | result, rng=0)
    return report(store, run).lemmas[0]


BLOCKS = [practice([False, True], [3, 4]), practice([True, False], [2, 3])]


def test_a_lemma_is_reported_with_its_best_proof_its_exam_and_that_of_the_untaught(store: Store) -> None:
    lemma = stored(store, BLOCKS, SHORT, PASSED)
    assert (lemma.exam, lemma.untaught, lemma.best, lemma.finished) == (PASSED, UNTAUGHT, SHORT, True)
    assert (lemma.episodes, lemma.proved_episodes, lemma.first_proof_episode) == (4, 2, 2)
    assert (lemma.share_proved, lemma.steps, lemma.steps_per_second, lemma.states) == (0.5, 12, 6.0, 2)
    assert lemma.proofs == [LONG, SHORT]
    shown = lemma.to_json()
    assert (shown["exam"]["proved"], shown["untaught"]["proved"], shown["optimum"]) == (2, 1, 2)
    assert (shown["best"]["length"], shown["shown"]["length"]) == (2, None)
    rows = [(row["lemma"], row["episode"], row["proved"], row["steps"]) for row in episodes(store, 1)]
    assert rows == [("the lemma", *row) for row in ((1, 0, 3), (2, 1, 4), (3, 1, 2), (4, 0, 3))]


def test_a_proof_in_the_exam_counts_among_the_best_and_an_exam_without_one_as_none(store: Store) -> None:
    examined = replace(PASSED, lengths=(2,), script=SHORT)
    assert stored(store, BLOCKS, LONG, examined).best == SHORT
    assert stored(store, [practice([False] * 2, [3, 3])], None, examined).best == SHORT
    without = stored(store, BLOCKS, LONG, FAILED)
    assert (without.exam, without.best, without.finished, without.proofs) == (FAILED, LONG, True, [LONG])
    shown = without.to_json()["exam"]
    assert shown == {"plays": 3, "proved": 0, "median": None, "best": None, "script": None, "certificates": []}


@pytest.mark.parametrize("blocks", [[], [practice([False] * 2, [3, 3])]], ids=["no episodes", "no proofs"])
def test_a_lemma_without_a_proof_is_reported_so(store: Store, blocks: list[Any]) -> None:
    lemma = stored(store, blocks, None, None)
    assert (lemma.exam, lemma.untaught, lemma.best, lemma.first_proof_episode, lemma.finished) == (*[None] * 4, False)
    assert (lemma.proved_episodes, lemma.share_proved, lemma.steps) == (0, 0.0, 6 * len(blocks))
    shown = lemma.to_json()
    assert shown["best"] == {"length": None, "script": None, "certificates": []}
    assert (shown["exam"], shown["untaught"], shown["optimum"]) == (None, None, None)


NO_EXAMS = [
    "no JSON",
    "{}",
    "3",
    '{"plays": -1, "lengths": [], "script": null}',
    '{"plays": "x", "lengths": [], "script": null}',
    '{"plays": 2, "lengths": "ab", "script": "intro"}',
    '{"plays": 2, "lengths": [1.5], "script": "intro"}',
    '{"plays": 1, "lengths": [1, 2, 3], "script": "intro"}',
    '{"plays": 9, "lengths": [1], "script": null}',
    '{"plays": 9, "lengths": [], "script": "intro"}',
    "[" * 100_000,
]


def test_what_is_no_exam_is_called_damage(store: Store) -> None:
    stored(store, [], None, PASSED)
    for text in NO_EXAMS:
        store.checkpoint(1, 0, tally={"exam": text}, rng=0)
        with pytest.raises(StoreError, match="is damaged"):
            report(store, 1)


@pytest.mark.parametrize("number", [1, 7, 8, 9, 1000])
def test_blocks_are_unpacked_as_they_were_packed(number: int) -> None:
    one = practice([n % 3 == 0 for n in range(number)], list(range(number)))
    other = practice([True], [5])
    rows = [*zip(one.proved.tolist(), one.steps.tolist(), strict=True), (True, 5)]
    assert list(unpacked(packed([one, other]))) == rows
