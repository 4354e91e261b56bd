"""What tests ask of the book's pages: their text, their blocks of code, and their sections."""

import re
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
PAGES: Final = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]

FENCED: Final = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
"""A block of code: its indentation, its language and its lines."""


class Block(NamedTuple):
    """A block of code on a page; it `follows` another one if nothing stands between them."""

    language: str
    text: str
    follows: bool


def blocks(page: Path) -> list[Block]:
    """Return all blocks of a page, in their order."""
    found, end = [], -1
    text = page.read_text(encoding="utf-8")
    for fenced in FENCED.finditer(text):
        found.append(Block(fenced[2], fenced[3], end >= 0 and not text[end : fenced.start()].strip()))
        end = fenced.end()
    return found


def prose(page: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCED.sub("", page.read_text(encoding="utf-8"))


def trained(page: Path) -> list[str]:
    """Return the rows of tables that `oasis train` printed, one for each lemma of the thesis."""
    rows = (line.rstrip() for block in blocks(page) for line in block.text.splitlines())
    return [row for row in rows if re.match(r" thesis/\d+ .* M ", row)]
