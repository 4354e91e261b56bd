"""The lemmas that are data: they are what was published, and what is said of their proofs is true."""

from collections.abc import Callable

import pytest

from curricula.families import FAMILIES
from curricula.lemma import Lemma, Status
from curricula.library import (
    choices_lemma,
    choices_names,
    iltp_lemma,
    iltp_names,
    iltp_problem,
    textbook_lemma,
    textbook_names,
    thesis_lemma,
)
from curricula.tptp import ProblemFile
from tactics.formula import Formula
from tactics.parser import parse

ShortestProof = Callable[[Formula], int | None]
STATED = [*map(textbook_lemma, textbook_names()), *map(choices_lemma, choices_names())]


def test_the_library_has_every_published_problem_outside_the_families(
    published_problems: dict[str, ProblemFile],
) -> None:
    others = {name for name in published_problems if name.partition(".")[0] not in FAMILIES}
    assert len(published_problems) == 274
    assert set(iltp_names()) == others
    assert len(iltp_names()) == len(others) == 34


@pytest.mark.parametrize("name", iltp_names())
def test_an_iltp_problem_is_the_published_one(name: str, published_problems: dict[str, ProblemFile]) -> None:
    published = published_problems[name]
    assert iltp_problem(name) == published.problem
    assert iltp_lemma(name).status == published.status


@pytest.mark.parametrize("lemma", STATED, ids=lambda lemma: lemma.name)
def test_a_theorem_has_a_shortest_proof_as_stated_and_a_non_theorem_none(
    lemma: Lemma, shortest_proof: ShortestProof
) -> None:
    assert lemma.status is (Status.NON_THEOREM if lemma.shortest is None else Status.THEOREM)
    assert shortest_proof(lemma.formula) == lemma.shortest


@pytest.mark.parametrize(("data", "theorems", "others"), [("textbook", 42, 12), ("choices", 29, 7)])
def test_lemmas_get_longer_and_end_with_the_non_theorems(data: str, theorems: int, others: int) -> None:
    lengths = [lemma.shortest or 1000 for lemma in STATED if lemma.name.startswith(data)]
    assert lengths == sorted(lengths)
    assert (len([length for length in lengths if length < 1000]), lengths.count(1000)) == (theorems, others)


def test_no_lemma_is_there_twice() -> None:
    assert len({lemma.formula for lemma in STATED}) == len(STATED)


def test_thesis_lemma_42_is_the_second_level_of_con() -> None:
    lemma = thesis_lemma("42")
    assert lemma.formula is parse("((p1 /\\ p2) \\/ ((p1 -> f) \\/ (p2 -> f)) -> f) -> f")
    assert (lemma.name, lemma.level, lemma.shortest) == ("thesis/42", 2, 10)
