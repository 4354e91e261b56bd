"""Lemmas from files that people bring: a problem, a list, a sheet in a language of its own, or a directory of these.

What a file says is `curricula.sheet`'s concern. A directory stands for every file in and below it whose ending says
that it may hold lemmas, in natural order: `.2` comes before `.10`; files of prose or proofs without a lemma are passed
over.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from curricula.lemma import Curriculum, Lemma
from curricula.prose import readable_name
from curricula.sheet import LANGUAGES, Sheet, check_count, read_sheet
from curricula.source import read_file
from tactics.errors import InputError

LEMMA_FILE_ENDINGS: Final = (".p", ".lemmas", *LANGUAGES)
"""What is read of a directory; a single file may be called anything."""
_EXAMPLE: Final = "write one a line, as in and_comm : A /\\ B -> B /\\ A"


def lemma_line(name: str, formula: str) -> str:
    """A lemma as a line of a list, without its name if that cannot stand there, as that of a lemma without one."""
    return f"{name}: {formula}" if readable_name(name) else formula


def read_text(text: str, source: str, *, stem: str | None = None, ending: str = "") -> Sheet:
    """Read a sheet that has at least one lemma. For the arguments see `read_sheet`.

    Raises:
        InputError: the text cannot be read or holds no lemma; names the source and the line.
    """
    sheet = read_sheet(text, source, stem=stem, ending=ending).checked()
    if not sheet.lemmas and sheet.passed_over:
        raise InputError(f"{source} has no lemma of propositional logic in it; name another file.\n{sheet.remarks[0]}")
    if not sheet.lemmas:
        raise InputError(f"{source} has no lemmas in it; {_EXAMPLE}")
    return sheet


def read_path(path: Path) -> Curriculum:
    """The lemmas of a file or a directory. Raises InputError."""
    if path.is_dir():
        lemmas, remarks = _read_directory(path)
        return Curriculum(str(path), f"the problems in {path}", lemmas, remarks)
    sheet = read_text(read_file(path), str(path), stem=path.stem, ending=path.suffix)
    return Curriculum(str(path), f"the lemmas of {path}", sheet.lemmas, sheet.remarks)


def _read_directory(directory: Path) -> tuple[tuple[Lemma, ...], tuple[str, ...]]:
    try:
        paths = [path for path in directory.rglob("*") if path.suffix in LEMMA_FILE_ENDINGS and path.is_file()]
    except OSError as error:
        raise InputError(f"{directory} cannot be read: {error.strerror}.") from None
    if not paths:
        endings = " or ".join(LEMMA_FILE_ENDINGS)
        raise InputError(f"{directory} has no problems in it; a directory needs files that end in {endings}.")
    found: dict[str, tuple[Lemma, Path]] = {}
    remarks: list[str] = []
    for path in sorted(paths, key=lambda path: natural_order(str(path))):
        sheet = read_sheet(read_file(path), str(path), stem=path.stem, ending=path.suffix).checked()
        remarks += sheet.remarks
        for lemma in sheet.lemmas:
            if lemma.name in found:
                raise InputError(
                    f"The name {lemma.name} is in {found[lemma.name][1]} and again in {path}; rename one of them."
                )
            found[lemma.name] = lemma, path
        check_count(len(found), str(directory))
    if not found:
        raise InputError(f"{directory} has no lemmas in it; {_EXAMPLE}")
    return tuple(lemma for lemma, _ in found.values()), tuple(remarks)


def natural_order(text: str) -> tuple[tuple[int, str], ...]:
    """A sort key that compares the numbers in a text as numbers."""
    pieces = re.split(r"(\d+)", text)
    return tuple((int(piece), "") if place % 2 else (0, piece) for place, piece in enumerate(pieces))
