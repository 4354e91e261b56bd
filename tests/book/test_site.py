"""The book builds as a site without a warning, and is read without a network."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import oasis
from tests.book.pages import DOCS, ROOT
from tests.commands import every_command

pytestmark = pytest.mark.slow


class Page(HTMLParser):
    """The addresses that a page names, those that it loads by itself, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.named, self.loaded, self.places = list[str](), list[str](), set[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names, loads and is."""
        told = dict(attrs)
        address = told.get("src") or told.get("href")
        if address is not None:
            (self.named if tag == "a" else self.loaded).append(address)
        self.places |= {place for place in (told.get("id"), told.get("name")) if place}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    script = [sys.executable, str(ROOT / "scripts" / "docs"), str(folder)]
    built = subprocess.run(script, capture_output=True, text=True, timeout=300, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    return folder / "site"


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.glob("*.html") if path.name != "404.html"}


def test_every_page_is_in_the_site_and_in_its_contents(site: Path, pages: dict[Path, Page]) -> None:
    listed = {Path(urlsplit(address).path).name for address in pages[site / "index.html"].named}
    written = {f"{page.stem}.html" for page in DOCS.glob("*.md")}
    assert written < {path.name for path in pages}
    assert written - {"index.html"} <= listed


def test_every_link_and_every_picture_leads_to_something_that_is_there(pages: dict[Path, Page]) -> None:
    lost = []
    for path, page in pages.items():
        for address in page.named + page.loaded:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            known = pages.get(target)
            if not target.exists() or (known and parts.fragment and unquote(parts.fragment) not in known.places):
                lost.append((path.name, address))
    assert lost == []


def test_pages_that_only_the_site_has_are_linked_where_they_are_named(site: Path) -> None:
    for page, link in (("the-rules", "commands.html"), ("dagger", "dagger-terms.html")):
        article = (site / f"{page}.html").read_text(encoding="utf-8").partition("<article")[2].partition("</article")[0]
        assert f'href="{link}"' in article


def test_nothing_is_loaded_from_elsewhere(pages: dict[Path, Page], site: Path) -> None:
    assert [(path.name, each) for path, page in pages.items() for each in page.loaded if urlsplit(each).netloc] == []
    drawn = [*site.glob("pictures/*.svg")]
    outside = re.compile(r"""url\(["']?https?:|(?:href|src)=["']https?:|@import""")
    assert drawn
    assert [path.name for path in drawn if outside.search(path.read_text(encoding="utf-8"))] == []


def test_every_command_and_public_name_stands_in_the_reference(pages: dict[Path, Page], site: Path) -> None:
    places = pages[site / "commands.html"].places
    assert {f"oasis-{name.replace(' ', '-')}" for name in every_command() if name} <= places
    cut = re.findall(r"<li>.*\.\.\.</li>", (site / "commands.html").read_text(encoding="utf-8"))
    assert cut == []  # what a command does is said whole
    assert {f"oasis.notebook.{name}" for name in oasis.__all__} <= pages[site / "python.html"].places
