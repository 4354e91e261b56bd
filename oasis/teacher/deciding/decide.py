"""Is a formula a theorem of intuitionistic logic? Two engines behind one function, and limits that both obey.

"Not provable" is said only with a countermodel that was checked, or after a search that left nothing out; where the
limit comes first, the verdict is that it is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter
from typing import Final

from oasis.ground.limits import Limit, LimitReached
from oasis.teacher.countermodels.forcing import check
from oasis.teacher.countermodels.kripke import Kripke
from oasis.teacher.deciding.clauses import parts
from oasis.teacher.deciding.intuit import Intuit
from oasis.teacher.deciding.sequents import Sequents
from oasis.teacher.deciding.simplification import simplified
from tactics.errors import check_choice
from tactics.formula import And, Formula
from tactics.goal import Goal

SECONDS: Final = 10.0
"""How long a formula may take unless told otherwise."""
MEMORY: Final = 4 * 2**30
"""How many bytes the process may occupy while it decides."""


class Verdict(StrEnum):
    """What is known of a formula."""

    THEOREM = "theorem"
    NON_THEOREM = "non-theorem"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Decision:
    """A verdict and where it comes from.

    Attributes:
        verdict: what is known.
        engine: who found it.
        seconds: how long it took.
        countermodel: for a non-theorem, a model whose root lacks the formula, if the engine gives one.
        reason: for an unknown one, which limit was reached.
    """

    verdict: Verdict
    engine: str
    seconds: float
    countermodel: Kripke | None = None
    reason: str = ""

    def __repr__(self) -> str:
        """The verdict, and who found it or what was not enough."""
        return f"{self.verdict} ({self.reason or f'by {self.engine}'})"

    @property
    def provable(self) -> bool | None:
        """Whether the formula is a theorem; None if that is not known."""
        return None if self.verdict is Verdict.UNKNOWN else self.verdict is Verdict.THEOREM

    def contradicts(self, status: str | None) -> bool:
        """Whether a source that calls the formula a `theorem` or `non-theorem` is wrong."""
        return self.verdict is not Verdict.UNKNOWN and status is not None and status != self.verdict


def _by_intuit(formula: Formula, limit: Limit) -> tuple[Verdict, Kripke | None]:
    simple = simplified(formula, limit)
    intuit = Intuit(limit)
    for part in parts(simple.formula, And):
        answer = intuit.decide((), part)
        if isinstance(answer, Kripke):
            countermodel = simple.original(answer)
            check(countermodel, (), formula)
            return Verdict.NON_THEOREM, countermodel
    return Verdict.THEOREM, None


def _by_sequents(formula: Formula, limit: Limit) -> tuple[Verdict, Kripke | None]:
    return (Verdict.THEOREM if Sequents(limit).decide((), formula) else Verdict.NON_THEOREM), None


ENGINES: Final[dict[str, Callable[[Formula, Limit], tuple[Verdict, Kripke | None]]]] = {
    "intuit": _by_intuit,
    "sequents": _by_sequents,
}
"""The engines by the name that a person types; the first one is asked unless told otherwise."""


def decide(formula: Formula, *, engine: str = "intuit", seconds: float = SECONDS, memory: int = MEMORY) -> Decision:
    """Whether a formula is a theorem, as far as the limits allow. Raises InputError for an unknown engine."""
    check_choice("--engine", engine, ENGINES)
    began = perf_counter()
    try:
        verdict, countermodel = ENGINES[engine](formula, Limit(seconds, memory))
    except LimitReached as error:
        return Decision(Verdict.UNKNOWN, engine, perf_counter() - began, reason=str(error))
    return Decision(verdict, engine, perf_counter() - began, countermodel)


def holds(goal: Goal, intuit: Intuit) -> bool:
    """Whether a goal is provable; a countermodel to it is checked. Raises LimitReached."""
    hypotheses = [formula for _, formula in goal.hypotheses]
    answer = intuit.decide(hypotheses, goal.conclusion)
    if isinstance(answer, Kripke):
        check(answer, hypotheses, goal.conclusion)
    return not isinstance(answer, Kripke)
