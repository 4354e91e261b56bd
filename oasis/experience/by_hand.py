"""Maxims that a person writes, changes and strikes: where one applies is written as an example, and why is always said.

A shape is written as the journal has it, as in `or(atom,implies)`, or as a formula that has it: `p | (q -> r)`, and
with `_` for what may be anything, `_ | _`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Final

from oasis.experience.library import Library
from oasis.experience.maxims import BELIEVED, CATEGORIES, believed
from oasis.experience.scope import ANY, CLASSES, SIDES, Scope, is_shape, shapes
from tactics.errors import InputError, check_choice
from tactics.formula import Atom, Binary
from tactics.parser import parse
from tactics.rules import tactic_named

MOST_ODDS: Final = 1000.0
_BLANK: Final = Atom("_")


def shape(text: str) -> str:
    """The shape that a person means. Raises InputError if it is none."""
    text = text.strip() or ANY
    if is_shape(text):
        return text
    formula = parse(text)
    if formula is _BLANK:
        return ANY
    _, kind, *whole = shapes(formula)
    open_sides = [formula.left, formula.right].count(_BLANK) if isinstance(formula, Binary) else 0
    if open_sides == 1:
        raise InputError(f"{text} leaves one side open; leave both open with _, or neither.")
    return whole[0] if whole and not open_sides else kind


def written_scope(rule: str, goal: str = "", hypothesis: str = "", also: Sequence[str] = ()) -> Scope:
    """Where a maxim applies.

    Args:
        rule: the name of the tactic that it is about, or its speaking name, or one of `CLASSES`.
        goal: the shape of the goal's conclusion; empty for any.
        hypothesis: that of the hypothesis which the tactic takes, or of one that is there; `left side` or `right side`
            for one that is this side of the goal; empty for any.
        also: those of `scope.CONDITIONS` that hold as well.

    Raises InputError.
    """
    side = " ".join(hypothesis.split())
    tactic = rule if rule in CLASSES else tactic_named(rule)
    return Scope.read(shape(goal), side if side in SIDES else shape(hypothesis), tactic, also)


def add(
    library: Library,
    category: str,
    scope: Scope,
    *,
    lemma: str,
    by: str,
    reason: str,
    remark: str = "",
    odds: float = BELIEVED,
) -> int:
    """Add a maxim that somebody believes in, and return its number.

    Args:
        library: to which.
        category: `prefer` or `avoid`.
        scope: where it applies.
        lemma: that shows it.
        by: who adds it.
        reason: why.
        remark: what its author says beside it.
        odds: by how much its move becomes likelier, or less likely: above 1, and at most `MOST_ODDS`.

    Raises InputError, also if there is a maxim about the same already.
    """
    check_choice("The advice", category, CATEGORIES)
    _check_alone(library, scope, None)
    evidence = believed(category, _checked(odds))
    return library.add(scope, evidence, source=lemma, by=by, reason=reason, remark=remark)


def change(
    library: Library,
    number: int,
    *,
    by: str,
    reason: str,
    category: str | None = None,
    scope: Scope | None = None,
    remark: str | None = None,
    odds: float | None = None,
) -> None:
    """Change what is given of a maxim. If it is about something else then, what rollouts said of it counts no more.

    Args:
        library: in which it is.
        number: of the maxim.
        by: who changes it.
        reason: why.
        category: what it becomes; None to leave it.
        scope: likewise.
        remark: likewise; empty for none. Where the rest changes and this is left, there is none.
        odds: by how much its move becomes likelier, or less likely; None to leave it.

    Raises InputError if nothing would change, or there is no such maxim.
    """
    before = library.maxim(number)
    category = before.category if category is None else category
    scope = before.scope if scope is None else scope
    is_about_else = (category, scope) != (before.category, before.scope)
    if remark is None:
        remark = "" if is_about_else else before.remark
    evidence = before.evidence
    if is_about_else or odds is not None:
        check_choice("The advice", category, CATEGORIES)
        evidence = believed(category, BELIEVED if odds is None else _checked(odds))
    if is_about_else:
        _check_alone(library, scope, number)
    elif (remark, evidence) == (before.remark, before.evidence):
        raise InputError(f"Nothing of maxim {number} would change; say what is to be different.")
    told = {"scope": scope.to_json(), "evidence": [*evidence], "remark": remark}
    library.modify(number, told, by=by, reason=reason)


def _check_alone(library: Library, scope: Scope, number: int | None) -> None:
    """Raise InputError if another maxim is about the same."""
    for other in library.maxims().values():
        if other.scope == scope and other.id != number:
            raise InputError(f"Maxim {other.id} is about the same: {other.content} Change or strike that one.")


def _checked(odds: float) -> float:
    if not isfinite(odds) or not 1 < odds <= MOST_ODDS:
        raise InputError(f"The odds are {odds:g}; give a number above 1 and up to {MOST_ODDS:,.0f}.")
    return odds
