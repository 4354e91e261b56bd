"""Every number that the book quotes as measured stands in the measurements that it links to."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from markdown.extensions.toc import slugify

from benchmarks import balance
from tests.book.pages import DOCS, PAGES, prose, trained

RECORDS: Final = ("measurements.md", "reward-audit.md", "balance.md")
"""Where measurements are written down, with the commands that gave them."""
LIMITS: Final = ("serving.md", "doors.md", "classroom.md")
"""Pages that tell limits of the program, and words of its screens."""
QUOTING: Final = [page for page in PAGES if page.name not in (*RECORDS, *LIMITS)]

_NUMBER: Final = re.compile(r"(?<![\w.,])\d+(?:,\d{3})*(?:\.\d+)?(?![\w])")
_UNIT: Final = re.compile(
    r"\d\s?(?:%|ms\b|µs\b|s\b|[kMG]i?B\b|seconds?\b|minutes?\b|hours?\b|million\b|times\b|points\b|expansions\b)"
)
_LINK: Final = re.compile(rf"\]\((?:docs/)?({'|'.join(map(re.escape, RECORDS))})(?:#([^)]+))?\)")
_NO_NUMBERS_OF_OURS: Final = re.compile(r"`[^`]*`|\]\([^)]*\)|95 %|\d+ %-?\s?interval|thesis/\d+|SYJ[\d.–]+")


def _paragraphs(page: Path) -> list[str]:
    """What is read as one: a paragraph with the table or the list that belongs to it, or an item of a list."""
    joined: list[str] = []
    for part in re.split(r"\n\s*\n|\n(?=- )", prose(page)):
        if part.startswith("|") and joined:
            joined[-1] += "\n" + part
        else:
            joined.append(part)
    return joined


@cache
def _section(record: str, place: str | None) -> str:
    """A section of a page of measurements, with all that is below it. Raises KeyError if there is none."""
    text = (DOCS / record).read_text(encoding="utf-8")
    if place is None:
        return text
    headings = [*re.finditer(r"^(#+) (.+)$", text, re.MULTILINE)]
    for number, heading in enumerate(headings):
        if slugify(re.sub(r"[`*]", "", heading[2]), "-") == place:
            after = [each.start() for each in headings[number + 1 :] if len(each[1]) <= len(heading[1])]
            return text[heading.start() : after[0] if after else len(text)]
    raise KeyError(place)


def _quoted(paragraph: str) -> set[str]:
    return set(_NUMBER.findall(_NO_NUMBERS_OF_OURS.sub(" ", paragraph)))


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in RECORDS], ids=lambda page: page.stem)
def test_what_is_quoted_is_what_was_measured(page: Path) -> None:
    for paragraph in _paragraphs(page):
        sources = [_section(*link) for link in ((each[1], each[2]) for each in _LINK.finditer(paragraph))]
        if sources:
            measured = {number for source in sources for number in _NUMBER.findall(source)}
            assert _quoted(paragraph) - measured == set(), paragraph


@pytest.mark.parametrize("page", QUOTING, ids=lambda page: page.stem)
def test_what_looks_measured_says_where(page: Path) -> None:
    for paragraph in _paragraphs(page):
        if not _LINK.search(paragraph):
            assert _UNIT.search(_NO_NUMBERS_OF_OURS.sub(" ", paragraph)) is None, paragraph


def test_a_table_of_a_training_is_one_that_was_recorded() -> None:
    recorded = set(map(str.rstrip, (DOCS / "measurements.md").read_text(encoding="utf-8").splitlines()))
    rows = {page.name: trained(page) for page in PAGES if page.name not in RECORDS and trained(page)}
    assert {"README.md", "first-proof.md"} <= set(rows)
    assert [(page, row) for page, shown in rows.items() for row in shown if row not in recorded] == []


@pytest.mark.thorough
def test_the_tables_and_pictures_of_the_balance_are_those_of_its_records(tmp_path: Path) -> None:
    page = (DOCS / "balance.md").read_text(encoding="utf-8")
    made = [*balance.tables()]
    assert len(made) > 4
    assert [table for table in made if table not in page] == []
    balance.pictures(tmp_path)
    drawn = {each.name for each in tmp_path.iterdir()}
    assert drawn == set(re.findall(r"\(pictures/([\w.-]+)\)", page))
    assert all((DOCS / "pictures" / name).exists() for name in drawn)


def test_a_number_that_was_not_measured_is_found() -> None:
    section = _section("measurements.md", "the-default-training")
    assert "12.6" in _NUMBER.findall(section)
    assert _quoted("It proves 12.7 % with SYJ203.4 in 1,234 moves (95 % interval)") == {"12.7", "1,234"}
    assert _UNIT.search("12.7 %") and _UNIT.search("3 s") and not _UNIT.search("level 3 stands")
    assert all(first.strip() != second.strip() for first, second in pairwise(_paragraphs(DOCS / "search.md")))
