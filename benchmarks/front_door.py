"""Random texts and mutated sheets for the readers: python -m benchmarks.front_door [TEXTS [CHARACTERS [SEED]]].

Each text is given to all that read what people type: as a lemma, as the name of something, and as a sheet in a language
drawn by lot. What is neither read nor refused in a sentence with its place is told. Then every piece is repeated in
every language, until it has a quarter of the characters and all of them: where all take more than a few times as long
as a quarter, that is told, too.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

from curricula.resolve import resolve
from curricula.sheet import LANGUAGES, read_sheet, read_typed
from tactics.errors import InputError
from tests.curricula.test_sheet import PIECES

SHEETS: Final = [
    file.read_text("utf-8")
    for file in sorted(Path(__file__).parents[1].joinpath("tests").rglob("*"))
    if file.suffix in LANGUAGES
]
ODD: Final = (
    *(
        "[|",
        "|]",
        ";",
        "==>",
        "⟦",
        "⟧",
        "⊥",
        "∃",
        "''",
        "/*",
        "*/",
        "&rarr;",
        "&#8594;",
        "&#x110000;",
        "~|",
        "<~>",
        "<=",
    ),
    *("\\newcommand{\\x}{\\to}", "\\begin{comment}", "_{", "obtains ", "shows ", "fixes ", "if ", "locale ", "(in l)"),
    *("fof(", "fof(a,axiom,p).", "fof(c,conjecture,", "include(", "```coq\n", "~~~", "mutual\n", "#[x]", "Notation "),
    *("file:", "./", "random:", "course/", "SYJ201.", "9999999999", "0", "²", "Ⅷ", "١", "𝐀", "\r\n", "\f", "\t"),
    *("\u200b", "\ufeff", "\x00", "\x85", "\u2028", "\ud800", "\u202e", "and ", "v ", "not ", "iff ", "> ", "| ", "* "),
)
"""What the tests of sheets do not try: signs of other readers, and characters that no keyboard has."""
TOLD: Final = 1_000
"""Faults of a sheet that are told, each by counting its lines."""
GROWTH: Final = 7
"""How much longer four times as many characters may take."""
SHORTEST: Final = 0.3
"""Seconds of the processor below which a ratio says nothing."""


def drawn(random: Random) -> str:
    """Return a text: pieces in a row, or a part of a sheet in which a few places are replaced by a piece."""
    pieces = (*PIECES, *ODD)
    if random.random() < 0.75:
        return random.choice(["", " "]).join(random.choices(pieces, k=random.randrange(1, 14)))
    sheet = random.choice(SHEETS)
    begin = random.randrange(len(sheet))
    text = sheet[begin : begin + random.randrange(600)]
    for _ in range(random.randrange(1, 8)):
        place = random.randrange(len(text) + 1)
        text = text[:place] + random.choice(pieces) + text[place + random.randrange(4) :]
    return text


def sheet(text: str, ending: str) -> None:
    """Read a sheet and all that is said of what is no lemma in it."""
    found = read_sheet(text, "sheet", ending=ending)
    for refused in (*found.ambiguous, *found.passed_over, *found.unreadable)[:TOLD]:
        error = found.error(refused)
        assert f"line {refused.line}, column {refused.column}: " in str(error)


def outcome(reader: Callable[[str], object], text: str) -> str:
    """Return what came of reading a text: `read`, `refused`, or the fault in a line."""
    try:
        reader(text)
    except InputError as error:
        return "refused" if str(error).strip() else f"no sentence for {text!r}"
    except Exception as error:  # whatever it is, it is told
        return f"{type(error).__name__} for {text!r}: {error}"
    return "read"


def totality(texts: int, seed: int) -> Counter[str]:
    """Return how often each outcome was, of texts that are given to three readers each."""
    random = Random(seed)
    outcomes = Counter[str]()
    for number in range(texts):
        text = drawn(random)
        readers: list[Callable[[str], object]] = [
            read_typed,
            partial(sheet, ending=random.choice(["", ".p", *LANGUAGES])),
        ]
        # Names of files and of libraries with thousands of lemmas take their time and are no text to read.
        if not any(name in text for name in ("random", "propl", "./", "file:")) and text.strip() != "-":
            readers.append(resolve)
        outcomes.update(outcome(reader, text) for reader in readers)
        if number % 50_000 == 49_999:
            print(f"{number + 1:,} texts, {process_time():.0f} s of the processor", file=sys.stderr, flush=True)
    return outcomes


def growth(characters: int) -> None:
    """Tell for each piece that is repeated in each language whether the time grows faster than the text."""
    slowest = 0.0
    for piece, ending in product((*PIECES, *ODD), ["typed", "", ".p", *LANGUAGES]):
        reader = read_typed if ending == "typed" else partial(sheet, ending=ending)
        seconds = []
        for size in (characters // 4, characters):
            began = process_time()
            outcome(reader, piece * (size // len(piece)))
            seconds.append(process_time() - began)
        slowest = max(slowest, seconds[1])
        if seconds[1] > max(SHORTEST, GROWTH * seconds[0]):
            print(f"{piece!r} in {ending or 'a list'}: {seconds[0]:.2f} and {seconds[1]:.2f} s", flush=True)
    print(f"{characters:,} characters take at most {slowest:.1f} s of the processor")


def main(texts: int = 1_000_000, characters: int = 200_000, seed: int = 1) -> int:
    """Run both, and give how many texts were neither read nor refused."""
    outcomes = totality(texts, seed)
    read, refused = outcomes.pop("read", 0), outcomes.pop("refused", 0)
    print(f"{texts:,} texts: {read:,} times read, {refused:,} times refused, {outcomes.total():,} times neither")
    print(*list(outcomes)[:20], sep="\n")
    growth(characters)
    return outcomes.total()


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])) > 0)
