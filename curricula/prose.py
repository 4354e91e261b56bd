"""Statements in lists and in texts with prose between them: LaTeX, Markdown, and a list with one lemma a line.

Of a list every line is a statement. In LaTeX a piece of mathematics is one if it has a connective and something to
connect; in Markdown so is a line, an item, a cell of a table or a span of code, unless it has words that are prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from curricula.statements import (
    COQ,
    COQ_STATEMENTS,
    HTML,
    LEAN_STATEMENTS,
    Piece,
    Statement,
    coq,
    declaration,
    faulty,
    isabelle,
    lean,
    without_comments,
)
from tactics.tokens import GREEK

# --- A list -------------------------------------------------------------------------------------------------------

_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•][ \t]+|\d{1,3}(?:\.\d{1,3})*[.)][ \t]+|\(\d{1,3}\)[ \t]+|[A-Za-z]\)[ \t]+)?")
_KEYWORD: Final = re.compile(
    rf"\s*(?P<keyword>{'|'.join((*COQ_STATEMENTS, *LEAN_STATEMENTS))})(?=\s+[\w(~¬∀]|\s*[({{\[])"
    r"(?!\s+(?:v|and|or|implies|iff)\s)"
)
_NAME: Final = re.compile(r"\s*(?P<name>[\w.+'/-]+)\s*:(?![:=]|\|-:)")


def list_of_lemmas(text: str) -> Iterator[Statement]:
    """The lines of a list; blank ones and comments (`#`, `%`, `(* … *)`) are passed over."""
    text, unclosed = without_comments(text, COQ)
    start = 0
    for line in text.split("\n"):
        if line.strip() and not line.lstrip().startswith(("#", "%")):
            yield line_of_list(text, start, start + len(line))
        start += len(line) + 1
    if unclosed is not None:
        yield faulty("this comment is never closed; add *)", unclosed)


def line_of_list(text: str, start: int, end: int) -> Statement:
    """The statement of `formula`, `name : formula`, or `Lemma name (A B : Prop) : formula.`, which may be an item."""
    item = _ITEM.match(text, start, end)
    place = start if item is None else item.end()
    if keyword := _KEYWORD.match(text, place, end):
        return declaration(text, keyword.start("keyword"), keyword["keyword"], keyword.end(), end)
    name = _NAME.match(text, place, end)
    first = place if name is None else name.end()
    begin = first + len(text[first:end]) - len(text[first:end].lstrip())
    return Statement(name and name["name"], start, Piece(text[begin:end].rstrip(), begin))


def readable_name(name: str) -> bool:
    """Whether a name can stand before a colon in a list."""
    match = _NAME.fullmatch(f"{name}:")
    return match is not None and match["name"] == name


# --- Prose --------------------------------------------------------------------------------------------------------

_BINARY: Final = (
    r"<->|<=>|-->|->|==>|=>|→|↔|⇒|⇔|⟶|⟹|⟷|⊃|∧|∨|⊢|\|-|/\\|\\/|&(?:and|or|[rh]arr|[rh]Arr|sup);"
    r"|\\(?:to|land|lor|wedge|vee|[Rr]ightarrow|[Ll]eftrightarrow|[Ll]ongrightarrow|[Ll]ongleftrightarrow"
    r"|implies|iff|supset|vdash)(?![a-zA-Z])"
)
_NEGATION: Final = r"¬|&not;|\\(?:lnot|neg)(?![a-zA-Z])"
_CONNECTIVE: Final = re.compile(rf"{_BINARY}|{_NEGATION}")
_CODE_CONNECTIVE: Final = re.compile(rf"{_BINARY}|{_NEGATION}|~")
_BEGINS: Final = re.compile(rf"(?!⊢|\|-|\\vdash)(?:{_BINARY})")
_ENDS: Final = re.compile(rf"(?:{_BINARY}|{_NEGATION})\Z")
"""A connective without something before it or behind it: prose that speaks of the connective or its rules."""
_SCHEMATIC: Final = re.compile(r"…|\.\.\.|\\[lcv]?dots|\\Gamma|\\Delta|[ΓΔ:]")
"""Signs of what is no formula to prove: contexts, what goes on in the same way, and types."""
_COMMAND: Final = re.compile(r"\\[a-zA-Z]+|&[a-zA-Z]+;")
_WORD: Final = re.compile(r"[^\W_][\w'’-]*")
_CONNECTING: Final = frozenset(
    {"and", "or", "not", "implies", "iff", "if", "then", "only", "forall", "exists", "v", "true", "false"}
)
_ENTITY: Final = re.compile(r"&[a-zA-Z]+\Z")
_EDGES: Final = " \t\n.,;"


def _formula(text: str, start: int, end: int, connective: re.Pattern[str]) -> Statement | None:
    """The statement of a part of a text if it is one: it has a connective, and something on both sides of it."""
    part = text[start:end]
    start += len(part) - len(part.lstrip(_EDGES))
    part = part.strip(_EDGES)
    if _ENTITY.search(part, max(0, len(part) - 12)):
        part = text[start : start + len(part) + 1]
    if not connective.search(part) or _BEGINS.match(part) or _ENDS.search(part, max(0, len(part) - 20)):
        return None
    return None if _SCHEMATIC.search(part) else Statement(None, start, Piece(part, start))


def _is_prose(text: str) -> bool:
    """Whether a text has two words in a row, of which one has several letters and none connects formulas."""
    text = _blank(_COMMAND, text)
    before, last = -1, ""
    for word in _WORD.finditer(text):
        here = word.group()
        if here.lower() in _CONNECTING:
            last = ""
            continue
        if last and text[before : word.start()].isspace() and max(len(here), len(last)) > 1:
            return True
        before, last = word.end(), here
    return False


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """The text with blanks for what a pattern finds, but for what it finds in its group."""

    def blanks(found: re.Match[str]) -> str:
        kept = found[1] if found.re.groups and found[1] is not None else ""
        before = found.start(1) - found.start() if kept else len(found.group())
        return " " * before + kept + " " * (len(found.group()) - before - len(kept))

    return pattern.sub(blanks, text)


# --- LaTeX --------------------------------------------------------------------------------------------------------

_TEX: Final = re.compile(
    r"%[^\n]*|\\(?P<edge>begin|end)\s*\{(?P<name>[a-zA-Z]+)\*?\}|(?P<row>\\\\)|\\[^\W\d_]+|\\.|\$\$|\$|\n[ \t]*\n",
    re.DOTALL,
)
_CLOSING: Final = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_MATH: Final = frozenset({"equation", "align", "alignat", "gather", "multline", "displaymath", "math", "eqnarray"})
_NOT_TEXT: Final = frozenset({"verbatim", "lstlisting", "minted", "comment", "prooftree", "tikzpicture", "logicproof"})
_LAYOUT: Final = re.compile(
    r"\\(?:math(?:rm|it|sf|bf|tt|bin|rel|ord|cal|frak|scr|bb)|text(?:rm|it|sf|bf|tt)?|mbox)\s*\{([^{}]*)\}"
    r"|\\(?:label|tag)\s*\{[^{}]*\}|\\(?:begin|end)\s*\{[a-zA-Z]+\*?\}"
    r"|\\(?:left|right|[bB]igg?[lr]?|q?quad|displaystyle|nonumber|notag)(?![a-zA-Z])"
    r"|\\[,;:!> \n{}]|(?<=⊢)_(?:\{[^{}\n]*\}|\w)|[&~]|%[^\n]*"
)


_SIGNS: Final = {
    **dict.fromkeys(("to", "rightarrow", "Rightarrow", "supset", "lif", "eif", "limp"), "→"),
    **dict.fromkeys(("iff", "leftrightarrow", "Leftrightarrow", "liff", "eiff"), "↔"),
    **dict.fromkeys(("land", "wedge", "eand"), "∧"),
    **dict.fromkeys(("lor", "vee", "eor"), "∨"),
    **dict.fromkeys(("neg", "lnot", "enot"), "¬"),
    **dict.fromkeys(("bot", "lfalse", "ered"), "⊥"),
    **dict.fromkeys(("vdash", "proves", "Proves", "therefore"), "⊢"),
}
"""What commands mean that are LaTeX's own, of forall x, or of the Open Logic Project."""
_DEFINITION: Final = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|def)\*?[ \t]*\{?\\([a-zA-Z]+)\}?[ \t]*"
    r"\{([^{}\n]*(?:\{[^{}\n]*\}[^{}\n]*)*)\}"
)
_BARE: Final = re.compile(
    r"(?:[\s{~]|\\[,;:! ]|\\(?:math(?:bin|rel|ord|op|rm|sf)|ensuremath)(?![a-zA-Z]))*\\([a-zA-Z]+)(?:[\s}~]|\\[,;:! ])*"
)
_ANY_COMMAND: Final = re.compile(r"\\([a-zA-Z]+)")
_OPEN_LOGIC: Final = re.compile(r"\\(?:lif|liff|lfalse|Proves)(?![a-zA-Z])")
_LETTER: Final = re.compile(r"!(?=[A-Z])")


def _with_signs(text: str) -> str:
    """The text, as long as it was, with signs for commands that are connectives, also for those that it defines."""
    signs = _SIGNS | GREEK
    for definition in _DEFINITION.finditer(text):
        # With anything else in it, as in `\dot\vee` or `\not\to`, a definition means something of its own.
        meant = _BARE.fullmatch(definition[2])
        if meant and meant[1] in signs:
            signs[definition[1]] = signs[meant[1]]
    if _OPEN_LOGIC.search(text):
        # The Open Logic Project writes !A for the formula that others call A.
        text = _LETTER.sub(" ", text)
    text = text.replace("\\&", "∧ ")
    return _ANY_COMMAND.sub(lambda found: signs.get(found[1], found.group()).rjust(len(found.group())), text)


def latex(text: str) -> Iterator[Statement]:
    """The formulas and sequents in the mathematics of a LaTeX text."""
    text = _with_signs(text)
    waits_for, opened, start, skipped = "", 0, 0, ""
    begin = text.find("\\begin{document}")
    for mark in _TEX.finditer(text, max(begin, 0)):
        sign, name = mark.group(), mark["name"]
        if skipped:
            skipped = "" if mark["edge"] == "end" and name == skipped else skipped
        elif not waits_for:
            if mark["edge"] == "begin" and name in _NOT_TEXT:
                skipped = name
            elif mark["edge"] == "begin" and name in _MATH:
                waits_for, opened, start = f"end {name}", mark.start(), mark.end()
            elif sign in _CLOSING:
                waits_for, opened, start = _CLOSING[sign], mark.start(), mark.end()
        elif sign == waits_for or f"{mark['edge']} {name}" == waits_for:
            yield from _row(text, start, mark.start())
            waits_for = ""
        elif mark["row"] and not _goes_on(text, start, mark):
            yield from _row(text, start, mark.start())
            start = mark.end()
        elif not sign.strip() and waits_for == "$":
            yield faulty("this $ is never closed; add another $ behind the formula", opened)
            waits_for = ""
    if waits_for:
        yield faulty("this mathematics is never closed; close it", opened)


_SEEN: Final = 60
"""Characters that are looked at on either side of the end of a row."""


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether a formula or sequent goes on behind the end of a row that begins at `start`."""
    before = _blank(_LAYOUT, text[max(start, end.start() - _SEEN) : end.start()]).strip()
    after = _blank(_LAYOUT, text[end.end() : end.end() + _SEEN]).strip()
    if _ENDS.search(before) or _BEGINS.match(after):
        return True
    return bool(before) and after.startswith("⊢") and "⊢" not in text[start : end.start()]


_TIED: Final = re.compile(r"(?<=[\s(\[{~$])~(?=[\w(~])")
_SUBSCRIPT: Final = re.compile(r"_\{(\w+)\}")


def _row(text: str, start: int, end: int) -> Iterator[Statement]:
    """The statement of a row of mathematics, if it is one."""
    row = _SUBSCRIPT.sub(r"_\1  ", _blank(_LAYOUT, text[start:end]))
    if statement := _formula(row, 0, len(row), _CONNECTIVE):
        if tie := _TIED.search(text, start, end):
            yield faulty("~ is a space in LaTeX; write \\lnot for not, or leave it out", tie.start())
            return
        yield statement.moved(start)


# --- Markdown -----------------------------------------------------------------------------------------------------

_FENCE: Final = re.compile(
    r"[ \t>]*(?P<fence>`{3,}|~{3,}(?=[ \t]*\Z)|\$\$(?=[ \t]*\Z))[ \t]*(?P<language>[\w+-]*)[^`\n]*\Z"
)
_SPAN: Final = re.compile(r"`([^`]+)`|\$([^$]+)\$|\\\(((?:[^\\]|\\[^()])+)\\\)")
_TABLE_ROW: Final = re.compile(r"[ \t]*\|(?!-)")
_OF_A_LINE: Final = re.compile(r"[ \t]*(?:>[ \t]*|#{1,6}[ \t]+)?")
_LABEL: Final = re.compile(r"(?:\[[ xX]\][ \t]+)?(?:\*\*[^*]*\*\*:?[ \t]*)?")
FENCED: Final[Mapping[str, Callable[[str], Iterator[Statement]]]] = {
    "coq": coq,
    "rocq": coq,
    "v": coq,
    "lean": lean,
    "lean4": lean,
    "lean3": lean,
    "isabelle": isabelle,
    "latex": latex,
    "tex": latex,
}
"""Who reads a block of code that names its language."""
_UNNAMED: Final = frozenset({"", "text", "txt", "plain", "logic", "math"})


def markdown(text: str) -> Iterator[Statement]:
    """The formulas and sequents of a Markdown text, and what the Coq, Lean and Isabelle in it states."""
    text, _ = without_comments(text, HTML)
    fence, language, opened, place = "", "", 0, 0
    labels: set[str] = set()
    stated = goes_on = False
    for line in text.split("\n"):
        start, end, place = place, place + len(line), place + len(line) + 1
        edge = _FENCE.match(line)
        if fence and edge and edge["fence"].startswith(fence) and not edge["language"]:
            if fence == "$$":
                yield from (statement.moved(opened - 2) for statement in latex(f"$${text[opened:start]}$$"))
            elif language in FENCED:
                yield from (statement.moved(opened) for statement in FENCED[language](text[opened:start]))
            fence = ""
        elif fence:
            if language in _UNNAMED and fence != "$$":
                yield from _line(text, start, end)
        elif edge:
            fence, language, opened = edge["fence"], edge["language"].lower(), place
        else:
            found = list(_spans_or_line(text, start, end))
            content = line.strip(_EDGES).lstrip("> ")
            if (stated and _BEGINS.match(content)) or (goes_on and found):
                found = [faulty("a formula stands in one line here; join this line with the one before it", start)]
            stated = bool(found) and "`" not in line and "$" not in line
            goes_on = not found and not _is_prose(content) and bool(_ENDS.search(content))
            for statement in found:
                # A label that comes again is the name of none.
                yield statement._replace(name=None) if statement.name in labels else statement
                labels |= {statement.name or ""}
    if fence and language in FENCED:
        yield from (statement.moved(opened) for statement in FENCED[language](text[opened:]))


def _spans_or_line(text: str, start: int, end: int) -> Iterator[Statement]:
    """The statements of a line: its spans of code and mathematics, or its cells, or the line itself."""
    if not text[start:end].strip(" \t|:-"):
        return
    spans = list(_SPAN.finditer(text, start, end))
    for span in spans:
        inside = span.span(span.lastindex or 0)
        if span.lastindex == 1:
            yield from _line(text, *inside)
        else:
            yield from _row(text, *inside)
    if spans:
        return
    if _TABLE_ROW.match(text, start, end):
        for cell in re.finditer(r"(?:[^|]|\\\||\|[-|])+", text[start:end]):
            yield from _line(text, start + cell.start(), start + cell.end())
    else:
        yield from _line(text, start, end)


def _line(text: str, start: int, end: int) -> Iterator[Statement]:
    """The statement of a line or of a part of one, without the mark of an item and a name; none if it is prose."""
    for mark in (_OF_A_LINE, _ITEM, _LABEL):
        if (found := mark.match(text, start, end)) is not None:
            start = found.end()
    name = _NAME.match(text, start, end)
    first = start if name is None else name.end()
    statement = _formula(text, first, end, _CODE_CONNECTIVE)
    if statement is not None and not _is_prose(statement.conclusion.text):
        yield statement._replace(name=name and name["name"])
