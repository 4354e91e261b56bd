"""How things look: which notation formulas are in, and the marks that are drawn, in Unicode or in ASCII alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from tactics.formula import Formula
from tactics.printer import COQ, UNICODE, Notation, show

_MARKS: Final = {
    "done": ("✓", "+"),
    "lost": ("✗", "x"),
    "todo": ("○", "o"),
    "locked": ("·", "."),
    "here": ("▸", ">"),
    "new": ("+", "+"),
    "leaves": ("⇒", "=>"),
    "best": ("★", "*"),
    "line": ("─", "-"),
    "light": ("●", "@"),
    "dark": ("○", "o"),
    "bar": ("▪", "#"),
    "rest": ("…", "..."),
    "between": ("·", "-"),
    "epsilon": ("ε", "eps"),
    "alpha": ("α", "alpha"),
    "gamma": ("γ", "gamma"),
    "initial_value": ("Q₀", "Q0"),
}

_ASCII: Final = replace(COQ, negation="~")


_SIGNS: Final = ("negation", "conjunction", "disjunction", "implication", "equivalence", "falsum", "truth")
_SPELLED: Final = str.maketrans(
    {"λ": "lambda", "ε": "epsilon", "α": "alpha", "γ": "gamma", "–": "-", "…": "..."}
    | {getattr(UNICODE, sign): getattr(_ASCII, sign) for sign in _SIGNS}
)


@dataclass(frozen=True)
class Look:
    """What text is made of.

    Attributes:
        notation: of formulas.
        ascii_only: whether nothing but ASCII is drawn.
    """

    notation: Notation = UNICODE
    ascii_only: bool = False

    @classmethod
    def ascii(cls) -> Look:
        """For terminals whose font has no logical signs."""
        return cls(_ASCII, True)

    def mark(self, name: str) -> str:
        """A mark by its name, one character wide unless it is a word."""
        return _MARKS[name][self.ascii_only]

    def formula(self, formula: Formula) -> str:
        """The text of a formula."""
        return show(formula, self.notation)

    def key(self, name: str, display: str) -> str:
        """What a key is called: as on a keyboard, or by its name where that cannot be drawn."""
        return name if self.ascii_only and not display.isascii() else display

    def text(self, text: str) -> str:
        """A text from elsewhere, its Greek letters and logical signs spelled where they cannot be drawn."""
        return text.translate(_SPELLED) if self.ascii_only else text
