"""Formulas as they are seen: connectives set off from atoms, and where the halves of a disjunction are in its text."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from textual.content import Content

from tactics.formula import Formula, Or
from tactics.printer import Notation, show
from tui.look import Look

_SIGNS: Final = "bold $text-accent"
"""Weight as well as colour, for those who see no colours."""


def styled(formula: Formula, look: Look) -> Content:
    """A formula with its connectives and constants set off."""
    return Content(look.formula(formula)).highlight_regex(_signs(look.notation), style=_SIGNS)


def halves(disjunction: Or, notation: Notation) -> tuple[int, int]:
    """Where the left half of a disjunction ends in its text, and where the right one begins."""
    whole = show(disjunction, notation)
    left, right = show(disjunction.left, notation), show(disjunction.right, notation)
    end = len(left) if whole.startswith(f"{left} {notation.disjunction} ") else len(left) + len("()")
    begin = len(whole) - (len(right) if whole.endswith(f" {notation.disjunction} {right}") else len(right) + len("()"))
    return end, begin


@cache
def _signs(notation: Notation) -> re.Pattern[str]:
    """Finds connectives and constants, the longest first."""
    drawn = {notation.conjunction, notation.disjunction, notation.implication, notation.equivalence}
    drawn |= {notation.negation.strip(), notation.falsum, notation.truth}
    longest_first = sorted(drawn, key=len, reverse=True)
    return re.compile("|".join(rf"\b{sign}\b" if sign.isalpha() else re.escape(sign) for sign in longest_first))
