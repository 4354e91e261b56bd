"""From text to formula: one grammar for every notation, with the precedences that all of them share.

From tightest to loosest: negation, conjunction (to the right), disjunction (to the right), equivalence, implication (to
the right), Isabelle's `==>` (to the right). Coq lets equivalence bind tighter than implication; Lean and textbooks have
it the other way round. So text in which these stand side by side without brackets is refused with both readings, unless
its signs are Coq's own, `->` and `<->`: it is read as Coq reads it then, and a remark says so. Refused so, too, are
`==>` beside a double arrow, `→` before `⇒`, `⊃` before `→`, a word beside a sign, as in `A → B and C → D`, and
`A implies B and C implies D`.
Equivalences do not chain, nor do TPTP's `=>`, `<=`, `<~>`, `~|` and `~&`. A quantifier over propositions may stand in
front, where it binds all atoms, or where it can be pulled to the front: on the right of an implication and on either
side of a conjunction. Operators wait on an explicit stack, so nesting is limited by memory alone. Files of problems and
lists of lemmas are not this module's concern.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from html.entities import html5
from typing import Final, NamedTuple

from tactics.formula import FALSE, RESERVED_NAMES, TRUTH, And, Atom, Formula, Implies, Or, equivalence, negation, nested
from tactics.printer import COQ, UNICODE, show
from tactics.tokens import CONNECTIVES, CONSTANTS, FormulaSyntaxError, NotPropositional, Token, tokenize
from tactics.uncollected import uncollected

__all__ = ["AmbiguousFormula", "FormulaSyntaxError", "NotPropositional", "Reading", "parse", "read_tokens"]


class AmbiguousFormula(FormulaSyntaxError):
    """Text that people read in two ways; `readings` has both with brackets, to choose one by copying it."""

    def __init__(self, message: str, text: str, position: int, readings: tuple[str, str]) -> None:
        self.readings = readings
        super().__init__(message, text, position)

    def within(self, text: str, offset: int) -> AmbiguousFormula:
        """Return this error as one of a longer text, in which the text that was read begins at `offset`."""
        return AmbiguousFormula(self.message, text, offset + self.position, self.readings)


class Reading(NamedTuple):
    """What a text was read as, and a sentence for each thing in it that other people read otherwise."""

    formula: Formula
    remarks: tuple[str, ...] = ()


class _Operator(NamedTuple):
    level: int
    build: Callable[[Formula, Formula], Formula]


_COQ: Final = {
    "and": _Operator(80, And),
    "or": _Operator(85, Or),
    "iff": _Operator(95, equivalence),
    "xor": _Operator(95, lambda left, right: negation(equivalence(left, right))),
    "nor": _Operator(95, lambda left, right: negation(Or(left, right))),
    "nand": _Operator(95, lambda left, right: negation(And(left, right))),
    "implied": _Operator(95, lambda left, right: Implies(right, left)),
    "implies": _Operator(99, Implies),
    "entails": _Operator(100, Implies),
}
_TEXTBOOK: Final = _COQ | {"implies": _Operator(94, Implies)}
"""The levels of Lean and of textbooks; what does not chain in any notation is read from the left."""
_HOL: Final = _TEXTBOOK | {"implies": _Operator(93, Implies), "entails": _Operator(94, Implies)}
"""The levels of HOL Light, where `==>` is the implication, and of textbooks in double arrows."""
_PROSE: Final = _TEXTBOOK | {"and": _Operator(96, And), "or": _Operator(97, Or)}
"""The levels of words that join whole sentences, as in `A implies B and C implies D`."""
_LOOSER: Final = 100
"""By how much words bind looser than signs in prose, as in `A → B and C → D`."""
_LIKE_EQUIVALENCE: Final = frozenset({"iff", "xor", "nor", "nand", "implied"})
_DOUBLE: Final = frozenset(
    {"<=>", "⇔", "⟺", "\\Leftrightarrow", "\\Longleftrightarrow", "\\iff"}
    | {"<=", "<==", "⇐", "⟸", "\\Leftarrow", "\\impliedby"}
)
"""Double arrows, which people read as looser than `⟹`, while Isabelle's `⟷` is tighter."""
_SHAFTS: Final = {
    **dict.fromkeys(("⊃", "\\supset"), 0),
    **dict.fromkeys(("=>", "⇒", "\\Rightarrow", "\\implies"), 2),
}
"""How loosely implications bind where a text has several signs for them: `⊃`, then 1 for `→`, then `⇒`."""
_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "⦃": "⦄"}
_INSTEAD: Final = {
    **dict.fromkeys(("+", "∪"), "\\/ for or"),
    **dict.fromkeys(("*", "×", "∩", "\\cdot", "\\&", "but"), "/\\ for and"),
    **dict.fromkeys(("⊕", "⊻", "≠", "!=", "≢", "~=", "xor"), "~ (A <-> B) for either A or B"),
    **dict.fromkeys(("↑", "⊼", "nand"), "~ (A /\\ B) for not both"),
    **dict.fromkeys(("↓", "⊽", "nor", "neither"), "~ (A \\/ B) for neither"),
    **dict.fromkeys(("⊨", "|=", "\\models", "entails", "therefore"), "|- for a sequent"),
    **dict.fromkeys(("=", "==", "===", "equiv"), "<-> for equivalence"),
    **dict.fromkeys(("~>", "⊂", "⊆", "if", "then", "only"), "A -> B for if A then B"),
    **dict.fromkeys(("<-", "≤", "<=="), "B -> A for A if B"),
    **dict.fromkeys(("\\overline", "\\bar", "\\sim", "¯"), "~ for not"),
    **dict.fromkeys(("\\text", "\\mathrm", "\\mbox"), "what stands in its braces without it"),
    **dict.fromkeys(("\\Gamma", "\\Delta", "\\Sigma"), "the hypotheses that it stands for, or none"),
    **dict.fromkeys(("∃", "\\exists", "exists", "ex"), "no quantifier but forall over propositions"),
    "unless": "~ B -> A or A \\/ B, whichever is meant by A unless B",
    "%": "a blank before the % of a comment, and leave out a scope of Coq",
    "0": "False",
    "1": "True",
}
"""What to write for signs and words that are read in more than one way, or not at all."""
_INSTEAD_OF_ALIKE: Final = (
    ("WITH STROKE|^NOT |^DOES NOT|NEGATED", "~ around what it denies"),
    ("LEFT RIGHT.*ARROW", "<-> for equivalence"),
    ("RIGHTWARDS.*ARROW|TRIANGLE-HEADED RIGHT", "-> for implication"),
    ("LEFTWARDS.*ARROW", "B -> A for A if B"),
    ("MINUS|DASH|HYPHEN", "~ for not, or -> for implication"),
    ("TILDE|COMBINING (?:OVERLINE|MACRON|LONG STROKE)", "~ for not"),
    ("DOT$|DOT OPERATOR|BULLET|UP ARROWHEAD", "/\\ for and"),
    ("DOWN ARROWHEAD|VERTICAL LINE|PARALLEL TO|^DIVIDES|BROKEN BAR", "\\/ for or"),
    ("TACK|TURNSTILE|VERTICAL AND RIGHT|^FORCES", "|- for a sequent"),
    ("QUOTATION MARK|PRIME$|GRAVE ACCENT|ACUTE ACCENT", "no quotation marks, and ' for a prime"),
    ("^WHITE (?:SQUARE|DIAMOND)|MULTIMAP|CIRCLED TIMES", "nothing of modal or linear logic"),
)
"""What to write for signs by what Unicode calls them."""
_GOAL: Final = re.compile(r"\n[ \t]*(?:⊢|\|-|={4})")
"""How provers show a goal: hypotheses in lines, and then the conclusion."""
_REORDERS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Signs that change the order in which what stands beside them is shown."""
_MEANINGLESS: Final = frozenset({"beyond", "unknown", "refused"})
_REMARKABLE: Final = {"v": "\\/", "V": "\\/", "^": "/\\", "<=": "'is implied by'"}
"""Connectives that others may take for something else, and how they are read."""
_LONGEST_READING: Final = 1_000
"""Characters; longer text is refused without both readings written out."""


@uncollected()
def parse(text: str, atoms: Collection[str] = ()) -> Formula:
    """Return the formula that `text` denotes; names among `atoms` are atoms even if people mean a constant by them.

    Raises FormulaSyntaxError, which points at the place.
    """
    return parse_tokens(text, tokenize(text), atoms)


def parse_tokens(text: str, tokens: Sequence[Token], atoms: Collection[str] = ()) -> Formula:
    """Return the formula of some tokens of `text`, the last an `end`. Raises FormulaSyntaxError."""
    return _parsed(_Grammar(text, tokens, atoms))


def read_tokens(
    text: str, tokens: Sequence[Token], atoms: Collection[str] = (), outside: Collection[str] = ()
) -> Reading:
    """Return the formula of some tokens of `text`, and how it was read; no quantifier may bind a name from `outside`.

    Raises FormulaSyntaxError.
    """
    grammar = _Grammar(text, tokens, atoms, outside=outside)
    formula = _parsed(grammar)
    remarks = [f"{word} is read as {meaning}." for word, meaning in grammar.words.items()]
    if grammar.disputed and len(text) > _LONGEST_READING:
        remarks.append("This is read as Coq reads it, where <-> binds tighter than ->; add brackets if you do not.")
    elif grammar.disputed and (readings := _readings(grammar, formula)) and readings[0] != readings[1]:
        ours, theirs = readings
        remarks.append(f"This is read as Coq reads it: {ours}; add brackets if you mean {theirs}.")
    return Reading(formula, tuple(remarks))


def _parsed(grammar: _Grammar) -> Formula:
    """Return the formula with Coq's precedences. Raises AmbiguousFormula unless only Coq's own signs are disputed."""
    formula = grammar.formula()
    for left, right in grammar.disputed:
        if {left.text, right.text} == {"->", "<->"}:
            continue
        message = f"{left.text} and {right.text} side by side are read in two ways; add brackets"
        if len(grammar.text) > _LONGEST_READING:
            raise FormulaSyntaxError(message, grammar.text, right.position)
        readings = _readings(grammar, formula)
        if readings[0] == readings[1]:
            return formula
        message = f"{message}: {readings[0]} or {readings[1]}"
        raise AmbiguousFormula(message, grammar.text, right.position, readings)
    return formula


def _readings(grammar: _Grammar, formula: Formula) -> tuple[str, str]:
    """Return a formula with the brackets that its text lacks, and the formula that textbooks read instead."""
    levels = _HOL if any("entails" in (left.kind, right.kind) for left, right in grammar.disputed) else _TEXTBOOK
    if any(left.kind in ("and", "or") and _is_word(left) and _is_word(right) for left, right in grammar.disputed):
        levels = _PROSE
    other = _Grammar(grammar.text, grammar.tokens, grammar.atoms, levels, grammar.outside).formula()
    notation = COQ if grammar.text.isascii() else UNICODE
    return show(formula, notation), show(other, notation)


class _Scope(NamedTuple):
    """A quantifier, the names that it binds, and the premises among them, as in `forall (P : Prop) (h : P), P`."""

    token: Token
    names: list[str]
    premises: list[Formula]


class _Grammar:
    """Operator-precedence parsing (shunting yard) of some tokens of a text, the last an `end`.

    Attributes:
        disputed: pairs of operators side by side that people read in two ways.
        words: words and signs that others may read otherwise, and what they were read as.
    """

    def __init__(
        self,
        text: str,
        tokens: Sequence[Token],
        atoms: Collection[str] = (),
        levels: dict[str, _Operator] = _COQ,
        outside: Collection[str] = (),
    ) -> None:
        self.text, self.tokens, self.atoms, self.outside, self._levels = text, tokens, atoms, outside, levels
        self.disputed: list[tuple[Token, Token]] = []
        self.words: dict[str, str] = {}
        self._operands: list[Formula] = []
        self._waiting: list[Token] = []
        self._scopes: list[_Scope] = []
        self._bound = set(atoms)
        self._binds_all = tokens[0].kind == "forall"
        self._free = set(outside)  # names that stand outside of all quantifiers
        self._left: set[str] = set()  # names whose quantifier has ended
        self._pulled: dict[int, Token] = {}  # the quantifier within an operand, by the operand's place on the stack

    def formula(self) -> Formula:
        """Return the formula of the tokens. Raises FormulaSyntaxError."""
        place, operand_expected = 0, True
        while place < len(self.tokens):
            token = self.tokens[place]
            place += 1
            if operand_expected:
                if token.kind == "open" or self._negates(token, place):
                    self._waiting.append(token)
                elif token.kind == "forall":
                    self._waiting.append(token)
                    place = self._bind(token, place)
                else:
                    if token.kind == "name":
                        self._refuse_argument(token, self.tokens[place])
                    self._operands.append(self._operand(token))
                    operand_expected = False
                continue
            token = self._as_connective(token)
            if token.kind in self._levels:
                if token.text in _REMARKABLE:
                    self.words[token.text] = _REMARKABLE[token.text]
                self._build_what_binds_tighter(token)
                self._waiting.append(token)
                operand_expected = True
            elif token.kind in ("close", "end"):
                self._build_what_binds_tighter(token)
                self._close(token)
            else:
                raise self._misplaced(token)
        return self._operands.pop()

    def _as_connective(self, token: Token) -> Token:
        """Return a token as the connective that it is if it is the word for one."""
        is_word = token.kind == "name" and token.text not in self._bound
        return token._replace(kind=CONNECTIVES.get(token.text.casefold(), "name")) if is_word else token

    def _negates(self, token: Token, place: int) -> bool:
        """Return True if a token is a negation: its sign, or the word before an operand."""
        if token.kind == "name" and token.text.casefold() == "not" and token.text not in self._bound:
            return self.tokens[place].kind in ("name", "quoted", "false", "true", "open", "not", "forall")
        return token.kind == "not"

    def _build_what_binds_tighter(self, token: Token) -> None:
        """Build what binds tighter than the operator `token`, or all within its bracket if `token` closes one."""
        operator = self._levels.get(token.kind)
        within: Token | None = None  # a word for "and" or "or" that has been built
        while self._waiting and self._waiting[-1].kind != "open":
            top = self._waiting[-1]
            if top.kind == "forall":
                if operator is not None:
                    return
                self._leave()
            elif top.kind not in self._levels:
                self._refuse_quantifier(len(self._operands) - 1)
                self._operands.append(negation(self._operands.pop()))
            else:
                other = self._levels[top.kind]
                if operator is not None:
                    disputed = _is_disputed(top, token)
                    if within and top.kind == token.kind == "implies" and _is_word(top):
                        self.disputed.append((within, token))
                    if disputed:
                        self.disputed.append((top, token))
                    from_the_left = disputed and self._levels is not _COQ
                    here, before = self._level(token), self._level(top)
                    if here < before or (here == before and not from_the_left):
                        return
                if top.kind in ("and", "or") and _is_word(top):
                    within = top
                self._join(top.kind, other.build)
            self._waiting.pop()

    def _level(self, token: Token) -> int:
        """Return how loosely an operator binds."""
        is_looser = self._levels is not _COQ and _is_word(token)
        return self._levels[token.kind].level + (_LOOSER if is_looser else 0)

    def _join(self, kind: str, build: Callable[[Formula, Formula], Formula]) -> None:
        """Join the last two operands. A quantifier in them must be one that can be pulled to the front."""
        right = self._operands.pop()
        left = self._operands.pop()
        place = len(self._operands)
        if self._pulled:
            if kind != "and":
                self._refuse_quantifier(place)
            if kind not in ("and", "implies", "entails"):
                self._refuse_quantifier(place + 1)
            if quantifier := self._pulled.pop(place + 1, None):
                self._pulled[place] = quantifier
        self._operands.append(build(left, right))

    def _close(self, token: Token) -> None:
        """Take the bracket that a closing one closes, or check at the end that none is left."""
        opened = self._waiting.pop() if self._waiting else None
        if token.kind == "end":
            if opened is not None:
                raise self._wrong(opened, f"this {opened.text} is never closed; add a {_CLOSING[opened.text]}")
        elif opened is None:
            opening = next(each for each, closing in _CLOSING.items() if closing == token.text)
            raise self._wrong(token, f"this {token.text} closes nothing; remove it or add a {opening} before it")
        elif _CLOSING[opened.text] != token.text:
            raise self._wrong(token, f"{opened.text} is closed with {_CLOSING[opened.text]}, not {token.text}")

    def _operand(self, token: Token) -> Formula:
        match token.kind:
            case "false":
                return FALSE
            case "true":
                return TRUTH
            case "quoted":
                return self._atom(token)
            case "name":
                constant = None if token.text in self._bound else CONSTANTS.get(token.text)
                if constant is None:
                    return self._atom(token)
                self.words[token.text] = f"the constant {constant.capitalize()}; write '{token.text}' for an atom"
                return FALSE if constant == "false" else TRUTH
            case kind if kind in _MEANINGLESS:
                raise self._without_meaning(token)
            case _:
                raise self._wrong(token, f"a formula is expected here, not {token.text}")

    def _atom(self, token: Token) -> Atom:
        name = token.text
        if name not in self._bound:
            if self._binds_all and name not in RESERVED_NAMES:
                raise self._wrong(token, f"{name} is not bound by the quantifier; add it there")
            if name in self._left:
                raise self._wrong(token, f"{name} stands outside of its quantifier, too; rename one of the two")
            self._free.add(name)
        try:
            return Atom(name)
        except ValueError as error:
            raise self._wrong(token, str(error).removesuffix(".")) from None

    def _bind(self, token: Token, place: int) -> int:
        """Read the names that a quantifier binds, up to its comma or dot; return the place behind it."""
        scope = _Scope(token, [], [])
        self._scopes.append(scope)
        while self.tokens[place].kind not in ("comma", "dot") or not (scope.names or scope.premises):
            opened = self.tokens[place] if self.tokens[place].kind == "open" else None
            place += opened is not None
            first = place
            while self.tokens[place].kind in ("name", "quoted") and self.tokens[place].text != "Prop":
                place += 1
            names = self.tokens[first:place]
            if not names:
                raise self._wrong(self.tokens[place], "the quantifier needs names and a comma: forall A B : Prop, …")
            if self.tokens[place].kind == "colon":
                place = self._bind_as(scope, names, place + 1)
            else:
                self._bind_names(scope, names)
            if opened is not None:
                if self.tokens[place].text != _CLOSING[opened.text]:
                    closing = _CLOSING[opened.text]
                    message = (
                        f"this bracket of the quantifier must be closed with {closing}, or the names ended with a comma"
                    )
                    raise self._wrong(self.tokens[place], message)
                place += 1
        return place + 1

    def _bind_as(self, scope: _Scope, names: Sequence[Token], place: int) -> int:
        """Bind names to what stands behind their colon: `Prop`, or a premise that they are proofs of."""
        start, depth = place, 0
        while depth or self.tokens[place].kind not in ("close", "comma", "dot", "end"):
            depth += (self.tokens[place].kind == "open") - (self.tokens[place].kind == "close")
            place += 1
            if place == len(self.tokens):
                raise self._wrong(self.tokens[start - 1], "the quantifier is never ended; add a comma")
        kind = self.tokens[start:place]
        if kind and kind[0].text == "Prop":
            if len(kind) > 1:
                raise self._wrong(kind[1], "a comma is needed here: forall A B : Prop, …")
            self._bind_names(scope, names)
        elif not kind or (len(kind) == 1 and kind[0].kind == "name" and kind[0].text not in self._bound):
            message = "only propositions can be quantified here: write forall A B : Prop, …"
            raise NotPropositional(message, self.text, self.tokens[start].position)
        else:
            if inner := next((token for token in kind if token.kind == "forall"), None):
                raise self._wrong(
                    inner, "a premise among a quantifier's names has no quantifier; write it behind the comma"
                )
            end = Token("end", self.tokens[place].text, self.tokens[place].position)
            premise = parse_tokens(self.text, [*kind, end], self._bound)
            scope.premises.extend(premise for _ in names)
        return place

    def _bind_names(self, scope: _Scope, names: Sequence[Token]) -> None:
        for token in names:
            if token.text in self._bound and token.text not in self.atoms:
                message = f"{token.text} is quantified twice; leave one out, or end the names with a comma: ∀A, …"
                raise self._wrong(token, message)
            if token.text in self._free:
                raise self._wrong(token, f"{token.text} stands outside of its quantifier, too; rename one of the two")
            self._bound.add(token.text)
            scope.names.append(token.text)

    def _leave(self) -> None:
        """End the scope of the innermost quantifier, at the end of its brackets."""
        scope = self._scopes.pop()
        self._operands.append(nested(Implies, [*scope.premises, self._operands.pop()]))
        self._pulled[len(self._operands) - 1] = scope.token
        self._bound.difference_update(scope.names)
        self._left.update(scope.names)

    def _refuse_quantifier(self, place: int) -> None:
        """Raise NotPropositional if the operand at a place of the stack has a quantifier."""
        if token := self._pulled.get(place):
            raise NotPropositional(
                "this quantifier cannot be pulled to the front; it may stand there, on the right of -> and within /\\",
                self.text,
                token.position,
            )

    def _refuse_argument(self, name: Token, token: Token) -> None:
        """Raise NotPropositional for what stands behind a name if it is an argument, as in `P x` or `P (x)`."""
        if token.kind == "open" or self._as_connective(token).kind in ("name", "quoted"):
            message = f"a connective or the end is expected here, not {token.text}"
            instead = _INSTEAD.get(token.text.casefold()) or _INSTEAD.get(name.text.casefold())
            if _GOAL.search(self.text):
                instead = "a goal in one line, as h : A, k : B |- C, without the names of propositions"
            elif name.text.casefold() in CONNECTIVES:
                instead = f"{name.text} between its two sides"
            raise NotPropositional(message + (f"; write {instead}" if instead else ""), self.text, token.position)

    def _misplaced(self, token: Token) -> FormulaSyntaxError:
        """Return the refusal of a token that stands where a connective belongs."""
        if token.kind in _MEANINGLESS:
            return self._without_meaning(token)
        message = f"a connective or the end is expected here, not {token.text}"
        if token.kind == "comma":
            message += "; a sequent is written A, B |- C"
        return self._wrong(token, message)

    def _without_meaning(self, token: Token) -> FormulaSyntaxError:
        """Return the refusal of a sign that has no meaning here, or more than one."""
        message = f"{_named(token.text)} has no meaning in a formula"
        if token.text in _REORDERS:
            message = f"{_named(token.text)} changes the order in which signs are shown; delete it and read this again"
        elif instead := _instead(token.text):
            message += f"; write {instead}"
        error = NotPropositional if token.kind == "beyond" else FormulaSyntaxError
        return error(message, self.text, token.position)

    def _wrong(self, token: Token, message: str) -> FormulaSyntaxError:
        return FormulaSyntaxError(message, self.text, token.position)


def _instead(sign: str) -> str | None:
    """Return what to write for a sign that has no meaning, None if nothing is known of it."""
    if sign in _INSTEAD:
        return _INSTEAD[sign]
    if sign.startswith("\\"):  # HTML calls many signs as LaTeX does.
        sign = html5.get(f"{sign[1:]};", "")
        return _instead(sign) if sign else None
    name = unicodedata.name(sign[0], "")
    return next((instead for pattern, instead in _INSTEAD_OF_ALIKE if re.search(pattern, name)), None)


def _named(sign: str) -> str:
    """Return a sign, or its number and name in Unicode if it cannot be seen."""
    if sign.isprintable():
        return sign
    name = unicodedata.name(sign, "")
    return f"U+{ord(sign):04X}" + (f" ({name})" if name else "")


def _is_disputed(left: Token, right: Token) -> bool:
    """Return True if people read two operators side by side in two ways."""
    kinds = {left.kind, right.kind}
    if _is_word(left) != _is_word(right):
        first, second = _COQ[left.kind].level, _COQ[right.kind].level
        differs = first < second if _is_word(left) else first > second or kinds == {"implies"}
        if differs:
            return True
    if kinds & _LIKE_EQUIVALENCE:
        if "entails" in kinds:
            return left.text in _DOUBLE or right.text in _DOUBLE
        return kinds <= _LIKE_EQUIVALENCE | {"implies"}
    if kinds != {"implies"}:
        return False
    return "=>" in (left.text, right.text) or _SHAFTS.get(left.text, 1) < _SHAFTS.get(right.text, 1)


def _is_word(token: Token) -> bool:
    """Return True for a connective that is a word, but for `v`, which stands for a sign."""
    return token.text.casefold() in CONNECTIVES and token.text not in ("v", "V")
