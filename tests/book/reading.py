"""How hard the pages are to read, as the automated readability index has it: `python -m tests.book.reading`.

The index (Senter & Smith 1967) is the year of school in the United States whose pupils can read a text, by the letters
of its words and the words of its sentences; 13 is the first year of a university. It knows nothing of logic.
"""

import re
from pathlib import Path
from typing import Final

from tests.book.pages import PAGES, prose

_LEFT_OUT: Final = re.compile(r"^(?:\||#|:::| {4}).*$|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|[\[*_]", re.MULTILINE)
"""Tables, titles, directives and code, pictures, where links lead, and marks."""
_END: Final = re.compile(r"[.!?](?=\s|$)|\n\s*\n")
"""Of a sentence or a paragraph."""


def index(text: str) -> float:
    """Return the readability index of some sentences; text between backticks counts as a word of two letters."""
    plain = _LEFT_OUT.sub("", re.sub(r"`[^`]*`", "it", text))
    sentences = [words for each in _END.split(plain) if (words := re.findall(r"\w[\w'’-]*", each))]
    words = [word for each in sentences for word in each]
    return 4.71 * sum(map(len, words)) / len(words) + 0.5 * len(words) / len(sentences) - 21.43


def levels() -> dict[Path, float]:
    """Return the index of every page."""
    return {page: index(prose(page)) for page in PAGES}


if __name__ == "__main__":
    for page, level in sorted(levels().items(), key=lambda each: each[1]):
        print(f"{level:5.1f}  {page.name}")
