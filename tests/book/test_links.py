"""Links between the files of the repository, as a person follows them there, lead to something that is there."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from markdown.extensions.toc import slugify

from tests.book.pages import FENCED, PAGES, ROOT, prose

READ = [*PAGES, *(ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"))]


def _lost(page: Path) -> list[str]:
    """The relative links of a page that lead to no file, or to no heading of it."""
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
