"""From text to formula: one grammar for Coq, TPTP and Unicode notation, with Coq's precedences.

From tightest to loosest: negation (75), conjunction (80, right), disjunction (85, right), equivalence (95), implication
(99, right). A chain of equivalences is refused, as in TPTP; Coq reads it from the left, which few people expect. TPTP's
`<=`, `<~>`, `~|` and `~&` are read too, at the level of equivalence. A quantifier over propositions may stand at the
beginning and binds all atoms if it does. Operators wait on an explicit stack, so nesting is limited by memory alone.
Files of problems and lists of lemmas are not this module's concern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from tactics.errors import InputError
from tactics.formula import FALSE, RESERVED_NAMES, TRUTH, And, Atom, Formula, Implies, Or, equivalence, negation
from tactics.uncollected import uncollected

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+ | %[^\n]* | /\*.*?\*/ | \(\*.*?\*\)) | (?P<unclosed>/\* | \(\*)
      | (?P<turnstile>\|-|⊢) | (?P<iff><->|<=>|↔|⇔) | (?P<xor><~>) | (?P<nor>~\|) | (?P<nand>~&)
      | (?P<implies>->|=>|→|⇒) | (?P<implied><=|⇐|←)
      | (?P<and>/\\|&&?|∧) | (?P<or>\\/|\|\|?|∨) | (?P<not>~|¬)
      | (?P<false>False\b(?!')|\$false\b|⊥) | (?P<true>True\b(?!')|\$true\b|⊤)
      | (?P<forall>forall\b(?!')|∀) | (?P<open>\() | (?P<close>\))
      | (?P<comma>,) | (?P<semicolon>;) | (?P<colon>:) | (?P<dot>\.)
      | (?P<name>[^\W\d][\w']*) | '(?P<quoted>(?:[^'\\\n]|\\['\\])+)' | (?P<unknown>.)""",
    re.VERBOSE | re.DOTALL,
)


class FormulaSyntaxError(InputError):
    """Text that is no formula: what is wrong (`message`) and where (`position` from 0, `line` and `column` from 1)."""

    def __init__(self, message: str, text: str, position: int) -> None:
        self.message, self.text, self.position = message, text, position
        self.line = text.count("\n", 0, position) + 1
        start = text.rfind("\n", 0, position) + 1
        self.column = position - start + 1
        place = f"column {self.column}" if "\n" not in text else f"line {self.line}, column {self.column}"
        super().__init__(f"{place}: {message}\n{_excerpt(text[start:].split(chr(10))[0], self.column - 1)}")


def _excerpt(line: str, offset: int) -> str:
    """The part of a line around an offset, and a caret below it."""
    first = max(0, offset - 60)
    shown = line[first : offset + 40].expandtabs(1)
    before, after = ("… " if first else ""), (" …" if offset + 40 < len(line) else "")
    return f"  {before}{shown}{after}\n  {' ' * (len(before) + offset - first)}^"


class Token(NamedTuple):
    """A word or sign of a text, and where it stands."""

    kind: str
    text: str
    position: int


class _Operator(NamedTuple):
    level: int
    chains: bool
    build: Callable[[Formula, Formula], Formula]


_BINARY: Final = {
    "and": _Operator(80, True, And),
    "or": _Operator(85, True, Or),
    "iff": _Operator(95, False, equivalence),
    "xor": _Operator(95, False, lambda left, right: negation(equivalence(left, right))),
    "nor": _Operator(95, False, lambda left, right: negation(Or(left, right))),
    "nand": _Operator(95, False, lambda left, right: negation(And(left, right))),
    "implied": _Operator(95, False, lambda left, right: Implies(right, left)),
    "implies": _Operator(99, True, Implies),
}
_NOT_LEVEL: Final = 75
_SPELLED: Final = {"v": "\\/ or ∨ for or", "or": "\\/ or ∨", "and": "/\\ or ∧", "implies": "-> or →", "iff": "<-> or ↔"}
"""How connectives are written that somebody has typed as letters."""


@uncollected()
def parse(text: str) -> Formula:
    """The formula that `text` denotes. Raises FormulaSyntaxError, which points at the place."""
    tokens = tokenize(text)
    start, bound = _quantifiers(text, tokens)
    return parse_tokens(text, tokens[start:], bound if start else None)


def tokenize(text: str) -> list[Token]:
    """The tokens without white space, comments and a final dot, and an `end` after them. Raises FormulaSyntaxError."""
    tokens: list[Token] = []
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        assert kind is not None
        if kind == "quoted":
            tokens.append(Token("name", re.sub(r"\\(.)", r"\1", found["quoted"]), found.start()))
        elif kind == "unclosed":
            raise FormulaSyntaxError("this comment is never closed; close it or remove it", text, found.start())
        elif kind != "space":
            tokens.append(Token(kind, found.group(), found.start()))
    if tokens and tokens[-1].kind == "dot":
        tokens.pop()
    return [*tokens, Token("end", "the end of the text", len(text.rstrip()))]


def _quantifiers(text: str, tokens: list[Token]) -> tuple[int, set[str]]:
    """Where the formula starts behind its quantifiers, and the names that they bind."""
    bound: set[str] = set()
    place = 0
    while tokens[place].kind == "forall":
        place += 1
        count = 0
        while tokens[place].kind != "comma" or not count:
            bracketed = tokens[place].kind == "open"
            place += bracketed
            names = place
            while tokens[place].kind == "name" and tokens[place].text != "Prop":
                if tokens[place].text in bound:
                    raise _wrong(text, tokens[place], f"{tokens[place].text} is quantified twice; leave one out")
                bound.add(tokens[place].text)
                place += 1
            if place == names:
                raise _wrong(text, tokens[place], "the quantifier needs names and a comma: forall A B : Prop, …")
            count += place - names
            if tokens[place].kind == "colon":
                if tokens[place + 1].text != "Prop":
                    raise _wrong(
                        text,
                        tokens[place + 1],
                        "only propositions can be quantified here: write forall A B : Prop, …",
                    )
                place += 2
                if not bracketed and tokens[place].kind != "comma":
                    raise _wrong(text, tokens[place], "a comma is needed here: forall A B : Prop, …")
            if bracketed:
                if tokens[place].kind != "close":
                    raise _wrong(text, tokens[place], "this bracket of the quantifier must be closed with )")
                place += 1
        place += 1
    return place, bound


def parse_tokens(text: str, tokens: Sequence[Token], bound: Collection[str] | None = None) -> Formula:
    """The formula of some tokens of `text`, the last an `end`; atoms are those in `bound`, if that is given.

    Operator-precedence parsing (shunting yard). Raises FormulaSyntaxError.
    """
    operands: list[Formula] = []
    waiting: list[Token] = []

    def reduce_while_tighter(token: Token) -> None:
        """Build what binds tighter than the operator `token`; everything back to a bracket for `)` and the end."""
        operator = _BINARY.get(token.kind)
        while waiting and waiting[-1].kind != "open":
            top = waiting[-1]
            if top.kind == "not":
                operands.append(negation(operands.pop()))
            else:
                other = _BINARY[top.kind]
                if operator is not None and operator.level <= other.level:
                    if operator.level == other.level and not operator.chains:
                        raise _wrong(text, token, f"{top.text} and {token.text} do not chain; add brackets")
                    return
                right = operands.pop()
                operands.append(other.build(operands.pop(), right))
            waiting.pop()

    operand_expected = True
    for token in tokens:
        if operand_expected:
            if token.kind in ("open", "not"):
                waiting.append(token)
                continue
            operands.append(_operand(text, token, bound))
            operand_expected = False
        elif token.kind in _BINARY:
            reduce_while_tighter(token)
            waiting.append(token)
            operand_expected = True
        elif token.kind == "close":
            reduce_while_tighter(token)
            if not waiting:
                raise _wrong(text, token, "this ) closes nothing; remove it or add a ( before it")
            waiting.pop()
        elif token.kind == "end":
            reduce_while_tighter(token)
            if waiting:
                raise _wrong(text, waiting[-1], "this ( is never closed; add a )")
        else:
            sign = _SPELLED.get(token.text.casefold())
            advice = f"; write {sign}" if sign else ""
            raise _wrong(text, token, f"a connective or the end is expected here, not {token.text}{advice}")
    return operands.pop()


def _operand(text: str, token: Token, bound: Collection[str] | None) -> Formula:
    match token.kind:
        case "false":
            return FALSE
        case "true":
            return TRUTH
        case "name":
            if bound is not None and token.text not in bound and token.text not in RESERVED_NAMES:
                raise _wrong(text, token, f"{token.text} is not bound by the quantifier; add it there")
            try:
                return Atom(token.text)
            except ValueError as error:
                raise _wrong(text, token, str(error)) from None
        case "forall":
            raise _wrong(text, token, "a quantifier may only stand at the beginning")
        case "unknown":
            raise _wrong(text, token, f"{token.text} has no meaning in a formula")
        case _:
            raise _wrong(text, token, f"a formula is expected here, not {token.text}")


def _wrong(text: str, token: Token, message: str) -> FormulaSyntaxError:
    return FormulaSyntaxError(message, text, token.position)
