"""Why a policy would make its move, in words: what it claims can be proved, each claim checked by the calculus.

A language model that reasons before it answers writes claims of its own. A network says of the conclusion and of each
formula that a move wants whether it follows from the hypotheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oasis.ground.limits import Limit
from oasis.play.policy import Policy
from oasis.teacher.arguments import Checked, answered, checked
from oasis.teacher.deciding.intuit import Intuit
from tactics.errors import printable
from tactics.goal import Goal
from tactics.printer import COQ, Notation

SECONDS: Final = 5.0
"""For the calculus to check the claims about a goal, unless told otherwise."""


def reasons(policy: Policy, goal: Goal, notation: Notation = COQ, seconds: float = SECONDS) -> list[Checked]:
    """Return what a policy claims of a goal, and whether the calculus agrees; nothing if it makes no claims.

    Args:
        policy: writes claims (`thoughts`) or says how likely formulas are to follow (`follows`); others claim nothing.
        goal: that is in focus.
        notation: of formulas, except in what is written.
        seconds: after which the claims that are left are not checked.

    Raises InputError for formulas too long to write out.
    """
    oracle = Intuit(Limit(seconds))
    think: Any = getattr(policy, "thoughts", None)
    if think is not None:
        return checked(goal, think(goal), oracle)
    follows: Any = getattr(policy, "follows", None)
    return [] if follows is None else answered(goal, follows(goal), oracle, notation)


def drawn(claims: Sequence[Checked], right: str = "✓", wrong: str = "✗") -> list[tuple[str, str, str]]:
    """Return claims as lines to draw, below a line that counts them: a mark, what is claimed, and its style.

    What the calculus contradicts has the mark `wrong` and is struck through where there are styles; what could not be
    checked has a question mark.
    """
    if not claims:
        return []
    marks = {True: right, False: wrong, None: "?"}
    contradicted, unchecked = (sum(each.is_right is answer for each in claims) for answer in (False, None))
    said = f"contradicts {contradicted} of {len(claims)}" if contradicted else "contradicts nothing"
    more = f" and could not check {unchecked}" if unchecked else ""
    lines = [("", f"It claims this, and the calculus {said}{more}:", "")]
    for each in claims:
        sure = "." if each.probability is None else f" ({each.probability:.0%})."
        style = "strike" if each.is_right is False else ""
        lines.append((marks[each.is_right], printable(each.claim.removesuffix(".") + sure), style))
    return lines
