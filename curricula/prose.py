"""Statements in lists and in texts with prose between them: LaTeX, Markdown, and a list with one lemma a line.

Of a list every line is a statement. In LaTeX a piece of mathematics is one if it has a connective and something to
connect; in Markdown so is a line, an item, a cell of a table or a span of code, unless it has words that are prose.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from curricula.statements import (
    COQ,
    COQ_STATEMENTS,
    HTML,
    LEAN_STATEMENTS,
    Piece,
    Statement,
    blank,
    coq,
    declaration,
    faulty,
    isabelle,
    lean,
    without_comments,
)
from tactics.tokens import GREEK

# --- A list -------------------------------------------------------------------------------------------------------

_ITEM: Final = re.compile(
    r"[ \t]*(?:[-*+•][ \t]+|\d{1,3}(?:\.\d{1,3})*[.)][ \t]+|\(\d{1,3}\)[ \t]+|[A-Za-z][.)][ \t]+"
    r"|\((?:[ivx]{1,4}|[a-z])\)[ \t]+(?=[\w(~¬⊥⊢∀$`])(?!(?:and|or|v|implies|iff|only)\b))?"
)
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
    if name and _TURNSTILE.search(text, name.end(), end) and name["name"] in _WORD.findall(text, name.end(), end):
        name = None  # of a hypothesis
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
_BEGINS: Final = re.compile(rf"(?!⊢|\|-|\\vdash)(?:{_BINARY}|≡|\\equiv(?![a-zA-Z]))")
_ENDS: Final = re.compile(rf"(?:{_BINARY}|{_NEGATION})\Z")
"""A connective without something before it or behind it: prose that speaks of the connective or its rules."""
_SCHEMATIC: Final = re.compile(r"…|\.\.\.|\\[lcv]?dots|\\Gamma|\\Delta|[ΓΔ:]|\b(?:Prop|Type)\b")
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
    text = _blanked(_COMMAND, text)
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


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text with blanks for what a pattern finds, but for what it finds in its group."""

    def blanks(found: re.Match[str]) -> str:
        kept = found[1] if found.re.groups and found[1] is not None else ""
        before = found.start(1) - found.start() if kept else len(found.group())
        return " " * before + kept + " " * (len(found.group()) - before - len(kept))

    return pattern.sub(blanks, text)


# --- Sentences ----------------------------------------------------------------------------------------------------


class _Part(NamedTuple):
    """A part of a text that has formulas, which may stand in a sentence, and what it states."""

    start: int
    end: int
    statements: list[Statement]
    is_inline: bool = True


_PARAGRAPH: Final = re.compile(
    r"\n[ \t]*\n|\n[ \t>]*(?:[-*+#]|\d{1,3}[.)])[ \t]|\\(?:item|begin|end|section|par)(?![a-z])|\\\\|[&|]"
)
_SENTENCE: Final = re.compile(r"[.!?;](?=\s|\Z)")
_SUPPOSED: Final = re.compile(
    r"\b(?:suppos\w+|assum(?:e|ing)|angenommen|supongamos|supponiamo|given\s+that)\b", re.IGNORECASE
)
_LET: Final = re.compile(r"\b(?:let|given|sei|soit|sea|not|nicht)\s*\Z", re.IGNORECASE)
_BESIDES: Final = re.compile(
    r"\b(?:if|from|given|follows?|entails?|impl(?:y|ies)|unless|when(?:ever)?|where|provided|equivalent|then|therefore"
    r"|hence|thus|because|since|wenn|falls|wobei|aus|folgt|si|où|alors|donde|entonces|se|allora)\b",
    re.IGNORECASE,
)
_TURNSTILE: Final = re.compile(r"⊢|∴|\|-|\\vdash(?![a-zA-Z])")
_RULED: Final = re.compile(r"\\(?:[hc]line|midrule)(?![a-z])")
"""A line between premises and conclusion."""
_LABELS: Final = re.compile(r"\([a-z0-9]{1,4}\)|\\[a-zA-Z]+")
_LISTED: Final = frozenset(
    {"and", "or", "that", "show", "prove", "derive", "und", "oder", "sowie", "et", "ou", "y", "e", "o"}
)
_SEEN: Final = 60
"""Characters that are looked at on either side of the end of a row, and behind the last formula."""
_SAYS_MORE: Final = "this sentence says more than its formulas; write what it says as a sequent, such as A, B |- C"


def _as_said(text: str, parts: Iterable[_Part]) -> Iterator[Statement]:
    """The statements of the parts of a text; where a sentence says more than its formulas, it is passed over."""
    sentence: list[_Part] = []
    gaps: list[str] = []
    is_supposed, end = False, 0

    def ended(tail: str) -> Iterator[Statement]:
        statements = [statement for part in sentence for statement in part.statements]
        if statements and sentence[0].is_inline:
            stating = [number for number, part in enumerate(sentence) if part.statements]
            inside = gaps[stating[0] + 1 : stating[-1] + 1]
            is_list = all(set(_WORD.findall(_LABELS.sub("", gap).lower())) <= _LISTED for gap in inside)
            has_if = len(sentence) > 1 and any(_BESIDES.search(gap) for gap in (*gaps, tail))
            is_let = any(_LET.search(gaps[number]) for number in stating)
            entails = [_TURNSTILE.search(text, part.start, part.end) is not None for part in sentence]
            is_cut = any(after and not before for before, after in pairwise(entails))
            is_joined = any(map(_CONNECTIVE.search, gaps[1:]))
            is_ruled = any(_RULED.search(text, part.start, part.end) for part in sentence)
            says_more = (is_supposed, not is_list, has_if, is_let, is_cut, is_joined, is_ruled, _SUPPOSED.search(tail))
            if any(says_more):
                statements = [statements[0]._replace(beyond=statements[0].beyond or _SAYS_MORE)]
        sentence.clear()
        gaps.clear()
        yield from statements

    for part in parts:
        paragraphs = _PARAGRAPH.split(text[end : part.start])
        sentences = _SENTENCE.split(paragraphs[-1])
        is_apart = "\n" in paragraphs[-1] and not paragraphs[-1].strip()
        if len(paragraphs) + len(sentences) > 2 or is_apart or not part.is_inline:
            yield from ended(_SENTENCE.split(paragraphs[0])[0])
        is_supposed = is_supposed and len(paragraphs) == 1 and part.is_inline
        is_supposed = is_supposed or _SUPPOSED.search(paragraphs[-1]) is not None
        sentence.append(part)
        gaps.append(sentences[-1])
        end = part.end
        if not part.is_inline or text[part.start : end].rstrip(" \t\n$`\\)]").endswith((".", "!", "?")):
            yield from ended("")
    yield from ended(_SENTENCE.split(text[end : end + _SEEN])[0])


# --- LaTeX --------------------------------------------------------------------------------------------------------

_TEX: Final = re.compile(
    r"%[^\n]*|\\(?P<edge>begin|end)\s*\{(?P<name>[a-zA-Z]+)\*?\}|(?P<row>\\\\)|\\[^\W\d_]+|\\.|\$\$|\$|\n[ \t]*\n",
    re.DOTALL,
)
_REMARK: Final = re.compile(r"(?<!\\)%[^\n]*")
_APART: Final = re.compile(
    r"(?<!\\)%[^\n]*|\\(?P<edge>begin|end)\s*\{(?P<name>verbatim|lstlisting|minted|comment|prooftree|tikzpicture|logicproof)\*?\}"
)
_CLOSING: Final = {"$": "$", "$$": "$$", "\\(": "\\)", "\\[": "\\]"}
_MATH: Final = frozenset({"equation", "align", "alignat", "gather", "multline", "displaymath", "math", "eqnarray"})
_LAYOUT: Final = re.compile(
    r"\\(?:math(?:rm|it|sf|bf|tt|bin|rel|ord|cal|frak|scr|bb)|text(?:rm|it|sf|bf|tt)?|mbox)\s*\{([^{}]*)\}"
    r"|\\(?:label|tag)\s*\{[^{}]*\}|\\begin\s*\{array\}\s*\{[^{}]*\}"
    rf"|\\(?:begin|end)\s*\{{(?:{'|'.join(sorted(_MATH))}|array|aligned|alignedat|split|gathered|multlined)\*?\}}|\\[hc]line"
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
_OPEN_LOGIC: Final = re.compile(r"\\(?:lif|liff|lfalse|Proves|Entails|ol[a-z]+)(?![a-zA-Z])|!!")
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


def _without_environments(text: str) -> str:
    """The text with blanks for environments that hold no text: code, pictures and proofs."""
    pieces: list[str] = []
    place, opened = 0, None
    for mark in _APART.finditer(text):
        if opened is None and mark["edge"] == "begin":
            opened = mark
        elif opened is not None and mark["edge"] == "end" and mark["name"] == opened["name"]:
            pieces += [text[place : opened.start()], blank(text[opened.start() : mark.end()])]
            place, opened = mark.end(), None
    end = len(text) if opened is None else opened.start()
    return "".join([*pieces, text[place:end], blank(text[end:])])


def latex(text: str) -> Iterator[Statement]:
    """The formulas and sequents in the mathematics of a LaTeX text."""
    text = _with_signs(_without_environments(text))
    return _as_said(_blanked(_REMARK, text), _mathematics(text))


def _mathematics(text: str) -> Iterator[_Part]:
    """The mathematics of a text, part by part: each row of a display is one."""
    waits_for, opened, start = "", 0, 0
    begin = text.find("\\begin{document}")
    for mark in _TEX.finditer(text, max(begin, 0)):
        sign, name = mark.group(), mark["name"]
        if not waits_for:
            if mark["edge"] == "begin" and name in _MATH:
                waits_for, opened, start = f"end {name}", mark.start(), mark.end()
            elif sign in _CLOSING:
                waits_for, opened, start = _CLOSING[sign], mark.start(), mark.end()
        elif sign == waits_for or f"{mark['edge']} {name}" == waits_for:
            yield _Part(opened, mark.end(), list(_row(text, start, mark.start())))
            waits_for = ""
        elif mark["row"] and not _goes_on(text, start, mark):
            yield _Part(opened, mark.end(), list(_row(text, start, mark.start())))
            opened = start = mark.end()
        elif not sign.strip() and waits_for == "$":
            unclosed = faulty("this $ is never closed; add another $ behind the formula", opened)
            yield _Part(opened, mark.end(), [unclosed], is_inline=False)
            waits_for = ""
    if waits_for:
        yield _Part(opened, len(text), [faulty("this mathematics is never closed; close it", opened)], is_inline=False)


def _goes_on(text: str, start: int, end: re.Match[str]) -> bool:
    """Whether a formula or sequent goes on behind the end of a row that begins at `start`."""
    before = _blanked(_LAYOUT, text[max(start, end.start() - _SEEN) : end.start()]).strip()
    after = _blanked(_LAYOUT, text[end.end() : end.end() + _SEEN]).strip()
    if _ENDS.search(before) or _BEGINS.match(after):
        return True
    return bool(before) and after.startswith("⊢") and "⊢" not in text[start : end.start()]


_TIED: Final = re.compile(r"(?<=[\s(\[{~!$])[~!](?=[\w(~!\\])")
_SUBSCRIPT: Final = re.compile(r"_\{(\w+)\}")


_CHAIN: Final = re.compile(
    r"&[\s{}]*(?:[→↔⇒⇔⟹⟺≡]|\\(?:equiv|implies|iff|Longrightarrow|Longleftrightarrow)(?![a-zA-Z]))"
)
_RAISED: Final = "^ raises what is behind it in LaTeX; write \\land for and"
_STEPS: Final = "each row of this chain says something of the row before; write each step as a formula of its own"


def _row(text: str, start: int, end: int) -> Iterator[Statement]:
    """The statement of a row of mathematics, if it is one."""
    row = _SUBSCRIPT.sub(r"_\1  ", _blanked(_LAYOUT, text[start:end]))
    if statement := _formula(row, 0, len(row), _CONNECTIVE):
        if tie := _TIED.search(text, start, end):
            what = "a space" if tie.group() == "~" else "a mark"
            yield faulty(f"{tie.group()} is {what} in LaTeX; write \\lnot for not, or leave it out", tie.start())
            return
        is_chain = "\\\\" in text[start:end] and len(_CHAIN.findall(text, start, end)) > 1
        beyond = _STEPS if is_chain else _RAISED if "^" in statement.conclusion.text else ""
        yield statement._replace(beyond=beyond).moved(start)


# --- Markdown -----------------------------------------------------------------------------------------------------

_FENCED: Final = re.compile(
    r"^[ \t>]*(?P<fence>`{3,}|~{3,}(?=[ \t]*$)|\$\$(?=[ \t]*$))[ \t]*(?P<language>[\w+-]*)[^`\n]*$"
    r"\n?(?P<body>.*?)(?:^[ \t>]*(?P=fence)[`~]*(?![ \t]*[\w+-])[^`\n]*$|(?P<open>\Z))",
    re.MULTILINE | re.DOTALL,
)
_LINE: Final = re.compile(r"^.*$", re.MULTILINE)
_SPAN: Final = re.compile(r"`([^`]+)`|\$\$?([^$]+)\$\$?|\\\(((?:[^\\]|\\[^()])+)\\\)")
_TABLE_ROW: Final = re.compile(r"[ \t]*\|(?!-)")
_OF_A_LINE: Final = re.compile(r"[ \t]*(?:>[ \t]*|#{1,6}[ \t]+)?")
_LABEL: Final = re.compile(r"(?:\[[ xX]\][ \t]+)?(?:\*\*[^*]*\*\*:?[ \t]*)?")
_TITLE: Final = re.compile(r"[*_]{0,2}[^\W\d_]\w*(?:[ '’-]\w+){1,5}[*_]{0,2}:[*_]{0,2}[ \t]+")
_NOTE: Final = re.compile(r"(?<=[\w)])[ \t]+\([^()]*\)[.!]?[ \t]*\Z")
_LONGEST_NOTE: Final = 100
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
    text = _without_environments(without_comments(text, HTML)[0])
    blocks: dict[Callable[[str], Iterator[Statement]], list[_Part]] = {}
    parts: list[_Part] = []
    place = 0
    for fenced in _FENCED.finditer(text):
        parts += _lines(text, place, fenced.start())
        (start, end), place, language = fenced.span("body"), fenced.end(), fenced["language"].lower()
        if fenced["fence"] == "$$":
            found = latex(f"$${fenced['body']}$$") if fenced["open"] is None else ()
            parts.append(_Part(start, place, [statement.moved(start - 2) for statement in found]))
        elif language in FENCED:
            parts.append(_Part(start, end, [], is_inline=False))
            blocks.setdefault(FENCED[language], []).append(parts[-1])
        elif language in _UNNAMED:
            lines = (line.span() for line in _LINE.finditer(text, start, end))
            parts += (_Part(*line, list(_line(text, *line)), is_inline=False) for line in lines)
    parts += _lines(text, place, len(text))
    for read, places in blocks.items():
        # What a block declares holds in those behind it, which are one file with it.
        ends = [0, *(block.end for block in places)]
        both = zip(ends, places, strict=False)
        code = "".join(blank(text[end : block.start]) + text[block.start : block.end] for end, block in both)
        for statement in read(code):
            block = places[bisect_right(places, statement.start, key=attrgetter("start")) - 1]
            block.statements.append(statement)
    named: set[str | None] = set()
    for statement in _as_said(text, parts):
        yield statement._replace(name=None) if statement.name in named else statement  # it is the name of none
        named.add(statement.name)


def _lines(text: str, begin: int, stop: int) -> Iterator[_Part]:
    """What stands in lines of Markdown outside of fences, part by part."""
    stated = goes_on = ends_so = False
    before: list[_Part] = []
    for start, end in (line.span() for line in _LINE.finditer(text, begin, stop)):
        line = text[start:end]
        parts = list(_spans_or_line(text, start, end))
        found = [statement for part in parts for statement in part.statements]
        content = line.strip(_EDGES).lstrip("> ")
        is_premise = stated and ends_so and _TURNSTILE.search(line) and line.lstrip()[:1] not in ("-", "*", "+")
        if (stated and _BEGINS.match(content)) or (goes_on and found) or is_premise:
            for part in before:
                part.statements.clear()
            cut = faulty("a formula stands in one line here; join this line with the one before it", start)
            parts = [_Part(start, end, [cut], is_inline=False)]
        stated = bool(found) and "`" not in line and "$" not in line
        ends_so = line.rstrip().endswith(",")
        goes_on = not found and not _is_prose(content) and bool(_ENDS.search(content))
        yield from (before := parts)


def _spans_or_line(text: str, start: int, end: int) -> Iterator[_Part]:
    """What stands in a line: in its spans of code and mathematics, or in its cells, or in the line itself."""
    if not text[start:end].strip(" \t|:-"):
        return
    spans = list(_SPAN.finditer(text, start, end))
    for span in spans:
        inside = span.span(span.lastindex or 0)
        if span.lastindex == 1:
            yield _Part(*span.span(), list(_line(text, *inside)))
        else:
            row = _with_signs(text[slice(*inside)])
            yield _Part(*span.span(), [statement.moved(inside[0]) for statement in _row(row, 0, len(row))])
    if spans:
        return
    cells = re.finditer(r"(?:[^|]|\\\||\|[-|])+", text[start:end]) if _TABLE_ROW.match(text, start, end) else ()
    for first, last in [(start + cell.start(), start + cell.end()) for cell in cells] or [(start, end)]:
        if found := list(_line(text, first, last)):
            yield _Part(first, last, found, is_inline=False)


def _line(text: str, start: int, end: int) -> Iterator[Statement]:
    """The statement of a line or of a part of one, without the mark of an item and a name; none if it is prose."""
    for mark in (_OF_A_LINE, _ITEM, _LABEL):
        if (found := mark.match(text, start, end)) is not None:
            start = found.end()
    name = _NAME.match(text, start, end)
    first = start if name is None else name.end()
    if name is None and (title := _TITLE.match(text, start, end)):
        first = title.end()
    label, note = text[start:first], _NOTE.search(text, max(first, end - _LONGEST_NOTE), end)
    if note and not _ENDS.search(text[first : note.start()]) and not _CODE_CONNECTIVE.search(note.group()):
        end = note.start()
        label += note.group()
    statement = _formula(text, first, end, _CODE_CONNECTIVE)
    if statement is not None and not _is_prose(statement.conclusion.text):
        says_more = _SUPPOSED.search(label) or _BESIDES.search(label)
        yield statement._replace(name=name and name["name"], beyond=_SAYS_MORE if says_more else "")
