"""From text to tokens: how people write the signs of logic, and where an error stands.

Signs of Coq, Lean, Isabelle, TPTP, LaTeX, HTML and textbooks are known, and which of them mean the same. What formulas
are made of them is `tactics.parser`'s concern.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from html.entities import html5
from typing import Final, NamedTuple

from tactics.errors import InputError


class FormulaSyntaxError(InputError):
    """Text that is no formula: what is wrong (`message`) and where (`position` from 0, `line` and `column` from 1)."""

    def __init__(self, message: str, text: str, position: int) -> None:
        self.message, self.text, self.position = message, text, position
        self.line = text.count("\n", 0, position) + 1
        start = text.rfind("\n", 0, position) + 1
        self.column = position - start + 1
        place = f"column {self.column}" if "\n" not in text else f"line {self.line}, column {self.column}"
        line = text[start : end if (end := text.find("\n", start)) >= 0 else None]
        super().__init__(f"{place}: {message}\n{_excerpt(line, self.column - 1)}")

    def within(self, text: str, offset: int) -> FormulaSyntaxError:
        """Return this error as one of a longer text, in which the text that was read begins at `offset`."""
        return type(self)(self.message, text, offset + self.position)


class NotPropositional(FormulaSyntaxError):
    """Text of another logic: it has individuals, predicates, equations or numbers."""


def _excerpt(line: str, offset: int) -> str:
    """Return the part of a line around an offset, and a caret below it."""
    first = max(0, offset - 60)
    shown = line[first : offset + 40].expandtabs(1)
    before, after = ("… " if first else ""), (" …" if offset + 40 < len(line) else "")
    return f"  {before}{shown}{after}\n  {' ' * (len(before) + offset - first)}^"


class Token(NamedTuple):
    """A word or sign of a text, and where it stands."""

    kind: str
    text: str
    position: int


_SIGNS: Final = {
    "not": r"~ ¬ ! ￢ \lnot \neg \<not>",
    "and": r"/\ & && ∧ ⋀ ^ \land \wedge \<and>",
    "or": r"\/ | || ∨ ⋁ \lor \vee \<or>",
    "implies": r"-> => --> −> –> —> → ⇒ ⟶ ⊃ \to \rightarrow \Rightarrow \longrightarrow \implies \supset "
    r"\<longrightarrow> \<rightarrow>",
    "entails": r"==> ⟹ \Longrightarrow \<Longrightarrow>",
    "implied": r"<= <== ← ⇐ ⟵ ⟸ \leftarrow \Leftarrow \impliedby",
    "iff": r"<-> <=> <--> <−> <–> <—> ↔ ⇔ ⟷ ⟺ ≡ \leftrightarrow \Leftrightarrow \longleftrightarrow "
    r"\Longleftrightarrow \iff \equiv \<longleftrightarrow> \<leftrightarrow>",
    "xor": "<~>",
    "nor": "~|",
    "nand": "~&",
    "false": r"⊥ ⟂ $false _|_ \bot \perp \<bottom>",
    "true": r"⊤ $true \top \<top>",
    "forall": r"∀ \forall \<forall> \<And>",
    "turnstile": r"|- ⊢ :|-: ∴ \vdash \<turnstile> \therefore",
    "open": "( [ { ⦃",
    "close": ") ] } ⦄",
    "assumptions": r"[| ⟦ \<lbrakk>",
    "assumed": r"|] ⟧ \<rbrakk>",
    "comma": ",",
    "semicolon": ";",
    "colon": ":",
    "dot": ".",
    "refused": "!= <- ~> ~= |=",
    "layout": r"$ $$ \( \) \[ \] \, \; \: \! \quad \qquad \left \right \big \Big \bigl \bigr \displaystyle \<open> "
    r"\<close> ‹ ›",
}
_KINDS: Final = {spelling: kind for kind, spellings in _SIGNS.items() for spelling in spellings.split()}
_WORDS: Final = {"False": "false", "True": "true", "forall": "forall", "ALL": "forall"}
CONSTANTS: Final = {
    **dict.fromkeys(("false", "FALSE", "bot", "Bot", "BOT", "falsum", "Falsum"), "false"),
    **dict.fromkeys(("true", "TRUE", "top", "Top", "TOP", "verum", "Verum"), "true"),
}
"""Words that people write for False and True; a name that is one of them stands in quotes."""
CONNECTIVES: Final = {"and": "and", "or": "or", "v": "or", "implies": "implies", "iff": "iff"}
"""Words that are connectives where one is expected, in small letters; elsewhere they are names."""


def _alternative(spelling: str) -> str:
    """Return the pattern of a sign; a command of LaTeX ends where its letters do."""
    if spelling == "_|_":
        return r"(?<!\w)_\|_(?!\w)"
    if spelling[0] == "$" and spelling[1:].isalpha():
        return re.escape(spelling) + r"\b"
    return re.escape(spelling) + ("(?![A-Za-z])" if spelling[0] == "\\" and spelling[-1].isalpha() else "")


GREEK: Final = dict(
    pair.split("=")
    for pair in (
        *("alpha=α", "beta=β", "gamma=γ", "delta=δ", "epsilon=ε", "eta=η", "theta=θ", "kappa=κ", "mu=μ", "nu=ν"),
        *("xi=ξ", "pi=π", "rho=ρ", "sigma=σ", "tau=τ", "phi=ϕ", "varphi=φ", "chi=χ", "psi=ψ", "omega=ω"),
    )
)
"""LaTeX's commands for letters that name atoms."""
_WIDE: Final = {code + 0xFEE0: code for code in range(0x21, 0x7F) if not chr(code).isalnum()}
"""ASCII's signs for those as wide as an ideograph."""
_INVISIBLE: Final = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\ufeff"
"""What cannot be seen and changes nothing of what is seen, such as marks of direction and places to break a line."""

_TOKEN: Final = re.compile(
    rf"(?P<space>[\s{_INVISIBLE}]+"
    r" | \\(?:\s|\\) | (?<![\w')\]}])%[^\n]* | %(?![^\W\d])[^\n]* | /\*.*?\*/ | \(\*.*?\*\))"
    r"| (?P<unclosed>/\* | \(\*) | (?P<sign>"
    + "|".join(map(_alternative, sorted(_KINDS, key=len, reverse=True)))
    + r") | (?P<name>(?:[^\W\d]|\\(?:"
    + "|".join(GREEK)
    + r")(?![A-Za-z]))[\w']*(?:(?<=_)\{\w+\})?) | '(?P<quoted>(?:[^'\\\n]|\\['\\])+)'"
    r"| (?P<beyond>[=≠<>≤≥∈∃∄\d]+ | \\exists(?![A-Za-z])) | (?P<unknown>\\[A-Za-z]+ | .)",
    re.VERBOSE | re.DOTALL,
)
_COMMAND: Final = re.compile(r"\\([a-z]+)")
_IN_NAMES: Final = frozenset({"name", "comma", "semicolon", "colon", "dot", "layout", "end", "beyond", "unknown"})
"""Kinds of tokens that names of lemmas and files have, too."""
_ENDS_OPERAND: Final = frozenset({"name", "quoted", "false", "true", "close"})
"""Kinds of tokens behind which `⋀` is a conjunction; elsewhere it is Isabelle's quantifier."""
_MARKUP: Final = re.compile(r"&\#?\w{1,31};")
_FROM_MARKUP: Final = frozenset("&<>|~^!()[]{},.:'\u00a0") | {*GREEK.values()}
"""Signs and letters that stand for an entity, besides those that are beyond ASCII and no letters."""


def tokenize(text: str) -> list[Token]:
    """Return the tokens without white space, comments, layout and a final dot, and an `end` after them.

    Raises FormulaSyntaxError.
    """
    plain, shifts = _without_markup(text if str.isascii(text) else text.translate(_WIDE))
    tokens: list[Token] = []
    tilde, is_latex = -1, False
    for found in _TOKEN.finditer(plain):
        kind = found.lastgroup
        if kind == "space":
            continue
        token = found.group()
        is_latex = is_latex or (token[0] == "\\" and token[1:2].isalpha())
        if token == "~" and tilde < 0:
            tilde = found.start()
        if kind == "sign":
            kind = _KINDS[token]
            if kind == "layout":
                continue
            if token == "⋀" and (not tokens or tokens[-1].kind not in _ENDS_OPERAND):
                kind = "forall"
        elif kind == "name":
            token = _COMMAND.sub(lambda command: GREEK[command[1]], token).replace("{", "").replace("}", "")
            kind = _WORDS.get(token, "name")
        elif kind == "quoted":
            kind, token = "quoted", re.sub(r"\\(.)", r"\1", found["quoted"])
        elif kind == "unclosed":
            message = "this comment is never closed; close it or remove it"
            raise FormulaSyntaxError(message, text, _original(shifts, found.start()))
        tokens.append(Token(str(kind), token, found.start()))
    if is_latex and tilde >= 0:
        message = "~ is a space in LaTeX; write \\lnot for not, or leave it out"
        raise FormulaSyntaxError(message, text, _original(shifts, tilde))
    if tokens and tokens[-1].kind == "dot":
        tokens.pop()
    tokens.append(Token("end", "the end of the text", len(plain.rstrip())))
    if shifts:
        return [Token(kind, token, _original(shifts, position)) for kind, token, position in tokens]
    return tokens


def looks_like_formula(text: str) -> bool:
    """Return True for a text that can hardly be the name of a lemma or file: it has spaces, a sign or a constant."""
    if any(letter.isspace() for letter in text):
        return True
    try:
        tokens = tokenize(text)
    except FormulaSyntaxError:
        return True
    if len(tokens) == 2 and tokens[0].text in CONSTANTS:
        return True
    return any(token.kind not in _IN_NAMES and token.text not in "[]{}" for token in tokens)


def _without_markup(text: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """Return the text with signs for entities of HTML such as `&rarr;`, and where positions shift by how much."""
    if "&" not in text or not _MARKUP.search(text):
        return text, ()
    pieces: list[str] = []
    shifts: list[tuple[int, int]] = []
    end = length = 0
    for found in _MARKUP.finditer(text):
        sign = _entity(found.group())
        if sign is None:
            continue
        pieces += [text[end : found.start()], sign]
        length += found.start() - end + len(sign)
        end = found.end()
        shifts.append((length, end - length))
    return "".join([*pieces, text[end:]]), shifts


def _entity(markup: str) -> str | None:
    """Return the sign that an entity of HTML stands for, None if it is none that a formula could have."""
    number = re.fullmatch(r"&\#(?:(\d{1,7})|[xX]([0-9a-fA-F]{1,6}));", markup)
    if number is None:
        sign = html5.get(markup[1:])
    else:
        code = int(number[1]) if number[1] else int(number[2], 16)
        sign = chr(code) if code < 0x110000 else None
    is_sign = sign is not None and len(sign) == 1 and not (sign.isascii() or sign.isalnum())
    return sign if is_sign or sign in _FROM_MARKUP else None


def _original(shifts: Sequence[tuple[int, int]], position: int) -> int:
    """Return where in the text as it was written a position of the text without markup is."""
    place = bisect_right(shifts, position, key=lambda shift: shift[0])
    return position + shifts[place - 1][1] if place else position
