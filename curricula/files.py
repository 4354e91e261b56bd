"""Lemmas from files that people bring: a `.p` problem, a list of lemmas, or a directory of both.

A list has one lemma a line: a formula, `name : formula`, or `Lemma name : formula.` as in Coq. Blank lines and lines of
comment (`#`, `%`, `(* … *)`) are skipped. A lemma without a name is called after its file and line, as in `lesson:3`. A
directory stands for every `.p` and `.lemmas` file in and below it, in natural order: `.2` comes before `.10`. Standard
input is the caller's to read; its text goes through the same reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from curricula.lemma import Curriculum, Lemma, lemma_name
from curricula.place import SourceError, check_length
from curricula.source import read_file
from curricula.tptp import read_problem
from tactics.errors import InputError
from tactics.formula import Formula
from tactics.parser import FormulaSyntaxError, parse

LEMMA_FILE_ENDINGS: Final = (".p", ".lemmas")
"""What is read of a directory; a single file may be called anything."""
MOST_LEMMAS: Final = 10**6
"""Lemmas that are read of one file, directory or stream."""

_TPTP_STATEMENT: Final = re.compile(r"^[ \t]*(?:fof|cnf|tff|tcf|thf|tpi|include)[ \t]*\(", re.MULTILINE)
_HEAD: Final = re.compile(
    r"\s*(?:(?P<keyword>Lemma|Theorem|Example|Corollary|Proposition|Fact|Remark|Goal)(?=\s+[\w(~¬∀]))?"
    r"(?:\s*(?P<name>[\w.+'/-]+)\s*:)?"
)


class NamedFormula(NamedTuple):
    """A formula, and the name that stood before it or None."""

    name: str | None
    formula: Formula


def lemma_line(name: str, formula: str) -> str:
    """A lemma as a line of a list, without its name if that cannot stand there, as that of a lemma without one."""
    head = _HEAD.fullmatch(f"{name}:")
    return formula if head is None or head["name"] != name else f"{name}: {formula}"


def read_named_formula(text: str) -> NamedFormula:
    """Read `formula`, `name : formula`, or `Lemma name : formula.`; a final dot is optional.

    Raises FormulaSyntaxError, which points at the place in `text`.
    """
    head = _HEAD.match(text)
    assert head is not None
    if head["name"] is None and head["keyword"] not in (None, "Goal"):
        message = f"{head['keyword']} needs a name and a colon: {head['keyword']} name : formula."
        raise FormulaSyntaxError(message, text, head.start("keyword"))
    try:
        return NamedFormula(head["name"], parse(text[head.end() :]))
    except FormulaSyntaxError as error:
        raise FormulaSyntaxError(error.message, text, head.end() + error.position) from None


def read_text(text: str, source: str, *, stem: str | None = None) -> tuple[Lemma, ...]:
    """The lemmas of a text: of the one problem if it is in TPTP's format, and of a list of lemmas otherwise.

    Args:
        text: the content of a file or of standard input.
        source: what to call the text in errors and as the source of its lemmas.
        stem: what lemmas without a name are called after; `source` if not given.

    Raises:
        InputError: the text cannot be read or holds no lemma; names the source and the line.
    """
    stem = source if stem is None else stem
    if _TPTP_STATEMENT.search(text):
        return (read_problem(text, source, stem).lemma(source),)
    lemmas: list[Lemma] = []
    line_of: dict[str, int] = {}
    for number, offset, line in _lines(text, source):
        check_length(text, offset, len(line), source)
        if len(lemmas) == MOST_LEMMAS:
            raise _too_many(source)
        try:
            name, formula = read_named_formula(line)
        except FormulaSyntaxError as error:
            raise SourceError(error.message, text, offset + error.position, source) from None
        name = lemma_name(name or f"{stem}:{number}")
        if name in line_of:
            raise InputError(
                f"{source}: the name {name} is in line {line_of[name]} and again in line {number}; rename one of them."
            )
        line_of[name] = number
        lemmas.append(Lemma(name, formula, None, f"{source}, line {number}"))
    if not lemmas:
        raise InputError(f"{source} has no lemmas in it; write one a line, as in and_comm : A /\\ B -> B /\\ A")
    return tuple(lemmas)


def _lines(text: str, source: str) -> Iterator[tuple[int, int, str]]:
    """The lines that hold lemmas: number from 1, offset in the text, content. Comments are left out."""
    offset = 0
    comment_start: int | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        content = line.strip()
        if comment_start is None and content.startswith("(*"):
            comment_start = offset + line.index("(*")
            content = content[2:]
        if comment_start is None:
            if content and not content.startswith(("#", "%")):
                yield number, offset, line
        elif "*)" in content:
            comment_start = None
            behind = content.partition("*)")[2].strip()
            if behind:
                start = line.index("*)") + 2
                yield number, offset + start, line[start:]
        offset += len(line) + 1
    if comment_start is not None:
        raise SourceError("this comment is never closed; add *)", text, comment_start, source)


def read_path(path: Path) -> Curriculum:
    """The lemmas of a file or a directory. Raises InputError."""
    if path.is_dir():
        lemmas = _read_directory(path)
        return Curriculum(str(path), f"the problems in {path}", lemmas)
    return Curriculum(str(path), f"the lemmas of {path}", _read_file(path))


def _read_file(path: Path) -> tuple[Lemma, ...]:
    text = read_file(path)
    if path.suffix == ".p":
        return (read_problem(text, str(path), path.stem).lemma(str(path)),)
    return read_text(text, str(path), stem=path.stem)


def _read_directory(directory: Path) -> tuple[Lemma, ...]:
    try:
        paths = [path for path in directory.rglob("*") if path.suffix in LEMMA_FILE_ENDINGS and path.is_file()]
    except OSError as error:
        raise InputError(f"{directory} cannot be read: {error.strerror}.") from None
    if not paths:
        endings = " or ".join(LEMMA_FILE_ENDINGS)
        raise InputError(f"{directory} has no problems in it; a directory needs files that end in {endings}.")
    found: dict[str, tuple[Lemma, Path]] = {}
    for path in sorted(paths, key=lambda path: natural_order(str(path))):
        for lemma in _read_file(path):
            if lemma.name in found:
                raise InputError(
                    f"The name {lemma.name} is in {found[lemma.name][1]} and again in {path}; rename one of them."
                )
            found[lemma.name] = lemma, path
        if len(found) > MOST_LEMMAS:
            raise _too_many(str(directory))
    return tuple(lemma for lemma, _ in found.values())


def _too_many(source: str) -> InputError:
    return InputError(f"{source} has more than {MOST_LEMMAS:,} lemmas, the most that are read at once; split it.")


def natural_order(text: str) -> tuple[tuple[int, str], ...]:
    """A sort key that compares the numbers in a text as numbers."""
    pieces = re.split(r"(\d+)", text)
    return tuple((int(piece), "") if place % 2 else (0, piece) for place, piece in enumerate(pieces))
