"""Reads one problem in TPTP's `.p` format, as the ILTP and TPTP libraries publish them.

Understood are propositional `fof` formulas, comments anywhere, and the header lines of ILTP that give the name and the
intuitionistic status. Formulas themselves are `tactics.parser`'s concern; files and directories are
`curricula.files`'s. First-order formulas, clauses and `include` are refused with the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, NoReturn

from curricula.families import FAMILIES
from curricula.lemma import Lemma, Problem, Status, lemma_name
from curricula.library import short_name
from curricula.place import SourceError, check_length
from tactics.formula import Formula
from tactics.parser import FormulaSyntaxError, parse
from tactics.tokens import CONNECTIVES, CONSTANTS

_AXIOM_ROLES: Final = frozenset({"axiom", "hypothesis", "assumption", "definition", "lemma", "theorem", "corollary"})
_OTHER_LANGUAGES: Final = frozenset({"cnf", "tff", "tcf", "thf", "tpi"})
_STATUS: Final = {"theorem": Status.THEOREM, "non-theorem": Status.NON_THEOREM}

_TOKEN: Final = re.compile(
    r"(?P<space>\s+|%[^\n]*|/\*.*?\*/)|(?P<word>\$?\w+)|(?P<quoted>'(?:[^'\\\n]|\\.)*')|(?P<mark>.)", re.DOTALL
)
_FORMULA: Final = re.compile(
    r"\s+|%[^\n]*|/\*.*?\*/|\$(?:true|false)\b|(?!forall\b)[a-z]\w*|'(?:[^'\\\n]|\\.)*'|[()]"
    r"|(?:<=>|<~>|=>|<=(?!=)|~[|&]?|&(?!&)|\|(?![|-]))",
    re.DOTALL | re.ASCII,
)
"""What formulas of TPTP are made of; what else `tactics.parser` reads is none of it."""
_SIGN: Final = re.compile(r"[^\W\d]\w*|[^\w\s()']+|.", re.DOTALL)
_WORDS: Final = frozenset({*CONSTANTS, *CONNECTIVES, "not"})
"""Words that mean something elsewhere and are atoms in TPTP."""
_FILE_HEADER: Final = re.compile(r"^%\s*File\s*:\s*(\S+)", re.MULTILINE)
_STATUS_HEADER: Final = re.compile(r"^%\s*Status \(intuit\.\)\s*:\s*(\S+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ProblemFile:
    """What a `.p` file says: a name in short form, the problem, and its intuitionistic status if the header has it."""

    name: str
    problem: Problem
    status: Status | None

    def lemma(self, source: str) -> Lemma:
        """The problem as a lemma that was read from `source`."""
        family, _, level = self.name.partition(".")
        known_level = int(level) if family in FAMILIES and level.isdecimal() else None
        return Lemma(self.name, self.problem.formula, self.status, source, known_level)


def read_problem(text: str, source: str, default_name: str) -> ProblemFile:
    """The problem that `text` states.

    Args:
        text: the content of a `.p` file.
        source: what to call the file in errors.
        default_name: the name of the problem if the header gives none, such as the file's name without its ending.

    Raises:
        SourceError: the text is not one propositional problem; points at the place.
    """
    axioms: list[Formula] = []
    conjecture: Formula | None = None
    for role, formula in _Statements(text, source):
        if role.text in _AXIOM_ROLES:
            axioms.append(formula)
        elif role.text != "conjecture":
            known = ", ".join(sorted(_AXIOM_ROLES))
            raise SourceError(
                f"the role {role.text} is not understood; use conjecture or one of {known}", text, role.position, source
            )
        elif conjecture is not None:
            raise SourceError(
                "this is a second conjecture; a problem has exactly one, so put it in a file of its own",
                text,
                role.position,
                source,
            )
        else:
            conjecture = formula
    if conjecture is None:
        raise SourceError(
            "no conjecture in this problem; add fof(name, conjecture, (…)).", text, len(text.rstrip()), source
        )
    header_name, header_status = _FILE_HEADER.search(text), _STATUS_HEADER.search(text)
    return ProblemFile(
        lemma_name(short_name(header_name[1] if header_name else default_name)),
        Problem(tuple(axioms), conjecture),
        _STATUS.get(header_status[1].lower()) if header_status else None,
    )


class _Token(NamedTuple):
    kind: str
    text: str
    position: int


class _Statements:
    """The role and the formula of each `fof(name, role, formula).` of a text."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.tokens = _tokens(text)
        self.token = next(self.tokens)

    def __iter__(self) -> Iterator[tuple[_Token, Formula]]:
        while self.token.kind != "end":
            yield self._statement()

    def _statement(self) -> tuple[_Token, Formula]:
        keyword = self._advance()
        if keyword.text in _OTHER_LANGUAGES:
            self._refuse(f"only propositional fof formulas are understood, not {keyword.text}", keyword)
        if keyword.text == "include":
            self._refuse("include is not understood; put the included axioms into this file", keyword)
        if keyword.text != "fof":
            self._refuse(f"fof(name, role, (formula)). is expected here, not {keyword.text}", keyword)
        self._expect("(", "after fof")
        self._advance()
        self._expect(",", "after the name")
        role = self._advance()
        self._expect(",", "after the role")
        start = self.token.position
        end = self._end_of_part(is_formula=True)
        check_length(self.text, start, end - start, self.source)
        self._check_signs(start, end)
        try:
            formula = parse(self.text[start:end], _WORDS)
        except FormulaSyntaxError as error:
            raise SourceError(error.message, self.text, start + error.position, self.source) from None
        while self.token.text == ",":
            # Where the formula comes from, and remarks: of no interest here.
            self._advance()
            self._end_of_part(is_formula=False)
        self._expect(")", "after the formula")
        self._expect(".", "after the ) that closes fof(")
        return role, formula

    def _check_signs(self, start: int, end: int) -> None:
        """Refuse what TPTP does not have, and `&` and `|` side by side, of which none binds tighter there."""
        joined = [""]  # the `&` or `|` of each bracket that is open
        place = start
        while place < end:
            if (found := _FORMULA.match(self.text, place, end)) is None:
                sign = next(_SIGN.finditer(self.text, place, end))[0]
                instead = "a small word or 'quotes' for an atom" if sign.isidentifier() else "~ & | => <=> and brackets"
                self._refuse(
                    f"{sign} does not belong to propositional TPTP; write {instead}", _Token("mark", sign, place)
                )
            match found[0]:
                case "(":
                    joined.append("")
                case ")":
                    joined.pop()
                case "&" | "|" as sign:
                    if joined[-1] not in ("", sign):
                        self._refuse("& and | side by side need brackets in TPTP", _Token("mark", sign, place))
                    joined[-1] = sign
                case "=>" | "<=" | "<=>" | "<~>" | "~|" | "~&":
                    joined[-1] = ""
            place = found.end()

    def _end_of_part(self, *, is_formula: bool) -> int:
        """Skip to the comma or bracket that ends a part of `fof(…)`; returns the offset where it stands."""
        depth = 0
        while depth or self.token.text not in (",", ")"):
            token = self._advance()
            if token.kind == "end" or token.text == ".":
                self._refuse("a closing bracket is missing before this; every ( and fof( needs its )", token)
            if token.text in ("(", "["):
                depth += 1
            elif token.text in (")", "]"):
                depth -= 1
            elif is_formula and token.text in ("!", "?"):
                self._refuse("only propositional formulas are understood, without quantifiers", token)
            elif is_formula and token.kind in ("word", "quoted") and self.token.text == "(":
                self._refuse(f"only propositional formulas are understood, but {token.text} has arguments", token)
        return self.token.position

    def _advance(self) -> _Token:
        token = self.token
        if token.kind != "end":
            self.token = next(self.tokens)
        return token

    def _expect(self, mark: str, where: str) -> None:
        token = self._advance()
        if token.text != mark:
            self._refuse(f"{mark} is expected here, {where}, not {token.text}", token)

    def _refuse(self, message: str, token: _Token) -> NoReturn:
        raise SourceError(message, self.text, token.position, self.source)


def _tokens(text: str) -> Iterator[_Token]:
    """The tokens without white space and comments, and an `end` after them."""
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind is not None and kind != "space":
            yield _Token(kind, found.group(), found.start())
    yield _Token("end", "the end of the text", len(text.rstrip()))
