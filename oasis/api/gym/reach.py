"""What can ever stand in the goals of a lemma: which formulas, how many hypotheses at once, how many goals at once.

Agents from elsewhere want spaces of a fixed size before the first step. The answers are found from formulas alone,
without a walk through the states, of which there may be far too many; they are bounds, and never too small.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from tactics.errors import InputError
from tactics.formula import Formula
from tactics.printer import brief
from tactics.rules import Premise, inferences

MAX_FORMULAS: Final = 5_000


class Reach(NamedTuple):
    """What the goals of a lemma can hold.

    Attributes:
        formulas: all that can be a hypothesis or a conclusion, the lemma first; no formula twice.
        hypotheses: the most that one goal can have.
        goals: the most that can be open at once, when always the first is worked on.
    """

    formulas: tuple[Formula, ...]
    hypotheses: int
    goals: int


class _Occurrence(NamedTuple):
    """A formula on the left of the turnstile, or on its right."""

    formula: Formula
    is_hypothesis: bool


_Premise = tuple[_Occurrence, ...]
"""What a premise has that the goal before did not have; a conclusion only if it is another one."""


def reach(lemma: Formula) -> Reach:
    """What the goals of a lemma can hold. Raises InputError for more than `MAX_FORMULAS` formulas."""
    start = _Occurrence(lemma, False)
    found = {start: _ways(start)}
    pending = [start]
    while pending:
        for premise in (premise for way in found[pending.pop()] for premise in way):
            for occurrence in premise:
                if occurrence not in found:
                    found[occurrence] = _ways(occurrence)
                    pending.append(occurrence)
        if len(found) > MAX_FORMULAS:
            raise InputError(
                f"More than {MAX_FORMULAS:,} formulas can stand in the goals of {brief(lemma)}; choose a smaller lemma."
            )
    return Reach(
        formulas=tuple(dict.fromkeys(occurrence.formula for occurrence in found)),
        hypotheses=_most(found, hypothesis=1, waiting=0)[start],
        goals=1 + _most(found, hypothesis=0, waiting=1)[start],
    )


def _ways(occurrence: _Occurrence) -> list[tuple[_Premise, ...]]:
    """For each rule that takes a formula apart what its premises have."""
    return [tuple(map(_premise, inference.premises)) for inference in inferences(*occurrence)]


def _premise(premise: Premise) -> _Premise:
    added = [_Occurrence(formula, True) for formula in premise.added]
    return tuple(added if premise.conclusion is None else [*added, _Occurrence(premise.conclusion, False)])


def _most(
    found: dict[_Occurrence, list[tuple[_Premise, ...]]], *, hypothesis: int, waiting: int
) -> dict[_Occurrence, int]:
    """The most that can come of each occurrence, counting each hypothesis and each goal that waits as told.

    Of a goal it is the sum over its formulas, and no move makes that sum larger: what a rule puts in the place of a
    formula counts at most as much as the formula did, and a new conclusion only takes one away.
    """
    most: dict[_Occurrence, int] = {}
    for occurrence in sorted(found, key=lambda occurrence: occurrence.formula.weight):  # parts are lighter
        counts = [hypothesis * occurrence.is_hypothesis]
        for way in found[occurrence]:
            # While a premise is worked on, those after it wait.
            counts += (waiting * behind + _sum(most, premise) for behind, premise in enumerate(reversed(way)))
        most[occurrence] = max(counts)
    return most


def _sum(most: dict[_Occurrence, int], premise: Iterable[_Occurrence]) -> int:
    return sum(most[occurrence] for occurrence in premise)
