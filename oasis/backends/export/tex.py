"""What the LaTeX files share: names of any letters made safe, the signs of formulas, the beginning of a section."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from oasis.backends.export.abbreviations import Signs, Sugar
from oasis.backends.export.base import Entry, Text
from tactics.tokens import CONSTANTS

_ESCAPES: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "{": r"\{",
    "}": r"\}",
    **{letter: f"\\{letter}" for letter in "$&#_%"},
}


def escaped(name: str) -> str:
    """Any text for LaTeX; letters outside ASCII become question marks."""
    return "".join(_ESCAPES.get(letter, letter if letter.isascii() else "?") for letter in name)


def begin_section(entry: Entry, text: Text) -> None:
    """The heading of a lemma, with a remark on each atom that is called otherwise."""
    text.line()
    text.line(rf"\section*{{{escaped(entry.title)}}}")
    for ours, theirs in entry.renamings:
        text.line(f"% The atom {ours!a} is called {theirs} here.")
        text.line(rf"The atom \texttt{{{escaped(ours)}}} is called ${_atom(theirs)}$ here.\par")


def definitions(named: Iterable[tuple[str, str]]) -> str:
    """What the names of long formulas stand for, a line each."""
    lines = [rf"  ${name} = {tex}$\\" for name, tex in named]
    if not lines:
        return ""
    lines[-1] = lines[-1].removesuffix(r"\\") + r"\par"
    return "\n".join([r"{\raggedright", *lines, "}", ""])


def _atom(name: str) -> str:
    """The name of an atom, with a number at its end as an index; in quotes if people mean a constant by it."""
    if name in CONSTANTS:
        return rf"\mbox{{'{name}'}}"
    letters = name.rstrip("0123456789")
    base, index = (letters, name[len(letters) :]) if re.fullmatch(r"[A-Za-z]+", letters) else (name, "")
    escaped = base.replace("_", r"\_")
    return (escaped if len(base) == 1 else rf"\mathit{{{escaped}}}") + (f"_{{{index}}}" if index else "")


def _name(number: int) -> str:
    return rf"\varphi_{{{number}}}"


SIGNS: Final = Signs(r"\land", r"\lor", r"\to", r"\bot", _atom, _name)
SUGARED_SIGNS: Final = SIGNS._replace(sugar=Sugar(r"\neg ", r"\leftrightarrow", r"\top"))
