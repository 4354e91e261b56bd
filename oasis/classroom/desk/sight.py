"""What may be seen of a partner while an exercise is not done: what it found out has a price, as hints have.

Who sees a partner that has tried, or that knows, sees the way, and of the tries how many were proofs tells whether the
lemma has one. So the price must not depend on what came of the tries either: it holds from the first of them on.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import Final

from oasis.classroom.partner.curve import Curve
from oasis.classroom.partner.messages import Report
from oasis.classroom.proving.attempt import Attempt
from oasis.classroom.proving.events import NotAllowed
from tactics.goal import initial

_NO_CURVE: Final = Curve().points()


class Sight(Enum):
    """How much may be seen of a partner: everything, what is paid for the student's state, or how often it tried."""

    ALL = "all"
    STATE = "state"
    TRIES = "tries"


def is_free(attempt: Attempt, *, is_done: bool) -> bool:
    """Whether everything may be seen of everybody: the exercise is done, or its terms say so."""
    return is_done or attempt.is_over or attempt.terms.agent == "shown"


def sight(attempt: Attempt, *, is_done: bool, is_new: bool) -> Sight:
    """How much may be seen of a partner.

    Args:
        attempt: of the student, where it stands now.
        is_done: whether the exercise was done before.
        is_new: whether the partner has nothing to give away: it knows nothing and is at its first try.
    """
    if is_new or is_free(attempt, is_done=is_done):
        return Sight.ALL
    try:
        return Sight.TRIES if unpaid(attempt) else Sight.STATE
    except NotAllowed:
        return Sight.TRIES


def unpaid(attempt: Attempt) -> int:
    """The hints that are still to be paid before somebody tells all about the student's state. Raises NotAllowed."""
    copy = attempt.copy()
    before = copy.helped
    copy.be_told()
    return copy.helped - before


def seen(report: Report, how_much: Sight, attempt: Attempt) -> Report:
    """What may be seen of a report.

    Of where a partner stands, that is no more than the student's state and one move from there.
    """
    if how_much is Sight.ALL:
        return report
    before, beyond = attempt.script, report.script[len(attempt.script) :]
    is_next = report.script[: len(before)] == before and len(beyond) <= 1 and not report.playing
    if how_much is Sight.TRIES or not is_next:
        report = replace(report, state=initial(attempt.formula), script=(), intends=None, hides_where=True)
    elif beyond:
        report = replace(report, intends=None)
    report = replace(report, plan=())
    if how_much is Sight.STATE:
        return report
    knows = report.knows._replace(proved=0, states=0, best=None, exam=None)
    return replace(report, opinion=None, reason=None, knows=knows, curve=_NO_CURVE, shares=(), hides_tries=True)
