"""Numbers on the pages stand in the measurements that they link to, links lead somewhere, and sentences are short."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

import pytest
from markdown.extensions.toc import slugify

from benchmarks import balance, dagger_study
from oasis.ground.settings import known
from oasis.student.settings import Settings
from tests.book.pages import DOCS, FENCED, PAGES, ROOT, prose, trained
from tests.book.reading import index, levels

RECORDS: Final = ("measurements.md", "reward-audit.md", "balance.md", "dagger-study.md")
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
    """Return the blocks of a page: a paragraph with the table or list that belongs to it, or an item of a list."""
    joined: list[str] = []
    for part in re.split(r"\n\s*\n|\n(?=- )", prose(page)):
        if part.startswith("|") and joined:
            joined[-1] += "\n" + part
        else:
            joined.append(part)
    return joined


@cache
def _section(record: str, place: str | None) -> str:
    """Return a section of a page of measurements, with all that is below it. Raises KeyError if there is none."""
    text = (DOCS / record).read_text(encoding="utf-8")
    if place is None:
        return text
    headings = [*re.finditer(r"^(#+) (.+)$", text, re.MULTILINE)]
    for number, heading in enumerate(headings):
        if slugify(re.sub(r"[`*]", "", heading[2]), "-") == place:
            after = [each.start() for each in headings[number + 1 :] if len(each[1]) <= len(heading[1])]
            return text[heading.start() : after[0] if after else len(text)]
    raise KeyError(place)


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in RECORDS], ids=lambda page: page.stem)
def test_what_is_quoted_is_what_was_measured(page: Path) -> None:
    for paragraph in _paragraphs(page):
        sources = [_section(*link) for link in ((each[1], each[2]) for each in _LINK.finditer(paragraph))]
        if sources:
            measured = {number for source in sources for number in _NUMBER.findall(source)}
            assert {*_NUMBER.findall(_NO_NUMBERS_OF_OURS.sub(" ", paragraph))} <= measured, paragraph


@pytest.mark.parametrize("page", QUOTING, ids=lambda page: page.stem)
def test_what_looks_measured_says_where(page: Path) -> None:
    for paragraph in _paragraphs(page):
        if not _LINK.search(paragraph):
            assert _UNIT.search(_NO_NUMBERS_OF_OURS.sub(" ", paragraph)) is None, paragraph


def test_the_table_of_what_can_be_chosen_has_options_and_values_that_a_student_takes() -> None:
    text = (DOCS / "student.md").read_text(encoding="utf-8")
    option, taken = "", 0
    for names, values in re.findall(r"^\| (`--.*?|) ?\| (`.*?) \| .*\|$", text, re.MULTILINE):
        option = (re.findall(r"`--([\w-]+)`", names) or [option])[0].replace("-", "_")
        for value in re.findall(r"`([^`]+)`", values):
            (read,) = known(Settings)[option].read_list(value)
            Settings(**{option: read})
            taken += 1
    assert taken > 20


def test_a_table_of_a_training_is_one_that_was_recorded() -> None:
    recorded = set(map(str.rstrip, (DOCS / "measurements.md").read_text(encoding="utf-8").splitlines()))
    rows = {page.name: trained(page) for page in PAGES if page.name not in RECORDS and trained(page)}
    assert {"README.md", "first-proof.md"} <= set(rows)
    assert [(page, row) for page, shown in rows.items() for row in shown if row not in recorded] == []


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "made"), [("balance.md", balance), ("dagger-study.md", dagger_study)])
def test_the_tables_and_pictures_of_a_page_are_those_of_its_records(name: str, made: Any, tmp_path: Path) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert [table for table in made.tables() if table not in page] == []
    made.pictures(tmp_path)
    drawn = {each.name for each in tmp_path.iterdir()}
    assert drawn == set(re.findall(r"\(pictures/([\w.-]+)\)", page))
    assert all((DOCS / "pictures" / each).exists() for each in drawn)


# Links

READ = [*PAGES, *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"))]


def _lost(page: Path) -> list[str]:
    """Return the relative links of a page that lead to no file, or to no heading of it."""
    links = re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", prose(page)))
    return [link for link in links if not re.match(r"\w+:", link) and not _leads(page, *link.partition("#")[::2])]


def _leads(page: Path, path: str, place: str) -> bool:
    target = page.parent / unquote(path) if path else page
    if not target.exists() or not place:
        return target.exists()
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", target.read_text(encoding="utf-8")), re.MULTILINE)
    return place in {slugify(re.sub(r"[`*]|\]\([^)]*\)|\[", "", heading), "-") for heading in headings}


@pytest.mark.parametrize("page", READ, ids=lambda page: page.stem)
def test_every_link_leads_to_something_that_is_there(page: Path) -> None:
    assert _lost(page) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n[1](#a-page) [2](page.md#a-page) [3](https://there) [4](#b-page) [5](no.md)\n")
    assert _lost(page) == ["#b-page", "no.md"]


# Sentences

SCHOOL = 12.0
"""Years of school whose pupils can read a page."""


def test_pages_are_no_harder_to_read_than_school_has_taught() -> None:
    found = {page.name: level for page, level in levels().items() if page.name not in RECORDS}
    hard = {name: round(level, 1) for name, level in found.items() if level > SCHOOL}
    assert hard == {}, "say it in shorter sentences"
    assert found["first-proof.md"] < 8
    assert index("A goal is proved. Its name is `considerable_methodological_reservations`.") < 3
