"""The pages can be read by who begins at a university, as far as the length of words and sentences tells."""

from __future__ import annotations

from tests.book.reading import index, levels
from tests.book.test_numbers import RECORDS

SCHOOL = 12.0
"""Years of school."""


def test_pages_are_no_harder_to_read_than_school_has_taught() -> None:
    found = {page.name: level for page, level in levels().items() if page.name not in RECORDS}
    assert {name: round(level, 1) for name, level in found.items() if level > SCHOOL} == {}, (
        "say it in shorter sentences"
    )
    assert found["first-proof.md"] < 8


def test_a_sentence_that_nobody_can_follow_is_found() -> None:
    hard = "Notwithstanding considerable methodological reservations, practitioners predominantly favour incremental"
    assert index(f"{hard} reconstructions of intuitionistic decision procedures over comprehensive ones.") > 2 * SCHOOL
    assert index("A goal is proved. Its name is `considerable_methodological_reservations`.") < 3
